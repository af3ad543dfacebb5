import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { cachedDecide } from '#browsing/gate/decide.ts';
import { guardRequests } from '#browsing/gate/request-gate.ts';
import type { RequestGate } from '#browsing/gate/request-gate.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import {
  directTo,
  launchBrowser,
  POLICY,
  proxyTo,
  resolveName,
  serveAttacks,
  setTrap,
} from '#support/attack-browser.ts';
import type { RunningBrowser } from '#support/attack-browser.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { refuseToBeWatched } from '#support/refusing-browser.ts';
import { startServer } from '#support/server.ts';
import { ATTACKS, PERMISSIONS, SPELLINGS, TAKEN_AWAY } from '#support/attacks.ts';
import type { Attack } from '#support/attacks.ts';

/** What every attack has to get something out, the slowest look-ahead included. */
const SETTLE_MS = 2_500;
/** A Chromium without our flags calls home after one and three seconds. */
const CALLS_HOME_MS = 5_000;
const ROUNDS_MAX = 3;
/** Pages at work at the same time. */
const AT_ONCE = 12;

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Opens a page, and closes it. */
type Opener = () => Promise<{ session: CdpSession; close: () => Promise<unknown> }>;

describe('a page that tries to reach the network of its reader', () => {
  it('gets there by every way below when nothing stands in between', async () => {
    const site = await startSite();
    const browser = await start(directTo(site));
    let left = ATTACKS.filter(({ blockedByChromium }) => blockedByChromium !== true);
    // On a busy machine, one or another takes longer than it has; with fewer at work it does not.
    for (let round = 0; round < ROUNDS_MAX && left.length > 0; round += 1) {
      const silent = (await runAll(plainly(browser), left)).filter(({ arrived }) => arrived.length === 0);
      left = left.filter(({ name }) => silent.some((one) => one.name === name));
    }
    expect(left).toEqual([]);
  });

  it('gets nowhere through the proxy alone', async () => {
    const proxy = await proxyTo(await startSite());
    cleanUps.push(proxy.close);
    const browser = await start(proxy.flags);
    expect(leaksOf(await runAll(plainly(browser), ATTACKS))).toEqual([]);
  });

  it.each(['browser', 'targets'] as const)('gets nowhere past the gate alone, on the %s', async (place) => {
    const browser = await start(directTo(await startSite()), place === 'targets');
    const { open, isOn } = await behindGate(browser);
    expect(isOn).toBe(place);
    const seen = ATTACKS.filter(({ unseenByGate }) => unseenByGate !== true);
    expect(leaksOf(await runAll(open, seen))).toEqual([]);
  });

  it('gets nowhere by writing the address in another way, and the caller is told of each', async () => {
    const trap = await setTrap();
    cleanUps.push(trap.close);
    const site = await startSite();
    const proxy = await proxyTo(site);
    cleanUps.push(proxy.close);

    const alone = await start(proxy.flags);
    await show(await plainly(alone)(), `http://attacker.acme.dev/spellings?${trap.port}`);
    const gated = await behindGate(await start(directTo(site)));
    await show(await gated.open(), `http://attacker.acme.dev/spellings?${trap.port}`);

    expect(trap.arrived()).toEqual([]);
    const told = gated.tabs.all().flatMap((tab) => tab.log.since(0));
    const refused = told.flatMap((event) => (event.kind === 'refused' ? [new URL(event.url).host] : []));
    const written = SPELLINGS.map((spell) => new URL(`http://${spell(trap.port)}`).host);
    expect(new Set(refused)).toEqual(new Set(written));
  });

  it('is not brought there by the one who drives the browser either', async () => {
    const { open, tabs } = await behindGate(await start(directTo(await startSite())));
    const { session } = await open();
    for (const url of [
      'http://127.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]:8080/',
      'http://metadata.google.internal/',
    ]) {
      const { errorText } = await session.send('Page.navigate', { url });
      expect([url, errorText]).toEqual([url, 'net::ERR_BLOCKED_BY_CLIENT']);
    }
    const told = tabs.all()[0]?.log.since(0) ?? [];
    expect(told.filter((event) => event.kind === 'refused' && event.isDocument)).toHaveLength(4);
  });
});

describe('a page that asks for more than to be shown', () => {
  it('opens no window unless a call of ours acts on it, and saves no file; both are told', async () => {
    const { open, tabs } = await behindGate(await start(directTo(await startSite())));
    const { session } = await open();
    for (const expression of [
      `window.open('/blank')`,
      `window.open('/blank', '', 'noopener')`,
      `Object.assign(document.createElement('a'), {href: '/blank', target: '_blank', rel: 'noopener'}).click()`,
      `location = '/file'`,
    ]) {
      await session.send('Page.navigate', { url: 'http://attacker.acme.dev/blank' });
      await sleep(500);
      await session.send('Runtime.evaluate', { expression, userGesture: true });
      await sleep(1_000);
    }
    expect(tabs.all()).toHaveLength(1);
    const told = tabs.all()[0]?.log.since(0) ?? [];
    expect(told.filter(({ kind }) => kind === 'popup')).toHaveLength(3);
    expect(told.filter(({ kind }) => kind === 'download')).toEqual([
      { kind: 'download', url: 'http://attacker.acme.dev/file' },
    ]);
  });

  it.each(PERMISSIONS)('is refused at once, as nobody is there to ask: %s', async (asking) => {
    const { session } = await permissionPage();
    const { result } = await session.send('Runtime.evaluate', {
      expression: `Promise.race([Promise.resolve().then(() => ${asking}).then(() => 'granted', ({ name }) => name), new Promise((done) => setTimeout(done, 5000, 'left hanging'))])`,
      awaitPromise: true,
      userGesture: true,
      returnByValue: true,
    });
    expect(result.value).toMatch(/^Not(?:Allowed|Found|Supported)Error$/);
  });

  it.each(TAKEN_AWAY)('has no %s, in its own window or a fresh one', async (name) => {
    const { session } = await permissionPage();
    const { result } = await session.send('Runtime.evaluate', {
      expression: `(() => {
        const frame = document.createElement('iframe');
        document.body.append(frame);
        return [typeof window.${name}, typeof frame.contentWindow.${name}, isSecureContext];
      })()`,
      returnByValue: true,
    });
    expect(result.value).toEqual(['undefined', 'undefined', true]);
  });
});

describe('the local browser itself', () => {
  it('asks the network for nothing but what its pages ask for', async () => {
    const asked: string[] = [];
    const proxy = await proxyTo(await startSite(), (host) => asked.push(host));
    cleanUps.push(proxy.close);
    const browser = await start(proxy.flags);
    await show(await plainly(browser)(), 'http://attacker.acme.dev/blank');
    await sleep(CALLS_HOME_MS);
    expect([...new Set(asked)]).toEqual(['attacker.acme.dev']);
  });
});

describe('npm start', () => {
  it('shows a page on an excepted host, and reaches nothing else on this machine from there', async () => {
    const site = await startSite();
    const trap = await setTrap();
    cleanUps.push(trap.close);
    const server = await startServer({ ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site}`, EVALUATE_ENABLED: 'true' });
    cleanUps.push(server.close);
    const client = await connectModern(server);
    const shown = await client.call('browser_navigate', { url: `http://127.0.0.1:${site}/spellings?${trap.port}` });
    expect(shown.text).toContain('request refused: http://127.0.0.1:');
    const { port } = new URL(server.mcpUrl);
    for (const url of [
      `http://127.0.0.1:${trap.port}/`,
      `http://localhost:${port}/healthz`,
      'file:///etc/passwd',
      'chrome://version',
      `view-source:http://127.0.0.1:${trap.port}/`,
    ]) {
      expect({ url, ...(await client.call('browser_navigate', { url })) }).toMatchObject({ url, isError: true });
    }
    await client.close();
    expect(trap.arrived()).toEqual([]);
  });
});

/** One browser for all that is asked for. */
let shared: ReturnType<Opener> | null = null;
const sharedCleanUps: (() => unknown)[] = [];

afterAll(async () => {
  for (const cleanUp of sharedCleanUps.toReversed()) await cleanUp();
});

function permissionPage(): ReturnType<Opener> {
  shared ??= (async () => {
    const site = await serveAttacks();
    const browser = await launchBrowser(directTo(site.port));
    sharedCleanUps.push(site.close, browser.close);
    const { open } = await behindGate(browser, `127.0.0.1:${site.port}`);
    const page = await open();
    // Trustworthy for a browser, as https is: everything that only secure pages have is there.
    await show(page, `http://127.0.0.1:${site.port}/blank`);
    return page;
  })();
  return shared;
}

async function show({ session }: Awaited<ReturnType<Opener>>, url: string): Promise<void> {
  await session.send('Page.navigate', { url });
  await sleep(SETTLE_MS);
}

function leaksOf(results: { name: string; arrived: string[] }[]) {
  return results.filter(({ arrived }) => arrived.length > 0);
}

async function startSite(): Promise<number> {
  const site = await serveAttacks();
  cleanUps.push(site.close);
  return site.port;
}

/** @param isUnwatched whether the browser refuses to be watched as a whole */
async function start(flags: readonly string[], isUnwatched = false): Promise<RunningBrowser> {
  const browser = await launchBrowser(flags, isUnwatched ? refuseToBeWatched : undefined);
  cleanUps.push(browser.close);
  return browser;
}

/** Tabs that nobody watches, in a context as sessions have one. */
function plainly({ connection }: RunningBrowser): Opener {
  const context = connection.browser.send('Target.createBrowserContext', { disposeOnDetach: true });
  return async () => {
    const { browserContextId } = await context;
    const { targetId } = await connection.browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await connection.browser.send('Target.attachToTarget', { targetId, flatten: true });
    return {
      session: connection.session(sessionId),
      close: () => connection.browser.send('Target.closeTarget', { targetId }),
    };
  };
}

type Gated = { open: Opener; tabs: OpenTabs; isOn: RequestGate['isOn'] };

/** Tabs as a session has them. */
async function behindGate({ connection }: RunningBrowser, allowed = ''): Promise<Gated> {
  const tabs = new OpenTabs(connection, { mayOpen: () => false });
  const policy = allowed === '' ? POLICY : { ...POLICY, privateHosts: new Set([allowed]) };
  const decide = cachedDecide({ policy, resolve: resolveName }, Date.now);
  const gate = await guardRequests(connection.browser, decide, (request) => tabs.noteRefused(request));
  await tabs.start(gate);
  const context = await tabs.openContext();
  const open = async () => {
    const tab = await tabs.open(context);
    return { session: tab.session, close: () => tabs.close(tab) };
  };
  return { open, tabs, isOn: gate.isOn };
}

async function runAll(open: Opener, attacks: readonly Attack[]) {
  const results: { name: string; arrived: string[] }[] = [];
  const waiting = [...attacks];
  const work = async () => {
    for (let attack = waiting.shift(); attack !== undefined; attack = waiting.shift()) {
      results.push({ name: attack.name, arrived: await run(open, attack) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const order = attacks.map(({ name }) => name);
  return results.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}

/** @returns what arrived where nothing may */
async function run(open: Opener, attack: Attack): Promise<string[]> {
  const trap = await setTrap();
  try {
    const { session, close } = await open();
    await session.send('Page.enable');
    const address = `http://attacker.acme.dev/${attack.name}?127.0.0.1:${trap.port}`;
    const loaded = new Promise<void>((resolve) => session.on('Page.domContentEventFired', () => resolve()));
    void session.send('Page.navigate', { url: address }).catch(() => undefined);
    await Promise.race([loaded, sleep(SETTLE_MS)]);
    if (attack.needsClick === true) await click(session);
    await Promise.race([trap.first, sleep(SETTLE_MS)]);
    await Promise.race([close(), sleep(SETTLE_MS)]);
    return trap.arrived();
  } finally {
    trap.close();
  }
}

async function click(session: CdpSession): Promise<void> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: `(() => { const { x, y, width, height } = document.getElementById('go').getBoundingClientRect(); return [x + width / 2, y + height / 2] })()`,
    returnByValue: true,
  });
  const [x = 0, y = 0]: number[] = result.value ?? [];
  const mouse = { x, y, button: 'left', clickCount: 1 } as const;
  await session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...mouse });
  void session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...mouse }).catch(() => undefined);
}
