import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';

function problemOf(text: string): string {
  try {
    return canonicalizeUrl(text);
  } catch (error) {
    if (error instanceof PeriscopeError && error.failure.code === 'invalid_url') return error.failure.problem;
    throw error;
  }
}

describe('a link in a page', () => {
  it.each([
    '/docs/intro',
    './intro',
    '../intro.html',
    '..',
    '.',
    '?page=2',
    '#anchor',
    '//host/path',
    'intro.html',
    'functions-datetime.html#TOP',
    'index.php?title=X',
    'docs/intro',
    'docs/intro.html',
    'über-uns/kontakt',
    'search?q=x',
  ])('is recognised as relative: %s', (text) => {
    expect(problemOf(text)).toBe('it is relative, and there is no page to start from');
  });

  it.each([
    ['example.com/docs/intro', 'https://example.com/docs/intro'],
    ['docs.rs', 'https://docs.rs/'],
    ['a.md', 'https://a.md/'],
    ['localhost/x', 'https://localhost/x'],
    ['box:8080/x', 'https://box:8080/x'],
    ['127.0.0.1/x', 'https://127.0.0.1/x'],
    ['2130706433/x', 'https://127.0.0.1/x'],
    ['[2001:db8::1]/x', 'https://[2001:db8::1]/x'],
    ['https://docs/intro', 'https://docs/intro'],
    ['例え.jp/x', 'https://xn--r8jz45g.jp/x'],
  ])('is distinguished from a URL without its scheme: %s', (text, url) => {
    expect(problemOf(text)).toBe(url);
  });
});
