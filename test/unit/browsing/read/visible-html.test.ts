import { describe, expect, it } from 'vitest';
import { readVisibleHtml } from '#browsing/read/html.ts';
import { extract } from '#extract/extract.ts';
import { patience } from '#support/page-calls.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const URL_OF_PAGE = 'https://site.example/';

let body = '';
const pages = recordedPages('read/visible-html', () => `<!doctype html><title>A page</title><body>${body}</body>`);

async function seen(html: string, maxBytes = 1_000_000) {
  body = html;
  const { tab } = await pages.open(URL_OF_PAGE);
  return readVisibleHtml(tab, null, maxBytes, patience());
}

/** The full text that extraction makes of it. */
async function textOf(html: string): Promise<string> {
  const { html: text } = await seen(html);
  const input = { kind: 'html', text, bytes: new Uint8Array(), url: URL_OF_PAGE, mode: 'raw' } as const;
  return (await extract(input)).lines.join('\n');
}

const WORDS = 'Walruses rest on the ice of the northern sea and sing to one another. '.repeat(8);

describe('the visible HTML of a page', () => {
  it.each([
    ['display', 'display: none'],
    ['visibility', 'visibility: hidden'],
    ['opacity', 'opacity: 0.01'],
    ['a filter', 'filter: opacity(0)'],
    ['a filter after others', 'filter: grayscale(1) opacity(4%)'],
    ['no height', 'height: 0; overflow: hidden'],
    ['no width', 'width: 1px; height: 1px; overflow: hidden; position: absolute'],
    ['a place left of the page', 'position: absolute; left: -3000px'],
    ['a place above the page', 'position: absolute; top: -3000px'],
    ['see-through letters', 'color: rgb(0 0 0 / 0%)'],
    ['see-through letters filled anew', '-webkit-text-fill-color: transparent'],
    ['letters without size', 'font-size: 0'],
    ['white on white', 'color: white; background: #fff'],
    ['an indent', 'text-indent: -9999px'],
    ['a clip', 'position: absolute; clip: rect(0 0 0 0)'],
    ['a clip path', 'clip-path: inset(50%)'],
    ['a scale', 'transform: scale(0)'],
    ['content that is not drawn', 'content-visibility: hidden'],
  ])('leaves out text that a class hides by %s', async (_, style) => {
    const text = await textOf(
      `<style>.x { ${style} }</style><p>${WORDS}</p><p class="x">Smuggled in.</p><p>The end.</p>`,
    );
    expect(text).toContain('The end.');
    expect(text).not.toContain('Smuggled');
  });

  it('omits hidden parts within hidden parts that people can open', async () => {
    const text = await textOf(`<style>.x, .y { display: none }</style><p>${WORDS}</p>
      <button aria-controls="more" aria-expanded="false">More</button>
      <div id="more" class="x"><p>Words of the closed part.</p><p class="y">Smuggled in.</p></div>`);
    expect(text).not.toContain('Smuggled');
  });

  it('shows content that only its attributes hide', async () => {
    const text = await textOf(`<style>.x { display: block !important; opacity: 1 !important }</style><p>${WORDS}</p>
      <p hidden class="x">Shown by its class.</p><p style="opacity: 0" class="x">Shown, too.</p>
      <p style="visibility: hidden">Not shown. <b style="visibility: visible">Seen in spite of it.</b></p>`);
    expect(text).toContain('Shown by its class.');
    expect(text).toContain('Shown, too.');
    expect(text).toContain('Seen in spite of it.');
    expect(text).not.toContain('Not shown');
  });

  it('keeps formulas that are for screen readers', async () => {
    const text =
      await textOf(`<p>${WORDS}</p><p>See <span style="position:absolute;clip:rect(1px,1px,1px,1px);height:1px;width:1px;overflow:hidden"
      ><math><mi>x</mi><mo>=</mo><mn>2</mn></math></span> here.</p>`);
    expect(text).toMatch(/x\s*=\s*2/u);
  });

  it('never contains typed text, scripts, styles or data', async () => {
    const { html } =
      await seen(`<input type="password" value="hunter2"><input name="a" value="typed"><textarea>written</textarea>
      <input type="submit" value="Send"><script>const secret = 1</script><img src="data:image/png;base64,AAAA" onclick="x()">`);
    expect(html).not.toMatch(/hunter2|typed|written|secret|AAAA|onclick/u);
    expect(html).toContain('value="Send"');
  });

  it('shows which boxes, radio buttons and options are chosen now, not which the page had chosen at first', async () => {
    const text = await textOf(`<form name="prefs"><p><label><input type="checkbox" id="news"> Weekly news</label></p>
      <p><label><input type="checkbox" id="offers" checked> Offers</label></p>
      <p><label><input type="radio" name="by" checked> By day</label> <label><input type="radio" name="by" id="week"> By week</label></p>
      <p><label>Plan <select id="plan"><option selected>Free<option>Pro</select></label></p>
      <p><label>Stage <select><optgroup label="Old" disabled><option>A</optgroup><option disabled>B<option>C</select></label></p>
      <p><label>Team <select id="team"><option>Red<option>Blue</select></label></p></form><p>${WORDS}</p>
      <script>news.checked = true; offers.checked = false; week.checked = true; plan.selectedIndex = 1; team.selectedIndex = -1</script>`);
    expect(text).toContain('☑ Weekly news');
    expect(text).toContain('☐ Offers');
    expect(text).toContain('○ By day ◉ By week');
    expect(text).toContain('Plan [one of: Free; Pro (chosen)]');
    expect(text).toContain('Stage [one of: Old (A); B; C (chosen)]');
    expect(text).toContain('Team [one of: Red; Blue]');
  });

  it('shows no choice in a private field, even if the page has made one', async () => {
    const text =
      await textOf(`<form><label>Month <select autocomplete="cc-exp-month" id="month"><option>01<option>02</select></label></form>
      <p>${WORDS}</p><script>month.selectedIndex = 1</script>`);
    expect(text).toContain('Month [one of: 01; 02]');
  });

  it('puts slotted content where the slots of its component are', async () => {
    const text =
      await textOf(`<div id="host"><p slot="last">The last words.</p><p>The middle words.</p><p slot="none">In no slot.</p></div>
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<h2>First words</h2><slot></slot><slot name="last"></slot>'</script><p>${WORDS}</p>`);
    const places = ['First words', 'middle words', 'last words', 'Walruses'].map((words) => text.indexOf(words));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(text).not.toContain('In no slot');
  });

  it('cannot be misled by names of form fields', async () => {
    const text = await textOf(
      `<form><input name="attributes"><input name="childNodes"><input name="firstChild"><p>${WORDS}</p></form>`,
    );
    expect(text).toContain('Walruses');
  });

  it('ends at the limit, at a whole character', async () => {
    const { html, isCut } = await seen(`<p>${'ü'.repeat(5_000)}</p>`, 2_001);
    expect(isCut).toBe(true);
    expect(new TextEncoder().encode(html).byteLength).toBeLessThanOrEqual(2_001);
    expect(html).not.toContain('\ufffd');
  });

  it.each([
    ['has more bytes than the limit, in fewer characters', 3_000, true],
    ['has no more bytes than the limit', 3_200, false],
  ])('is reported as cut off where it %s', async (_, maxBytes, isCutOff) => {
    const { html, isCut } = await seen(`<p>${'ü'.repeat(1_500)}</p>`, maxBytes);
    expect(html.length).toBeLessThan(2_000);
    expect(isCut).toBe(isCutOff);
    expect(html.endsWith('</html>')).toBe(!isCutOff);
  });
});

describe('a field that is read on its own', () => {
  it.each([
    [
      'what was typed into it',
      '<textarea id="field">Dear &lt;Ada&gt;,\nhello</textarea>',
      '<pre>Dear &lt;Ada&gt;,\nhello</pre>',
    ],
    ['nothing of a password', '<input id="field" type="password" value="kelp">', null],
    ['nothing of a password that is shown', '<input id="field" autocomplete="current-password" value="kelp">', null],
  ])('gives %s', async (_, html, expected) => {
    body = html;
    const page = await pages.open(URL_OF_PAGE);
    const field = await page.resolve('#field');
    const given = await readVisibleHtml(page.tab, field, 10_000, patience());
    if (expected === null) expect(given.html).not.toContain('kelp');
    else expect(given.html).toBe(expected);
  });
});
