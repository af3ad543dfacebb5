import type { Child } from 'hono/jsx';
import { PATHS } from '#core/paths.ts';

export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6470; --paper: #fbfbf9; --line: #d9dcd6; --accent: #0b6e63; --on-accent: #ffffff; --code: #f0f1ec; --doubt: #9a4a00; --bad: #a61b1b; --mark: #fdf1b8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eae6; --soft: #a3aca9; --paper: #14171a; --line: #343a3f; --accent: #5cc7b8; --on-accent: #0c1716; --code: #1f2428; --doubt: #f0b46a; --bad: #ff9d94; --mark: #4a4212; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
p { margin: .5rem 0; }
.lead { color: var(--soft); font-size: 1.1rem; }
a { color: var(--accent); }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: .9em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
main.narrow { max-width: 32rem; }
main.wide { max-width: 60rem; padding-top: 1.75rem; }
.console { border-bottom: 1px solid var(--line); background: var(--code); }
.console ul { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem .25rem; max-width: 60rem; margin: 0 auto; padding: .6rem .75rem; }
.console a { display: block; padding: .35rem .6rem; border-radius: .5rem; color: inherit; text-decoration: none; font-size: .95rem; }
.console a:hover { text-decoration: underline; }
@media (max-width: 36rem) { .console ul { flex-wrap: nowrap; overflow-x: auto; } .console li { flex: none; } .console li:has(.waits) { order: -2; } .console li:has([aria-current]) { order: -1; } }
.console a[aria-current] { background: var(--paper); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600; }
.console a.waits { background: var(--doubt); color: var(--paper); font-weight: 600; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.sharing { min-width: 6rem; width: 35%; vertical-align: middle; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: .5rem; top: .5rem; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
h1, dd { overflow-wrap: anywhere; }
ol { padding-left: 1.25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1rem; margin: 1.25rem 0; }
dt { color: var(--soft); }
dd { margin: 0; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem 1rem .75rem; margin: 1.25rem 0 .75rem; }
legend { padding: 0 .35rem; font-weight: 600; }
label { display: block; font-weight: 600; margin: 1.25rem 0 .35rem; }
.choice { display: flex; gap: .75rem; align-items: flex-start; font-weight: 400; margin: .6rem 0; }
.choice input { flex: none; width: 1.15rem; height: 1.15rem; margin: .25rem 0 0; accent-color: var(--accent); }
.choice code { color: var(--soft); }
input[type=password], input[type=text], input[type=search], input[type=number], input[type=file], select, textarea { width: 100%; font: inherit; color: inherit; background: var(--code); border: 1px solid var(--soft); border-radius: .5rem; padding: .6rem .75rem; }
.cards { list-style: none; padding: 0; margin: .75rem 0; }
.cards li { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; justify-content: space-between; border-top: 1px solid var(--line); padding: .9rem 0; }
.cards li > div { flex: 1 1 18rem; min-width: 0; overflow-wrap: anywhere; }
select { min-height: 2.75rem; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: 1rem 0; }
.filter > div { flex: 1 1 10rem; min-width: 0; }
.filter label { margin-top: 0; }
.cards li > .actions { flex: 0 1 auto; margin: 0; }
.cards li.pictured { align-items: flex-start; }
.cards.waiting { border: 2px solid var(--doubt); border-radius: .5rem; padding: 0 1rem; }
.cards.waiting li:first-child { border-top: 0; }
.state.ready { border-color: var(--accent); color: var(--accent); }
.shot { flex: none; display: block; width: 12rem; max-width: 100%; border: 1px solid var(--line); border-radius: .35rem; background: var(--code); }
.shot img { display: block; width: 100%; height: auto; border-radius: .35rem; }
.shot.none { padding: 1.25rem .75rem; color: var(--soft); font-size: .85rem; text-align: center; }
dl.abilities { grid-template-columns: max-content 1fr; }
dl.abilities dt { color: inherit; font-weight: 600; }
.picture img { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: .5rem; }
.picture figcaption { color: var(--soft); margin-top: .35rem; }
.tour { border: 0; padding: 0; margin: 0; }
.tour ol { list-style: none; display: grid; padding: 0; margin: 0 0 .5rem; }
.tour label { display: inline-block; font-weight: 400; margin: 0; }
.tour label input { accent-color: var(--accent); }
@media (prefers-reduced-motion: no-preference) {
  .tour li { grid-area: 1 / 1; visibility: hidden; animation: tour 10.5s step-end infinite; }
  .tour li:nth-child(2) { animation-delay: 3.5s; }
  .tour li:nth-child(3) { animation-delay: 7s; }
  .tour:has(:checked) li { animation-play-state: paused; }
  @keyframes tour { 0% { visibility: visible; } 33.34% { visibility: hidden; } }
}
@media (prefers-reduced-motion: reduce) { .tour ol { gap: 1.5rem; } .tour label { display: none; } }
header.console ul { max-width: 46rem; }
.brand { display: flex !important; align-items: center; gap: .5rem; font-weight: 600; }
footer ul { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; max-width: 46rem; margin: 0 auto; padding: 1rem 1.25rem 2rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; }
.copy { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; background: var(--code); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .5rem .5rem 1rem; margin: .5rem 0; }
.copy code { flex: 1 1 12rem; min-width: 0; white-space: pre-wrap; user-select: all; }
.copy button { padding: .35rem 1rem; background: var(--paper); }
.said:empty { display: none; }
.clients { display: flex; flex-wrap: wrap; gap: .25rem; border: 0; padding: 0; }
.clients legend { padding: 0 0 .35rem; }
.clients label { margin: 0; padding: .35rem .75rem; border-radius: .5rem; font-weight: 400; cursor: pointer; }
.clients input:checked + label { background: var(--code); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600; }
.clients input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px; }
.client { display: none; order: 1; flex: 1 0 100%; min-width: 0; }
.clients input:checked + label + .client { display: block; }
.button { display: inline-block; font-weight: 600; color: var(--on-accent); background: var(--accent); border-radius: .5rem; padding: .55rem 1.5rem; min-height: 2.75rem; text-decoration: none; }
.state { font-size: .85rem; border: 1px solid var(--soft); border-radius: 1rem; padding: .05rem .6rem; }
.plot { margin: 1rem 0; }
.plot svg { display: block; width: 100%; height: 8rem; border-bottom: 1px solid var(--soft); }
.plot .ends { display: flex; justify-content: space-between; gap: 1rem; color: var(--soft); font-size: .85rem; }
.bar { fill: var(--accent); }
.reserved { fill: var(--soft); opacity: .45; }
.bad { fill: var(--bad); }
.share { display: block; width: 100%; height: .8rem; background: var(--code); border: 1px solid var(--line); border-radius: .4rem; }
.scrolls { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; }
th, th code { overflow-wrap: normal; }
@media (max-width: 36rem) { .sharing { display: none; } }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
summary { cursor: pointer; color: var(--accent); padding: .35rem 0; }
.facts { color: var(--soft); font-size: .9rem; margin: .15rem 0; }
.once { user-select: all; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: 1.5rem 0; }
.ways { display: grid; gap: .75rem; margin: 1.5rem 0; }
.or { display: flex; align-items: center; gap: .75rem; color: var(--soft); margin: 1.5rem 0 0; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
button { font: inherit; font-weight: 600; color: inherit; background: transparent; border: 1px solid var(--soft); border-radius: .5rem; padding: .6rem 1.5rem; min-height: 2.75rem; cursor: pointer; }
button.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
button.quiet { font-weight: 400; border: 0; padding: 0 .25rem; min-height: 0; color: var(--accent); text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.done { border-left: 4px solid var(--accent); background: var(--code); padding: .5rem 1rem; }
.note { color: var(--soft); font-size: .9rem; margin-top: 2rem; }
.doubt { color: var(--doubt); }
.claimed { color: var(--soft); font-style: italic; }
.problem { color: var(--bad); font-weight: 600; }
.warning { border-left: 4px solid var(--doubt); padding: .25rem 0 .25rem 1rem; }
.diff { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
[tabindex='-1']:focus { outline: none; }
.text { margin: 1rem 0; }
.text ul, .text table { list-style: none; padding: 0; margin: 0; }
.text .row { scroll-margin: 20vh; }
.text div.row, .text li.row { display: grid; grid-template-columns: 3rem minmax(0, 1fr); gap: 0 .75rem; padding: .3rem 0; }
.text :is(div, li).row > :last-child { margin: 0; min-width: 0; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.text .row > p { white-space: pre-line; }
.text .n { color: var(--soft); font: .8rem/1.6 system-ui, sans-serif; text-align: right; text-decoration: none; user-select: none; font-variant-numeric: tabular-nums; padding-top: .15rem; }
.text .n:hover { text-decoration: underline; }
.text .cited .n { color: var(--accent); font-weight: 600; box-shadow: inset 3px 0 var(--accent); }
.text :is(h2, h3, h4, h5) { font-size: 1.05rem; }
.text h2 { font-size: 1.3rem; }
.text h3 { font-size: 1.15rem; }
.text hr { width: 100%; align-self: center; border: 0; border-top: 1px solid var(--line); }
.text .code { background: var(--code); border: 1px solid var(--line); border-radius: .5rem; padding: .35rem 0; margin: .35rem 0; }
.text .code .row { padding: 0 .75rem 0 0; }
.text .code code { white-space: pre-wrap; }
.text .code .n { padding-top: 0; }
@media (max-width: 36rem) { .text div.row, .text li.row { grid-template-columns: 2rem minmax(0, 1fr); gap: 0 .6rem; } .text td .n { min-width: 1.75rem; } }
.text td .n { display: block; min-width: 2.5rem; padding: 0 .25rem 0 0; }
.text .quoted > p { border-left: 4px solid var(--line); padding-left: .75rem; }
.text .described::before { content: "▧ "; color: var(--soft); }
.text .described { font-style: italic; }
.text .marker { color: var(--soft); }
.text .row:target { outline: 2px solid var(--accent); }
.in1 > :last-child { padding-left: 1.25rem; }
.in2 > :last-child { padding-left: 2.5rem; }
.in3 > :last-child { padding-left: 3.75rem; }
:is(.in4, .in5, .in6) > :last-child { padding-left: 5rem; }
details h2 { font-size: 1rem; margin: .75rem 0 .25rem; }
.pick { position: sticky; top: 0; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; background: var(--paper); border-bottom: 1px solid var(--line); padding: .5rem 0; z-index: 1; }
.picked { list-style: none; padding: 0; }
.picked label { display: grid; grid-template-columns: auto 1.75rem minmax(0, 1fr); gap: .6rem; margin: 0; padding: .1rem 0; font-weight: 400; cursor: pointer; scroll-margin-top: 5rem; }
.picked .blank { height: 1.6rem; }
.picked label:hover { background: var(--code); }
.picked input { width: 1.05rem; height: 1.05rem; margin: .3rem 0 0; accent-color: var(--accent); scroll-margin-top: 5rem; }
.picked .number { color: var(--soft); font-size: .8rem; padding-top: .2rem; text-align: right; font-variant-numeric: tabular-nums; }
.picked label > :last-child { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
mark { background: var(--mark); color: inherit; border-radius: .15rem; }
.picked mark { box-shadow: -.2rem 0 var(--mark), -.4rem 0 var(--accent); }
figure, blockquote { margin: 1rem 0; }
blockquote { border-left: 4px solid var(--line); padding-left: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.cards blockquote { margin: 0 0 .35rem; }
figcaption { overflow-wrap: anywhere; }
.answer { border: 1px solid var(--line); border-radius: .5rem; padding: 0 1rem .5rem; margin: 1.25rem 0; }
.answer h2 { margin-top: 1rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .25rem 1.5rem; margin: .5rem 0 1.5rem; }
.sides > div { min-width: 0; border-left: 4px solid var(--line); padding-left: .9rem; }
.sides h3 { font-size: .95rem; margin: 0; }
@media (max-width: 36rem) { .sides { grid-template-columns: 1fr; gap: .9rem; } }
del { color: var(--bad); }
ins { color: var(--accent); text-underline-offset: .2em; }
@media print { :root { --ink: #000; --soft: #333; --paper: #fff; --mark: #eee; } main, main.wide { max-width: none; padding: 0; } form, .console, .skip, footer { display: none; } mark { font-weight: 600; } a { color: inherit; } }
`;

/** What a person has to see first: it is in view and has the focus, without a script. */
export const FOCUS_ON_LOAD = { tabindex: -1, autofocus: true };

type Props = {
  title: string;
  children: Child;
  /** For a page that is one form, or a list with much in each row. */
  width?: 'narrow' | 'wide' | undefined;
  before?: Child;
  after?: Child;
  preview?: Preview | undefined;
  /** Keeps search engines from listing the page. */
  isHidden?: boolean;
  /** Redirects there without a script. */
  goesTo?: string;
  /** For a page that is a tool rather than a text: style and script of its own, which the policy of that page names. */
  tool?: { style: string; script: string };
};

/** What a chat or a search engine shows of a link to the page. @param image a path @param origin of this server */
export type Preview = { description: string; image: string; origin: string };

export function Layout({ title, children, width, before, after, preview, isHidden = false, goesTo, tool }: Props) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {isHidden ? <meta name="robots" content="noindex, nofollow" /> : null}
        <title>{title}</title>
        <link rel="icon" href={PATHS.mark} type="image/svg+xml" />
        {preview === undefined ? null : <PreviewTags title={title} {...preview} />}
        {goesTo === undefined ? null : <meta http-equiv="refresh" content={`0;url=${goesTo}`} />}
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
        {tool === undefined ? null : <style dangerouslySetInnerHTML={{ __html: tool.style }} />}
      </head>
      <body>
        {before}
        <main id="main" class={tool === undefined ? width : 'tool'}>
          {children}
        </main>
        {after}
        {tool === undefined ? null : <script dangerouslySetInnerHTML={{ __html: tool.script }} />}
      </body>
    </html>
  );
}

function PreviewTags({ title, description, image, origin }: Preview & { title: string }) {
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={origin + image} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

type Link = { to: string; label: string };

const START: Link = { to: '/', label: 'About Periscope and how to connect' };

/** A page with one message and a link to go on. */
export function Message({ title, text, link = START }: { title: string; text: string; link?: Link }) {
  return (
    <Layout title={`${title} – Periscope`}>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href={link.to}>{link.label}</a>
      </p>
    </Layout>
  );
}

/** A page that redirects without a script; the link is for browsers that do not follow. */
export function Continue({ to, label, title }: { to: string; label: string; title: string }) {
  return (
    <Layout title={`${title} – Periscope`} goesTo={to}>
      <h1>{title}</h1>
      <p>
        <a href={to}>{label}</a>
      </p>
    </Layout>
  );
}

type SignedInAsProps = {
  isOwner: boolean;
  name: string | null;
  form: string;
};

export function SignedInAs({ isOwner, name, form }: SignedInAsProps) {
  return (
    <form method="post" action={PATHS.signOut} class="note">
      You are signed in
      {name === null ? null : (
        <>
          {' '}
          as <bdi>{name}</bdi>
        </>
      )}
      {isOwner ? `${name === null ? ' as' : ','} the owner of this server` : ''}.{' '}
      <input type="hidden" name="form" value={form} />
      <button type="submit" class="quiet">
        Sign out
      </button>
    </form>
  );
}

type ScopeChoiceProps = { scope: string; sentence: string; ticked: boolean };

/** A checkbox for one permission. */
export function ScopeChoice({ scope, sentence, ticked }: ScopeChoiceProps) {
  return (
    <label class="choice">
      <input type="checkbox" name="scope" value={scope} checked={ticked} />
      <span>
        {sentence} <code>{scope}</code>
      </span>
    </label>
  );
}
