import { describe, expect, it } from 'vitest';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import { findLastScan, scanUnreadPage } from '#browsing/session/operations/acting.ts';
import { sessionOn } from '#support/session-work.ts';

const open = sessionOn({
  '/boats': '<button onclick="out.textContent = 1 + Number(out.textContent)">Add</button><p id="out">1</p>',
  '/berths': '<h1>Berths</h1>',
});

const NOW = () => AbortSignal.timeout(60_000);
const to = (path: string) => ({
  url: `http://site.example${path}`,
  history: undefined,
  newTab: false,
  waitUntil: 'load' as const,
  timeoutMs: 20_000,
  snapshot: false,
});

describe('a page without a view so far', () => {
  it('is read between two calls, so that the first action can report its changes', async () => {
    const work = await open('/boats');
    expect(findLastScan(work)).toBe(null);
    await scanUnreadPage(work.active, work.tab.id, NOW());
    const known = findLastScan(work);
    expect(known).not.toBe(null);
    const { changes } = await clickElement(work, {
      target: 'button "Add"',
      snapshot: false,
      button: 'left',
      clickCount: 1,
      modifiers: [],
    });
    expect(changes?.lines).toEqual(['- 1', '+ 2']);
  });

  it('is not read again when a call has viewed it', async () => {
    const work = await open('/boats');
    await viewTabOnRequest(work, {});
    const known = findLastScan(work);
    await scanUnreadPage(work.active, work.tab.id, NOW());
    expect(findLastScan(work)).toBe(known);
  });

  it('is read again once the tab has navigated', async () => {
    const work = await open('/boats');
    await viewTabOnRequest(work, {});
    await navigateTab(work, to('/berths'));
    expect(findLastScan(work)).toBe(null);
    await scanUnreadPage(work.active, work.tab.id, NOW());
    expect(findLastScan(work)).not.toBe(null);
  });

  it('is not read in a closed tab', async () => {
    const work = await open('/boats');
    await scanUnreadPage(work.active, 't99', NOW());
    await scanUnreadPage(work.active, undefined, NOW());
    expect(findLastScan(work)).toBe(null);
  });
});
