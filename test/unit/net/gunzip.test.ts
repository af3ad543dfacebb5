import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { loadPage } from '#net/fetch/load.ts';
import { failureOf, world } from '#support/net-world.ts';
import { WORDS } from '#support/one-page.ts';

function packed(bytes: Uint8Array, headers: Record<string, string> = {}): Response {
  return new Response(bytes, { headers: { 'content-type': 'application/gzip', ...headers } });
}

describe('a gzip file', () => {
  const FILE = 'https://site.com/notes.csv.gz';

  async function loaded(bytes: Uint8Array, url = FILE) {
    const net = world({ [url]: packed(bytes) }, { env: { RESPECT_ROBOTS: 'false' } });
    const result = await loadPage({ requestedUrl: url }, net);
    if (result.notModified) throw new Error('expected content');
    return result;
  }

  it('is read as the file inside it, whose kind its name tells', async () => {
    const rows = 'kettle,litres\nsmall,0.8\n';
    expect(await loaded(gzipSync(new TextEncoder().encode(rows)))).toMatchObject({ kind: 'csv', text: rows, size: 24 });
    const html = await loaded(gzipSync(new TextEncoder().encode(`<!doctype html>${WORDS}`)), 'https://site.com/a.gz');
    expect(html).toMatchObject({ kind: 'html' });
  });

  it.each([
    ['a bomb', gzipSync(new Uint8Array(3_000_000).fill(97)), { code: 'extract_failed' }],
    ['more than a page may have', gzipSync(noise(9_000_000), { level: 1 }), { code: 'too_large' }],
    ['cut off', gzipSync(noise(4_000)).subarray(0, 1_500), { code: 'extract_failed' }],
    [
      'a file in gzip again',
      gzipSync(gzipSync(noise(400))),
      { code: 'unsupported_mime', mediaType: 'application/gzip' },
    ],
    ['an archive', gzipSync(tar()), { code: 'unsupported_mime', mediaType: 'application/x-tar' }],
  ])('is refused when it is %s', async (_, bytes, expected) => {
    expect(await failureOf(loaded(bytes))).toMatchObject(expected);
  });
});

/** Text that hardly compresses. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 7;
  for (let at = 0; at < length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[at] = 32 + ((state >> 16) % 90);
  }
  return bytes;
}

function tar(): Uint8Array {
  const bytes = new Uint8Array(1_024);
  bytes.set(new TextEncoder().encode('a.txt'), 0);
  bytes.set(new TextEncoder().encode('ustar\u0000'), 257);
  return bytes;
}
