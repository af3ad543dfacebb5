import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { Browser, formFields, leftTo, pageOf, textOf } from '#support/oauth-browser.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { ANA, deploymentOf, isSignedIn, signInAs, world } from '#support/provider-world.ts';
import { personRows, signInObject } from '#support/stored-people.ts';
import { upstreamSubject } from '#auth/people/account.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';

/** The owner links an account at a provider, and signs in with it from then on. */

const PASSPHRASE = 'six curlews over the weir';
const LINK = '/console/account/link';
const LINKED = '/console/account/linked';
const TOKENS = `${ORIGIN}/console/tokens`;
const BERT = { sub: 'sub-bert', email: 'bert@friends.dev', email_verified: true };

type World = Awaited<ReturnType<typeof world>>;

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM admissions').run();
  // So that the list in memory is read anew.
  await personRows().admissions.end('u_nobody');
});

const withPassphrase = (settings: Record<string, string> = {}) => world({ OWNER_PASSPHRASE: PASSPHRASE, ...settings });

async function owner(at: World['at'], passphrase = PASSPHRASE): Promise<Browser> {
  const browser = at.browser();
  const page = pageOf(await browser.get(`${ORIGIN}/sign-in`));
  await browser.submit(page, '/sign-in', { passphrase });
  expect(isSignedIn(browser)).toBe(true);
  return browser;
}

/** Up to the page that asks whether to link. */
async function asked({ provider }: World, browser: Browser, person = ANA) {
  const start = pageOf(await browser.get(ORIGIN + LINK));
  const away = leftTo(await browser.submit(start, LINK, { passphrase: PASSPHRASE, way: 'oidc' }));
  return pageOf(await browser.get(provider.authorize(away, person).href));
}

async function link(here: World, person = ANA): Promise<void> {
  const browser = await owner(here.at);
  const page = await asked(here, browser, person);
  expect(textOf(page.html)).toContain(person.email);
  await browser.submit(page, LINKED, {});
}

/** Everything that the owner has is told by one token of theirs. */
async function isOwner(browser: Browser): Promise<boolean> {
  const page = pageOf(await browser.get(TOKENS));
  return page.html.includes('made by the owner');
}

async function makeToken(browser: Browser): Promise<void> {
  const page = pageOf(await browser.get(TOKENS));
  await browser.submit(page, '/console/tokens', { name: 'made by the owner', scopes: ['web:read'] });
}

async function signedInAs(here: World, person = ANA): Promise<Browser> {
  const browser = here.at.browser();
  await signInAs(here.provider, browser, person);
  return browser;
}

describe('an account that the owner links', () => {
  it('signs in as the owner from then on, and is nobody else before', async () => {
    const here = await withPassphrase();
    await makeToken(await owner(here.at));
    const before = await signedInAs(here);
    expect([isSignedIn(before), await isOwner(before)]).toEqual([true, false]);
    await link(here);
    expect(await isOwner(await signedInAs(here))).toBe(true);
    // Who was signed in stays who they were until they sign in again.
    expect(await isOwner(before)).toBe(false);
    expect(await isOwner(await signedInAs(here, BERT))).toBe(false);
  });

  it('is by itself again once it is unlinked, and what came with it is over', async () => {
    const here = await withPassphrase();
    await makeToken(await owner(here.at));
    await link(here);
    const browser = await signedInAs(here);
    const [row] = await personRows().admissions.linked();
    await personRows().admissions.unlink(row?.id ?? '');
    expect(pageOf(await browser.get(TOKENS)).url).toContain('/sign-in');
    const later = await signedInAs(here);
    expect([isSignedIn(later), await isOwner(later)]).toEqual([true, false]);
  });

  it('is by itself again under another passphrase, which ends its sign-ins, too', async () => {
    const here = await withPassphrase();
    await makeToken(await owner(here.at));
    await link(here);
    const browser = await signedInAs(here);
    const at = deploymentOf(here.provider, { OWNER_PASSPHRASE: 'another one, of eight knots' });
    const after = new Browser(ORIGIN, at.fetch);
    for (const [name, value] of browser.cookies) after.cookies.set(name, value);
    expect(pageOf(await after.get(TOKENS)).url).toContain('/sign-in');
    const later = await signedInAs({ ...here, at });
    expect([isSignedIn(later), await isOwner(later)]).toEqual([true, false]);
  });

  it('is out when ALLOWED_USERS no longer names it', async () => {
    const here = await withPassphrase();
    await link(here);
    const browser = await signedInAs(here);
    const at = deploymentOf(here.provider, { OWNER_PASSPHRASE: PASSPHRASE, ALLOWED_USERS: 'bert@friends.dev' });
    const after = new Browser(ORIGIN, at.fetch);
    for (const [name, value] of browser.cookies) after.cookies.set(name, value);
    expect(pageOf(await after.get(TOKENS)).url).toContain('/sign-in');
    expect(isSignedIn(await signedInAs({ ...here, at }))).toBe(false);
  });

  it('is out when the owner ends its access', async () => {
    const here = await withPassphrase();
    await link(here);
    const [row] = await personRows().admissions.linked();
    const own = String(Reflect.get(Object(row?.account), 'own'));
    const browser = await signedInAs(here);
    await personRows().admissions.refuse(own, null);
    expect(pageOf(await browser.get(TOKENS)).url).toContain('/sign-in');
    expect(isSignedIn(await signedInAs(here))).toBe(false);
  });
});

describe('linking an account', () => {
  it('takes the passphrase again', async () => {
    const here = await withPassphrase();
    const browser = await owner(here.at);
    const start = pageOf(await browser.get(ORIGIN + LINK));
    const page = pageOf(await browser.submit(start, LINK, { passphrase: 'not it', way: 'oidc' }));
    expect([page.status, textOf(page.html)]).toEqual([401, expect.stringContaining('That is not the passphrase.')]);
    for (let tries = 0; tries < 30; tries += 1) await browser.submit(start, LINK, { passphrase: 'no', way: 'oidc' });
    const last = pageOf(await browser.submit(start, LINK, { passphrase: PASSPHRASE, way: 'oidc' }));
    expect([last.status, textOf(last.html)]).toEqual([429, expect.stringContaining('Too many tries')]);
  });

  it('is not offered to who came over a provider, even as the owner, nor to a stranger', async () => {
    const here = await withPassphrase();
    await link(here);
    for (const [person, status] of [
      [ANA, 403],
      [BERT, 404],
    ] as const) {
      const browser = await signedInAs(here, person);
      expect(pageOf(await browser.get(ORIGIN + LINK)).status).toBe(status);
    }
    const stranger = here.at.browser();
    expect(pageOf(await stranger.get(ORIGIN + LINK)).url).toContain('/sign-in?');
    expect(pageOf(await stranger.post(LINK, [['way', 'oidc']])).status).toBe(403);
    expect(pageOf(await stranger.post(LINKED, [])).status).toBe(403);
  });

  it.each([
    ['that may not sign in', false],
    ['that has an invitation alone', true],
  ])('is refused for an account %s', async (_, isInvited) => {
    const here = await withPassphrase();
    const eve = { ...ANA, sub: 'sub-eve', email: 'eve@elsewhere.dev' };
    if (isInvited) {
      const { secret } = await deploymentIdentity(signInObject());
      const subject = await upstreamSubject(secret, here.provider.issuer, eve.sub);
      await personRows().admissions.allow(subject, null, 'Eve');
    }
    const page = await asked(here, await owner(here.at), eve);
    expect([page.status, textOf(page.html)]).toEqual([403, expect.stringContaining('This account cannot be linked')]);
    expect(await personRows().admissions.linked()).toEqual([]);
  });

  it('is confirmed by who began it, and by nobody else', async () => {
    const here = await withPassphrase();
    const page = await asked(here, await owner(here.at));
    const fields = formFields(page.html, LINKED);
    const bert = await signedInAs(here, BERT);
    const form = formFields(pageOf(await bert.get(TOKENS)).html, '/console/tokens').find(([name]) => name === 'form');
    const stolen = fields.map(([name, value]): [string, string] => [name, name === 'form' ? (form?.[1] ?? '') : value]);
    expect(pageOf(await bert.post(LINKED, stolen)).status).toBe(403);
    expect(pageOf(await here.at.browser().post(LINKED, fields)).status).toBe(403);
    const changed = fields.map(([name, value]): [string, string] => [name, name === 'account' ? `${value}x` : value]);
    expect(pageOf(await (await owner(here.at)).post(LINKED, changed)).status).toBe(403);
    expect(await personRows().admissions.linked()).toEqual([]);
  });

  it('is refused when the access of the account was ended before the last question was answered', async () => {
    const here = await withPassphrase();
    const browser = await owner(here.at);
    const page = await asked(here, browser);
    const { secret } = await deploymentIdentity(signInObject());
    await personRows().admissions.refuse(await upstreamSubject(secret, here.provider.issuer, ANA.sub), null);
    expect(pageOf(await browser.submit(page, LINKED, {})).status).toBe(403);
    expect(await personRows().admissions.linked()).toEqual([]);
  });

  it('ends when the owner signs out on the way', async () => {
    const here = await withPassphrase();
    const browser = await owner(here.at);
    const start = pageOf(await browser.get(ORIGIN + LINK));
    const away = leftTo(await browser.submit(start, LINK, { passphrase: PASSPHRASE, way: 'oidc' }));
    browser.cookies.delete('periscope--session');
    const page = pageOf(await browser.get(here.provider.authorize(away, ANA).href));
    expect([page.status, isSignedIn(browser)]).toEqual([403, false]);
    expect(await personRows().admissions.linked()).toEqual([]);
  });
});
