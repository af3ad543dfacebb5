import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowserSite } from '#support/browser-site.ts';
import type { BrowserSite } from '#support/browser-site.ts';
import { ASKED_CLIENTS, CLIENTS } from '#support/mcp-clients.ts';
import type { OnLink, TestClient } from '#support/mcp-clients.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { newPerson, newSitePort, sharedServer } from '#support/shared.ts';
import type { Person } from '#support/shared.ts';

/** Real clients whose person can be asked over the protocol to open the link of a live view, of each revision that knows that. */

const REASON = 'Please sign in.';

let site: BrowserSite;
let account: Person;
let origin = '';
let person: RealBrowser;

beforeAll(async () => {
  ({ origin } = await sharedServer());
  [site, account] = await Promise.all([newSitePort().then(startBrowserSite), newPerson('asked')]);
  person = await startRealBrowser(account);
});
afterAll(async () => {
  await person?.close();
  await site?.close();
});

/** A session of the client's own, with a page in it. */
async function begun(client: TestClient, kind: string, what: string): Promise<string> {
  const session = `${kind} ${what}`.replace(/\W+/g, '-');
  await client.call('browser_navigate', { session, url: site.url });
  return session;
}

/** Sets the rule in the console, as a user does. */
async function askFirstOn(host: string): Promise<void> {
  await person.goTo(`${origin}/console/rules`);
  await person.type('own-site', host);
  await person.see(`document.querySelector('[name="own-level"]').value = 'ask'`);
  await person.click('form:has([name="own-site"]) button');
  expect(await person.see('document.body.innerText')).toContain(host);
}

/** Sign-in forms that the site has received. */
function signIns(): number {
  return site.requests.filter(({ method, path }) => method === 'POST' && path === '/login').length;
}

describe.each(ASKED_CLIENTS)('a client that opens links: $kind', ({ kind, connect }) => {
  async function withClient(onLink: OnLink, use: (client: TestClient) => Promise<void>): Promise<void> {
    const client = await connect(account, onLink);
    try {
      await use(client);
    } finally {
      await client.close();
    }
  }

  it('is asked with the link and the reason, and the model is told that the user drives', async () => {
    const asked: [string, string][] = [];
    const opens: OnLink = async (url, message) => {
      asked.push([url, message]);
      await person.goTo(url);
      await expect.poll(() => person.see('document.getElementById("reason").textContent')).toBe(REASON);
      await expect.poll(() => person.see('document.getElementById("take").disabled')).toBe(false);
      await person.click('#take');
      return 'accept';
    };
    await withClient(opens, async (client) => {
      const session = await begun(client, kind, 'opened');
      const { text, structured } = await client.call('browser_handoff', { session, reason: REASON });
      expect(asked).toEqual([[`${origin}/live/${session}`, `Take over the browser: ${REASON}`]]);
      expect(text).toContain('State: person_driving');
      expect(structured).toMatchObject({ state: 'person_driving', link: `${origin}/live/${session}` });
      const waits = client.call('browser_handoff', { session, reason: REASON });
      await person.click('#give');
      expect((await waits).structured).toMatchObject({ state: 'given_back' });
      expect(asked).toHaveLength(1);
      expect((await client.call('browser_close', { session })).isError).toBe(false);
    });
  });

  it('is asked before an act, with text of this server alone, and the call continues once the user has agreed', async () => {
    await askFirstOn(new URL(site.url).hostname);
    const asked: [string, string][] = [];
    const ended = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const agrees: OnLink = async (url, message) => {
      asked.push([url, message]);
      await person.goTo(url);
      await ended.promise;
      await person.click('form:has([name="answer"][value="once"]) button');
      answered.resolve();
      return 'accept';
    };
    await withClient(agrees, async (client) => {
      const session = await begun(client, kind, 'agreed');
      await client.call('browser_navigate', { session, url: `${site.url}/login` });
      const sent = signIns();
      const click = () => client.call('browser_click', { session, selector: 'button' });
      // In the 2025 revisions the answer comes with another request, and the model repeats a call that has already
      // ended.
      const isRepeated = client.protocol() === '2025-11-25';
      if (!isRepeated) ended.resolve();
      let clicked = await click();
      if (isRepeated) {
        ended.resolve();
        expect(clicked.text).toContain('approval_needed');
        await answered.promise;
        clicked = await click();
      }
      expect([clicked.isError, signIns() - sent]).toEqual([false, 1]);
      const [[url, message] = ['', '']] = asked;
      expect(asked).toHaveLength(1);
      expect(url).toContain(`${origin}/console/approvals?name=${session}&question=`);
      expect(message).toContain('it submits a form with a password');
      await client.call('browser_close', { session });
    });
  });

  it('prevents an act that the user does not agree to', async () => {
    await askFirstOn(new URL(site.url).hostname);
    await withClient(
      async () => 'decline',
      async (client) => {
        const session = await begun(client, kind, 'not agreed');
        await client.call('browser_navigate', { session, url: `${site.url}/login` });
        const sent = signIns();
        const { text, isError } = await client.call('browser_click', { session, selector: 'button' });
        expect(isError).toBe(true);
        expect(text).toContain('approval_needed');
        expect(text).toContain(`${origin}/console/approvals?name=${session}&question=`);
        expect(signIns()).toBe(sent);
        await client.call('browser_close', { session });
      },
    );
  });

  it('reports at once to the model that the user declined', async () => {
    await withClient(
      async () => 'decline',
      async (client) => {
        const session = await begun(client, kind, 'declined');
        const { text, structured } = await client.call('browser_handoff', { session, reason: REASON });
        expect(structured).toMatchObject({ state: 'declined' });
        expect(text).toContain('The user declined.');
        expect((await client.call('browser_snapshot', { session })).isError).toBe(false);
        await client.call('browser_close', { session });
      },
    );
  });
});

describe.each(CLIENTS)('a client that opens no links: $kind', ({ kind, connect }) => {
  it('receives the link in the result', async () => {
    const client = await connect(account);
    const session = await begun(client, kind, 'not asked');
    const { text } = await client.call('browser_handoff', { session, reason: REASON });
    expect(text).toContain(`State: waiting. The person has not taken over yet. Their link: ${origin}/live/${session}`);
    await client.call('browser_close', { session });
    await client.close();
  });
});
