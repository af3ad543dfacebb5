import { PATHS, sessionOfLivePath } from '#core/paths.ts';
import { Hono } from 'hono';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import { secureHeaders } from 'hono/secure-headers';
import type { Child } from 'hono/jsx';
import { fail, failureIn } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { FORM_BYTES_MAX, UPLOAD_BYTES_MAX } from '#core/limits.ts';
import type { Site } from './site.ts';
import { LIVE_STYLE } from '#pages/live.tsx';
import { LIVE_SCRIPT } from '#pages/live-script.ts';
import { STYLE } from '#pages/layout.tsx';
import { Landing } from '#pages/landing.tsx';
import { failedText, FAILED_TITLE } from '#pages/failed.ts';
import { Message } from '#pages/message.tsx';
import { PICTURES } from '#pages/pictures.ts';

/** What the pages are served with. */
export type PageOptions = {
  /** The public origin. */
  origin: string;
  /** The connector URL to show. */
  mcpUrl: string;
  /** Sign-in and consent. */
  signIn: Hono;
  /** Why the deployment cannot do its work, or `null`. */
  isWell?: () => Promise<string | null>;
  /** Pages that need what tools need. */
  more?: readonly Hono<Site>[];
  /** Takes an error nobody planned for. */
  reportUnexpected: (error: unknown) => void;
};

type Made = Pick<PageOptions, 'signIn' | 'more'>;

/**
 * The pages, made when the first request comes. While what they are made of cannot be had, each of those says so, and the
 * next request tries again.
 */
export function pagesOnce(options: Omit<PageOptions, keyof Made>, make: () => Promise<Made>): () => Promise<Hono> {
  let made: Hono | undefined;
  return async () => {
    try {
      made ??= await pages({ ...options, ...(await make()) });
      return made;
    } catch (error) {
      const failure = failureIn(error);
      if (failure === null) throw error;
      return pages({ ...options, signIn: new Hono().all('*', () => fail(failure, { cause: error })) });
    }
  };
}

/** Every page that is not the MCP endpoint or one of the provider's. */
export async function pages({
  origin,
  mcpUrl,
  signIn,
  more = [],
  reportUnexpected,
  isWell = async () => null,
}: PageOptions) {
  const app = new Hono();
  const usual = guarding(origin, { styleSrc: [await hashOf(STYLE)], imgSrc: ["'self'"] });
  const withScript = guarding(origin, await livePolicy(origin));
  app.use((c, next) => (sessionOfLivePath(c.req.path) === null ? usual : withScript)(c, next));
  app.post('*', sizeLimit);
  app.post('*', async (c, next) => {
    if (!isFromHere(c.req.raw, origin)) return c.html(page(<Message {...NOT_FROM_HERE} />), 403);
    const wanted = c.req.path === PATHS.files ? UPLOAD_TYPE : FORM_TYPE;
    if (!wanted.test(c.req.header('content-type') ?? '')) return c.html(page(<Message {...NO_FORM} />), 415);
    return next();
  });
  app.get(PATHS.landing, (c) => c.html(page(<Landing mcpUrl={mcpUrl} />)));
  app.get(`${PATHS.pictures}/:name`, (c, next) => {
    const picture = pictureOf(c.req.param('name'));
    if (picture === null) return next();
    return c.body(picture, 200, { 'content-type': 'image/webp', 'cache-control': PICTURE_KEPT });
  });
  app.get(PATHS.ready, async (c) => {
    const problem = await isWell();
    const headers = { 'cache-control': 'no-store' };
    return problem === null
      ? c.json({ status: 'ok' }, 200, headers)
      : c.json({ status: 'not_ready', why: problem }, 503, headers);
  });
  app.route('/', signIn);
  for (const part of more) app.route('/', part);
  app.notFound((c) => c.html(page(<Message title="Not found" text="There is no page at this address." />), 404));
  app.onError((error, c) => {
    reportUnexpected(error);
    const failure = failureIn(error);
    if (failure !== null) return failed(c, failure);
    return c.html(page(<Message title="Something went wrong" text="The page could not be shown. Try again." />), 500);
  });
  return app;
}

/** A deploy may change it. */
const PICTURE_KEPT = 'public, max-age=3600';

/** A picture of the landing page; `null` for any other name. */
function pictureOf(file: string): ArrayBuffer | null {
  const found = PICTURES.find(([name]) => `${name}.webp` === file);
  return found === undefined ? null : Uint8Array.from(atob(found[1]), (byte) => byte.charCodeAt(0)).buffer;
}

/** Nothing of anybody else's, and no script but what is named. @param allowed what this page has of its own */
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
    // Not `no-referrer`: with that, browsers send `Origin: null` with our own forms.
    referrerPolicy: 'same-origin',
    strictTransportSecurity: origin.startsWith('https:') ? 'max-age=31536000' : false,
  });
}

/** The one page that cannot do without a script, and what that connects to. Not every browser takes `'self'` for sockets. */
async function livePolicy(origin: string): Promise<ContentSecurityPolicy> {
  return {
    styleSrc: await Promise.all([STYLE, LIVE_STYLE].map(hashOf)),
    scriptSrc: [await hashOf(LIVE_SCRIPT)],
    connectSrc: ["'self'", origin.replace(/^http/, 'ws')],
  };
}

type ContentSecurityPolicy = NonNullable<NonNullable<Parameters<typeof secureHeaders>[0]>['contentSecurityPolicy']>;

/** Of an inline style or script, so that the content security policy can name it. */
async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

/** A page can be asked for again as it is; a form that was sent may have been taken before something failed. */
function failed(c: Context, failure: Failure) {
  const again =
    c.req.method === 'GET'
      ? { next: 'Try again in a moment.', link: { to: c.req.url, label: 'Try again' } }
      : { next: 'Go back and try again; if the form is refused again, start over from the page you came from.' };
  const text = failedText(failure, again.next);
  if ('retryAfterSeconds' in failure) c.header('Retry-After', String(failure.retryAfterSeconds));
  c.header('Cache-Control', 'no-store');
  if (c.req.header('accept')?.trim() === 'application/json') return c.json({ error: text }, 503);
  return c.html(page(<Message title={FAILED_TITLE} text={text} {...again} />), 503);
}

const ofForms = limitedTo(FORM_BYTES_MAX, 'This page accepts only what its own form sends.');
const ofUploads = limitedTo(
  UPLOAD_BYTES_MAX + FORM_BYTES_MAX,
  `A file that you upload may have ${UPLOAD_BYTES_MAX / 1_000_000} MB at most. Go back and choose a smaller one.`,
);

/** The one form that sends more than a few words is that of files. */
const sizeLimit: MiddlewareHandler = (c, next) => (c.req.path === PATHS.files ? ofUploads : ofForms)(c, next);

function limitedTo(maxSize: number, text: string): MiddlewareHandler {
  return bodyLimit({ maxSize, onError: (c) => c.html(page(<Message title="That is too large" text={text} />), 413) });
}

const UPLOAD_TYPE = /^multipart\/form-data\s*;/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const NO_FORM = { title: 'That is not a form', text: 'This page accepts only what its own form sends.' };
const NOT_FROM_HERE = {
  title: 'The form came from elsewhere',
  text: 'Forms of this server are accepted from its own pages only. Go back to your client and connect again.',
};

/** Browsers name the page a form was on; what names none is no browser, and has no cookies to be abused. */
function isFromHere(request: Request, origin: string): boolean {
  const named = request.headers.get('origin');
  return named === null
    ? !['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')
    : named === origin;
}

function page(content: Child) {
  return html`<!doctype html>${content}`;
}
