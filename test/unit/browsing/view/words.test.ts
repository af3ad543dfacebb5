import { describe, expect, it } from 'vitest';
import { sanitizePageText, quotePageText, shortUrl } from '#browsing/view/words.ts';

const PAGE = 'https://site.example/docs/page?q=1';

describe("a page's words", () => {
  it('are put on one line without invisible characters', () => {
    expect(sanitizePageText(' a\n\n b\u200b\u{e0061}\u202ec ', 80)).toBe('a bc');
  });

  it('contain no glyphs of icon fonts', () => {
    expect(sanitizePageText('\ue001 Menu\u{f0001}Home \uf8ff', 80)).toBe('Menu Home');
  });

  it('never look like a ref, and never end the quotes around them', () => {
    expect(sanitizePageText('click @e12 now', 80)).toBe('click \\@e12 now');
    expect(quotePageText('a" @e1 button "b', 80)).toBe(`"a' \\@e1 button 'b"`);
  });
});

describe('a short address', () => {
  it.each([
    ['https://site.example/a/b', 'x', '/a/b'],
    ['/a/b', 'x', '/a/b'],
    ['https://site.example/docs/page?q=1#here', 'x', '#here'],
    ['https://other.example/', 'x', 'other.example'],
    ['http://other.example/a', 'x', 'http://other.example/a'],
    ['/s?query=a-very-long-query-of-many-words', 'x', '/s?…'],
    ['/2026/11/why-cats-sit-on-boxes', 'Why cats sit on boxes', '/2026/11/…'],
    ['/why-cats-sit-on-boxes', 'Why cats sit on boxes', ''],
    ['javascript:void(0)', 'x', ''],
    ['data:text/html,hello', 'x', ''],
    ['mailto:a@b.example', 'x', 'mailto:a@b.example'],
    ['/caf%C3%A9', 'x', '/café'],
    ['/%E0%A4%A', 'x', '/%E0%A4%A'],
  ])('of %s under the name %s is %s', (href, name, short) => {
    expect(shortUrl(href, PAGE, name)).toBe(short);
  });

  it('has a maximum length', () => {
    expect(shortUrl(`/${'a'.repeat(5_000)}`, PAGE, 'x').length).toBeLessThan(60);
  });
});
