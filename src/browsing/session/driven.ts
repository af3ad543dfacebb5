import * as pageScripts from '#browsing/in-page/sources.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { withTimeout } from '#core/with-timeout.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { HandedBack } from './answers.ts';
import { WALL_LOOK_MS } from './limits.ts';
import type { Live } from './live.ts';

/** How a session was before a person drove it. */
export type Mark = {
  places: ReadonlyMap<string, string>;
  cookies: ReadonlyMap<string, string>;
  /** Whether a page asked for a password or a code. */
  askedForSecret: boolean;
};

export async function markOf(live: Live): Promise<Mark> {
  const [cookies, askedForSecret] = await Promise.all([cookiesOf(live), asksForSecret(live)]);
  return { places: placesOf(live), cookies, askedForSecret };
}

export async function changedSince(mark: Mark, live: Live): Promise<Omit<HandedBack, 'seconds' | 'how'>> {
  const now = placesOf(live);
  const [cookies, stillAsks] = await Promise.all([cookiesOf(live), asksForSecret(live)]);
  const hasNewCookies = [...cookies].some(([name, value]) => mark.cookies.get(name) !== value);
  return {
    moved: [...now].filter(([id, place]) => mark.places.has(id) && mark.places.get(id) !== place).map(([id]) => id),
    opened: [...now.keys()].filter((id) => !mark.places.has(id)),
    closed: [...mark.places.keys()].filter((id) => !now.has(id)),
    // What asked for a password asks no more, and the site knows the browser by something new.
    hasSignedIn: mark.askedForSecret && !stillAsks && hasNewCookies,
  };
}

function placesOf({ tabs }: Live): Map<string, string> {
  return new Map(tabs.all().map((tab) => [tab.id, tab.main().url]));
}

async function cookiesOf({ browser, contextId }: Live): Promise<Map<string, string>> {
  try {
    const { cookies } = await browser.connection.browser.send('Storage.getCookies', { browserContextId: contextId });
    return new Map(cookies.map(({ domain, path, name, value }) => [`${domain} ${path} ${name}`, value]));
  } catch (error) {
    if (error instanceof CdpError || error instanceof BrowserGone) return new Map();
    throw error;
  }
}

async function asksForSecret({ tabs }: Live): Promise<boolean> {
  const walls = await Promise.all(tabs.all().map(wallOf));
  return walls.some((wall) => wall === 'password' || wall === 'code');
}

/** What stands in the way of a tab; empty for nothing, and where the page does not answer. */
export async function wallOf(tab: OpenTab): Promise<'password' | 'code' | 'captcha' | ''> {
  // A page that is busy, gone or broken is told without.
  return withTimeout(WALL_LOOK_MS, (late) => callIn(tab, tab.main(), pageScripts.wallHere, [], late)).catch(() => '');
}
