import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUSY_LINK_CACHE_MS, BUSY_LINK_VIEWS_MIN } from '#web/limits.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { Browser, pageOf } from '#support/oauth-browser.ts';
import { startProvider } from '#support/provider-port.ts';
import { startSite } from '#support/site.ts';
import type { Site } from '#support/site.ts';
import { useTestBrowser } from '#support/chromium.ts';
import { notifyCancelled, rawCall } from '#support/raw-call.ts';
import { startShopSite } from '#support/shop-site.ts';
import type { ShopSite } from '#support/shop-site.ts';
import { startTwoIsolates } from '#support/two-isolates.ts';
import type { TwoIsolates } from '#support/two-isolates.ts';

/** State in the memory of one isolate must not outlive a change in another. */

const person = { sub: '', email: '', email_verified: true };
let provider: Awaited<ReturnType<typeof startProvider>>;
let site: Site;
let shop: ShopSite;
let deployment: TwoIsolates;
let ana: Someone;
let bert: Someone;

type Someone = { console: Browser; token: string; first: TestClient; second: TestClient };

beforeAll(async () => {
  [provider, site, shop] = await Promise.all([startProvider(person), startSite(), startShopSite(), useTestBrowser()]);
  deployment = await startTwoIsolates({
    ALLOWED_PRIVATE_HOSTS: `${site.host},${shop.host}`,
    RENDER_ENABLED: 'true',
    SESSION_SECRET: 'nine oystercatchers along the tide line',
    CREDENTIALS_SECRET: 'eleven lapwings over the flooded field',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    ALLOWED_USERS: 'ana@acme.dev, bert@acme.dev',
  });
  ana = await someone('ana');
  bert = await someone('bert');
});
afterAll(async () => {
  for (const one of [ana, bert]) for (const client of [one?.first, one?.second]) await client?.close();
  await deployment?.close();
  await Promise.all([site?.close(), shop?.close()]);
  provider?.close();
});

/** Signs in over the provider, and makes a token that both isolates are asked with. */
async function someone(name: string): Promise<Someone> {
  Object.assign(person, { sub: `sub-${name}`, email: `${name}@acme.dev` });
  const browser = new Browser(deployment.origin, (url, init) => fetch(url, init));
  const door = pageOf(await browser.get(`${deployment.origin}/console/tokens`));
  const away = await browser.submit(door, '/sign-in/upstream', { way: 'oidc' });
  const back = (await fetch(away.left ?? '', { redirect: 'manual' })).headers.get('location') ?? '';
  const tokens = pageOf(await browser.get(back));
  const scopes = ['web:read', 'cite:share', 'cache:purge', 'browser:use'];
  const made = pageOf(await browser.submit(tokens, '/console/tokens', { name: `model of ${name}`, scope: scopes }));
  const token = /<code[^>]*>(pst_[^<]+|[^<]{30,})<\/code>/u.exec(made.html)?.[1] ?? '';
  const at = (isolate: string) => connectModern({ mcpUrl: `${deployment.origin}/mcp${isolate}`, token });
  return { console: browser, token, first: await at(''), second: await at('?isolate=second') };
}

describe('a page in the memory of two isolates', () => {
  it('is private in both', async () => {
    const { cursor } = (await ana.first.call('open_url', { url: `${site.url}/small` })).structured;
    for (const client of [ana.first, ana.second]) {
      expect((await client.call('scroll', { cursor })).isError).toBe(false);
    }
    for (const client of [bert.first, bert.second]) {
      expect((await client.call('scroll', { cursor })).text).toContain('unknown_cursor');
      expect((await client.call('find', { cursor, pattern: 'the' })).text).toContain('unknown_cursor');
    }
  });

  it('is fetched again by both once one of them has deleted it', async () => {
    const shown = async (client: TestClient) => (await client.call('open_url', { url: `${site.url}/edited` })).text;
    site.edit('The first edition speaks of a brass compass.');
    for (const client of [ana.first, ana.second, ana.second]) expect(await shown(client)).toContain('brass compass');
    site.edit('The second edition speaks of a golden compass.');
    for (const client of [ana.first, ana.second]) expect(await shown(client)).toContain('brass compass');
    await ana.first.call('cache_purge', { domain: '127.0.0.1', dry_run: false });
    for (const client of [ana.second, ana.first]) expect(await shown(client)).toContain('golden compass');
  });
});

describe('a shared quote', () => {
  it('is shown by neither isolate once it is withdrawn in one: at once there, and within seconds for a crowd', async () => {
    const { cursor, text } = (await ana.first.call('open_url', { url: `${site.url}/small` })).structured;
    const quote = /[A-Za-z]+ [a-z]+ [a-z]+/u.exec(String(text))?.[0] ?? '';
    const cited = await ana.second.call('cite', { cursor, quote, share: true });
    const link = String(cited.structured['share_link']);
    const status = async (isolate: string) => (await fetch(link + isolate, { redirect: 'manual' })).status;
    expect(await status('')).toBe(200);
    for (let views = 0; views <= BUSY_LINK_VIEWS_MIN; views += 1) expect(await status('?isolate=second')).toBe(200);
    const list = pageOf(await ana.console.get(`${deployment.origin}/console/citations`));
    const asked = pageOf(await ana.console.submit(list, '/console/citations', { do: 'unshare' }));
    await ana.console.submit(asked, '/console/citations', {});
    expect(await status('')).toBe(404);
    await expect.poll(() => status('?isolate=second'), { timeout: 4 * BUSY_LINK_CACHE_MS }).toBe(404);
  });
});

describe('a token that two isolates have accepted', () => {
  it('opens nothing in either once it is revoked in one', async () => {
    for (const client of [bert.first, bert.second]) {
      expect((await client.call('open_url', { url: `${site.url}/small` })).isError).toBe(false);
    }
    const tokens = pageOf(await bert.console.get(`${deployment.origin}/console/tokens`));
    const asked = pageOf(await bert.console.submit(tokens, '/console/tokens/revoke', {}));
    await bert.console.submit(asked, '/console/tokens/revoke', {});
    for (const isolate of ['?isolate=second', '']) {
      const answer = await fetch(`${deployment.origin}/mcp${isolate}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bert.token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      expect(answer.status).toBe(401);
    }
  });
});

describe('a call in a browser session', () => {
  it('is cancelled by a request to another isolate', async () => {
    await ana.first.call('browser_navigate', { url: shop.opened() });
    const { mcpUrl, token } = { mcpUrl: `${deployment.origin}/mcp`, token: ana.token };
    const steps = ['hover button "Buy"', 'wait text=Ready', 'click button "Buy"'];
    const call = await rawCall({ mcpUrl, token }, '2025-11-25', 'browser_do', { steps });
    await shop.sees('pointermove');
    await notifyCancelled({ mcpUrl: `${mcpUrl}?isolate=second`, token });
    await expect.poll(call.answered).toContain('Error cancelled');
    shop.announce();
    await ana.second.call('browser_close', {});
    expect(shop.bought()).toBe(0);
  });
});
