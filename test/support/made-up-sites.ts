import type { CdpConnection } from '#browsing/cdp/connection.ts';
import { browserLevelGate } from '#browsing/gate/request-gate.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';

/** A site's answer for an address: HTML, or more. `null` is a 404, `undefined` no answer at all. */
export type Answer = string | { html: string; headers: Record<string, string>; status?: number } | null | undefined;

/** Pages of a browser that see invented sites, also https ones: the request gate on the browser answers. */
export async function tabsWithSites(
  connection: CdpConnection,
  answer: (url: URL) => Answer,
  mayOpen: boolean,
): Promise<OpenTabs> {
  const { browser } = connection;
  browser.on('Fetch.requestPaused', ({ requestId, request }) => {
    const given = answer(new URL(request.url));
    if (given === undefined) return;
    const { html, headers, status } =
      typeof given === 'string'
        ? { html: given, headers: {}, status: 200 }
        : { status: given === null ? 404 : 200, ...(given ?? { html: '', headers: {} }) };
    const responseHeaders = Object.entries({ 'content-type': 'text/html; charset=utf-8', ...headers }).map(
      ([name, value]) => ({ name, value }),
    );
    const body = btoa(Array.from(new TextEncoder().encode(html), (byte) => String.fromCharCode(byte)).join(''));
    const fulfilled = { requestId, responseCode: status, responseHeaders, body };
    browser.send('Fetch.fulfillRequest', fulfilled).catch(() => undefined);
  });
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: 'http*' }] });
  const tabs = new OpenTabs(connection, { mayOpen: () => mayOpen });
  await tabs.start(browserLevelGate);
  return tabs;
}
