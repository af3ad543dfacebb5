import { LOGO_SVG } from './mark.ts';
import { PATHS, parseLivePath } from '#core/paths.ts';
import { Hono } from 'hono';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import { fail, findFailure } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { FORM_BYTES_MAX, UPLOAD_BYTES_MAX } from '#core/limits.ts';
import { acceptsExplicitly } from '#core/text/accept.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { LIVE_VIEW_CSS } from '#web/live/live.tsx';
import { COPY_SCRIPT } from '#generated/copy-script.ts';
import { LIVE_SCRIPT } from '#generated/live-script.ts';
import { MessagePage, CONSOLE_BACK_LINK } from '#web/layout.tsx';
import { CONSOLE_PAGES_CSS, SITE_CSS } from '#web/style/style.ts';
import { writeFailureText, FAILURE_PAGE_TITLE, htmlDocument } from '#web/page-response.ts';
import { PICTURES } from '#generated/pictures.ts';
import { LandingPage } from './landing.tsx';
import { CopyableText } from '#web/copyable.tsx';
import { clientNamesFor } from './clients.tsx';
import { PublicPage } from './public-page.tsx';

type PageOptions = {
  origin: string;
  mcpUrl: string;
  /** Settings that the privacy page describes. */
  kept: Kept;
  more: readonly Hono<SiteEnv>[];
  isWell?: () => Promise<string | null>;
  reportUnexpected: (error: unknown) => void;
};

/** Builds the pages at the first request. After a failure, the next request tries again. */
export function buildPagesOnce(
  options: Omit<PageOptions, 'more'>,
  make: () => Promise<readonly Hono<SiteEnv>[]>,
): () => Promise<Hono> {
  let prepared: Hono | undefined;
  return async () => {
    try {
      prepared ??= await createPublicPages({ ...options, more: await make() });
      return prepared;
    } catch (error) {
      const failure = findFailure(error);
      if (failure === null) throw error;
      return createPublicPages({
        ...options,
        more: [new Hono<SiteEnv>().all('*', () => fail(failure, { cause: error }))],
      });
    }
  };
}

export async function createPublicPages(options: PageOptions) {
  const { origin, mcpUrl, kept, more, reportUnexpected, isWell = async () => null } = options;
  const app = new Hono();
  const usual = guarding(origin, {
    styleSrc: await Promise.all([SITE_CSS, CONSOLE_PAGES_CSS].map(hashOf)),
    scriptSrc: [await hashOf(COPY_SCRIPT)],
    imgSrc: ["'self'"],
  });
  const withScript = guarding(origin, await livePolicy(origin));
  // Must precede the security headers below, because clients show the mark on their own pages.
  app.get(PATHS.mark, (c) => c.body(LOGO_SVG, 200, MARK_HEADERS));
  app.get(PATHS.icon, (c, next) => {
    const icon = pictureOf(ICON_FILE);
    return icon === null ? next() : c.body(icon.bytes, 200, { ...MARK_HEADERS, 'content-type': icon.type });
  });
  app.use((c, next) => (parseLivePath(c.req.path) === null ? usual : withScript)(c, next));
  app.post('*', sizeLimit);
  app.post('*', async (c, next) => {
    if (!isFromHere(c.req.raw, origin)) return c.html(htmlDocument(<MessagePage {...NOT_FROM_HERE} />), 403);
    const wanted = c.req.path === PATHS.files ? UPLOAD_TYPE : FORM_TYPE;
    if (!wanted.test(c.req.header('content-type') ?? ''))
      return c.html(htmlDocument(<MessagePage {...NO_FORM} />), 415);
    return next();
  });
  app.get(PATHS.landing, (c) => c.html(htmlDocument(<LandingPage mcpUrl={mcpUrl} webSearch={kept.webSearch} />)));
  app.get(PATHS.mcp, (c) => c.html(htmlDocument(<ConnectorPage mcpUrl={mcpUrl} />)));
  app.get(PATHS.privacy, (c) => c.html(htmlDocument(<Privacy {...kept} />)));
  app.get(`${PATHS.pictures}/:name`, (c, next) => {
    const picture = pictureOf(c.req.param('name'));
    if (picture === null) return next();
    return c.body(picture.bytes, 200, { 'content-type': picture.type, 'cache-control': PICTURE_KEPT });
  });
  app.get(PATHS.ready, async (c) => {
    const problem = await isWell();
    const headers = { 'cache-control': 'no-store' };
    return problem === null
      ? c.json({ status: 'ok' }, 200, headers)
      : c.json({ status: 'not_ready', why: problem }, 503, headers);
  });
  for (const part of more) app.route('/', part);
  app.notFound((c) => c.html(htmlDocument(<NotFound path={c.req.path} />), 404));
  app.onError((error, c) => {
    reportUnexpected(error);
    const failure = findFailure(error);
    if (failure !== null) return failed(c, failure);
    return c.html(
      htmlDocument(<MessagePage title="Something went wrong" text="The page could not be shown. Try again." />),
      500,
    );
  });
  return app;
}

/** Cache header of pictures. Short, because a deploy may change a picture at the same URL. */
const PICTURE_KEPT = 'public, max-age=3600';

const MARK_HEADERS = {
  'content-type': 'image/svg+xml',
  'cache-control': PICTURE_KEPT,
  'content-security-policy': "default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

const ICON_FILE = 'favicon.ico';
const PICTURE_TYPES: Readonly<Record<string, string>> = { ico: 'image/vnd.microsoft.icon', png: 'image/png' };

function pictureOf(file: string): { bytes: ArrayBuffer; type: string } | null {
  const found = PICTURES.find(([name]) => name === file);
  if (found === undefined) return null;
  const [name, base64] = found;
  const { buffer } = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  return { bytes: buffer, type: PICTURE_TYPES[name.split('.').at(-1) ?? ''] ?? 'image/webp' };
}

/**
 * Sets security headers: no content from other origins, and no script except those in `allowed`.
 * @param allowed exceptions for this page, such as hashes of its scripts
 */
function guarding(origin: string, allowed: ContentSecurityPolicy) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      ...allowed,
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // Not `no-referrer`, for which browsers send `Origin: null` even with forms of this origin.
    referrerPolicy: 'same-origin',
    strictTransportSecurity: origin.startsWith('https:') ? 'max-age=31536000' : false,
  });
}

/** Content-Security-Policy of the live view. For WebSockets, not every browser accepts `'self'`. */
async function livePolicy(origin: string): Promise<ContentSecurityPolicy> {
  return {
    styleSrc: await Promise.all([SITE_CSS, LIVE_VIEW_CSS].map(hashOf)),
    scriptSrc: [await hashOf(LIVE_SCRIPT)],
    imgSrc: ["'self'"],
    connectSrc: ["'self'", origin.replace(/^http/, 'ws')],
  };
}

type ContentSecurityPolicy = NonNullable<NonNullable<Parameters<typeof secureHeaders>[0]>['contentSecurityPolicy']>;

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

/** Error page. Suggests reloading a page, but not repeating a form, which may already have been processed. */
function failed(c: Context, failure: Failure) {
  const again =
    c.req.method === 'GET'
      ? { next: 'Try again in a moment.', link: { to: c.req.url, label: 'Try again' } }
      : { next: 'Go back and try again; if the form is refused again, start over from the page you came from.' };
  const text = writeFailureText(failure, again.next);
  if ('retryAfterSeconds' in failure) c.header('Retry-After', String(failure.retryAfterSeconds));
  c.header('Cache-Control', 'no-store');
  if (acceptsExplicitly(c.req.header('accept') ?? null, 'application/json')) return c.json({ error: text }, 503);
  return c.html(htmlDocument(<MessagePage title={FAILURE_PAGE_TITLE} text={text} {...again} />), 503);
}

const ofForms = limitedTo(FORM_BYTES_MAX, 'This page accepts only what its own form sends.');
const ofUploads = limitedTo(
  UPLOAD_BYTES_MAX + FORM_BYTES_MAX,
  `A file that you upload may have ${UPLOAD_BYTES_MAX / 1_000_000} MB at most. Go back and choose a smaller one.`,
);

/** Limits the size of forms. Only the page for file uploads accepts large forms. */
const sizeLimit: MiddlewareHandler = (c, next) => (c.req.path === PATHS.files ? ofUploads : ofForms)(c, next);

function limitedTo(maxSize: number, text: string): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: (c) => c.html(htmlDocument(<MessagePage title="That is too large" text={text} />), 413),
  });
}

const UPLOAD_TYPE = /^multipart\/form-data\s*;/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const NO_FORM = { title: 'That is not a form', text: 'This page accepts only what its own form sends.' };
const NOT_FROM_HERE = {
  title: 'The form came from elsewhere',
  text: 'Forms of this server are accepted from its own pages only. Go back to your client and connect again.',
};

/** True unless a browser reports another origin. Other programs have no cookies that a form could abuse. */
function isFromHere(request: Request, origin: string): boolean {
  const named = request.headers.get('origin');
  return named === null
    ? !['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')
    : named === origin;
}

/** Page for people who open the connector URL `/mcp` in a browser. */
function ConnectorPage({ mcpUrl }: { mcpUrl: string }) {
  return (
    <PublicPage title="Connector URL – Periscope">
      <h1>This address is for MCP clients</h1>
      <p class="lead">Give it to {clientNamesFor(mcpUrl)} or another client, not to a browser.</p>
      <CopyableText text={mcpUrl} what="the connector URL" />
      <p>
        <a href={`${PATHS.landing}#connect`}>How to connect your client</a> ·{' '}
        <a href={PATHS.console}>Open the console</a>
      </p>
    </PublicPage>
  );
}

type Kept = {
  /** Number of days for which activity is stored; 0 if it is not stored. */
  activityDays: number;
  /** True if the log has the full URL of each page that was read. */
  wholeUrls: boolean;
  /** Provider of web searches; `null` if there is none. */
  webSearch: string | null;
};

/** `/privacy`: what this server stores about its users, by its current settings. */
function Privacy({ activityDays, wholeUrls, webSearch }: Kept) {
  return (
    <PublicPage title="Privacy – Periscope">
      <h1>Privacy</h1>
      <p class="lead">This server belongs to the person who runs it. They can read its database and its log.</p>
      <h2>What is stored</h2>
      <ul>
        <li>
          Pages that your model opens. A public page is shared with everyone on this server, without your name. A
          private page is stored for you alone.
        </li>
        <li>
          {activityDays === 0
            ? 'No history of what your model does.'
            : `What your model does, for ${activityDays} ${activityDays === 1 ? 'day' : 'days'}. Only you see it in the console, and you can delete it.`}
        </li>
        <li>Your citations and files, what you follow, and your browser sessions with their sign-ins.</li>
        <li>Your passwords and codes, encrypted. Models use them but never see them.</li>
        <li>
          Your account: an ID and the name or address that your sign-in provider sends, and when you were here last. The
          owner also sees how much you use.
        </li>
      </ul>
      <h2>What is logged</h2>
      <p>
        One line for each call: the tool, the time, the result, a pseudonym for you, and{' '}
        {wholeUrls ? 'the address of the page' : 'the site of the page'}. The log has no page text and no password.
      </p>
      <h2>Who else is asked</h2>
      <p>
        {webSearch === null
          ? 'No search provider: web search is not set up here.'
          : `Your model’s search queries go to a provider: ${webSearch.replace(/^the web, through /, '')}.`}{' '}
        The sites that your model opens see this server, not you, unless you sign in there.
      </p>
      <h2>Cookies</h2>
      <p>These pages set cookies for sign-in only. They load nothing from other servers and track nobody.</p>
      <p>
        See and delete what is yours in the <a href={PATHS.console}>console</a>. Under{' '}
        <a href={PATHS.account}>Account</a> you can download a copy of it, or delete all of it at once.
      </p>
    </PublicPage>
  );
}

function NotFound({ path }: { path: string }) {
  const back = path.startsWith(`${PATHS.console}/`) ? { link: CONSOLE_BACK_LINK } : {};
  return <MessagePage title="Not found" text="There is no page at this address." {...back} />;
}
