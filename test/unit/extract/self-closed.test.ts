import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { SELF_CLOSED_NOTE, closeSelfClosedTags } from '#extract/html/html-extractor.ts';
import { read } from './support.ts';

const SENTENCE = 'The gate of the lock opens when the water stands equally high on both of its sides.';

function page(tag: string): string {
  const sections = ['Opening', 'Closing', 'Cleaning'].map((name) => `<h2>${name}</h2><p>${name}: ${SENTENCE}</p>`);
  return `<html><head><title>Lock manual</title></head><body><nav><ul><li><a href="/">Home</a></li><li>${tag}</li></ul></nav><main class="container"><h1>Lock manual</h1>${sections.join('')}</main></body></html>`;
}

describe('a self-closing tag', () => {
  it.each(['iframe', 'script', 'style', 'noembed', 'noframes', 'xmp', 'textarea'])(
    'does not consume the page after it: %s',
    async (name) => {
      const { lines, restStart, cuts } = await read('html', page(`<${name} src="https://a.example/x" title="X"/>`));
      const main = mainLines({ lines, restStart }).join('\n');
      for (const section of ['Opening', 'Closing', 'Cleaning']) expect(main).toContain(`${section}: ${SENTENCE}`);
      expect(cuts).toContain(SELF_CLOSED_NOTE);
    },
  );

  it('adds no note to a page that closes its tags', async () => {
    const { cuts } = await read(
      'html',
      page('<iframe src="https://a.example/x"></iframe><script src="/a.js"></script>'),
    );
    expect(cuts).toEqual([]);
  });

  it.each([
    ['<iframe src="/a"/></iframe><p>x', '<iframe src="/a"/></iframe><p>x'],
    ['<script src="/a.js"/><script>b()</script>', '<script src="/a.js"/></script><script>b()</script>'],
    ['<script/><STYLE />a', '<script/></script><STYLE /></style>a'],
    ['<script src=/a/>b</script>', '<script src=/a/>b</script>'],
    ['<script src=/a/>b', '<script src=/a/>b'],
    ['<p/><br/><iframes/>', '<p/><br/><iframes/>'],
  ])('is closed only if no end tag follows: %s', (source, closed) => {
    expect(closeSelfClosedTags(source)).toBe(closed);
  });
});
