import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { acquireBrowser, closeBrowserAndConnection } from '#browsing/cdp/connect.ts';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import { OPERATIONS } from '#browsing/session/operations/table.ts';
import { runInTab } from '#browsing/session/operations/perform.ts';
import { PageRules } from '#browsing/rules/page-rules.ts';
import { openActiveSession } from '#browsing/session/active-session.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import { navigate } from '#browsing/session/operations/navigate.ts';
import { takeView } from '#browsing/view/view.ts';
import { inRounds } from '#support/rounds.ts';
import { testDownloads } from '#support/test-downloads.ts';
import { testSecrets } from '#support/test-secrets.ts';
import type { Rounds } from '#support/rounds.ts';

/** A browser of a service is tens of milliseconds away: what counts is how often something waits for it. */
const PAGES: Readonly<Record<string, string>> = {
  'a form':
    '<label>Name <input value="Ada"></label><select><option>One</select><input type="password" value="x"><textarea>a</textarea>',
  'fields that a script draws':
    '<div role="textbox" tabindex="0" contenteditable="true">Ada</div><div role="combobox" tabindex="0">One</div><div role="slider" tabindex="0" aria-valuenow="4">4</div><div role="spinbutton" tabindex="0" aria-valuenow="2"></div>',
  dates:
    '<input type="date" value="2026-11-22"><input type="time" value="10:00"><input type="datetime-local" value="2026-11-22T10:00">',
  'a player': '<video controls src="data:,"></video><audio controls src="data:,"></audio>',
  frames: '<iframe srcdoc="<button>One</button>"></iframe><iframe srcdoc="<button>Two</button>"></iframe>',
};

const opened: ActiveSession[] = [];

afterEach(async () => {
  for (const { browser } of opened.splice(0)) await closeBrowserAndConnection(env.BROWSER, browser);
});

describe('a distant browser', () => {
  it('is ready for a session after two round trips', async () => {
    const rounds = inRounds(env.BROWSER);
    await start(rounds);
    expect(rounds.count()).toBe(2);
  });

  it.each(Object.keys(PAGES))('shows %s after one round trip', async (name) => {
    const rounds = inRounds(env.BROWSER);
    const active = await start(rounds);
    const tab = await active.tabs.open(active.contextId);
    const url = `data:text/html,<!doctype html><title>t</title>${encodeURIComponent(PAGES[name] ?? '')}`;
    await navigate(tab, url, { waitUntil: 'load', timeoutMs: 20_000 }, AbortSignal.timeout(20_000));
    const before = rounds.count();
    await takeView(tab, active.refs, null, {}, AbortSignal.timeout(20_000));
    expect(rounds.count() - before).toBe(1);
  });

  it('returns titles, and requests for the user, in the round trip that shows the page', async () => {
    const rounds = inRounds(env.BROWSER);
    const active = await start(rounds);
    const tab = await active.tabs.open(active.contextId);
    const url = 'data:text/html,<!doctype html><title>Door</title><input type="password"><button>Go</button>';
    await navigate(tab, url, { waitUntil: 'load', timeoutMs: 20_000 }, AbortSignal.timeout(20_000));
    const before = rounds.count();
    const bounds = { effect: 'look' as const, isLook: true, callMs: 20_000, texts: OPERATIONS.snapshot.origins };
    const { state } = await runInTab('default', active, {}, null, bounds, (work) => viewTabOnRequest(work, {}));
    expect(state).toMatchObject({ wall: 'password', tab: { title: 'Door' } });
    expect(rounds.count() - before).toBe(1);
  });

  it('returns titles in the round trip that shows the changes of a click', async () => {
    const rounds = inRounds(env.BROWSER);
    const active = await start(rounds);
    const tab = await active.tabs.open(active.contextId);
    const url = `data:text/html,<!doctype html><button onclick="document.title = 'Gone'; this.after('Done')">Go</button>`;
    await navigate(tab, url, { waitUntil: 'load', timeoutMs: 20_000 }, AbortSignal.timeout(20_000));
    const bounds = { effect: 'act' as const, isLook: false, callMs: 20_000, texts: OPERATIONS.click.origins };
    let acted = 0;
    const { state, result } = await runInTab('default', active, {}, null, bounds, async (work) => {
      const clicked = await clickElement(work, {
        target: 'text=Go',
        snapshot: false,
        button: 'left',
        clickCount: 1,
        modifiers: [],
      });
      acted = rounds.count();
      return clicked;
    });
    expect(state.tab?.title).toBe('Gone');
    expect(result.changes?.lines).toEqual(['+ Done']);
    expect(rounds.count() - acted).toBe(0);
  });
});

async function start({ binding }: Rounds): Promise<ActiveSession> {
  const browser = await acquireBrowser(binding);
  const active = await openActiveSession(
    browser,
    async () => null,
    { nextRef: 1, lastTab: 0 },
    testDownloads(),
    testSecrets(),
    new PageRules(),
  );
  opened.push(active);
  return active;
}
