import { describe, expect, it } from 'vitest';
import { cutToBytes, oneLine, redactUrl, utf8Bytes } from '#core/text.ts';

describe('redactUrl', () => {
  it('removes user info and values of credential-like parameters, and keeps the rest as it was', () => {
    expect(redactUrl('https://me:pw@example.com/a?q=x&access_token=abc&apiKey=1&page=2')).toBe(
      'https://example.com/a?q=x&access_token=REDACTED&apiKey=REDACTED&page=2',
    );
  });

  it('recognises a JWT under any name and leaves an ordinary word alone', () => {
    expect(redactUrl('https://example.com/?x=eyJhbGciOi.eyJzdWIi.c2ln&monkey=1')).toBe(
      'https://example.com/?x=REDACTED&monkey=1',
    );
  });

  it('never echoes text that is not a URL', () => {
    expect(redactUrl('token=secret')).toBe('(not a URL)');
  });
});

describe('cutToBytes', () => {
  it('cuts at a whole character', () => {
    expect(cutToBytes('aé😀b', 3)).toBe('aé');
    expect(cutToBytes('aé😀b', 6)).toBe('aé');
    expect(cutToBytes('aé😀b', 7)).toBe('aé😀');
    expect(utf8Bytes('aé😀')).toBe(7);
  });
});

describe('oneLine', () => {
  it('folds white space, marks a cut and never leaves half a surrogate pair', () => {
    expect(oneLine(' a\n b\t c ', 10)).toBe('a b c');
    expect(oneLine('ab😀cd', 4)).toBe('ab…');
  });
});
