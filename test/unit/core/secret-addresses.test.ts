import { describe, expect, it } from 'vitest';
import { hasSecretInUrl, looksUnguessable, redactUrl } from '#core/secrets/secret-addresses.ts';

const HEX_32 = '9f86d081884c7d659a2feaa0c55ad015';
const UUID = '3f0c1d52-8b7e-4c1a-9d55-0e6a7b2c4f18';
const BASE62 = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';

/** The secret part of each is in brackets. */
const SECRET = [
  'https://a.dev/doc?share=[x]',
  'https://a.dev/doc?shareId=[7]&page=2',
  'https://a.dev/doc?q=x&access_token=[abc]&apiKey=[1]&page=2',
  'https://a.dev/?key=[hunter2]',
  'https://a.dev/?t%6Fken=[abc]',
  'https://a.dev/?TOKEN=[abc]',
  'https://a.dev/?a=1;token=[abc]',
  'https://a.dev/?token[]=[abc]',
  'https://b.s3.amazonaws.com/f?X-Amz-Credential=[AKIA%2F20240101]&X-Amz-Date=20240101T000000Z&X-Amz-Signature=[abc]',
  'https://storage.googleapis.com/b/f?X-Goog-Signature=[abc]&X-Goog-Expires=60',
  'https://x.blob.core.windows.net/c/f?sv=2022-11-02&se=2030-01-01&sp=r&sig=[abc%3D]',
  'https://d.cloudfront.net/f?Expires=1&Signature=[ab~c]&Key-Pair-Id=K2',
  'https://a.dev/cb?code=[abc]&state=xyz',
  'https://a.dev/?auth=[x]&jwt=[y]',
  'https://a.dev/?invite=[abc]',
  'https://a.dev/?inviteCode=[abc]',
  'https://a.dev/?password=[x]&pwd=[y]&secret=[z]',
  'https://a.dev/page;jsessionid=[0A1B]?x=1',
  'https://a.dev/?PHPSESSID=[abc]&sid=[1]&sessionId=[2]',
  'https://docs.google.com/document/d/x?resourcekey=[0-abc]&rlkey=[x]',
  'https://a.dev/?x=[eyJhbGciOi.eyJzdWIi.c2ln]',
  `https://a.dev/?v=[${BASE62}]`,
  `https://a.dev/?[${HEX_32}]`,
  `https://a.dev/?id=[${UUID}]`,
  'https://a.dev/?next=[https%3A%2F%2Fb.dev%2F%3Ftoken%3Dabc]',
  'https://a.dev/?next=[%2Fb%3Ftoken%3Dabc]',
  `https://docs.google.com/document/d/[${BASE62}]/edit`,
  'https://a.dev/s/[Ab3dE9xQ]',
  'https://a.dev/invite/[x7Gh2kLp]',
  'https://www.dropbox.com/s/[q1w8e7r2t9y4u6i]/file.pdf',
  `https://gist.github.com/somebody/[${HEX_32}]`,
  `https://a.dev/[private-${HEX_32}]/basic.ics`,
  `https://a.dev/[${UUID}]/report`,
  'https://hooks.a.dev/services/T000/[aB3kD9eQ2mXw7ZrT5vYp8LcN]',
  'https://a.dev/token=[abc]/x',
  'https://a.dev/#access_token=[abc]&state=x',
  'https://a.dev/#/s/[Ab3dE9xQ]',
  `https://mega.dev/file#[${BASE62}]`,
];

const PLAIN = [
  'https://a.dev/',
  'https://a.dev/docs/getting-started?page=2&lang=en&sort=name&monkey=1',
  'https://a.dev/?q=how+to+share+a+token',
  'https://a.dev/?code_style=x&key_stage=2&state=CA&access=public',
  'https://a.dev/?token=&share',
  'https://a.dev/share/buttons',
  'https://a.dev/join/community',
  'https://a.dev/reset/css',
  'https://a.dev/s/search-results',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42',
  'https://github.com/o/r/blob/1b26f979fc5b4f7b859c74a52f6fdae3f8c297f5/src/index.ts#L10-L20',
  'https://github.com/o/r/commit/1b26f979fc5b4f7b859c74a52f6fdae3f8c297f5',
  'https://doi.org/10.1038/s41586-020-2649-2',
  'https://arxiv.org/abs/2401.01234v2',
  'https://x.com/somebody/status/1790432908790432908',
  'https://developer.mozilla.org/en-US/docs/Web/API/CanvasRenderingContext2D/getImageData',
  'https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/ConcurrentHashMap.html#putIfAbsent(K,V)',
  'https://doc.rust-lang.org/std/string/struct.String.html#method.from_utf8_unchecked_mut',
  'https://pypi.org/numpy-1.26.4-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl',
  'https://de.a.dev/donaudampfschifffahrtsgesellschaft',
  'https://pl.a.dev/w-szczebrzeszynie-chrzaszcz-brzmi-w-trzcinie',
  'https://zh.wikipedia.org/wiki/%E4%B8%AD%E5%8D%8E%E4%BA%BA%E6%B0%91%E5%85%B1%E5%92%8C%E5%9B%BD',
  'https://en.wikipedia.org/wiki/ISBN_(identifier)#ISBN9783161484100',
  'https://shop.a.dev/w/mens-socks-7ny3qznik1',
  'https://a.dev/2024/05/06/release-notes-v2-3-1',
  `https://a.dev/${'x'.repeat(500)}`,
  `https://a.dev/?q=${'ab1'.repeat(50)}`,
];

describe('a URL that gives access to anyone who knows it', () => {
  it.each(SECRET)('has its secret part redacted: %s', (marked) => {
    const address = marked.replace(/\[\]/g, '%5B%5D').replace(/[[\]]/g, '');
    const redacted = marked.replace(/\[\]/g, '%5B%5D').replace(/\[[^[\]]+\]/g, 'REDACTED');
    expect(hasSecretInUrl(address)).toBe(true);
    expect(redactUrl(address)).toBe(redacted);
    expect(hasSecretInUrl(redacted)).toBe(true);
    expect(redactUrl(redacted)).toBe(redacted);
  });

  it.each(PLAIN)('is distinguished from %s, which is unchanged', (address) => {
    expect(hasSecretInUrl(address)).toBe(false);
    expect(redactUrl(address)).toBe(address);
  });

  it('may contain a name and a password, which are removed', () => {
    expect(hasSecretInUrl('https://me:pw@example.com/a')).toBe(true);
    expect(redactUrl('https://me:pw@example.com/a')).toBe('https://example.com/a');
  });

  it('is never recognised in text that is not a URL, and that text is not echoed', () => {
    expect(hasSecretInUrl('token=secret')).toBe(false);
    expect(redactUrl('token=secret')).toBe('(not a URL)');
  });
});

describe('machine-generated text', () => {
  const ALPHABETS = {
    base62: ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 20],
    base64url: ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 26],
    base36: ['abcdefghijklmnopqrstuvwxyz0123456789', 15],
    base32: ['ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 20],
    hex: ['0123456789abcdef', 26],
    letters: ['abcdefghijklmnopqrstuvwxyz', 26],
  } as const;

  it.each(Object.entries(ALPHABETS))(
    'is distinguished from words in all but a few cases: %s',
    (_, [alphabet, length]) => {
      let told = 0;
      for (let n = 0; n < 1_000; n += 1) {
        const bytes = crypto.getRandomValues(new Uint32Array(length));
        if (looksUnguessable([...bytes].map((byte) => alphabet.charAt(byte % alphabet.length)).join(''))) told += 1;
      }
      expect(told).toBeGreaterThan(960);
    },
  );
});
