import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '#auth/people/account.ts';
import { cookieJar } from '#auth/people/cookies.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { createSignInCookies } from '#auth/people/sign-ins.ts';
import { parseConfig } from '#core/config/config.ts';
import { BUSY_LINK_VIEWS_MIN } from '#web/limits.ts';
import { findOrCreateDoor } from '../../../src/doors.ts';
import { countPlatform } from '#support/counted-platform.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { Browser, formFields, pageOf, textOf } from '#support/oauth-browser.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { personRows, signInObject } from '#support/stored-people.ts';

/** Links that users of one server share while they may sign in, and the owner's view of them. */

const ISSUER = 'https://login.acme.dev/';
const SETTINGS = {
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'secret',
  ALLOWED_USERS: 'ana@acme.dev, bert@acme.dev, @friends.dev',
};
const accountOf = (name: string, at = 'acme.dev'): Account => ({
  way: 'oidc',
  issuer: ISSUER,
  id: `sub-${name}`,
  emails: [`${name}@${at}`],
});
const ANA = { subject: 'u_links_ana', account: accountOf('ana') };
const BERT = { subject: 'u_links_bert', account: accountOf('bert') };
const FRIEND = { subject: 'u_links_friend', account: accountOf('<i>friend</i>\u202e', 'friends.dev') };
const HOUR_MS = 3_600_000;

type At = { config: ReturnType<typeof parseConfig>; browser: () => Browser };

/** The whole server under settings of a test's own. */
function serverWith(changes: Record<string, string | undefined> = {}): At {
  const own: Record<string, unknown> = { ...env, ...SETTINGS, ...changes };
  const config = parseConfig(own);
  const bindings = { ...env };
  const fetch = (url: string, init?: RequestInit) =>
    findOrCreateDoor(ORIGIN, config, bindings).fetch(new Request(url, init), createExecutionContext());
  return { config, browser: () => new Browser(ORIGIN, fetch) };
}

async function signedIn(at: At, person: { subject: string; account: Account }): Promise<Browser> {
  const { secret } = await deploymentIdentity(signInObject());
  const kept = createSignInCookies(secret, at.config, cookieJar(ORIGIN), Date.now, personRows());
  const browser = at.browser();
  for (const line of await kept.open(person)) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    browser.cookies.set(name, value);
  }
  return browser;
}

/** The list of what others share, on the owner's page of citations. */
const othersIn = ({ html }: { html: string }) => html.split('<h2>Shared by others</h2>')[1] ?? '';
const see = async (browser: Browser, path: string) => pageOf(await browser.get(ORIGIN + path));
const statusOf = async (at: At, link: string) => (await see(at.browser(), link)).status;

async function share(subject: string, quote: string): Promise<string> {
  const token = await grantFor(subject, ['web:read', 'cite:share']);
  const { cursor } = structured(
    await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/alarms' }, { token }),
  );
  const cited = structured(await callTool('modern', 'cite', { cursor, quote, share: true }, { token }));
  return new URL(String(cited['share_link'])).pathname;
}

let links: { ana: string; bert: string; friend: string };
const usual = serverWith();

beforeAll(async () => {
  await env.DB.prepare('DELETE FROM citations').run();
  links = {
    ana: await share(ANA.subject, 'An alarm wakes a durable object'),
    bert: await share(BERT.subject, 'It may be set again'),
    friend: await share(FRIEND.subject, 'It fires once.'),
  };
}, 60_000);
/** Signs each of them in. */
beforeEach(async () => {
  for (const person of [ANA, BERT, FRIEND]) await signedIn(usual, person);
});

describe('a public link', () => {
  it('shows its quote while its user may sign in, and not a moment longer', async () => {
    for (const link of Object.values(links)) expect(await statusOf(usual, link)).toBe(200);
    const without = serverWith({ ALLOWED_USERS: 'ana@acme.dev, @friends.dev' });
    expect(await statusOf(without, links.bert)).toBe(404);
    expect((await see(without.browser(), links.bert)).html).toBe(
      (await see(without.browser(), '/q/AAAAAAAAAAAAAAAAAAAAAA')).html,
    );
    expect(await statusOf(without, links.ana)).toBe(200);
    expect(await statusOf(without, links.friend)).toBe(200);
    expect(await statusOf(serverWith({ ALLOWED_USERS: 'ana@acme.dev' }), links.friend)).toBe(404);
    expect(await statusOf(serverWith({ ALLOWED_USERS: '' }), links.ana)).toBe(404);
    for (const link of Object.values(links)) expect(await statusOf(usual, link)).toBe(200);
  });

  it("shows nothing once its user's provider was changed or removed", async () => {
    const none = { OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined };
    for (const at of [serverWith(none), serverWith({ OIDC_ISSUER: 'https://elsewhere.acme.dev/' })]) {
      for (const link of Object.values(links)) expect(await statusOf(at, link)).toBe(404);
    }
  });

  it('depends on how its user signed in last', async () => {
    const at = serverWith({ ALLOWED_USERS: 'ana@acme.dev, bert@new.acme.dev' });
    expect(await statusOf(at, links.bert)).toBe(404);
    await signedIn(at, { ...BERT, account: accountOf('bert', 'new.acme.dev') });
    expect(await statusOf(at, links.bert)).toBe(200);
    expect(await statusOf(usual, links.bert)).toBe(404);
  });

  it('is shown again for a user whose record was deleted once they use the server again', async () => {
    await env.DB.prepare('DELETE FROM people').run();
    expect(await statusOf(usual, links.bert)).toBe(404);
    const cookie = await signedIn(usual, BERT);
    await env.DB.prepare('DELETE FROM people').run();
    expect((await see(cookie, '/console/activity')).status).toBe(200);
    expect(await statusOf(usual, links.bert)).toBe(200);
    await env.DB.prepare('DELETE FROM people').run();
    const fresh = 'u_links_client';
    const link = await share(fresh, 'It fires once.');
    // Less frequent than a crowd's requests.
    const seldom = { timeout: 10_000, interval: 600 };
    await vi.waitFor(async () => expect(await statusOf(usual, link)).toBe(200), seldom);
    await env.DB.prepare('DELETE FROM citations WHERE subject = ?').bind(fresh).run();
  });
});

describe('a public link that a crowd opens', () => {
  it('is queried a few times, and stays the same for everyone', async () => {
    const link = await share(ANA.subject, 'It fires once');
    await signedIn(usual, ANA);
    const browser = usual.browser();
    const shown = (await see(browser, link)).html;
    const platform = await countPlatform();
    try {
      for (let view = 0; view < 60; view += 1) expect((await see(browser, link)).html).toBe(shown);
      // A slow machine may need two of the periods for which a link is cached.
      expect(platform.counts.d1Trips).toBeLessThan(2 * BUSY_LINK_VIEWS_MIN);
    } finally {
      platform.stop();
    }
    expect(await statusOf(serverWith({ ALLOWED_USERS: 'bert@acme.dev' }), link)).toBe(404);
    await env.DB.prepare('DELETE FROM citations WHERE share_id = ?').bind(link.split('/').at(-1)).run();
  });
});

describe('a quote for all signed-in users', () => {
  const quote = 'An alarm wakes a durable object';
  const FORM_URL = /action="(\/c\/[^"]*)"/u;
  afterAll(async () => {
    await env.DB.prepare('DELETE FROM citations WHERE share_id IS NULL').run();
  });

  /** Cites, then chooses on the page of the citation who may see it. */
  async function shareWith(person: typeof ANA, who: string, url = 'https://docs.acme.dev/alarms') {
    const token = await grantFor(person.subject, ['web:read']);
    const { cursor } = structured(await callTool('modern', 'open_url', { url }, { token }));
    const browser = await signedIn(usual, person);
    const page = await see(browser, `/c/${String(cursor)}/L2-L2`);
    const path = FORM_URL.exec(page.html)?.[1] ?? '';
    const saved = pageOf(await browser.submit(page, path, { do: 'share', who }));
    return { path, browser, page, saved, link: /\/q\/[\w-]{22}/u.exec(saved.html)?.[0] ?? '' };
  }

  it('opens for a second user, but neither for a stranger nor for a removed user', async () => {
    const { path, link } = await shareWith(ANA, 'members');
    const bert = await signedIn(usual, BERT);
    expect((await see(bert, link)).html).toContain('<mark>An alarm wakes');
    expect(new URL((await see(bert, path)).url).pathname).toBe(link);
    const asked = await see(usual.browser(), link);
    expect(new URL(asked.url).pathname).toBe('/sign-in');
    expect(asked.html).not.toContain(quote);
    expect(new URL(asked.url).searchParams.get('next')).toBe(link);
    const without = serverWith({ ALLOWED_USERS: 'ana@acme.dev' });
    const removed = await signedIn(without, BERT);
    for (const at of [link, path]) expect((await see(removed, at)).html).not.toContain(quote);
    const owner = await see(await signedIn(usual, ANA), '/console/citations');
    expect(textOf(owner.html)).toContain(`${link} Everyone who may sign in here can see it.`);
  });

  it('ends when the user who shared it may no longer sign in, like a public one', async () => {
    const { link } = await shareWith(BERT, 'members');
    const without = serverWith({ ALLOWED_USERS: 'ana@acme.dev' });
    const ana = await signedIn(without, ANA);
    const gone = await see(ana, link);
    expect([gone.status, gone.html]).toEqual([404, (await see(ana, '/q/AAAAAAAAAAAAAAAAAAAAAA')).html]);
  });

  it('gets another link when it becomes public, and none when it becomes private again', async () => {
    const { path, browser, link } = await shareWith(FRIEND, 'members');
    const choose = async (who: string) =>
      pageOf(await browser.submit(await see(browser, path), path, { do: 'share', who }));
    const open = /\/q\/[\w-]{22}/u.exec((await choose('anyone')).html)?.[0] ?? '';
    expect(open).not.toBe(link);
    expect(await statusOf(usual, open)).toBe(200);
    expect(await statusOf(usual, link)).toBe(404);
    const narrowed = await choose('members');
    expect(narrowed.html).not.toContain(open);
    expect(await statusOf(usual, open)).toBe(404);
    expect((await choose('nobody')).html).not.toContain('/q/');
    const bert = await signedIn(usual, BERT);
    expect((await see(bert, path)).status).toBe(404);
  });

  it('is created only by the form of its own page, and only by its user', async () => {
    const { path, browser, page, link } = await shareWith(ANA, 'nobody');
    expect(link).toBe('');
    const fields: [string, string][] = [...formFields(page.html, path), ['do', 'share'], ['who', 'members']];
    expect(pageOf(await browser.post(path, fields, { origin: 'https://evil.acme.dev' })).status).toBe(403);
    const bert = await signedIn(usual, BERT);
    const own = formFields((await see(bert, '/console/activity')).html, '/sign-out');
    const theirs: [string, string][] = [...own, ['do', 'share'], ['who', 'members']];
    expect(pageOf(await bert.post(path, theirs)).status).toBe(404);
    expect((await see(bert, path)).status).toBe(404);
    const odd = pageOf(await browser.submit(page, path, { do: 'share', who: 'everybody' }));
    expect(odd.html).not.toContain('/q/');
  });

  it('is never created for a page that was read in a browser session, or stored for one user', async () => {
    const token = await grantFor(ANA.subject, ['web:read']);
    const stub = env.CLIENT.get(env.CLIENT.idFromName(ANA.subject));
    const url = 'https://docs.acme.dev/alarms';
    const { cursor } = structured(await callTool('modern', 'open_url', { url }, { token }));
    const used = await stub.use(String(cursor), null, HOUR_MS);
    const read = used !== null && 'page' in used ? used.page : null;
    const live = await stub.mintPage(
      {
        title: null,
        restStart: null,
        documentId: read?.documentId ?? '',
        url,
        lineCount: 6,
        fetchedAt: 0,
        isLive: true,
      },
      0,
      null,
      HOUR_MS,
    );
    const browser = await signedIn(usual, ANA);
    const form = formFields((await see(browser, '/console/activity')).html, '/sign-out');
    const fields: [string, string][] = [...form, ['do', 'share'], ['who', 'members']];
    const path = `/c/${live}/L4-L4`;
    expect((await see(browser, path)).html).not.toContain('name="who"');
    const refused = pageOf(await browser.post(path, fields));
    expect(textOf(refused.html)).toContain('it was read in a browser session');
    expect(refused.html).not.toContain('/q/');
    const secret = await shareWith(ANA, 'members', 'https://shares.acme.dev/s/Ab3dE9xQ7wZr').catch(String);
    expect(JSON.stringify(secret)).not.toContain('/q/');
  });
});

describe("the owner's list of quotes shared by others", () => {
  const PAGE = '/console/citations';

  /** Presses the first button of the list. */
  async function askToStop(owner: Browser) {
    const page = await see(owner, PAGE);
    return pageOf(await owner.submit({ ...page, html: othersIn(page) }, PAGE, {}));
  }

  it('shows who shares what since when, with a plain name', async () => {
    const page = await see(await signedIn(usual, ANA), PAGE);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const [html, text] = [othersIn(page), textOf(othersIn(page))];
    for (const words of ['Shared by bert@acme.dev ,', 'It may be set again', 'https://docs.acme.dev/alarms']) {
      expect(text).toContain(words);
    }
    expect(text).toContain('<i>friend</i>@friends.dev');
    expect(page.html).not.toContain('<i>friend');
    expect(page.html).not.toContain('\u202e');
    for (const link of [links.bert, links.friend]) expect(html).toContain(`href="${link}"`);
    expect(html).not.toContain(links.ana);
    expect(page.html).toContain(`href="${links.ana}"`);
    expect(html).toMatch(/<time datetime="\d{4}-/);
    expect(text).not.toContain('shows nothing');
    const now = await see(await signedIn(serverWith({ ALLOWED_USERS: 'ana@acme.dev' }), ANA), PAGE);
    expect(textOf(now.html).match(/its person may no longer sign in/g)).toHaveLength(2);
    const denied = await see(await signedIn(serverWith({ DENYLIST_DOMAINS: 'docs.acme.dev' }), ANA), PAGE);
    expect(textOf(denied.html).match(/its address is not allowed/g)).toHaveLength(3);
  });

  it('lets the owner stop each quote, once', async () => {
    const link = await share(BERT.subject, 'set again');
    await signedIn(usual, BERT);
    const owner = await signedIn(usual, ANA);
    const asked = await askToStop(owner);
    expect(textOf(asked.html)).toContain('Stop sharing this quote?');
    expect(await statusOf(usual, link)).toBe(200);
    const stopped = pageOf(await owner.submit(asked, PAGE, {}));
    expect(textOf(stopped.html)).toContain('The link is no longer public.');
    expect(await statusOf(usual, link)).toBe(404);
    expect(stopped.html).not.toContain(link);
    expect(await statusOf(usual, links.bert)).toBe(200);
    const again = pageOf(await owner.submit(asked, PAGE, {}));
    expect([again.status, textOf(again.html)]).toEqual([409, expect.stringContaining('is no longer shared')]);
    expect(pageOf(await owner.submit(asked, PAGE, { id: "' OR 1=1 --" })).status).toBe(409);
    expect(await statusOf(usual, links.friend)).toBe(200);
  });

  it('is available only to the owner', async () => {
    const owner = await signedIn(usual, ANA);
    const asked = await askToStop(owner);
    const fields = formFields(asked.html, PAGE);
    const bert = await signedIn(usual, BERT);
    const page = await see(bert, PAGE);
    expect(othersIn(page)).toBe('');
    expect(page.html).not.toContain(links.friend);
    const own = formFields((await see(bert, '/console/activity')).html, '/sign-out');
    const theirs: [string, string][] = [...own, ...fields.filter(([name]) => name !== 'form')];
    expect(pageOf(await bert.post(PAGE, theirs)).status).toBe(409);
    expect(pageOf(await bert.post(PAGE, fields)).status).toBe(403);
    expect(pageOf(await usual.browser().post(PAGE, fields)).status).toBe(403);
    expect(pageOf(await owner.post(PAGE, fields, { origin: 'https://evil.acme.dev' })).status).toBe(403);
    for (const link of Object.values(links)) expect(await statusOf(usual, link)).toBe(200);
  });

  it('continues on further pages, without duplicates', async () => {
    const row = await env.DB.prepare('SELECT * FROM citations WHERE subject = ? LIMIT 1').bind(BERT.subject).first();
    const names = Object.keys(row ?? {});
    const many = Array.from({ length: 60 }, (_, n) => {
      const values = { ...row, id: `many-${n}`, share_id: `many${String(n).padStart(18, '0')}`, quote: `Number ${n}.` };
      const at = { ...values, shared_at: Date.now() - HOUR_MS - (n % 7) };
      return env.DB.prepare(`INSERT INTO citations VALUES (${names.map(() => '?').join()})`).bind(
        ...names.map((name) => Reflect.get(at, name)),
      );
    });
    await env.DB.batch(many);
    const owner = await signedIn(usual, ANA);
    const seen: string[] = [];
    for (let next: string | undefined = PAGE; next !== undefined;) {
      const html = othersIn(await see(owner, next));
      seen.push(...[...html.matchAll(/<blockquote lang="">(Number \d+\.)/gu)].map(([, quote = '']) => quote));
      next = /<a href="([^"]*)">Older/u.exec(html)?.[1];
    }
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
    await env.DB.prepare(`DELETE FROM citations WHERE id LIKE 'many-%'`).run();
  });
});
