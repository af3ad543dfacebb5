import { describe, expect, it, vi } from 'vitest';
import { oneLine } from '#core/text/text.ts';
import { sanitizeInlineText, sanitizePageText, quotePageText, shortUrl } from '#browsing/view/words.ts';

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

  it('are cleaned only as far as they are shown', () => {
    const cleaned = vi.spyOn(String.prototype, 'replace');
    const shown = sanitizePageText('a\u200bword '.repeat(100_000), 80);
    const lengths = cleaned.mock.contexts.map((text) => String(text).length);
    cleaned.mockRestore();
    expect(shown).toMatch(/^aword aword .*…$/u);
    expect(Math.max(...lengths)).toBeLessThan(2_000);
  });

  it.each([
    ['a space', ' '],
    ['an invisible character', '\u200b'],
    ['half a pair', '\ud83d'],
    ['a joined emoji', '👩‍👩‍👧‍👦'],
    ['a joiner', '\u200d'],
    ['a letter of a script with joiners', 'क\u200d'],
    ['an icon', '\ue001'],
    ['a ref', '@e1'],
  ])('are the same if a long text is cut before or after cleaning: %s', (_, piece) => {
    for (const before of [0, 1, 2, 3, 5, 19]) {
      const text = 'x'.repeat(before) + `${piece.repeat(before)}w`.repeat(40) + piece.repeat(300) + 'end'.repeat(300);
      for (const max of [1, 40, 200]) expect(sanitizePageText(text, max)).toBe(oneLine(sanitizeInlineText(text), max));
    }
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
