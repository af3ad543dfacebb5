import { Hono } from 'hono';
import type { Context } from 'hono';
import { sha256Hex } from '#core/text/text.ts';
import { fieldOf, setCookies } from '#web/answers.ts';
import type { Site } from '#web/answers.ts';
import { deriveSubject, withAllowedEmails } from '#auth/people/account.ts';
import type { UpstreamAccount } from '#auth/people/account.ts';
import { mayStillSignIn } from '#auth/people/admission.ts';
import { listUpstreamLimits } from '#auth/people/attempts.ts';
import { GITHUB_ISSUER } from '#auth/people/github.ts';
import type { SignInFlow, Upstream } from '#auth/people/upstream.ts';
import { callbackPath, PATHS } from '#core/paths.ts';
import type { PageDeps } from './page-deps.ts';
import { askerOf, expired, safeReturnPath, showSignIn } from './sign-in-pages.tsx';
import { arrive, depart, orTrouble, trouble } from './upstream-flow.tsx';
import type { SignInPurpose } from './upstream-flow.tsx';

/** `/sign-in/upstream` sends a person to a provider, which sends them back to `/sign-in/WAY/callback`. */
export function upstreamPages(deps: PageDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.post(PATHS.signInUpstream, async (c) => {
    const form = await c.req.formData();
    if (!(await deps.signIns.isOurForm(c.req.raw, fieldOf(form, 'form')))) return expired(c);
    const upstream = deps.upstreams.find(({ way }) => way === fieldOf(form, 'way'));
    if (upstream === undefined) return expired(c);
    const after = { next: safeReturnPath(fieldOf(form, 'next'), deps.origin), clientHost: fieldOf(form, 'client') };
    const secret = fieldOf(form, 'invitation');
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
  const account = withAllowedEmails(identified, deps.config);
  const subject = await deriveSubject(deps.secret, issuerOf(account), account.id);
  if (!(await mayEnter(subject, account, invitation, deps))) {
    deps.refused('upstream_not_allowed', 403);
    return trouble(c, next, 'This account has no access', notAllowed(upstream, account), 403);
  }
  await deps.signIn.returnAttempt(listUpstreamLimits(await askerOf(c, deps)));
  setCookies(c, await deps.signIns.open({ subject, account }));
  c.header('Cache-Control', 'no-store');
  return c.redirect(next, 302);
}

/** True if the person may sign in. Only a person who needs the invitation consumes it. */
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

/** Form of an id that may be shown on a page and put on the list. Other ids are not shown. */
const PLAIN_ID = /^[\w.|~+=@:/-]{1,120}$/;

/** Refusal that shows the account: the person must give it to the owner, who cannot see it at the provider. */
function notAllowed({ label }: Upstream, { way, id }: UpstreamAccount): string {
  const name = PLAIN_ID.test(id) ? ` as ${way}:${id}` : '';
  return `You are signed in with ${label}, but that account may not sign in here. Ask the owner of this server to invite you or to add it to ALLOWED_USERS${name}, or use another account.`;
}
