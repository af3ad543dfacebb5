import type { Protocol } from 'devtools-protocol';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { ParkedCookie } from './parked-state.ts';

/**
 * Restores cookies into a browser context. Cookies that have expired are left out, as in a browser that had stayed
 * open.
 * @returns how many cookies Chromium refused
 */
export async function restoreCookies(
  browser: CdpSession,
  contextId: string,
  cookies: readonly ParkedCookie[],
): Promise<number> {
  const alive = cookies.filter(({ expires }) => expires === null || expires * 1000 > Date.now()).map(toCookieParam);
  if (alive.length === 0 || (await areSet(browser, contextId, alive))) return 0;
  // Chromium refuses all cookies if one of them is bad.
  const each = await Promise.all(alive.map((cookie) => areSet(browser, contextId, [cookie])));
  return each.filter((isSet) => !isSet).length;
}

async function areSet(
  browser: CdpSession,
  browserContextId: string,
  cookies: Protocol.Network.CookieParam[],
): Promise<boolean> {
  try {
    await browser.send('Storage.setCookies', { cookies, browserContextId });
    return true;
  } catch (error) {
    if (error instanceof CdpError) return false;
    throw error;
  }
}

function toCookieParam(cookie: ParkedCookie): Protocol.Network.CookieParam {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
  const { priority, sourceScheme, sourcePort } = cookie;
  return {
    name,
    value,
    path,
    httpOnly,
    secure,
    priority,
    sourceScheme,
    sourcePort,
    // With a domain, a cookie holds for all subdomains. A cookie for a single host is set through an address of that
    // host.
    ...(domain.startsWith('.') ? { domain } : { url: `${secure ? 'https' : 'http'}://${domain}${path}` }),
    ...(expires === null ? {} : { expires }),
    ...(sameSite === null ? {} : { sameSite }),
    ...(partitionKey === null ? {} : { partitionKey }),
  };
}
