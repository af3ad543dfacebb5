import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { createCachedUrlDecider } from '#browsing/gate/cached-url-check.ts';
import { installRequestGate } from '#browsing/gate/request-gate.ts';
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
import type { RunningBrowser, Trap } from '#support/attack-browser.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { refuseToBeWatched } from '#support/refusing-browser.ts';
import { newPerson, newSitePort } from '#support/shared.ts';
import { ATTACKS, PERMISSIONS, SPELLINGS, TAKEN_AWAY } from '#support/attacks.ts';
import type { Attack } from '#support/attacks.ts';

/** Time for every attack to send something, including the slowest preload. Only waiting shows that none got through. */
const SETTLE_MS = 2_500;
/** A tab whose page takes longer to leave is replaced. */
const LEAVES_MS = 15_000;
/** Ends a wait for what never comes. */
const NEVER_MS = 60_000;
const UNREF = { ref: false };
/** A Chromium without our flags calls home after one and three seconds. */
const CALLS_HOME_MS = 5_000;
/** Tabs that try attacks at the same time. Each tries one after another, because opening a tab costs more than an attack. */
const TABS = 12;

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

type Page = { session: CdpSession; close: () => Promise<unknown> };
type Opener = () => Promise<Page>;

describe('a page that attacks the network of its reader', () => {
  it('succeeds in every way below without protection', async () => {
    const site = await startSite();
    const browser = await start(directTo(site));
    const open = plainly(browser);
    const attacks = ATTACKS.filter(({ blockedByChromium }) => blockedByChromium !== true);
    const tried = await inTabs(open, attacks, ({ first }) => Promise.race([first, sleep(NEVER_MS, null, UNREF)]));
    expect(tried.filter(hasArrived).map(({ name }) => name)).toEqual(attacks.map(({ name }) => name));
  });

  it('reaches nothing with the proxy as its only protection', async () => {
    const proxy = await proxyTo(await startSite());
    cleanUps.push(proxy.close);
    const browser = await start(proxy.flags);
    expect(await leaksOf(plainly(browser), ATTACKS)).toEqual([]);
  });

  it.each(['browser', 'targets'] as const)(
    'reaches nothing with the gate as its only protection, on the %s',
    async (place) => {
      const browser = await start(directTo(await startSite()), place === 'targets');
      const { open, isOn } = await behindGate(browser);
      expect(isOn).toBe(place);
      const seen = ATTACKS.filter(({ unseenByGate }) => unseenByGate !== true);
      expect(await leaksOf(open, seen)).toEqual([]);
    },
  );

  it('fails with every other spelling of the address, and the caller is told of each', async () => {
    const trap = await setTrap();
    cleanUps.push(trap.close);
    const site = await startSite();
    const proxy = await proxyTo(site);
    cleanUps.push(proxy.close);

    const alone = await start(proxy.flags);
    await show(await plainly(alone)(), `http://attacker.acme.dev/spellings?${trap.port}`);
    const gated = await behindGate(await start(directTo(site)));
    await show(await gated.open(), `http://attacker.acme.dev/spellings?${trap.port}`);

    const refused = () => {
      const told = gated.tabs.all().flatMap((tab) => tab.log.since(0));
      return new Set(told.flatMap((event) => (event.kind === 'refused' ? [new URL(event.url).host] : [])));
    };
    const written = SPELLINGS.map((spell) => new URL(`http://${spell(trap.port)}`).host);
    await expect.poll(refused).toEqual(new Set(written));
    await sleep(SETTLE_MS);
    expect(trap.arrived()).toEqual([]);
  });

  it('cannot be led there by the driver of the browser either', async () => {
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

describe('a page that requests more than a display', () => {
  it('opens no window unless a call acts on it, saves no file, and both are reported', async () => {
    const { open, tabs } = await behindGate(await start(directTo(await startSite())));
    const page = await open();
    const told = () => tabs.all()[0]?.log.since(0) ?? [];
    for (const [before, expression] of [
      `window.open('/blank')`,
      `window.open('/blank', '', 'noopener')`,
      `Object.assign(document.createElement('a'), {href: '/blank', target: '_blank', rel: 'noopener'}).click()`,
      `location = '/file'`,
    ].entries()) {
      await show(page, 'http://attacker.acme.dev/blank');
      await page.session.send('Runtime.evaluate', { expression, userGesture: true });
      const events = () => told().filter(({ kind }) => kind === 'popup' || kind === 'download').length;
      await expect.poll(events).toBe(before + 1);
    }
    expect(tabs.all()).toHaveLength(1);
    expect(told().filter(({ kind }) => kind === 'popup')).toHaveLength(3);
    expect(told().filter(({ kind }) => kind === 'download')).toEqual([
      { kind: 'download', url: 'http://attacker.acme.dev/file' },
    ]);
  });

  it.each(PERMISSIONS)('has its permission refused at once, because nobody can be asked: %s', async (asking) => {
    const { session } = await permissionPage();
    const { result } = await session.send('Runtime.evaluate', {
      expression: `Promise.race([Promise.resolve().then(() => ${asking}).then(() => 'granted', ({ name }) => name), new Promise((done) => setTimeout(done, 5000, 'left hanging'))])`,
      awaitPromise: true,
      userGesture: true,
      returnByValue: true,
    });
    expect(result.value).toMatch(/^Not(?:Allowed|Found|Supported)Error$/);
  });

  it.each(TAKEN_AWAY)('lacks %s, in its own window and in a new one', async (name) => {
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
  it('requests nothing except for its pages', async () => {
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
  it('shows a page on an exempted host, and nothing else on this machine can be reached from there', async () => {
    const site = await startSite(await newSitePort());
    const trap = await setTrap();
    cleanUps.push(trap.close);
    const person = await newPerson('gate');
    const client = await connectModern(person);
    const shown = await client.call('browser_navigate', { url: `http://127.0.0.1:${site}/spellings?${trap.port}` });
    expect(shown.text).toContain('request refused: http://127.0.0.1:');
    const { port } = new URL(person.mcpUrl);
    for (const url of [
      `http://127.0.0.1:${trap.port}/`,
      `http://localhost:${port}/healthz`,
      'file:///etc/passwd',
      'chrome://version',
      `view-source:http://127.0.0.1:${trap.port}/`,
    ]) {
      expect({ url, ...(await client.call('browser_navigate', { url })) }).toMatchObject({ url, isError: true });
    }
    await client.call('browser_close', {});
    await client.close();
    expect(trap.arrived()).toEqual([]);
  });
});

/** One browser for all tests of the gate. */
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

/** Resolves when the page and all that it refers to have loaded, or were refused. */
async function show({ session }: Page, url: string): Promise<void> {
  await session.send('Page.enable');
  const loaded = new Promise<void>((resolve) => session.on('Page.loadEventFired', () => resolve()));
  await session.send('Page.navigate', { url });
  await loaded;
}

async function startSite(port?: number): Promise<number> {
  const site = await serveAttacks(port);
  cleanUps.push(site.close);
  return site.port;
}

/** @param isUnwatched whether the browser refuses to be watched as a whole */
async function start(flags: readonly string[], isUnwatched = false): Promise<RunningBrowser> {
  const browser = await launchBrowser(flags, isUnwatched ? refuseToBeWatched : undefined);
  cleanUps.push(browser.close);
  return browser;
}

/** Tabs without a guard, in a context like that of a session. */
function plainly({ connection }: RunningBrowser): Opener {
  const context = connection.browser.send('Target.createBrowserContext', { disposeOnDetach: true });
  return async () => {
    const { browserContextId } = await context;
    const { targetId } = await connection.browser.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      // Sessions do so, too: a click in a tab behind another one may wait for a frame that is never drawn.
      newWindow: true,
    });
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
  const decide = createCachedUrlDecider({ policy, resolve: resolveName }, Date.now);
  const gate = await installRequestGate(connection.browser, decide, (request) => tabs.noteRefused(request));
  await tabs.start(gate);
  const context = await tabs.openContext();
  const open = async () => {
    const tab = await tabs.open(context);
    return { session: tab.session, close: () => tabs.close(tab) };
  };
  return { open, tabs, isOn: gate.isOn };
}

type Tried = { name: string; arrived: string[] };

/** Requests that arrived where none may, by attack. */
async function leaksOf(open: Opener, attacks: readonly Attack[]): Promise<Tried[]> {
  return (await inTabs(open, attacks, () => sleep(SETTLE_MS))).filter(hasArrived);
}

function hasArrived({ arrived }: Tried): boolean {
  return arrived.length > 0;
}

/**
 * Tries all attacks, each for as long as `wait` takes.
 * @returns the outcomes in the order of the attacks
 */
async function inTabs(
  open: Opener,
  attacks: readonly Attack[],
  wait: (trap: Trap) => Promise<unknown>,
): Promise<Tried[]> {
  const outcomes: Tried[] = [];
  const waiting = [...attacks.entries()];
  const useTab = async () => {
    let page = await open();
    const close = () => Promise.race([page.close(), sleep(SETTLE_MS)]);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, attack] = next;
      const trap = await setTrap();
      await begin(page, attack, trap);
      await wait(trap);
      // The page may also try when it is left.
      if (!(await isLeft(page))) {
        await close();
        page = await open();
      }
      outcomes[at] = { name: attack.name, arrived: trap.arrived() };
      trap.close();
    }
    await close();
  };
  await Promise.all(Array.from({ length: TABS }, useTab));
  return outcomes;
}

/** Opens the page of an attack, and clicks where that starts it. */
async function begin({ session }: Page, { name, needsClick = false }: Attack, trap: Trap): Promise<void> {
  await session.send('Page.enable');
  const loaded = new Promise<void>((resolve) => session.on('Page.domContentEventFired', () => resolve()));
  const address = `http://attacker.acme.dev/${name}?127.0.0.1:${trap.port}`;
  void session.send('Page.navigate', { url: address }).catch(() => undefined);
  // A page that waits for its script or its style has not loaded, but the attack is under way.
  await (needsClick ? loaded : Promise.race([loaded, trap.first, sleep(SETTLE_MS)]));
  if (needsClick) await click(session);
}

/** Leaves the page of an attack for an empty one. @returns false if the page does not let go of the tab */
async function isLeft({ session }: Page): Promise<boolean> {
  const leave = async () => {
    await session.send('Page.navigate', { url: 'http://attacker.acme.dev/blank' });
    await session.send('Runtime.evaluate', { expression: LOADED, awaitPromise: true });
    return true;
  };
  return Promise.race([leave().catch(() => false), sleep(LEAVES_MS, false, UNREF)]);
}

const LOADED = `new Promise((done) => { if (document.readyState === 'complete') done(); else addEventListener('load', done) })`;

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
