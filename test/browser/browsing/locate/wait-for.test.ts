import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '#browsing/locate/wait-for.ts';
import type { WaitCondition } from '#browsing/locate/wait-for.ts';
import { hiding } from '#browsing/secrets/mask.ts';
import { failureOf, patience } from '#support/acting.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

const LONG = 'x'.repeat(100);
const later = (ms: number, script: string) => `<script>setTimeout(() => { ${script} }, ${ms})</script>`;
/** What changes does so late enough that nobody has looked before, on a busy machine, too. */
const PAGES: Record<string, string> = {
  '/there': `<p>Saved <b>3</b>
      items</p><table><td>12</td><td>34</td></table><button id="go">Go on</button><input type="submit" value="Send it"><input value="typed words">`,
  '/late': `<p id="state">Loading</p>${later(1_500, 'state.textContent = "All done"')}`,
  '/goes': `<p id="state">Loading data</p><div id="spin">spinner</div>${later(1_500, 'state.remove(); spin.style.display = "none"')}`,
  '/moves': later(1_500, 'location.href = "/there"'),
  '/never': `<p>Nothing here but this, ${LONG}</p>`,
  '/hidden': `<p style="display: none">by display</p><p style="visibility: hidden">by visibility</p><p style="opacity: 0">by opacity</p>
    <p style="position: absolute; left: -9000px">by place</p><p style="height: 0; overflow: hidden">by height</p>
    <details><summary>more</summary>by details</details><textarea>by typing</textarea><template>by template</template>
    <select><option>by choice</option><option>chosen not</option></select><iframe style="display: none" srcdoc="by frame"></iframe>
    <iframe style="visibility: hidden" srcdoc="by unseen frame"></iframe><p style="margin-top: 4000px">far below</p>`,
  '/frames': `<iframe src="http://other.example/inner"></iframe>${later(10_000, '')}`,
  '/inner': `<p id="text">In the frame</p>${later(1_500, 'text.textContent = "Changed in the frame"')}`,
  '/shadow': `<x-one><i>slotted</i></x-one><script>customElements.define('x-one', class extends HTMLElement { connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = '<p id="deep">shadowed <slot></slot> words</p>' } })</script>`,
  '/busy': `<p>Before</p>${later(100, 'const end = Date.now() + 1500; while (Date.now() < end); document.body.append("After")')}`,
  '/mirrors': '<p>Signed in with Hunter2-and-more. Welcome, otter of the hunt.</p>',
  '/named': '<form><input name="children"><input name="textContent"><p>Words of a form</p></form>',
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
  const wait = (kind: WaitCondition['kind'], value: string, { isGone = false, ms = 4_000 } = {}) =>
    waitFor({ kind, value, isGone }, tabs, page.refs, ms, patience());
  return { tab, page, wait };
}

describe('waiting for a text', () => {
  it.each([
    ['/there', 'saved 3 items'],
    ['/there', '12 34'],
    ['/there', 'Send it'],
    ['/hidden', 'by choice'],
    ['/hidden', 'far below'],
    ['/shadow', 'shadowed slotted words'],
    ['/named', 'words of a form'],
  ])('that %s shows ends at once: %s', async (path, text) => {
    const { wait } = await open(path);
    expect(await wait('text', text)).toMatchObject({ alreadySo: true });
  });

  describe('on a page that repeats what is hidden', () => {
    beforeAll(() => {
      const hide = hiding(['Hunter2-and-more']);
      browser.acquired.connection.mask = () => hide;
    });
    afterAll(() => {
      browser.acquired.connection.mask = () => null;
    });

    it.each(['hunter2', 'r2-and', 'HUNTER2-and-more', 'with hunter'])(
      'does not tell that %s is there',
      async (text) => {
        const { wait } = await open('/mirrors');
        const failure = await failureOf(wait('text', text, { ms: 300 }));
        expect(failure).toMatchObject({ code: 'timeout', instead: { problem: expect.stringContaining('nowhere') } });
        expect(await wait('text', text, { isGone: true })).toMatchObject({ alreadySo: true });
      },
    );

    it.each(['welcome', 'hunt', 'signed in with'])('finds %s in the rest', async (text) => {
      const { wait } = await open('/mirrors');
      expect(await wait('text', text)).toMatchObject({ alreadySo: true });
    });
  });

  it('ends when it appears, also in a frame of another site and in another document', async () => {
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

  it.each(['1234', 'typed words'])('does not take %s for seen', async (text) => {
    const { wait } = await open('/there');
    expect(await failureOf(wait('text', text, { ms: 300 }))).toMatchObject({ code: 'timeout' });
  });

  it.each('display visibility opacity place height details template|frame|unseen frame'.split(/[ |]/u))(
    'that is hidden by %s does not end',
    async (way) => {
      const { wait } = await open('/hidden');
      const { instead } = Object.assign(
        { instead: undefined },
        await failureOf(wait('text', `by ${way}`, { ms: 300 })),
      );
      expect(instead).toMatchObject({ problem: expect.stringMatching(/not visible|nowhere/u) });
    },
  );

  it('ends in time when it never appears, and says what is there instead', async () => {
    const { wait } = await open('/never');
    const begun = Date.now();
    const failure = await failureOf(wait('text', 'something else', { ms: 700 }));
    expect(Date.now() - begun).toBeLessThan(20_000);
    expect(failure).toMatchObject({
      code: 'timeout',
      afterMs: 700,
      instead: { problem: 'it is nowhere on the page', snapshot: expect.stringContaining('Nothing here but this') },
    });
  });
});

describe('waiting until something is gone', () => {
  it('ends when it goes, and at once when it is not there', async () => {
    const { wait } = await open('/goes');
    expect(await wait('text', 'loading data', { isGone: true })).toMatchObject({ alreadySo: false });
    expect(await wait('selector', '#spin', { isGone: true })).toMatchObject({ alreadySo: true });
    expect(await wait('selector', '#never', { isGone: true })).toMatchObject({ alreadySo: true });
  });

  it('quotes the words around a text that does not go away', async () => {
    const { wait } = await open('/never');
    expect(await failureOf(wait('text', 'but this', { isGone: true, ms: 300 }))).toMatchObject({
      instead: { problem: 'it is still there', quoted: expect.stringContaining('nothing here but this, xxx') },
    });
  });
});

describe('waiting for an element', () => {
  it('takes selectors, through open shadow roots, and refs', async () => {
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

  it('that is hidden says so', async () => {
    const { wait } = await open('/hidden');
    expect(await failureOf(wait('selector', 'p[style^=display]', { ms: 300 }))).toMatchObject({
      instead: { problem: 'it is on the page, but not visible' },
    });
  });

  it.each([
    ['selector', '##'],
    ['text', '\u200b'],
  ] as const)('refuses a %s that cannot be looked for', async (kind, value) => {
    const { wait } = await open('/there');
    expect(await failureOf(wait(kind, value))).toMatchObject({ code: 'invalid_argument', field: kind });
  });

  it('says when the tab is closed meanwhile', async () => {
    const { wait, tab } = await open('/never');
    const waiting = failureOf(wait('text', 'something else'));
    await browser.tabs.close(tab);
    expect(await waiting).toMatchObject({ code: 'invalid_argument', field: 'tab' });
  });
});
