import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { BrandLink, RedirectPage, Layout, MessagePage } from '#web/layout.tsx';
import { PASSPHRASE_ACCOUNT, isOwnersPassphrase } from '#auth/people/account.ts';
import { formText, respondWithPage, setCookies } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import type { PageDeps } from './page-deps.ts';
import { PATHS, signInPath, parseLivePath } from '#core/paths.ts';
import { clientAddress, listSignInLimits } from '#auth/people/attempts.ts';
import type { AttemptSource } from '#auth/people/attempts.ts';
import { isSameSecret } from '#auth/people/cookies.ts';
import { isLoopbackHost } from '#core/config/config.ts';
import { DAY_MS, SECOND_MS } from '#core/limits.ts';
import { sha256Hex } from '#core/text/text.ts';
import { isCitationPath } from '#core/document/citation.ts';

export function signInPages(deps: PageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.signIn, (c) => {
    const next = sanitizeReturnPath(c.req.query('next') ?? '/', deps.origin);
    const key = c.req.query('key');
    if (key !== undefined) return openLink(c, deps, key, next);
    const once = c.req.query('once');
    if (once !== undefined) return signInOnce(c, deps, once, c.req.query('next') === undefined ? PATHS.console : next);
    return showSignIn(c, deps, { next, clientHost: '' }, null, 200);
  });
  app.post(PATHS.signIn, async (c) => {
    const form = await c.req.formData();
    const after = {
      next: sanitizeReturnPath(formText(form, 'next'), deps.origin),
      clientHost: formText(form, 'client'),
    };
    if (!(await deps.signIns.isOurForm(c.req.raw, formText(form, 'form')))) {
      return showSignIn(c, deps, { ...after, clientHost: '' }, 'This page has expired. Please try again.', 403);
    }
    return signIn(c, deps, formText(form, 'passphrase'), after);
  });
  app.post(PATHS.signOut, async (c) => {
    const form = await c.req.formData();
    if (!(await deps.signIns.isOurForm(c.req.raw, formText(form, 'form')))) return respondFormExpired(c);
    setCookies(c, [await deps.signIns.close(c.req.raw)]);
    return respondWithPage(c, <MessagePage title="Signed out" text="This browser is no longer signed in." />, 200);
  });
  return app;
}

/**
 * Opens the sign-in link, which gives a browser its own limit on attempts. The redirect removes the link's key from the
 * address bar.
 */
async function openLink(c: Context, deps: PageDeps, key: string, next: string): Promise<Response> {
  const setCookie = await deps.signIns.openLink(key);
  if (setCookie === null) {
    deps.refused('sign_in_link_unknown', 403);
    return showSignIn(
      c,
      deps,
      { next, clientHost: '' },
      'This sign-in link is not valid. It may have been replaced by a new one.',
      403,
    );
  }
  setCookies(c, [setCookie]);
  c.header('Cache-Control', 'no-store');
  return c.redirect(signInPath(next), 302);
}

/** Opens the link that `npm start` prints to the terminal. Only the owner of this local server can read it. */
async function signInOnce(c: Context, deps: PageDeps, key: string, next: string): Promise<Response> {
  const { LOCAL_SIGN_IN_KEY: expected, OWNER_PASSPHRASE: passphrase } = deps.config;
  const isHere = isLoopbackHost(new URL(c.req.url).hostname);
  const isOurs = isHere && expected !== undefined && (await isSameSecret(key, expected));
  // The key allows one sign-in. Each start of the server makes a new key.
  const use = { key: `once:${await sha256Hex(key)}`, max: 1, windowMs: ONCE_MS };
  if (passphrase === undefined || !isOurs || !(await deps.signIn.takeAttempt([use])).granted) {
    deps.refused('sign_in_link_unknown', 403);
    return showSignIn(c, deps, { next, clientHost: '' }, USED, 403);
  }
  setCookies(c, await deps.signIns.open({ subject: deps.ownerSubject, account: PASSPHRASE_ACCOUNT }));
  c.header('Cache-Control', 'no-store');
  return c.redirect(next, 302);
}

const USED = 'This link has been used, or the server has restarted since. Sign in with the passphrase.';
/** Lifetime of the record that a key was used. Longer than a local server runs without a restart. */
const ONCE_MS = 366 * DAY_MS;

type After = {
  next: string;
  /** Host of the client that sent the user here; empty for none. Not the client's name, which the client chose. */
  clientHost: string;
};

export async function showSignIn(
  c: Context,
  deps: PageDeps,
  { next, clientHost }: After,
  problem: string | null,
  status: 200 | 401 | 403 | 429,
): Promise<Response> {
  if (!hasSignInMethod(deps)) return respondWithPage(c, <SignInNotSetUp />, 501);
  const { token, setCookie } = await deps.signIns.startForm(c.req.raw);
  setCookies(c, [setCookie]);
  const ways = {
    hasPassphrase: deps.config.OWNER_PASSPHRASE !== undefined,
    upstreams: deps.upstreams.map(({ way, label }) => ({ way, label })),
  };
  const view = { ...ways, form: token, next, problem, clientHost, origin: deps.origin };
  return respondWithPage(c, <SignIn {...view} />, status);
}

export function hasSignInMethod({ config, upstreams }: PageDeps): boolean {
  return config.OWNER_PASSPHRASE !== undefined || upstreams.length > 0;
}

export function respondFormExpired(c: Context): Response | Promise<Response> {
  const text = 'This form was opened in another browser, or too long ago. Go back to your client and connect again.';
  return respondWithPage(c, <MessagePage title="This page has expired" text={text} />, 403);
}

/** A refused passphrase. `retryAfterMs` is set if it was not checked because of too many attempts. */
type PassphraseProblem = { retryAfterMs: number | null };

/**
 * Counts the attempt before checking the passphrase, so that parallel guesses are counted. A right guess is refunded.
 */
async function tryPassphrase(
  c: Context,
  deps: PageDeps,
  guess: string,
  passphrase: string,
): Promise<PassphraseProblem | null> {
  const buckets = listSignInLimits(await findAttemptSource(c, deps));
  const attempt = await deps.signIn.takeAttempt(buckets);
  if (!attempt.granted) return { retryAfterMs: attempt.retryAfterMs };
  if (!(await isOwnersPassphrase(guess, passphrase))) {
    deps.refused('sign_in_failed', 401);
    return { retryAfterMs: null };
  }
  await deps.signIn.returnAttempt(buckets);
  return null;
}

async function signIn(c: Context, deps: PageDeps, guess: string, after: After): Promise<Response> {
  const { OWNER_PASSPHRASE: passphrase } = deps.config;
  if (passphrase === undefined) return respondWithPage(c, <SignInNotSetUp />, 501);
  const problem = await tryPassphrase(c, deps, guess, passphrase);
  if (problem?.retryAfterMs === null) return showSignIn(c, deps, after, WRONG_PASSPHRASE, 401);
  if (problem !== null) return showThrottled(c, deps, after, problem.retryAfterMs);
  setCookies(c, await deps.signIns.open({ subject: deps.ownerSubject, account: PASSPHRASE_ACCOUNT }));
  return respondWithPage(c, <RedirectPage to={after.next} label="Go on" title="Signed in" />, 200);
}

const WRONG_PASSPHRASE = 'That is not the passphrase.';

export async function findAttemptSource(c: Context, deps: PageDeps): Promise<AttemptSource> {
  return { address: clientAddress(c.req.raw, deps.config), own: await deps.signIns.ownTries(c.req.raw) };
}

function showThrottled(c: Context, deps: PageDeps, after: After, retryAfterMs: number): Promise<Response> {
  return showSignIn(c, deps, after, logThrottledAttempt(c, deps, retryAfterMs), 429);
}

/** Logs that an attempt was refused because of the rate limit. @returns the text for the page */
export function logThrottledAttempt(c: Context, deps: PageDeps, retryAfterMs: number): string {
  deps.refused('sign_in_throttled', 429);
  const seconds = Math.ceil(retryAfterMs / SECOND_MS);
  c.header('Retry-After', String(seconds));
  return `Too many tries. Try again in ${inWords(seconds)}. ${IF_IT_GOES_ON}`;
}

const IF_IT_GOES_ON =
  'If this happens again, another person may be guessing the passphrase: use a browser in which you signed in before, or this server’s sign-in link.';

export function SignInNotSetUp() {
  return (
    <MessagePage
      title="Sign-in is not set up"
      text="The owner of this server has to choose a passphrase first (npx wrangler secret put OWNER_PASSPHRASE), or set up a provider to sign in with."
    />
  );
}

const MINUTE_SECONDS = 60;

function inWords(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / MINUTE_SECONDS);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

type Props = {
  hasPassphrase: boolean;
  upstreams: readonly { way: string; label: string }[];
  form: string;
  next: string;
  problem: string | null;
  clientHost: string;
  origin: string;
};

/** `/sign-in`: the client that requests access, the configured providers, and the field for the owner's passphrase. */
function SignIn(props: Props) {
  const { hasPassphrase, upstreams, problem, next, clientHost, origin } = props;
  return (
    <Layout title="Sign in – Periscope" width="sheet">
      <BrandLink host={new URL(origin).host} />
      <h1>Sign in</h1>
      <p class="lead">
        {clientHost === '' ? (
          reasonOf(next)
        ) : (
          <>
            A client at <bdi>{clientHost}</bdi> wants to connect to this server. After you sign in, you choose what it
            may do.
          </>
        )}
      </p>
      {hasPassphrase ? null : <Problem text={problem} />}
      {upstreams.length === 0 ? null : <Upstreams {...props} />}
      {hasPassphrase && upstreams.length > 0 ? <p class="or">or, if this server is yours</p> : null}
      {hasPassphrase ? <Passphrase {...props} /> : null}
      <p class="note">
        Periscope lets language models search, read and cite the web and drive a browser.{' '}
        <a href={PATHS.landing}>More about it</a> · <a href={PATHS.privacy}>What is stored</a>
      </p>
    </Layout>
  );
}

/** Reason for the sign-in. Derived from the return path alone, so that strangers cannot cause database queries. */
function reasonOf(next: string): Child {
  const { pathname } = new URL(next, 'http://here.invalid');
  const session = parseLivePath(pathname);
  if (session !== null) {
    return (
      <>
        A model works in the browser session “<bdi>{session}</bdi>” and may need you there. Sign in to see what it asks
        and to take over.
      </>
    );
  }
  if (isCitationPath(pathname)) return 'Behind this page is a citation. Sign in as the person whose model made it.';
  if (QUOTE_PATH.test(pathname)) return 'Behind this page is a quote that was shared with the people of this server.';
  if (CHANGE_PATH.test(pathname)) return 'Behind this page is a change in a page that you follow.';
  return 'Signed in, you see what your models did, take over their browsers, and decide who may act for you.';
}

function Upstreams({ upstreams, form, next, clientHost }: Props) {
  return (
    <form method="post" action={PATHS.signInUpstream}>
      <Hidden form={form} next={next} clientHost={clientHost} />
      <div class="ways">
        {upstreams.map(({ way, label }) => (
          <button type="submit" name="way" value={way}>
            Sign in with {label}
          </button>
        ))}
      </div>
    </form>
  );
}

function Passphrase({ upstreams, form, next, problem, clientHost, origin }: Props) {
  return (
    <>
      <form method="post" action={PATHS.signIn}>
        <Hidden form={form} next={next} clientHost={clientHost} />
        <PassphraseField label="Passphrase of this server" problem={problem} isFirst={upstreams.length === 0} />
        <div class="actions">
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
      {isLoopbackHost(new URL(origin).hostname) ? (
        <p class="note">
          The passphrase is <code>OWNER_PASSPHRASE</code> in the file <code>.dev.vars</code>.
        </p>
      ) : null}
    </>
  );
}

type PassphraseProps = {
  label: string;
  problem: string | null;
  isFirst: boolean;
};

function PassphraseField({ label, problem, isFirst }: PassphraseProps) {
  return (
    <>
      {/* A hidden user name, because password managers store a password only with a name. */}
      <input type="text" name="username" value="owner" autocomplete="username" hidden readonly />
      <label for="passphrase">{label}</label>
      <input
        id="passphrase"
        name="passphrase"
        type="password"
        autocomplete="current-password"
        required
        autofocus={isFirst || problem !== null}
        aria-invalid={problem === null ? undefined : 'true'}
        aria-describedby={problem === null ? undefined : 'problem'}
      />
      <Problem text={problem} />
    </>
  );
}

function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p id="problem" class="problem" role="alert">
      {text}
    </p>
  );
}

function Hidden({ form, next, clientHost }: Pick<Props, 'form' | 'next' | 'clientHost'>) {
  return (
    <>
      <input type="hidden" name="form" value={form} />
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="client" value={clientHost} />
    </>
  );
}

const CONSOLE_PATH = /^\/console(?:\/[a-z]+)*$/;
const QUOTE_PATH = /^\/q\/[\w-]{22}$/;
const CHANGE_PATH = /^\/changes\/[\w-]{1,64}\/\d{1,9}$/;

/**
 * Path on this server at which to continue after sign-in, such as an authorization request, a console page or a
 * citation. Any other target becomes `/`, because accepting it would allow open redirects.
 * @param next as the browser sent it
 * @param origin the public origin
 */
export function sanitizeReturnPath(next: string, origin: string): string {
  if (!URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  return url.origin === origin && isReturnPath(url.pathname) ? url.pathname + url.search : '/';
}

function isReturnPath(path: string): boolean {
  if (
    path === PATHS.authorize ||
    path === PATHS.changes ||
    CONSOLE_PATH.test(path) ||
    CHANGE_PATH.test(path) ||
    QUOTE_PATH.test(path)
  )
    return true;
  return isCitationPath(path) || parseLivePath(path) !== null;
}
