import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { acquireBrowser, closeBrowserAndConnection } from '#browsing/cdp/connect.ts';
import type { AcquiredBrowser, BrowserBinding } from '#browsing/cdp/connect.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import { browserLevelGate } from '#browsing/gate/request-gate.ts';
import type { RequestGate } from '#browsing/gate/request-gate.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';

const browsers: AcquiredBrowser[] = [];
const LET_GO = 'Runtime.runIfWaitingForDebugger';
/** A target that is let go too early has been by then. */
const LONG_ENOUGH_MS = 500;

afterEach(async () => {
  for (const browser of browsers.splice(0)) await closeBrowserAndConnection(env.BROWSER, browser);
});

describe('a tab that opens before the gate is ready', () => {
  it('is paused until its guards are installed, and then runs with them', async () => {
    const gate = Promise.withResolvers<RequestGate>();
    const { tabs, sent } = await start();
    const started = tabs.start(gate.promise);
    const opened = tabs.open(await tabs.openContext());
    await scheduler.wait(LONG_ENOUGH_MS);
    expect(sent).toContain('Target.createTarget');
    expect(sent).not.toContain(LET_GO);
    gate.resolve(browserLevelGate);
    await Promise.all([started, opened]);
    const guarded = sent.indexOf('Page.addScriptToEvaluateOnNewDocument');
    expect(guarded).toBeGreaterThan(-1);
    expect(sent.lastIndexOf(LET_GO)).toBeGreaterThan(guarded);
  });

  it('never runs if the gate cannot be installed', async () => {
    const gate = Promise.withResolvers<RequestGate>();
    const { tabs, sent } = await start();
    const started = tabs.start(gate.promise);
    const opened = tabs.open(await tabs.openContext());
    gate.reject(new BrowserGone('gone'));
    await expect(started).rejects.toThrow(BrowserGone);
    await expect(opened).rejects.toThrow(BrowserGone);
    await scheduler.wait(LONG_ENOUGH_MS);
    expect(sent).not.toContain(LET_GO);
  });
});

/** A browser, its tabs, and the names of the commands that were sent to it. */
async function start(): Promise<{ tabs: OpenTabs; sent: string[] }> {
  const sent: string[] = [];
  const listening: BrowserBinding = {
    fetch: async (url, init) => {
      const response = await env.BROWSER.fetch(url, init);
      const socket = response.webSocket;
      if (socket === null) return response;
      const send = socket.send.bind(socket);
      socket.send = (data) => {
        if (typeof data === 'string') sent.push(String(JSON.parse(data).method));
        send(data);
      };
      return response;
    },
  };
  const browser = await acquireBrowser(listening);
  browsers.push(browser);
  return { tabs: new OpenTabs(browser.connection, { mayOpen: () => false }), sent };
}
