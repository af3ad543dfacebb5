import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '#browsing/locate/wait-for.ts';
import type { WaitCondition } from '#browsing/locate/wait-for.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

/** The expected change comes after two seconds, and later on a busy machine. */
const WAIT_MS = 40_000;
const later = (ms: number, script: string) => `<script>setTimeout(() => { ${script} }, ${ms})</script>`;
/** Changes come late enough that no look happens before, also on a busy machine. */
const PAGES: Record<string, string> = {
  '/there': `<p>Saved <b>3</b>
      items</p><table><td>12</td><td>34</td></table><button id="go">Go on</button><input type="submit" value="Send it"><input value="typed words">`,
  '/late': `<p id="state">Loading</p>${later(1_500, 'state.textContent = "All done"')}`,
  '/goes': `<p id="state">Loading data</p><div id="spin">spinner</div>${later(1_500, 'state.remove(); spin.style.display = "none"')}`,
  '/moves': later(1_500, 'location.href = "/there"'),
  '/never': '<p>Nothing here but this</p>',
  '/frames': `<iframe src="http://other.example/inner"></iframe>${later(10_000, '')}`,
  '/inner': `<p id="text">In the frame</p>${later(1_500, 'text.textContent = "Changed in the frame"')}`,
  '/shadow': `<x-one><i>slotted</i></x-one><script>customElements.define('x-one', class extends HTMLElement { connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = '<p id="deep">shadowed <slot></slot> words</p>' } })</script>`,
  '/busy': `<p>Before</p>${later(100, 'const end = Date.now() + 1500; while (Date.now() < end); document.body.append("After")')}`,
};

let browser: TestBrowser;
let context = '';

beforeAll(async () => {
  browser = await browserWith(({ pathname }) => {
    const body = PAGES[pathname];
    return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
  });
  context = await browser.openContext();
});

afterAll(() => browser.close());

async function open(path: string) {
  const tab = await browser.openTab(context, `http://site.example${path}`);
  const page = new PageWithRefs(tab);
  const tabs = { tab, byId: (id: string) => browser.tabs.byId(id) };
  const wait = (kind: WaitCondition['kind'], value: string, { isGone = false } = {}) =>
    waitFor({ kind, value, isGone }, tabs, page.refs, WAIT_MS, patience());
  return { tab, page, wait };
}

describe('waiting for a text', () => {
  it('ends when it appears, also in a cross-site frame and in another document', async () => {
    for (const [path, text] of [
      ['/late', 'All done'],
      ['/frames', 'Changed in the frame'],
      ['/moves', 'Saved 3 items'],
      ['/busy', 'After'],
    ] as const) {
      const { wait } = await open(path);
      expect(await wait('text', text)).toMatchObject({ alreadySo: path === '/busy' ? expect.anything() : false });
    }
  });
});

describe('waiting until an element or text is gone', () => {
  it('ends when it disappears, and at once if it is not there', async () => {
    const { wait } = await open('/goes');
    expect(await wait('text', 'loading data', { isGone: true })).toMatchObject({ alreadySo: false });
    expect(await wait('selector', '#spin', { isGone: true })).toMatchObject({ alreadySo: true });
    expect(await wait('selector', '#never', { isGone: true })).toMatchObject({ alreadySo: true });
  });
});

describe('waiting for an element', () => {
  it('accepts selectors, through open shadow roots, and refs', async () => {
    const { wait, page } = await open('/shadow');
    expect(await wait('selector', '#deep')).toMatchObject({ alreadySo: true });
    const there = await open('/there');
    const ref = await there.page.refOf('button "Go on"');
    expect(await there.wait('selector', ref)).toMatchObject({ alreadySo: true });
    await there.page.run('setTimeout(() => go.remove(), 300)');
    expect(await there.wait('selector', ref, { isGone: true })).toMatchObject({ alreadySo: false });
    expect(await failureOf(there.wait('selector', '@e999', { isGone: true }))).toMatchObject({ code: 'stale_ref' });
    expect(await page.run('1')).toBe(1);
  });

  it('reports that the tab was closed meanwhile', async () => {
    const { wait, tab } = await open('/never');
    const waiting = failureOf(wait('text', 'something else'));
    await browser.tabs.close(tab);
    expect(await waiting).toMatchObject({ code: 'invalid_argument', field: 'tab' });
  });
});
