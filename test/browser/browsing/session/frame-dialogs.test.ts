import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inPage } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';

/** Dialogs of frames, and how many dialogs a call accepts. */

const ASKS = `<script>addEventListener('message', () => { document.title = String(prompt('Your code again?')) + confirm('Pay 500?') })</script>`;
const SITES: Record<string, string> = {
  'shop.example/': `<title>Shop</title><iframe src="/own"></iframe><iframe src="https://ads.example/"></iframe><iframe srcdoc="${ASKS.replaceAll('"', '&quot;')}"></iframe><iframe sandbox="allow-scripts allow-modals" src="/own"></iframe>`,
  'shop.example/own': `<title>Own</title>${ASKS}`,
  'ads.example/': `<title>Ads</title>${ASKS}`,
};

let browser: TestBrowser;
let tab: OpenTab;

beforeAll(async () => {
  browser = await browserWith(({ host, pathname }) => SITES[`${host}${pathname}`] ?? null);
  tab = await browser.openLastingTab(await browser.openContext(), 'https://shop.example/');
});
afterAll(() => browser.close());

/** Asks in a frame while the call accepts dialogs, and returns what the tab's log says then. */
async function askIn(frame: number, dialogs: number) {
  tab.dialogAnswer = { accept: true, text: 'MYCODE42' };
  const { mark } = tab.log;
  await inPage(tab, `frames[${frame}].postMessage('ask', '*')`);
  const events = () => tab.log.since(mark).filter(({ kind }) => kind === 'dialog' || kind === 'frame_dialog');
  await vi.waitFor(() => expect(events()).toHaveLength(dialogs), 30_000);
  return events();
}

describe('a dialog of a frame', () => {
  it.each([
    ['of another site', 1],
    ['that is sandboxed', 3],
  ])('%s is dismissed, and gets no text', async (_, frame) => {
    expect(await askIn(frame, 2)).toMatchObject([
      { kind: 'frame_dialog', type: 'prompt', message: 'Your code again?' },
      { kind: 'frame_dialog', type: 'confirm', message: 'Pay 500?' },
    ]);
  });

  it.each([
    ['of the same site', 0],
    ['without an address', 2],
  ])('%s is answered as the call specifies', async (_, frame) => {
    expect(await askIn(frame, 2)).toMatchObject([
      { kind: 'dialog', type: 'prompt', answer: 'accepted' },
      { kind: 'dialog', type: 'confirm', answer: 'accepted' },
    ]);
    expect(await inPage(tab, `frames[${frame}].document.title`)).toBe('MYCODE42true');
  });
});

describe('a page that asks again and again', () => {
  it('is told yes three times by one call', async () => {
    tab.dialogAnswer = { accept: true };
    expect(await inPage(tab, `Array.from({ length: 5 }, () => confirm('Delete?')).join()`)).toBe(
      'true,true,true,false,false',
    );
  });
});
