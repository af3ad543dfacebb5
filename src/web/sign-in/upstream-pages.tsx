import { Hono } from 'hono';
import type { Context } from 'hono';
import { sha256Hex } from '#core/text/text.ts';
import { formText, setCookies, FAILURE_PAGE_TITLE, writeFailureText, respondWithPage } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { deriveSubject, keepOnlyAllowedEmails, mayStillSignIn } from '#auth/people/account.ts';
import type { UpstreamAccount } from '#auth/people/account.ts';
import { listUpstreamLimits } from '#auth/people/attempts.ts';
import { GITHUB_ISSUER } from '#auth/people/github.ts';
import type { SignInFlow, Upstream, UpstreamErrorKind } from '#auth/people/upstream.ts';
import { callbackPath, PATHS, signInPath } from '#core/paths.ts';
import type { PageDeps } from './page-deps.ts';
import {
  findAttemptSource,
  respondFormExpired,
  sanitizeReturnPath,
  showSignIn,
  logThrottledAttempt,
} from './sign-in-pages.tsx';
import * as z from 'zod';
import { UPSTREAM_SIGN_IN_TTL_MS } from '#auth/limits.ts';
import { UpstreamError } from '#auth/people/upstream.ts';
import { findFailure } from '#core/failures/failure.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { RedirectPage, MessagePage } from '#web/layout.tsx';

/** `/sign-in/upstream` sends a user to a provider, which sends the user back to `/sign-in/WAY/callback`. */
export function upstreamPages(deps: PageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.post(PATHS.signInUpstream, async (c) => {
    const form = await c.req.formData();
    if (!(await deps.signIns.isOurForm(c.req.raw, formText(form, 'form')))) return respondFormExpired(c);
    const upstream = deps.upstreams.find(({ way }) => way === formText(form, 'way'));
    if (upstream === undefined) return respondFormExpired(c);
    const after = {
      next: sanitizeReturnPath(formText(form, 'next'), deps.origin),
      clientHost: formText(form, 'client'),
    };
    const secret = formText(form, 'invitation');
    const invitation = secret === '' ? null : await sha256Hex(secret);
    const purpose = { next: after.next, invitation };
    const refuse = (problem: string) => showSignIn(c, deps, after, problem, 429);
    return orTrouble(c, deps, upstream, after.next, () => depart(c, deps, upstream, purpose, refuse));
  });
  for (const upstream of deps.upstreams) {
    app.get(callbackPath(upstream.way), (c) =>
      arrive(c, deps, upstream, (answer, flow, purpose) => identify(c, deps, upstream, answer, flow, purpose)),
    );
  }
  return app;
}

async function identify(
  c: Context,
  deps: PageDeps,
  upstream: Upstream,
  answer: URLSearchParams,
  flow: SignInFlow,
  { next, invitation }: SignInPurpose,
): Promise<Response> {
  const identified = await upstream.identify(answer, flow);
  const account = keepOnlyAllowedEmails(identified, deps.config);
  const subject = await deriveSubject(deps.secret, issuerOf(account), account.id);
  if (!(await mayEnter(subject, account, invitation, deps))) {
    deps.refused('upstream_not_allowed', 403);
    return trouble(c, next, 'This account has no access', notAllowed(upstream, account), 403);
  }
  await deps.signIn.returnAttempt(listUpstreamLimits(await findAttemptSource(c, deps)));
  setCookies(c, await deps.signIns.open({ subject, account }));
  c.header('Cache-Control', 'no-store');
  return c.redirect(next, 302);
}

/** True if the user may sign in. An invitation is used up only by a user who needs it. */
async function mayEnter(
  subject: string,
  account: UpstreamAccount,
  invitation: string | null,
  { config, people: { admissions } }: PageDeps,
): Promise<boolean> {
  if (await mayStillSignIn(subject, account, config, admissions)) return true;
  return invitation !== null && admissions.accept(invitation, subject, account);
}

function issuerOf(account: UpstreamAccount): string {
  return account.way === 'oidc' ? account.issuer : GITHUB_ISSUER;
}

/** IDs that are safe to show and to copy into `ALLOWED_USERS`. Others are not shown. */
const PLAIN_ID = /^[\w.|~+=@:/-]{1,120}$/;

/** Refusal that shows the account ID. The owner needs the ID for `ALLOWED_USERS`, but cannot see it at the provider. */
function notAllowed({ label }: Upstream, { way, id }: UpstreamAccount): string {
  const name = PLAIN_ID.test(id) ? ` as ${way}:${id}` : '';
  return `You are signed in with ${label}, but that account may not sign in here. Ask the owner of this server to invite you or to add it to ALLOWED_USERS${name}, or use another account.`;
}

/** Cookie with a random ID of the browser that started the sign-in. Only this browser may complete the sign-in. */
const COOKIE = 'upstream';
const RANDOM_BYTES = 32;

const recordSchema = z.object({
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  /** SHA-256, in hex, of the invitation from whose page the user came. */
  invitation: z.string().nullable(),
});

type SignInPurpose = Pick<z.infer<typeof recordSchema>, 'next' | 'invitation'>;

/**
 * Sends the browser to a provider by a page that redirects itself, because CSP `form-action` would block an HTTP
 * redirect.
 * @param refuse answers after too many attempts
 */
async function depart(
  c: Context,
  deps: PageDeps,
  upstream: Upstream,
  purpose: SignInPurpose,
  refuse: (problem: string) => Promise<Response>,
): Promise<Response> {
  const attempt = await deps.signIn.takeAttempt(listUpstreamLimits(await findAttemptSource(c, deps)));
  if (!attempt.granted) return refuse(logThrottledAttempt(c, deps, attempt.retryAfterMs));
  const browser = deps.jar.read(c.req.raw, COOKIE) ?? randomBase64Url(RANDOM_BYTES);
  const flow = {
    state: randomBase64Url(RANDOM_BYTES),
    nonce: randomBase64Url(RANDOM_BYTES),
    verifier: randomBase64Url(RANDOM_BYTES),
  };
  const there = { ...flow, redirectUri: deps.origin + callbackPath(upstream.way) };
  const to = await upstream.authorizationUrl(there);
  const record = JSON.stringify({ nonce: flow.nonce, verifier: flow.verifier, ...purpose });
  await deps.signIn.saveUpstream(await keyOf(upstream, flow.state, browser), record, UPSTREAM_SIGN_IN_TTL_MS);
  setCookies(c, [deps.jar.write(COOKIE, browser, UPSTREAM_SIGN_IN_TTL_MS)]);
  return respondWithPage(
    c,
    <RedirectPage to={to.href} label={`Go to ${upstream.label}`} title={`Sign in with ${upstream.label}`} />,
    200,
  );
}

/**
 * Handles the provider's redirect back. The stored sign-in is found by `state` and the browser's cookie together, so
 * that no other browser can complete it, and only once.
 * @param go continues with the provider's answer
 */
async function arrive(
  c: Context,
  deps: PageDeps,
  upstream: Upstream,
  go: (answer: URLSearchParams, flow: SignInFlow, purpose: SignInPurpose) => Promise<Response>,
): Promise<Response> {
  const answer = new URL(c.req.url).searchParams;
  const state = answer.get('state') ?? '';
  const browser = deps.jar.read(c.req.raw, COOKIE);
  const kept =
    browser === null
      ? null
      : await deps.signIn.takeUpstream(await keyOf(upstream, state, browser), crypto.randomUUID());
  if (kept === null) {
    deps.refused('upstream_unknown_state', 400);
    return trouble(c, '/', 'Start again', NOT_BEGUN_HERE, 400);
  }
  const { nonce, verifier, ...purpose } = recordSchema.parse(JSON.parse(kept));
  const flow = { nonce, verifier, state, redirectUri: deps.origin + callbackPath(upstream.way) };
  return orTrouble(c, deps, upstream, purpose.next, () => go(answer, flow, purpose));
}

function keyOf({ way }: Upstream, state: string, browser: string): Promise<string> {
  return sha256Hex(JSON.stringify([way, state, browser]));
}

/** Handles an error with a page from which the user can sign in again and then continue at `next`. */
async function orTrouble(
  c: Context,
  deps: PageDeps,
  { label }: Upstream,
  next: string,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UpstreamError)) return partFailed(c, deps, next, error);
    const { title, text, status } = WORDS[error.trouble];
    deps.refused(`upstream_${error.trouble}:${error.detail}`, status);
    const named = (words: string) => words.replace('PROVIDER', label);
    return trouble(c, next, named(title), named(text), status);
  }
}

function partFailed(c: Context, deps: PageDeps, next: string, error: unknown): Promise<Response> {
  const failure = findFailure(error);
  if (failure === null) throw error;
  deps.refused(`upstream_${failure.code}`, 503);
  if ('retryAfterSeconds' in failure) c.header('Retry-After', String(failure.retryAfterSeconds));
  return trouble(
    c,
    next,
    FAILURE_PAGE_TITLE,
    writeFailureText(failure, 'Nothing has changed. Try again in a moment.'),
    503,
  );
}

const NOT_BEGUN_HERE =
  'This sign-in was started in another browser, is already over, or took longer than ten minutes. Nothing has changed. If a client sent you here, go back to it and connect again.';

const WORDS: Record<UpstreamErrorKind, { title: string; text: string; status: 400 | 403 | 502 }> = {
  denied: {
    title: 'You were not signed in',
    text: 'PROVIDER reports that signing in was cancelled or is not permitted. Nothing has changed.',
    status: 403,
  },
  unreachable: {
    title: 'PROVIDER does not answer',
    text: 'PROVIDER could not be reached to check who you are. Try again in a few minutes.',
    status: 502,
  },
  unreadable: {
    title: 'PROVIDER does not work right now',
    text: 'The answer from PROVIDER could not be read, so it is not known who you are. Try again in a few minutes; if it happens again, the owner of this server can find the reason in its log.',
    status: 502,
  },
  refused: {
    title: 'You were not signed in',
    text: 'The answer from PROVIDER does not prove who you are, so it was refused. Try again; if it happens again, the owner of this server can find the reason in its log.',
    status: 400,
  },
};

/** Shows a page for a failed sign-in. @param next path at which a later sign-in continues */
async function trouble(
  c: Context,
  next: string,
  title: string,
  text: string,
  status: 400 | 403 | 502 | 503,
): Promise<Response> {
  return respondWithPage(
    c,
    <MessagePage title={title} text={text} link={{ to: signInPath(next), label: 'Sign in' }} />,
    status,
  );
}
