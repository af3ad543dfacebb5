import { describe, expect, it } from 'vitest';
import { utf8Bytes } from '#core/text/text.ts';
import { readHtmlOfPage } from '#browsing/read/html.ts';
import type { PageHtml, PageHtmlOptions } from '#browsing/read/html.ts';
import { patience } from '#support/page-calls.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';
import type { PageWithRefs } from '#support/page-with-refs.ts';

const PAGE = `<style>p { color: red }</style><script>window.n = 1</script><p onclick="x()" style="color: red">a   b &lt; <b>c</b></p>
    <img src="data:image/png;base64,${'A'.repeat(5_000)}"><input type="password" value="hunter2"><input name="user" value="joe">
    <x-box id="box">light</x-box><pre>  kept\n  so</pre><form><input name="attributes"><input name="firstChild"><i>f</i></form>
    <p>tag\u{e0041}ged\u202e</p><script>box.attachShadow({ mode: 'open' }).innerHTML = '<i>dark</i><slot></slot>'</script>`;

const pages = recordedPages('read/html', () => `<!doctype html><title>/page</title><body>${PAGE}</body>`);
const open = () => pages.open('http://site.example/page');

function htmlOf({ tab }: PageWithRefs<RecordedTab>, options: Partial<PageHtmlOptions> = {}): Promise<PageHtml> {
  return readHtmlOfPage(tab, { element: null, maxBytes: 50_000, keepsScripts: false, ...options }, patience());
}

describe('the HTML of a page', () => {
  it('leaves out scripts and styles, and says so', async () => {
    const { html, notes, isCut } = await htmlOf(await open());
    expect(html).toContain('<p>a b &lt; <b>c</b></p>');
    expect(html).not.toMatch(/<script|<style|onclick|color/u);
    expect(notes[0]).toBe('2 scripts and 1 style sheets are left out');
    expect(isCut).toBe(false);
  });

  it('contains scripts and styles on request', async () => {
    const { html } = await htmlOf(await open(), { keepsScripts: true });
    expect(html).toContain('<script>window.n = 1</script>');
    expect(html).toContain('style="color: red"');
  });

  it('never contains a password, with scripts or without', async () => {
    const page = await open();
    for (const keepsScripts of [true, false]) {
      const { html } = await htmlOf(page, { keepsScripts });
      expect(html).toContain('<input type="password">');
      expect(html).not.toContain('hunter2');
    }
  });

  it('writes open shadow trees as HTML does, and shortens data', async () => {
    const page = await open();
    const { html } = await htmlOf(page, { element: await page.resolve('#box') });
    expect(html).toBe(
      '<x-box id="box"><template shadowrootmode="open"><i>dark</i><slot></slot></template>light</x-box>',
    );
    expect((await htmlOf(page)).html).toContain('<img src="data:image/png;base64,…">');
  });

  it('is not affected by fields named like members of a form, or by invisible characters', async () => {
    const { html } = await htmlOf(await open());
    expect(html).toContain('<form><input name="attributes"><input name="firstChild"><i>f</i></form>');
    expect(html).toContain('<p>tagged</p>');
  });

  it('ends at its limit and says so', async () => {
    const { html, isCut, notes } = await htmlOf(await open(), { maxBytes: 200 });
    expect(utf8Bytes(html)).toBeLessThanOrEqual(200);
    expect(isCut).toBe(true);
    expect(notes.at(-1)).toMatch(/^the HTML continues after 200 bytes/u);
  });
});
