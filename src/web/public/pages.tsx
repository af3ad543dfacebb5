import { PATHS, sessionOfLivePath } from '#core/paths.ts';
import { Hono } from 'hono';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import { secureHeaders } from 'hono/secure-headers';
import type { Child } from 'hono/jsx';
import { fail, failureIn } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { FORM_BYTES_MAX, UPLOAD_BYTES_MAX } from '#core/limits.ts';
import type { Site } from '#web/answers.ts';
import { LIVE_STYLE } from '#web/live/live.tsx';
import { LIVE_SCRIPT } from '#generated/live-script.ts';
import { Layout, Message, STYLE } from '#web/layout.tsx';
import { failedText, FAILED_TITLE } from '#web/answers.ts';
import { PICTURES } from '#generated/pictures.ts';
import { isLoopbackHost } from '#core/config/config.ts';

type PageOptions = {
  /** The public origin. */
  origin: string;
  /** The connector URL to show. */
  mcpUrl: string;
  /** What a search covers; `null` when that is no web, but what was opened here. */
  webSearch: string | null;
  /** Beside those of this file. */
  more: readonly Hono<Site>[];
  /** Reports why the deployment cannot work, or `null`. */
  isWell?: () => Promise<string | null>;
  /** Takes an error nobody planned for. */
  reportUnexpected: (error: unknown) => void;
};

/** Makes the pages at the first request. If that fails, the request gets an error page and the next one tries again. */
export function pagesOnce(
  options: Omit<PageOptions, 'more'>,
  make: () => Promise<readonly Hono<Site>[]>,
): () => Promise<Hono> {
  let prepared: Hono | undefined;
  return async () => {
    try {
      prepared ??= await pages({ ...options, more: await make() });
      return prepared;
    } catch (error) {
      const failure = failureIn(error);
      if (failure === null) throw error;
      return pages({ ...options, more: [new Hono<Site>().all('*', () => fail(failure, { cause: error }))] });
    }
  };
}

/** Every page that is not the MCP endpoint or one of the provider's. */
export async function pages(options: PageOptions) {
  const { origin, mcpUrl, more, reportUnexpected, isWell = async () => null } = options;
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
  app.get(PATHS.landing, (c) => c.html(page(<Landing mcpUrl={mcpUrl} webSearch={options.webSearch} />)));
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

/** Security headers: nothing from other origins, and only named scripts. @param allowed exceptions for this page */
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

/** The hash of an inline style or script, for the content security policy. */
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

/** `/`: the landing page. */
function Landing({ mcpUrl, webSearch }: Pick<PageOptions, 'mcpUrl' | 'webSearch'>) {
  const isLocal = isLoopbackHost(new URL(mcpUrl).hostname);
  return (
    <Layout title="Periscope">
      <h1>Periscope</h1>
      <p class="lead">
        The web for language models, over MCP: your model searches, reads, cites, drives a browser and sees pages – and
        you can look at everything it did.
      </p>
      <p>
        <a href={PATHS.console}>Open the console</a> or <a href="#connect">connect a client</a>.
      </p>
      <Abilities webSearch={webSearch} />
      <h2 id="connect">Connector URL</h2>
      <pre>
        <code>{mcpUrl}</code>
      </pre>
      <p>Your client opens a page here on which you sign in and decide what the client may do.</p>
      {isLocal ? (
        <p class="warning">
          This address works on this machine only. Claude and ChatGPT call from outside: they need a deployment, or a
          tunnel with <code>PUBLIC_URL</code> set to its address.
        </p>
      ) : null}
      <Hosts />
      <Programs mcpUrl={mcpUrl} />
      <h2 id="settings">Settings in the URL</h2>
      <p>
        <code>?toolsets=reader</code> offers only the reader tools. <code>?toolsets=chatgpt</code> offers exactly{' '}
        <code>search</code> and <code>fetch</code>, as ChatGPT requires of a knowledge source.{' '}
        <code>?structured=off</code> is for a client that shows the model every page twice.
      </p>
    </Layout>
  );
}

function Abilities({ webSearch }: Pick<PageOptions, 'webSearch'>) {
  return (
    <>
      <dl class="abilities">
        <dt>Search</dt>
        <dd>
          {webSearch === null
            ? 'The pages that were read here before; Wikipedia, Stack Overflow and GitHub by name. The web, once this server has a search provider.'
            : `${webSearch.replace(/^t/, 'T')}; Wikipedia, Stack Overflow and GitHub by name.`}
        </dd>
        <dt>Read</dt>
        <dd>Pages, PDF and office files as numbered lines: what an answer rests on stays as it was read.</dd>
        <dt>Cite</dt>
        <dd>Word for word, with a link that opens the lines in their page, also when the page has changed since.</dd>
        <dt>Drive</dt>
        <dd>A real browser in sessions that keep their sign-ins: click, type, fill in, upload, download.</dd>
        <dt>See</dt>
        <dd>Pictures of pages, with the elements that can be used marked on them.</dd>
      </dl>
      <h2>What you see of it</h2>
      <Picture
        name="citation"
        alt="A citation: a page with its address, date and hash, and the cited line marked among its lines."
        text="Each citation leads to the page as it was read, with the cited lines marked. One click asks whether the live page still says so."
      />
      <Picture
        name="live"
        alt="A live view: a web page as the model’s browser shows it, with a button to take over."
        text="Watch the browser of a model live, on a phone, too. Take over to sign in or to enter a code, then give it back: the model sees where you went, not what you typed."
      />
      <p>
        The <a href={PATHS.console}>console</a> shows what your models did, each step of a browser session with a
        picture, your files, citations, connected clients and budgets.
      </p>
    </>
  );
}

function Picture({ name, alt, text }: { name: 'citation' | 'live'; alt: string; text: string }) {
  const source = (scheme: 'light' | 'dark') => `${PATHS.pictures}/${name}-${scheme}.webp`;
  return (
    <figure class="picture">
      <picture>
        <source srcset={source('dark')} media="(prefers-color-scheme: dark)" />
        <img src={source('light')} alt={alt} width="880" height="560" loading="lazy" />
      </picture>
      <figcaption>{text}</figcaption>
    </figure>
  );
}

/** Hosts in the cloud: they have to reach this server from outside. */
function Hosts() {
  return (
    <>
      <h2>Claude</h2>
      <ol>
        <li>
          Settings → Connectors → <strong>Add custom connector</strong>.
        </li>
        <li>Paste the connector URL and leave the advanced settings empty.</li>
        <li>
          <strong>Connect</strong>, sign in, allow.
        </li>
      </ol>
      <h2>ChatGPT</h2>
      <ol>
        <li>Turn on developer mode in the settings for apps and connectors.</li>
        <li>
          <strong>Create</strong> a connector, paste the connector URL, and choose OAuth.
        </li>
        <li>
          Sign in and allow. For deep research, use the URL with <code>?toolsets=chatgpt</code>.
        </li>
      </ol>
    </>
  );
}

function Programs({ mcpUrl }: { mcpUrl: string }) {
  return (
    <>
      <h2>Claude Code</h2>
      <pre>
        <code>{`claude mcp add --transport http periscope ${mcpUrl}`}</code>
      </pre>
      <p>
        Then <code>/mcp</code> in a session, to sign in.
      </p>
      <h2>VS Code</h2>
      <pre>
        <code>{`code --add-mcp '${JSON.stringify({ name: 'periscope', type: 'http', url: mcpUrl })}'`}</code>
      </pre>
      <h2>Cursor</h2>
      <p>
        In <code>~/.cursor/mcp.json</code>:
      </p>
      <pre>
        <code>{JSON.stringify({ mcpServers: { periscope: { url: mcpUrl } } }, null, 2)}</code>
      </pre>
      <h2>Any other client</h2>
      <p>
        A client that supports Streamable HTTP and OAuth needs only the connector URL. One that cannot sign in sends an{' '}
        <a href={PATHS.accessTokens}>access token</a>, or on a laptop the one that <code>npm start</code> prints:
      </p>
      <pre>
        <code>
          {JSON.stringify(
            { mcpServers: { periscope: { type: 'http', url: mcpUrl, headers: { Authorization: 'Bearer TOKEN' } } } },
            null,
            2,
          )}
        </code>
      </pre>
    </>
  );
}
