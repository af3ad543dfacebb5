import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { BrowserBinding } from '#browsing/cdp/connect.ts';
import { createCachedUrlDecider } from '#browsing/gate/cached-url-check.ts';
import type { DecideUrl } from '#browsing/gate/request-gate.ts';
import { runBrowserTrial } from '#browsing/try-browser.ts';
import { parseConfig } from '#core/config/config.ts';
import { cachedResolver } from '#net/fetch/network.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { refusingBinding } from '#support/refusing-browser.ts';

const DECIDE = createCachedUrlDecider({ policy: netPolicy(parseConfig({}), []), resolve: cachedResolver }, Date.now);

async function steps(binding: BrowserBinding, decide: DecideUrl = DECIDE) {
  const render = () => env.PAGE_RENDERER.get(env.PAGE_RENDERER.idFromName('renderer 0')).probe();
  return runBrowserTrial({ binding, allowDomains: [], decide, render, report: () => 'log-id' });
}

describe('the browser check', () => {
  it('runs every step, and reports whether each tab is watched separately', async () => {
    const done = await steps(refusingBinding(env.BROWSER));
    expect(done.filter(({ works }) => !works)).toEqual([]);
    expect(done).toHaveLength(10);
    expect(done[1]?.found).toContain('does not let the browser be guarded as a whole, so each tab is');
  });

  it('ends if the browser lets nobody watch its requests, and closes it', async () => {
    const done = await steps(refusingBinding(env.BROWSER, 'everywhere'));
    expect(done.map(({ name, works }) => [name, works])).toEqual([
      ['Start a browser', true],
      ['Guard its requests', true],
      ['Open an isolated context', true],
      ['Open a tab', false],
      ['Close the browser', true],
      ['Render a page for reading', true],
    ]);
    expect(done[3]?.found).toContain('does not let its requests be checked');
  });

  it('does not accept a gate that allows a private address', async () => {
    const done = await steps(env.BROWSER, async () => null);
    const failed = done.filter(({ works }) => !works);
    expect(failed.map(({ name }) => name)).toEqual(['Show a page']);
    expect(failed[0]?.found).toContain('did not see the requests of the page');
  });

  it('reports why no browser was started', async () => {
    const words = 'Browser time limit exceeded for today';
    const used: BrowserBinding = { fetch: async () => new Response(words, { status: 429 }) };
    const [first, ...others] = await steps(used);
    expect(first).toMatchObject({ works: false, found: expect.stringContaining('used up its browser time for today') });
    expect(others.map(({ name, works }) => [name, works])).toEqual([['Render a page for reading', true]]);
  });
});
