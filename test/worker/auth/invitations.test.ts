import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '#core/text/text.ts';
import { leftTo, pageOf } from '#support/oauth-browser.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { isSignedIn, signInAs, world } from '#support/provider-world.ts';
import { personRows } from '#support/stored-people.ts';

/** A person whom `ALLOWED_USERS` does not name signs in with an invitation, once. */

const EVA = { sub: 'sub-eva', email: 'eva@elsewhere.dev', email_verified: true };
const MAX = { sub: 'sub-max', email: 'max@elsewhere.dev', email_verified: true };
const DAY_MS = 86_400_000;

async function invitation(note: string, expiresAt = Date.now() + DAY_MS): Promise<string> {
  const secret = note.padEnd(32, '_');
  const id = await sha256Hex(secret);
  await personRows().admissions.invite({ id, subject: 'o_owner', note, createdAt: Date.now(), expiresAt });
  return `${ORIGIN}/invitation/${secret}`;
}

type World = Awaited<ReturnType<typeof world>>;

async function accept({ provider, at }: World, link: string, person: typeof EVA) {
  const browser = at.browser();
  const shown = pageOf(await browser.get(link));
  if (shown.status !== 200) return { browser, shown };
  const away = leftTo(await browser.submit(shown, '/sign-in/upstream', { way: 'oidc' }));
  return { browser, shown: pageOf(await browser.get(provider.authorize(away, person).href)) };
}

describe('an invitation', () => {
  it('admits one person, who needs it only once, and no other person', async () => {
    const here = await world();
    const link = await invitation('for-eva');
    const first = await accept(here, link, EVA);
    expect(isSignedIn(first.browser)).toBe(true);
    const second = await accept(here, link, MAX);
    expect([second.shown.status, isSignedIn(second.browser)]).toEqual([404, false]);
    const later = here.at.browser();
    await signInAs(here.provider, later, EVA);
    expect(isSignedIn(later)).toBe(true);
  });

  it('is not used up by a person who may sign in anyway', async () => {
    const here = await world({ ALLOWED_USERS: 'max@elsewhere.dev' });
    const link = await invitation('for-whoever');
    expect(isSignedIn((await accept(here, link, MAX)).browser)).toBe(true);
    expect(isSignedIn((await accept(here, link, EVA)).browser)).toBe(true);
  });

  it('expires after its days, and when it is withdrawn', async () => {
    const here = await world();
    const old = await accept(here, await invitation('for-too-late', Date.now() - 1), EVA);
    const link = await invitation('for-withdrawn');
    await personRows().admissions.withdraw(await sha256Hex('for-withdrawn'.padEnd(32, '_')));
    const withdrawn = await accept(here, link, EVA);
    expect([old.shown.status, withdrawn.shown.status]).toEqual([404, 404]);
  });

  it('admits only one of two people who come at the same time', async () => {
    const here = await world();
    const link = await invitation('for-one-of-two');
    const came = await Promise.all([accept(here, link, EVA), accept(here, link, MAX)]);
    expect(came.filter(({ browser }) => isSignedIn(browser))).toHaveLength(1);
  });

  it('does not readmit a refused person, whom ALLOWED_USERS does not readmit either', async () => {
    const here = await world({ ALLOWED_USERS: 'eva@elsewhere.dev' });
    const browser = here.at.browser();
    await signInAs(here.provider, browser, EVA);
    const subject = await env.DB.prepare('SELECT subject FROM people ORDER BY last_seen_at DESC').first<string>(
      'subject',
    );
    await personRows().admissions.refuse(subject ?? '', null);
    expect(pageOf(await browser.get(`${ORIGIN}/console/tokens`)).url).toContain('/sign-in');
    const link = await invitation('for-refused');
    expect((await accept(here, link, EVA)).shown.status).toBe(403);
    expect(isSignedIn((await accept(here, link, MAX)).browser)).toBe(true);
  });

  it.each([
    ['/invitation/'],
    ['/invitation/a'],
    [`/invitation/${'a'.repeat(32)}`],
    [`/invitation/${'%00'.repeat(11)}`],
  ])('that does not exist leads to a page that reports this: %s', async (path) => {
    const { at } = await world();
    expect(pageOf(await at.browser().get(ORIGIN + path)).status).toBe(404);
    expect(at.unexpected).toEqual([]);
  });

  it('is stored as a hash that does not open it', async () => {
    const here = await world();
    await invitation('for-the-hash');
    const id = await sha256Hex('for-the-hash'.padEnd(32, '_'));
    const browser = here.at.browser();
    expect(pageOf(await browser.get(`${ORIGIN}/invitation/${id}`)).status).toBe(404);
    const signIn = pageOf(await browser.get(`${ORIGIN}/sign-in`));
    const away = leftTo(await browser.submit(signIn, '/sign-in/upstream', { way: 'oidc', invitation: id }));
    expect(pageOf(await browser.get(here.provider.authorize(away, EVA).href)).status).toBe(403);
    const rows = await env.DB.prepare('SELECT * FROM invitations').all();
    expect(JSON.stringify(rows.results)).not.toContain('for-the-hash____');
  });
});
