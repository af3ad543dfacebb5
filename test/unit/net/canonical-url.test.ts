import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { URL_CHARS_MAX } from '#core/limits.ts';
import { canonicalizeUrl, redactForFailure } from '#net/fetch/canonical-url.ts';
import { stories } from '#support/stories.ts';

function codeOf(text: string): string {
  try {
    return canonicalizeUrl(text);
  } catch (error) {
    if (error instanceof PeriscopeError) return error.failure.code;
    throw error;
  }
}

describe('canonicalizeUrl', () => {
  it.each([
    ['  https://EXAMPLE.com/Path?b=2&a=1#part \n', 'https://example.com/Path?b=2&a=1'],
    ['https://example.com:443/', 'https://example.com/'],
    ['http://example.com:80', 'http://example.com/'],
    ['http://example.com:8080/a', 'http://example.com:8080/a'],
    ['https://bücher.example.com/ä', 'https://xn--bcher-kva.example.com/%C3%A4'],
    ['https://例え.jp', 'https://xn--r8jz45g.jp/'],
    ['\u00a0\ufeffhttps://example.com/\u200b', 'https://example.com/'],
    ['HTTPS:\\\\example.com\\a', 'https://example.com/a'],
    ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ])('converts %j to %s', (given, canonical) => {
    expect(canonicalizeUrl(given)).toBe(canonical);
  });

  it.each([
    ['example.com', 'https://example.com/'],
    ['example.com/x?y=http://other.example.net/', 'https://example.com/x?y=http://other.example.net/'],
    ['Example.com:8080/x', 'https://example.com:8080/x'],
    ['localhost:8080/x', 'https://localhost:8080/x'],
    ['localhost:3000', 'https://localhost:3000/'],
    ['[2606:4700::1111]/x', 'https://[2606:4700::1111]/x'],
    ['127.0.0.1:8787/mcp', 'https://127.0.0.1:8787/mcp'],
  ])('reads %j without a scheme as https', (given, canonical) => {
    expect(canonicalizeUrl(given)).toBe(canonical);
  });

  it.each([
    'file:///etc/passwd',
    'FTP://example.com/',
    'data:text/html,hi',
    'javascript:alert(1)',
    'blob:https://example.com/1',
    'chrome://settings',
    'about:blank',
    'ws://example.com/',
    'mailto:me@example.com',
    'java\nscript:alert(1)',
    'view-source:https://example.com/',
  ])('refuses the scheme of %j', (given) => {
    expect(codeOf(given)).toBe('ssrf_blocked');
  });

  it.each([
    '',
    '   ',
    '/path',
    '//example.com/',
    '?q',
    '#x',
    '\\\\host',
    'https://',
    'http:///',
    'https://a b/',
    'https://example.com:65536/',
  ])('refuses %j as a URL', (given) => {
    expect(codeOf(given)).toBe('invalid_url');
  });

  it('resolves a Location against the page that sent it, without guessing schemes', () => {
    expect(canonicalizeUrl('/next#x', 'https://example.com/a/b')).toBe('https://example.com/next');
    expect(canonicalizeUrl('//Other.example.com/', 'https://example.com/a')).toBe('https://other.example.com/');
  });

  it('refuses a URL that is too long before or after encoding', () => {
    expect(codeOf(`https://example.com/${'a'.repeat(URL_CHARS_MAX)}`)).toBe('invalid_url');
    expect(codeOf(`https://example.com/${'ü'.repeat(URL_CHARS_MAX / 4)}`)).toBe('invalid_url');
  });

  it('is idempotent', () => {
    const part = fc.string({ unit: 'binary', maxLength: 12 });
    const urlLike = fc
      .tuple(
        fc.constantFrom('', 'http://', 'HTTPS://', 'https:', ' https:\\\\'),
        fc.webAuthority({ withPort: true }),
        part,
        part,
        part,
      )
      .map(([scheme, host, path, query, hash]) => `${scheme}${host}/${path}?${query}#${hash}`);
    fc.assert(
      fc.property(fc.oneof(urlLike, fc.webUrl({ withQueryParameters: true, withFragments: true }), part), (text) => {
        const once = codeOf(text);
        if (/^(?:invalid_url|ssrf_blocked)$/.test(once)) return;
        expect(canonicalizeUrl(once)).toBe(once);
      }),
      { numRuns: stories(250) },
    );
  });
});

describe('redactForFailure', () => {
  it('shows no credentials, and only the scheme of URLs with other schemes', () => {
    expect(redactForFailure('https://me:pw@example.com/?token=abc')).toBe('https://example.com/?token=REDACTED');
    expect(redactForFailure('data:text/html,secret')).toBe('data:…');
    expect(redactForFailure('secret')).toBe('(not a URL)');
  });
});
