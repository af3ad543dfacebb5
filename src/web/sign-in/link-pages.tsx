import { Hono } from 'hono';
import type { Context } from 'hono';
import { displayNameOf, linkedSubject } from '#auth/people/account.ts';
import type { UpstreamAccount } from '#auth/people/account.ts';
import { mayBeLinked } from '#auth/people/admission.ts';
import { PATHS } from '#core/paths.ts';
import { fieldOf, page, setCookies, signInFirst } from '#web/answers.ts';
import type { Site } from '#web/answers.ts';
import { continueTo } from '#web/console/console.tsx';
import { Layout, Message } from '#web/layout.tsx';
import type { PageDeps } from './page-deps.ts';
import { PassphraseField, throttled, tryPassphrase, WRONG_PASSPHRASE } from './sign-in-pages.tsx';
import { depart, orTrouble } from './upstream-flow.tsx';

/**
 * `/console/account/link`: the owner links an account at a provider, and from then on signs in with it, too. It takes the
 * passphrase, a fresh sign-in at the provider and a last confirmation, all in one browser in which the owner is signed in by
 * passphrase.
 */
export function linkPages(deps: PageDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.all(PATHS.accountLink, async (c, next) => {
    const person = await deps.signIns.read(c.req.raw);
    if (person === null) return c.req.method === 'GET' ? signInFirst(c) : expired(c);
    if (person.account.way === 'passphrase') return deps.upstreams.length > 0 ? next() : c.notFound();
    return person.subject === deps.ownerSubject ? page(c, <Message {...BY_PASSPHRASE} />, 403) : c.notFound();
  });
  app.get(PATHS.accountLink, (c) => show(c, deps, null, 200));
  app.post(PATHS.accountLink, async (c) => {
    const form = await c.req.formData();
    const { OWNER_PASSPHRASE: passphrase } = deps.config;
    const upstream = deps.upstreams.find(({ way }) => way === fieldOf(form, 'way'));
    const isOurs = await deps.signIns.isOurForm(c.req.raw, fieldOf(form, 'form'));
    if (!isOurs || upstream === undefined || passphrase === undefined) return expired(c);
    const problem = await tryPassphrase(c, deps, fieldOf(form, 'passphrase'), passphrase);
    if (problem?.retryAfterMs === null) return show(c, deps, WRONG_PASSPHRASE, 401);
    if (problem !== null) return show(c, deps, throttled(c, deps, problem.retryAfterMs), 429);
    const purpose = { next: PATHS.accountLink, invitation: null, links: true };
    const refuse = (text: string) => show(c, deps, text, 429);
    return orTrouble(c, deps, upstream, purpose.next, () => depart(c, deps, upstream, purpose, refuse));
  });
  app.post(PATHS.accountLinked, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    const form = await c.req.formData();
    const account = await deps.signIns.offeredLink(fieldOf(form, 'account'));
    const own = account === null ? null : linkedSubject(account);
    const isOurs = await deps.signIns.isOurForm(c.req.raw, fieldOf(form, 'form'));
    if (person?.account.way !== 'passphrase' || !isOurs || account === null || own === null) return expired(c);
    // Since the page was shown, the account may have been refused, or taken off the list.
    if (!(await mayBeLinked(own, account, deps.config, deps.people.admissions))) return expired(c);
    await deps.people.admissions.link(own, account, await deps.signIns.linkLock());
    return continueTo(c, 'linked', PATHS.account);
  });
  return app;
}

/** After the sign-in at the provider, in the same browser. @param account with the subject that it has by itself */
export async function askToLink(c: Context, deps: PageDeps, account: UpstreamAccount): Promise<Response> {
  const person = await deps.signIns.read(c.req.raw);
  if (person?.account.way !== 'passphrase') return expired(c);
  const { token, setCookie } = await deps.signIns.startForm(c.req.raw);
  setCookies(c, [setCookie]);
  const offer = await deps.signIns.offerLink(account);
  return page(c, <Ask name={displayNameOf(account) ?? ''} form={token} offer={offer} />, 200);
}

const BY_PASSPHRASE = {
  title: 'Sign in with the passphrase first',
  text: 'You came with a linked account. Accounts are linked by whoever is signed in with the passphrase: sign out, and sign in with it.',
  link: { to: PATHS.account, label: 'Account' },
};

const EXPIRED = {
  title: 'This page has expired',
  text: 'You are no longer signed in with the passphrase in this browser, or the page was open for more than ten minutes. Nothing is linked.',
  link: { to: PATHS.accountLink, label: 'Start again' },
};

function expired(c: Context): Response | Promise<Response> {
  return page(c, <Message {...EXPIRED} />, 403);
}

async function show(c: Context, deps: PageDeps, problem: string | null, status: 200 | 401 | 429): Promise<Response> {
  const { token, setCookie } = await deps.signIns.startForm(c.req.raw);
  setCookies(c, [setCookie]);
  return page(c, <Start form={token} ways={deps.upstreams} problem={problem} />, status);
}

type StartProps = { form: string; ways: readonly { way: string; label: string }[]; problem: string | null };

function Start({ form, ways, problem }: StartProps) {
  return (
    <Layout title="Link an account – Periscope" width="narrow">
      <h1>Link an account</h1>
      <p class="lead">You will be able to sign in with that account as well, and see everything of yours.</p>
      <p>
        Anyone who can sign in to that account becomes the owner of this server. It must be on{' '}
        <code>ALLOWED_USERS</code>. You can unlink it at any time, under Account.
      </p>
      <form method="post" action={PATHS.accountLink}>
        <input type="hidden" name="form" value={form} />
        {/* Enter in the field would press the first button, and choose a provider. */}
        {ways.length > 1 ? <button type="submit" disabled hidden /> : null}
        <PassphraseField label="Enter your passphrase again" problem={problem} isFirst />
        <div class="ways">
          {ways.map(({ way, label }) => (
            <button type="submit" name="way" value={way}>
              Continue with {label}
            </button>
          ))}
        </div>
      </form>
      <p>
        <a href={PATHS.account}>Cancel</a>
      </p>
    </Layout>
  );
}

function Ask({ name, form, offer }: { name: string; form: string; offer: string }) {
  return (
    <Layout title="Link this account? – Periscope" width="narrow">
      <h1>Link this account?</h1>
      <p class="lead">
        <bdi>{name}</bdi>
      </p>
      <p>
        Anyone who signs in with it becomes the owner of this server. Data that it has already stored stays separate;
        you can download or delete it under Account. Clients that it has connected stay as they are.
      </p>
      <form method="post" action={PATHS.accountLinked} class="actions">
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="account" value={offer} />
        <button type="submit" class="primary">
          Link
        </button>
        <a href={PATHS.account}>Cancel</a>
      </form>
    </Layout>
  );
}
