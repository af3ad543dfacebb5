import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowserSite } from '#support/browser-site.ts';
import type { BrowserSite } from '#support/browser-site.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';

/** A person and a model before the same browser session, for real: `npm start`, an MCP client, and the person's Chromium. */

const PASSPHRASE = 'nine herons on the breakwater';

let site: BrowserSite;
let server: TestServer;
let model: TestClient;
let person: RealBrowser;
let origin = '';

beforeAll(async () => {
  site = await startBrowserSite();
  server = await startServer({
    ALLOWED_PRIVATE_HOSTS: `${site.host},${site.otherHost}`,
    OWNER_PASSPHRASE: PASSPHRASE,
  });
  origin = new URL(server.mcpUrl).origin;
  model = await connectModern(server);
  person = await startRealBrowser();
});
afterAll(async () => {
  await person?.close();
  await model?.close();
  await server?.close();
  await site?.close();
});

async function until<T>(what: string, look: () => Promise<T | null | false>, ms = 15_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (Date.now() > deadline)
      throw new Error(
        `${what}: not within ${ms} ms; the page says ${await person.see<string>('document.body.innerText')}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a person who looks', () => {
  it('signs in, sees the session move, and switches its tabs', async () => {
    await model.call('browser_navigate', { session: 'seen', url: `${site.url}/tall` });
    await person.goTo(`${origin}/live/seen`);
    expect(await person.see('document.querySelector("h1").textContent')).toBe('Sign in');
    await person.type('passphrase', PASSPHRASE);
    await person.click('form[action="/sign-in"] button');
    await until('a picture', () => person.see<boolean>('!document.getElementById("canvas").hidden'));
    expect(await person.see('document.getElementById("facts").textContent')).toMatch(
      /^browser open for \d+ min · rests in/,
    );
    await model.call('browser_navigate', { session: 'seen', url: `${site.url}/booking`, new_tab: true });
    await until('a second tab', () => person.see<boolean>('document.querySelectorAll("[role=tab]").length === 2'));
    await person.click('[role=tab]:last-child');
    await until('its address', () =>
      person.see<boolean>('document.getElementById("place").textContent.endsWith("/booking")'),
    );
    expect(person.complaints).toEqual([]);
  });
});
