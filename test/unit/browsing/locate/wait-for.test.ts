import { describe, expect, it } from 'vitest';
import { waitFor } from '#browsing/locate/wait-for.ts';
import type { WaitCondition } from '#browsing/locate/wait-for.ts';
import { createSecretMask } from '#browsing/secrets/mask.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

/** Too short for a second look. */
const ONE_LOOK_MS = 1;
const LONG = 'x'.repeat(100);
const PAGES: Record<string, string> = {
  '/there': `<p>Saved <b>3</b>
      items</p><table><td>12</td><td>34</td></table><button id="go">Go on</button><input type="submit" value="Send it"><input value="typed words">`,
  '/never': `<p>Nothing here but this, ${LONG}</p>`,
  '/coded': '<p>Your order</p><script>const said = "Thank you"</script>',
  '/hidden': `<p style="display: none">by display</p><p style="visibility: hidden">by visibility</p><p style="opacity: 0">by opacity</p><p style="filter: opacity(0)">by filter</p>
    <p style="position: absolute; left: -9000px">by place</p><p style="height: 0; overflow: hidden">by height</p>
    <details><summary>more</summary>by details</details><textarea>by typing</textarea><template>by template</template>
    <select><option>by choice</option><option>chosen not</option></select><iframe style="display: none" srcdoc="by frame"></iframe>
    <iframe style="visibility: hidden" srcdoc="by unseen frame"></iframe><p style="margin-top: 4000px">far below</p>`,
  '/shadow': `<x-one><i>slotted</i></x-one><script>customElements.define('x-one', class extends HTMLElement { connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = '<p id="deep">shadowed <slot></slot> words</p>' } })</script>`,
  '/mirrors': '<p>Signed in with Hunter2-and-more. Welcome, otter of the hunt.</p>',
  '/named': '<form><input name="children"><input name="textContent"><p>Words of a form</p></form>',
};

const pages = recordedPages('locate/wait-for', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
});

async function open(path: string) {
  const page = await pages.open(`http://site.example${path}`);
  const tabs = { tab: page.tab, byId: () => page.tab };
  const wait = (kind: WaitCondition['kind'], value: string, isGone = false) =>
    waitFor({ kind, value, isGone }, tabs, page.refs, ONE_LOOK_MS, patience());
  return { page, wait };
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
  ])('that %s already shows ends at once: %s', async (path, text) => {
    const { wait } = await open(path);
    expect(await wait('text', text)).toMatchObject({ alreadySo: true });
  });

  describe('on a page that repeats what is hidden', () => {
    const openHiding = async () => {
      const opened = await open('/mirrors');
      const hide = createSecretMask(['Hunter2-and-more']);
      opened.page.tab.connection.mask = () => hide;
      return opened;
    };

    it.each(['hunter2', 'r2-and', 'HUNTER2-and-more', 'with hunter'])(
      'does not reveal that the page contains %s',
      async (text) => {
        const { wait } = await openHiding();
        const failure = await failureOf(wait('text', text));
        expect(failure).toMatchObject({
          code: 'timeout',
          instead: { problem: expect.stringContaining('not on the page') },
        });
        expect(await wait('text', text, true)).toMatchObject({ alreadySo: true });
      },
    );

    it.each(['welcome', 'hunt', 'signed in with'])('finds %s in the rest', async (text) => {
      const { wait } = await openHiding();
      expect(await wait('text', text)).toMatchObject({ alreadySo: true });
    });
  });

  it.each(['1234', 'typed words'])('does not count %s as visible', async (text) => {
    const { wait } = await open('/there');
    expect(await failureOf(wait('text', text))).toMatchObject({ code: 'timeout' });
  });

  it.each('display visibility opacity filter place height details template|frame|unseen frame'.split(/[ |]/u))(
    'that %s hides does not end',
    async (way) => {
      const { wait } = await open('/hidden');
      const { instead } = Object.assign({ instead: undefined }, await failureOf(wait('text', `by ${way}`)));
      expect(instead).toMatchObject({ problem: expect.stringMatching(/not visible|not on the page/u) });
    },
  );

  it('that never appears ends with the text that is there instead', async () => {
    const { wait } = await open('/never');
    const failure = await failureOf(wait('text', 'something else'));
    expect(failure).toMatchObject({
      code: 'timeout',
      afterMs: ONE_LOOK_MS,
      instead: { problem: 'it is not on the page', snapshot: expect.stringContaining('Nothing here but this') },
    });
  });
});

describe('waiting for a text that only a script holds', () => {
  it('reports that it is not on the page', async () => {
    const { wait } = await open('/coded');
    expect(await failureOf(wait('text', 'Thank you'))).toMatchObject({ instead: { problem: 'it is not on the page' } });
  });
});

describe('waiting until something is gone', () => {
  it('quotes the words around a text that does not disappear', async () => {
    const { wait } = await open('/never');
    expect(await failureOf(wait('text', 'but this', true))).toMatchObject({
      instead: { problem: 'it is still there', quoted: expect.stringContaining('nothing here but this, xxx') },
    });
  });
});

describe('waiting for an element', () => {
  it('reports an element that is hidden', async () => {
    const { wait } = await open('/hidden');
    expect(await failureOf(wait('selector', 'p[style^=display]'))).toMatchObject({
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
});
