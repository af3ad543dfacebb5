/** Design tokens and elements for light and dark mode: one accent, three text colours, one radius, a 4 px grid. */
const BASE_CSS = `
:root { color-scheme: light dark; --bg: #fbfbfa; --panel: #fff; --side: #f4f4f2; --line: #e4e4e0; --edge: #8b918e; --ink: #1b1f1d; --soft: #48514c; --faint: #5b635f; --accent: #0b6b5e; --on-accent: #fff; --tint: #e2f1ee; --doubt: #8a4a06; --doubt-tint: #fdf2e2; --bad: #a3261d; --on-bad: #fff; --bad-tint: #fbeae8; --ok: #1d7a46; --mark: #fdeeb0; --r: 8px; --shadow: 0 1px 2px rgb(20 30 25 / .06); --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #141716; --panel: #1a1e1c; --side: #101312; --line: #2b312e; --edge: #6b7470; --ink: #e8ecea; --soft: #bcc5c1; --faint: #a5aeaa; --accent: #57c7b3; --on-accent: #06251f; --tint: #16312c; --doubt: #f0b46c; --doubt-tint: #33270f; --bad: #f59b93; --on-bad: #35100d; --bad-tint: #3a1f1c; --ok: #6fd09a; --mark: #4d4314; --shadow: none; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--bg); color: var(--ink); font: .9375rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 40px 20px 64px; }
main.narrow { max-width: 34rem; }
main.wide { max-width: 60rem; }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; margin: 0 0 8px; }
h2 { font-size: 1.0625rem; line-height: 1.35; font-weight: 600; margin: 32px 0 8px; }
h3 { font-size: .9375rem; font-weight: 600; margin: 0; }
h1, dd { overflow-wrap: anywhere; }
p { margin: 8px 0; }
.lead { color: var(--soft); margin: 0 0 16px; max-width: 44rem; text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: 1px; }
ol { padding-left: 20px; }
pre { background: var(--side); border: 1px solid var(--line); border-radius: var(--r); padding: 12px 16px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: .875em/1.5 var(--mono); overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 16px 0; }
dt { color: var(--soft); }
dd { margin: 0; }
figure, blockquote { margin: 16px 0; }
blockquote { border-left: 3px solid var(--line); padding-left: 12px; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
figcaption { overflow-wrap: anywhere; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
summary { cursor: pointer; color: var(--accent); padding: 4px 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[tabindex='-1']:focus { outline: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 8px; top: 8px; background: var(--panel); padding: 8px 16px; z-index: 9; }
.i { width: 16px; height: 16px; flex: none; stroke: currentColor; fill: none; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.logo { display: inline-grid; place-items: center; flex: none; width: 28px; height: 28px; border-radius: 7px; background: var(--accent); color: var(--on-accent); }
.brand { display: flex; align-items: center; gap: 10px; font-weight: 650; line-height: 1.25; color: inherit; text-decoration: none; min-width: 0; }
.brand small { display: block; font-size: .75rem; font-weight: 400; color: var(--faint); overflow-wrap: anywhere; }

fieldset { border: 1px solid var(--line); border-radius: var(--r); padding: 8px 16px 12px; margin: 20px 0 12px; }
legend { padding: 0 4px; font-weight: 600; }
label { display: block; font-weight: 550; margin: 16px 0 4px; }
.choice { display: flex; gap: 12px; align-items: flex-start; font-weight: 400; margin: 8px 0; }
.choice input { flex: none; width: 18px; height: 18px; margin: 3px 0 0; accent-color: var(--accent); }
.choice b { font-weight: 550; }
.choice small { display: block; font-size: .8125rem; line-height: 1.45; color: var(--soft); }
input[type=password], input[type=text], input[type=url], input[type=search], input[type=number], input[type=file], select, textarea { width: 100%; min-height: 40px; font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: var(--r); padding: 8px 12px; }
[aria-invalid] { border-color: var(--bad) !important; }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; font-family: inherit; font-size: .875rem; font-weight: 550; line-height: 1.3; color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: var(--r); padding: 4px 14px; min-height: 36px; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { border-color: var(--ink); }
.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.danger { color: var(--bad); }
.danger:hover { border-color: var(--bad); }
.primary.danger { color: var(--on-bad); background: var(--bad); border-color: var(--bad); }
button[disabled] { opacity: .55; cursor: default; }
button.quiet { font-weight: 400; font-size: inherit; border: 0; background: none; padding: 0 2px; min-height: 0; color: var(--accent); text-decoration: underline; }
@media (max-width: 56rem), (pointer: coarse) { .filter :is(input, select, button) { height: 44px; } button, .button { min-height: 44px; } input:is([type=password], [type=text], [type=url], [type=search], [type=number], [type=file]), select { min-height: 44px; } }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 20px 0; }
.ways { display: grid; gap: 8px; margin: 20px 0; }
.or { display: flex; align-items: center; gap: 12px; color: var(--soft); margin: 20px 0 0; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }

.facts { color: var(--soft); font-size: .8125rem; margin: 2px 0; }
.facts.apart { display: flex; flex-wrap: wrap; gap: 0 20px; }
.facts.apart > * { min-width: 0; overflow-wrap: anywhere; }
.note { color: var(--soft); font-size: .8125rem; margin-top: 20px; }
.doubt { color: var(--doubt); }
.claimed { color: var(--soft); font-style: italic; }
.problem { color: var(--bad); font-weight: 550; }
p.problem:not(:empty), .warning, .done { border: 1px solid; border-radius: var(--r); padding: 8px 12px; }
p.problem { background: var(--bad-tint); border-color: color-mix(in srgb, var(--bad) 40%, transparent) !important; }
.warning { background: var(--doubt-tint); border-color: color-mix(in srgb, var(--doubt) 40%, transparent); }
.done { background: var(--tint); border-color: color-mix(in srgb, var(--accent) 40%, transparent); }
.once { user-select: all; }
.state { display: inline-flex; align-items: center; gap: 6px; font-size: .8125rem; color: var(--soft); white-space: nowrap; }
.state::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: var(--faint); }
.state.ok::before { background: var(--ok); }
.state.warn { color: var(--doubt); }
.state.warn::before { background: currentColor; }
.state.bad { color: var(--bad); }
.state.bad::before { background: currentColor; }
.chip { display: inline-block; max-width: 12rem; white-space: nowrap; vertical-align: middle; padding: 0 8px; border-radius: 10px; background: var(--side); border: 1px solid var(--line); font-size: .75rem; line-height: 1.5; color: var(--soft); }
.copy { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; background: var(--side); border: 1px solid var(--line); border-radius: var(--r); padding: 4px 4px 4px 12px; margin: 8px 0; min-height: 44px; }
.copy code { flex: 1 1 12rem; min-width: 0; white-space: pre-wrap; user-select: all; }
.said:empty { display: none; }
.said { font-size: .8125rem; color: var(--soft); }
.scrolls { overflow-x: auto; position: relative; background: linear-gradient(to left, var(--bg) 50%, transparent) right / 48px 100% no-repeat local, linear-gradient(to left, var(--edge), transparent) right / 16px 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 550; }
thead th { color: var(--soft); font-size: .8125rem; }
th, th code { overflow-wrap: normal; }
tr:last-child > * { border-bottom: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.sharing { min-width: 5rem; width: 30%; vertical-align: middle; }
@media (max-width: 36rem) { .sharing { display: none; } th, td { padding-right: 8px; font-size: .8125rem; } :is(th, td).number { padding: 6px 0 6px 4px; font-size: .75rem; } :is(th, td):has(+ .number) { padding-right: 0; } th code { font-size: .6875rem; } }
`;

/** The console. */
const CONSOLE_CSS = `
.app { display: grid; grid-template-columns: 14.5rem minmax(0, 1fr); min-height: 100vh; background: linear-gradient(90deg, var(--side) 14.5rem, transparent 0); }
.app > main { margin: 0; max-width: 68rem; width: 100%; padding: 28px 36px 64px; }
.top { display: none; }
nav.console { position: sticky; inset: 0 auto auto 0; display: flex; flex-direction: column; gap: 12px; width: auto; height: 100vh; max-height: none; margin: 0; padding: 16px 12px; overflow: auto; color: var(--ink); background: var(--side); border: 0; border-right: 1px solid var(--line); }
nav.console .brand { padding: 0 8px; }
.close { display: none; }
.group p { margin: 0 0 4px; padding: 0 8px; font-size: .75rem; font-weight: 600; color: var(--faint); }
.group ul { list-style: none; margin: 0; padding: 0; }
.group li a { display: flex; align-items: center; gap: 10px; min-height: 28px; padding: 0 8px; border-radius: 6px; color: var(--soft); text-decoration: none; font-size: .875rem; }
.group a:hover { background: color-mix(in srgb, var(--ink) 6%, transparent); color: var(--ink); }
.group a[aria-current] { background: var(--panel); color: var(--ink); font-weight: 600; box-shadow: inset 0 0 0 1px var(--line), inset 3px 0 var(--accent); }
.waits { display: block; padding: 6px 10px; border-radius: var(--r); background: var(--doubt-tint); color: var(--doubt); border: 1px solid color-mix(in srgb, var(--doubt) 40%, transparent); font-size: .875rem; font-weight: 600; text-decoration: none; }
.who { position: sticky; bottom: 0; background: var(--side); display: flex; gap: 10px; align-items: flex-start; margin: auto -12px -16px; padding: 12px 20px 16px; border-top: 1px solid var(--line); font-size: .8125rem; color: var(--soft); }
.who > div { min-width: 0; overflow-wrap: anywhere; }
.who b { display: block; color: var(--ink); font-weight: 600; }
.who form { display: inline; }
.face { display: grid; place-items: center; flex: none; width: 28px; height: 28px; border-radius: 50%; background: var(--tint); color: var(--accent); font-weight: 600; }
@media (max-width: 56rem) {
  .app { display: block; background: none; }
  .app > main { padding: 20px 16px 56px; }
  .top { display: flex; align-items: center; gap: 8px; padding: 8px 16px; background: var(--side); border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 4; }
  .top .brand { margin-right: auto; }
  .top:has(.waits) .brand > :last-child { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  nav.console { position: fixed; inset: 0 0 0 auto; width: min(20rem, 88vw); height: 100dvh; border: 0; border-left: 1px solid var(--line); }
  nav.console:not(:popover-open) { display: none; }
  nav.console::backdrop { background: rgb(0 0 0 / .4); }
  .close { display: flex; position: absolute; top: 8px; right: 12px; }
  .group li a { min-height: 44px; font-size: .9375rem; }
  .who { position: static; }
  .who a, .who button.quiet { display: inline-block; padding: 8px 4px 8px 0; }
}
.title { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin-bottom: 12px; }
.title h1 { margin: 0; }
.title .actions { margin: 0 0 0 auto; }
.card, .rows, .app form.panel, .filter { background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); box-shadow: var(--shadow); }
.app h2 { font-size: .9375rem; margin: 28px 0 8px; }
.card { padding: 12px 16px; margin: 0 0 20px; min-width: 0; }
.card > h2:first-child, .heading h2 { margin: 0; }
.heading { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 16px; margin: 28px 0 8px; }
.heading a { font-size: .8125rem; }
form.panel { padding: 4px 16px 16px; margin: 8px 0; max-width: 40rem; }
form.panel .actions { margin: 16px 0 0; }
.filter { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; margin: 12px 0 20px; padding: 12px; }
.filter > div { flex: 1 1 9rem; min-width: 0; }
.filter > .broad { flex: 3 1 16rem; }
.filter :is(input, select, button) { height: 40px; }
.filter label { margin: 0 0 2px; font-size: .8125rem; color: var(--soft); }

.rows { list-style: none; padding: 0; margin: 8px 0; }
.rows > li { position: relative; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 10px 16px; border-top: 1px solid var(--line); }
.rows > li:first-child { border-top: 0; }
.rows > li:hover { background: color-mix(in srgb, var(--ink) 2%, transparent); }
.rows > li > .i { align-self: flex-start; margin-top: 4px; color: var(--faint); }
.rows > li.failed > .i { color: var(--bad); }
.rows .what { flex: 1 1 16rem; min-width: 0; overflow-wrap: anywhere; }
.rows .what > p:not(.facts) { margin: 0; }
.rows strong { font-weight: 600; }
.rows strong:has(+ .state) { margin-right: 8px; }
.rows .actions { margin: 0; flex: none; }
.rows .aside { min-width: 0; max-width: 100%; display: flex; align-items: center; gap: 12px; color: var(--faint); font-size: .8125rem; white-space: nowrap; }
.rows blockquote { margin: 0 0 4px; border-color: var(--accent); }
.rows > .folds { padding-right: 44px; }
.more { flex: 0 0 100%; }
.more > summary { position: absolute; right: 8px; top: 6px; display: grid; place-items: center; width: 32px; height: 32px; padding: 0; border-radius: 6px; list-style: none; color: var(--faint); }
.more > summary::-webkit-details-marker { display: none; }
.more > summary:hover { background: color-mix(in srgb, var(--ink) 7%, transparent); color: var(--ink); }
.more[open] > summary .i { transform: rotate(180deg); }
.rows > li:not(:has(.more[open])) > .more { flex: 0 0 0; width: 0; margin-left: -12px; }
.more > div { border-top: 1px dashed var(--line); margin-top: 6px; padding: 8px 0 4px; }
.more .actions { margin: 8px 0 0; }
.settings > li { padding-top: 8px; padding-bottom: 8px; align-items: flex-start; }
.settings .state { float: right; margin-top: 2px; }
.settings > li:has(.state.warn) { background: var(--doubt-tint); }
.rows .danger:not(.primary, :hover, :focus-visible) { color: inherit; }
.lines .what { display: flex; gap: 6px; align-items: baseline; flex: 1 1 0; white-space: nowrap; overflow: hidden; padding: 2px 0 2px 2px; }
.lines > li { padding-top: 5px; padding-bottom: 5px; min-height: 42px; flex-wrap: nowrap; }
.lines > li:has(.more[open]) { flex-wrap: wrap; }
.lines > li > .i { align-self: center; margin: 0; }
.lines .what > .about { overflow: hidden; text-overflow: ellipsis; min-width: 3rem; flex: 0 1 auto; color: var(--ink); font-weight: 550; }
.lines .what > .about a { color: inherit; text-decoration-color: var(--edge); }
.lines .what > .where { overflow: hidden; text-overflow: ellipsis; flex: 1 1 0; min-width: 0; color: var(--soft); font-size: .8125rem; }
.lines .deed { color: var(--soft); flex: none; }
.lines time { min-width: 5rem; text-align: right; }
@media (max-width: 36rem) {
  .rows > li { padding-left: 12px; padding-right: 12px; }
  .rows > .folds { padding-right: 48px; }
  .rows > li > .i + .what { flex-basis: calc(100% - 28px); }
  .rows:not(.steps) > li > .shot + .what { flex-basis: calc(100% - 100px); }
  .rows > li > .i ~ :is(.aside, .actions) { padding-left: 28px; }
  .more > summary { width: 44px; height: 44px; top: 0; right: 2px; }
  .lines > li { flex-wrap: wrap; gap: 0 8px; }
  .lines .what { flex: 1 1 calc(100% - 24px); }
  .lines .what > .about { white-space: normal; overflow-wrap: anywhere; }
  .lines .what > .where { display: none; }
  .lines .aside { padding-left: 24px; }
  .lines time { min-width: 0; text-align: left; }
  .lines .more { margin: 0 !important; }
}
.empty { display: flex; gap: 12px; align-items: flex-start; border: 1px dashed var(--edge); border-radius: var(--r); padding: 16px; margin: 8px 0; color: var(--soft); max-width: 40rem; }
.empty .i { margin-top: 3px; color: var(--accent); }
.empty p { margin: 0; }
.rows.waiting { border-color: color-mix(in srgb, var(--doubt) 50%, var(--line)); background: linear-gradient(90deg, var(--doubt-tint), var(--panel) 70%); }
.rows.waiting > li { padding: 16px; align-items: flex-start; }
.rows.waiting .what { align-self: center; }
.rows.waiting strong { font-size: 1rem; }
.shot { flex: none; display: block; width: 8rem; max-width: 100%; border: 1px solid var(--line); border-radius: 6px; background: var(--side); overflow: hidden; }
.shot img { display: block; width: 100%; height: auto; background: var(--side); color: var(--faint); font-size: .75rem; }
.shot.none { padding: 8px; color: var(--faint); font-size: .75rem; line-height: 1.4; }
@media (prefers-color-scheme: dark) { .shot img { opacity: .85; } }
@media (max-width: 36rem) { .rows.waiting .actions { flex-basis: 100%; } .shot { width: 5.5rem; } .shot.none { display: none; } }
.steps .shot { width: 12rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 12px; list-style: none; margin: 16px 0 20px; padding: 0; }
.tiles li { background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); box-shadow: var(--shadow); padding: 12px 16px; font-size: .8125rem; color: var(--soft); }
.tiles b { display: block; font-size: 1.375rem; line-height: 1.35; font-weight: 600; color: var(--ink); font-variant-numeric: tabular-nums; }
.tiles .share { margin-top: 8px; }
@media (max-width: 36rem) { .tiles li:last-child:nth-child(odd) { grid-column: 1 / -1; } }
.halves { display: grid; grid-template-columns: minmax(0, 1.5fr) minmax(0, 1fr); gap: 0 24px; align-items: start; }
@media (min-width: 36rem) { .halves .shot ~ .actions { margin-left: calc(8rem + 12px); } }
@media (min-width: 64rem) { .halves > div > .heading:first-child { margin-top: 4px; } .halves .where { display: none; } }
.rows + .card { margin-top: 20px; }
:is(.rows, .empty, form.panel) + h3 { margin: 20px 0 8px; }
@media (max-width: 64rem) { .halves { grid-template-columns: minmax(0, 1fr); } }
.plot { margin: 12px 0; background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); padding: 12px 16px; }
.plot svg { display: block; width: 100%; height: 6rem; margin-top: 8px; border-bottom: 1px solid var(--edge); }
.plot .ends { display: flex; justify-content: space-between; gap: 16px; color: var(--faint); font-size: .75rem; }
.plot figcaption { font-size: .875rem; }
.bar { fill: var(--accent); }
.reserved { fill: var(--faint); opacity: .5; }
.bad { fill: var(--bad); }
.share { display: block; width: 100%; height: 4px; background: var(--line); border-radius: 2px; overflow: hidden; }
.app .scrolls:not(.text *) { background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); padding: 4px 16px; margin: 8px 0; }
@media (max-width: 36rem) { .app .scrolls:not(.text *) { padding: 4px 12px; } }
.pick { position: sticky; top: 0; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 16px; background: var(--bg); border-bottom: 1px solid var(--line); padding: 8px 0; z-index: 1; }
@media (max-width: 56rem) { .pick { top: 60px; } }
.picked { list-style: none; padding: 0; }
.picked label { display: grid; grid-template-columns: auto 28px minmax(0, 1fr); gap: 10px; margin: 0; padding: 2px 0; font-weight: 400; cursor: pointer; scroll-margin-top: 8rem; }
.picked .blank { height: 20px; }
.picked label:hover { background: var(--side); }
.picked input { width: 17px; height: 17px; margin: 4px 0 0; accent-color: var(--accent); scroll-margin-top: 8rem; }
.picked .number { color: var(--faint); font-size: .8125rem; padding-top: 2px; text-align: right; font-variant-numeric: tabular-nums; }
.picked label > :last-child { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
`;

/** The landing page, public pages and consent. */
const PUBLIC_PAGES_CSS = `
.bare { border-bottom: 1px solid var(--line); }
.bare ul, footer ul { list-style: none; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; max-width: 46rem; margin: 0 auto; padding: 12px 20px; }
body:has(> .broad) :is(.bare, footer) ul { max-width: 65rem; }
.bare li:first-child { margin-right: auto; }
.bare li > a:not(.brand) { color: var(--soft); text-decoration: none; padding: 8px 0; }
.bare a:hover { text-decoration: underline; }
main.broad { max-width: 65rem; padding-top: 0; }
footer { border-top: 1px solid var(--line); color: var(--soft); font-size: .8125rem; }
.hero { display: grid; grid-template-columns: 1.05fr 1fr; gap: 48px; align-items: center; padding: 48px 0 40px; }
.hero > * { min-width: 0; }
.hero h1 { font-size: 2.5rem; line-height: 1.12; letter-spacing: -.025em; font-weight: 680; margin: 0 0 12px; text-wrap: balance; }
.hero .lead { font-size: 1.0625rem; margin: 0 0 20px; }
.hero h2 { margin: 0; font-size: .8125rem; color: var(--soft); }
.chat { margin: 0; background: var(--panel); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 12px 40px rgb(20 40 30 / .08); overflow: hidden; }
.chat > p { margin: 0; padding: 12px 16px; }
.chat > p:first-child { color: var(--soft); border-bottom: 1px solid var(--line); }
.chat .cite { color: var(--accent); font: .8125rem var(--mono); white-space: nowrap; }
.excerpt { border-top: 1px solid var(--line); background: var(--bg); padding: 12px 0; font-size: .8125rem; }
.excerpt p { margin: 0; padding: 0 16px 8px; color: var(--faint); font-size: .75rem; overflow-wrap: anywhere; }
.excerpt ol { list-style: none; margin: 0; padding: 0; }
.excerpt li { display: grid; grid-template-columns: 44px minmax(0, 1fr); padding: 2px 16px 2px 0; line-height: 1.6; }
.excerpt i { font: .75rem/1.75 var(--mono); text-align: right; padding-right: 12px; color: var(--faint); }
.excerpt .hit { background: var(--tint); box-shadow: inset 3px 0 var(--accent); }
.excerpt .hit i { color: var(--accent); }
.features { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px 24px; margin: 0 0 32px; }
.features > div { border-top: 2px solid var(--line); padding-top: 12px; }
.features dt { color: inherit; font-weight: 600; }
.features dd { color: var(--soft); font-size: .875rem; }
@media (max-width: 56rem) { .hero { grid-template-columns: minmax(0, 1fr); padding: 28px 0; gap: 28px; } .hero h1 { font-size: 1.875rem; } .features { grid-template-columns: 1fr 1fr; } }
@media (max-width: 30rem) { .features { grid-template-columns: 1fr; } }
.picture img { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: var(--r); }
.picture figcaption { color: var(--soft); margin-top: 8px; font-size: .875rem; }
.sights { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; }
.sights figure { margin: 0; }
@media (max-width: 56rem) { .sights { grid-template-columns: minmax(0, 1fr); } }
.clients { display: flex; flex-wrap: wrap; gap: 4px; border: 0; padding: 0; margin: 16px 0 0; }
.clients legend { padding: 0 0 4px; font-size: .8125rem; color: var(--soft); }
.clients label { margin: 0; padding: 4px 12px; border-radius: 6px; font-weight: 400; font-size: .875rem; color: var(--soft); cursor: pointer; }
.clients input:checked + label { background: var(--side); color: var(--ink); box-shadow: inset 0 -2px var(--accent); font-weight: 600; }
.clients input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 2px; }
.client { display: none; order: 1; flex: 1 0 100%; min-width: 0; }
.clients input:checked + label + .client { display: block; }
.sheet { max-width: 34rem; margin: 40px auto 64px; background: var(--panel); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 12px 40px rgb(20 40 30 / .07); padding: 28px; }
.sheet h1 { font-size: 1.375rem; }
.sheet > .brand { margin-bottom: 20px; }
.sheet .actions { margin: 20px 0 0; }
.halved { display: grid; grid-template-columns: 1fr 1fr; }
.sheet .halved button { min-height: 44px; }
@media (max-width: 36rem) { .sheet { margin: 12px; padding: 20px 16px; } }
.pair { display: flex; align-items: center; gap: 10px; margin-bottom: 16px; }
.pair .logo, .pair .other { width: 40px; height: 40px; border-radius: 10px; }
.pair .other { display: grid; place-items: center; border: 1px solid var(--line); background: var(--side); font-weight: 650; }
.pair::after { content: ""; order: 1; width: 28px; border-top: 2px dotted var(--edge); }
.pair .logo { order: 2; }
.permits { padding: 0; overflow: hidden; }
.permits legend { margin-left: 12px; }
.permits h2 { font-size: .75rem; color: var(--faint); margin: 0; padding: 12px 16px 0; }
.permits h2 ~ h2 { border-top: 1px solid var(--line); }
.permits .choice { padding: 8px 16px; margin: 0; }
.permits .note { margin: 0; padding: 8px 16px; }
.controls { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 8px; margin: 20px 0; }
.controls > p { margin: 0; }
.controls > details[open] { flex: 1 0 100%; }
.controls > details > summary { display: inline-flex; align-items: center; gap: 8px; min-height: 36px; padding: 4px 14px; font-size: .875rem; font-weight: 550; line-height: 1.3; color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: var(--r); list-style: none; }
.controls summary::-webkit-details-marker { display: none; }
.controls summary:hover { border-color: var(--ink); }
.controls summary::after { content: ""; width: 6px; height: 6px; margin-top: -4px; border: solid currentColor; border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
.controls [open] > summary::after { margin-top: 3px; transform: rotate(225deg); }
@media (max-width: 56rem), (pointer: coarse) { .controls > details > summary { min-height: 44px; } }
`;

/** Text of pages and documents with line numbers, quotes and changes. */
const READING_TEXT_CSS = `
.answer { background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); padding: 0 16px 8px; margin: 20px 0; }
.answer h2 { margin-top: 16px; }
.diff { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.text { margin: 16px 0; }
.text ul, .text table { list-style: none; padding: 0; margin: 0; }
.text .row { scroll-margin: 20vh; }
.text div.row, .text li.row { display: grid; grid-template-columns: 40px minmax(0, 1fr); gap: 0 16px; padding: 4px 0; }
.text :is(div, li).row > :last-child { margin: 0; min-width: 0; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.text .row > p { white-space: pre-line; }
.text .n { color: var(--faint); font-size: .8125rem; line-height: 1.7; text-align: right; text-decoration: none; user-select: none; font-variant-numeric: tabular-nums; padding-right: 4px; }
.text .n:hover { text-decoration: underline; }
.text .cited .n { color: var(--accent); font-weight: 600; box-shadow: inset 3px 0 var(--accent); }
.text :is(div, li).cited { background: var(--tint); }
.text :is(h2, h3, h4, h5) { font-size: 1rem; margin: 0; }
.text h2 { font-size: 1.25rem; }
.text h3 { font-size: 1.125rem; }
.text hr { width: 100%; align-self: center; border: 0; border-top: 1px solid var(--line); }
.text .code { background: var(--side); border: 1px solid var(--line); border-radius: var(--r); padding: 4px 0; margin: 4px 0; }
.text .code .row { padding: 0 12px 0 0; }
.text .code code { white-space: pre-wrap; }
.text .code .n { padding-top: 0; }
.text tr > td:first-child { width: 56px; min-width: 56px; padding: 6px 16px 6px 0; border: 0; }
.text td .n { display: block; padding-right: 4px; line-height: 1.55; }
@media (max-width: 36rem) { .text div.row, .text li.row { grid-template-columns: 28px minmax(0, 1fr); gap: 0 12px; } .text tr > td:first-child { width: 40px; min-width: 40px; padding-right: 12px; } .text .n { padding-right: 0; } }
.text .quoted > p { border-left: 3px solid var(--line); padding-left: 12px; }
.text .described::before { content: "▧ "; color: var(--faint); }
.text .described { font-style: italic; }
.text .marker { color: var(--faint); }
.text .row:target { outline: 2px solid var(--accent); }
.in1 > :last-child { padding-left: 20px; }
.in2 > :last-child { padding-left: 40px; }
.in3 > :last-child { padding-left: 60px; }
:is(.in4, .in5, .in6) > :last-child { padding-left: 80px; }
details h2 { font-size: .9375rem; margin: 12px 0 4px; }
.picked mark { box-shadow: -.2rem 0 var(--mark), -.4rem 0 var(--accent); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 24px; margin: 8px 0 24px; }
.sides > div { min-width: 0; border-left: 3px solid var(--line); padding-left: 12px; }
@media (max-width: 36rem) { .sides { grid-template-columns: 1fr; gap: 12px; } }
del { color: var(--bad); }
ins { color: var(--ok); text-underline-offset: .2em; }
.printed { display: none; }
@media print { :root { color-scheme: light; --ink: #000; --soft: #333; --faint: #333; --bg: #fff; --panel: #fff; --tint: #fff; --mark: #eee; } main, .app > main { max-width: none !important; padding: 0 !important; } .app { display: block; } form, nav, header, .top, .skip, footer, button, details { display: none !important; } .printed { display: block; } mark { font-weight: 600; } a { color: inherit; } }
`;

/** Style of pages outside the console, inline to save a round trip. The Content-Security-Policy has its hash. */
export const SITE_CSS = joined(BASE_CSS, CONSOLE_CSS, PUBLIC_PAGES_CSS, READING_TEXT_CSS);
/** Style of console pages: the same without the parts for the landing page and for consent. */
export const CONSOLE_PAGES_CSS = joined(BASE_CSS, CONSOLE_CSS, READING_TEXT_CSS);

function joined(...parts: readonly string[]): string {
  return parts
    .join('')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?([{};]|[,:] ) ?/gu, (_, sign: string) => sign.trim());
}
