import type { Child } from 'hono/jsx';
import { PATHS, SERVER_TITLE } from '#core/paths.ts';
import { Logo } from '#web/style/icons.tsx';
import { CONSOLE_PAGES_CSS, SITE_CSS } from '#web/style/style.ts';

/** Attributes of content to show first, such as an error: the focus scrolls it into view without a script. */
export const FOCUS_ON_LOAD = { tabindex: -1, autofocus: true };

type Props = {
  title: string;
  children: Child;
  /** Width of the content. `sheet`: one question or message; `broad`: the landing page. */
  width?: 'sheet' | 'wide' | 'broad' | undefined;
  before?: Child;
  after?: Child;
  aside?: Child;
  preview?: LinkPreview | undefined;
  isHidden?: boolean;
  goesTo?: string;
  /** Style and script of an interactive page, which its Content-Security-Policy allows. */
  tool?: { style: string; script: string };
};

/**
 * Preview of a link in a chat or a search engine.
 * @param image path of the picture
 * @param origin public origin, to make the path a full URL
 */
export type LinkPreview = { description: string; image: string; origin: string };

export function Layout(props: Props) {
  const { title, children, width, before, after, aside, preview, isHidden = false, goesTo, tool } = props;
  const main = (
    <main id="main" class={tool === undefined ? width : 'tool'}>
      {children}
    </main>
  );
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
        <style dangerouslySetInnerHTML={{ __html: aside === undefined ? SITE_CSS : CONSOLE_PAGES_CSS }} />
        {tool === undefined ? null : <style dangerouslySetInnerHTML={{ __html: tool.style }} />}
      </head>
      <body>
        {before}
        {aside === undefined ? (
          main
        ) : (
          <div class="app">
            {aside}
            {main}
          </div>
        )}
        {after}
        {tool === undefined ? null : <script dangerouslySetInnerHTML={{ __html: tool.script }} />}
      </body>
    </html>
  );
}

function PreviewTags({ title, description, image, origin }: LinkPreview & { title: string }) {
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

export const CONSOLE_BACK_LINK: Link = { to: PATHS.console, label: 'Back to the console' };

export function MessagePage({ title, text, link = START }: { title: string; text: string; link?: Link }) {
  return (
    <Layout title={`${title} – Periscope`} width="sheet">
      <BrandLink />
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href={link.to}>{link.label}</a>
      </p>
    </Layout>
  );
}

/** A page that redirects without a script, with a link for browsers that do not follow the redirect. */
export function RedirectPage({ to, label, title }: { to: string; label: string; title: string }) {
  return (
    <Layout title={`${title} – Periscope`} width="sheet" goesTo={to}>
      <BrandLink />
      <h1>{title}</h1>
      <p>
        <a href={to}>{label}</a>
      </p>
    </Layout>
  );
}

/**
 * Mark and name of the product. `host`: this server's host, for pages such as sign-in, where users must recognize the
 * server.
 */
export function BrandLink({ host, to = PATHS.landing }: { host?: string | undefined; to?: string }) {
  return (
    <a class="brand" href={to}>
      <Logo />
      <span>
        {SERVER_TITLE}
        {host === undefined ? null : <small>{host}</small>}
      </span>
    </a>
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
      {isOwner ? `${name === null ? ' as' : ','} the owner of this server` : ''}. <SignOutFields form={form} />
    </form>
  );
}

export function SignOutFields({ form }: { form: string }) {
  return (
    <>
      <input type="hidden" name="form" value={form} />
      <button type="submit" class="quiet">
        Sign out
      </button>
    </>
  );
}

type ScopeChoiceProps = { scope: string; title: string; sentence: string; ticked: boolean };

export function ScopeCheckboxField({ scope, title, sentence, ticked }: ScopeChoiceProps) {
  return (
    <label class="choice">
      <input type="checkbox" name="scope" value={scope} checked={ticked} />
      <span>
        <b>{title}</b> <code class="facts">{scope}</code>
        <small>{sentence}</small>
      </span>
    </label>
  );
}
