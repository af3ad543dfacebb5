import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEAKED_WORD, startFaultyOrigin } from '#support/faulty-origin.ts';
import type { FaultPath, FaultyOrigin } from '#support/faulty-origin.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient, ToolResult } from '#support/mcp-clients.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';

/** Time in ms that the fetcher waits without data in these tests. */
const TIMEOUT_MS = 4_000;

let origin: FaultyOrigin;
let server: TestServer;
let client: TestClient;

beforeAll(async () => {
  origin = await startFaultyOrigin();
  server = await startServer({
    ALLOWED_PRIVATE_HOSTS: `${origin.host},${origin.closedHost}`,
    TIMEOUT_MS: String(TIMEOUT_MS),
    // Every opening asks the origin, so that effects of an earlier fault would show.
    CACHE_TTL_SECONDS: '0',
  });
  client = await connectModern(server);
});

afterAll(async () => {
  await client?.close();
  await server?.close();
  await origin?.close();
});

const open = (path: string): Promise<ToolResult> => client.call('open_url', { url: origin.url + path });

/** The addresses of search results for a word. */
async function found(query: string): Promise<unknown[]> {
  const { structured, isError } = await client.call('search', { query, topn: 10 });
  expect(isError).toBe(false);
  return (structured['results'] as { url: string }[]).map((result) => result.url);
}

const FAULTS: readonly { path: FaultPath; code: string; says: RegExp; fields?: Record<string, unknown> }[] = [
  { path: '/reset', code: 'fetch_failed', says: /broke off/ },
  { path: '/cut-short', code: 'fetch_failed', says: /broke off/ },
  { path: '/headers-then-silence', code: 'timeout', says: /longer than 4000 ms/, fields: { after_ms: TIMEOUT_MS } },
  { path: '/words-then-silence', code: 'timeout', says: /longer than 4000 ms/ },
  { path: '/silence', code: 'timeout', says: /longer than 4000 ms/ },
  { path: '/endless', code: 'too_large', says: /larger than 5000000 bytes/, fields: { limit_bytes: 5_000_000 } },
  { path: '/huge', code: 'too_large', says: /larger than 5000000 bytes/ },
  { path: '/huge-chunked', code: 'too_large', says: /larger than 5000000 bytes/ },
  { path: '/gzip-bomb', code: 'too_large', says: /larger than 5000000 bytes/ },
  { path: '/gzip-damaged', code: 'fetch_failed', says: /compressed body is damaged or cut off/ },
  { path: '/gzip-cut', code: 'fetch_failed', says: /compressed body is damaged or cut off/ },
  { path: '/br-damaged', code: 'fetch_failed', says: /compressed body is damaged or cut off/ },
  { path: '/br-cut', code: 'fetch_failed', says: /compressed body is damaged or cut off/ },
  { path: '/deflate-damaged', code: 'fetch_failed', says: /compressed body is damaged or cut off/ },
  { path: '/deflate-cut', code: 'fetch_failed', says: /compressed body is damaged or cut off/ },
  { path: '/raw-deflate-cut', code: 'fetch_failed', says: /compressed body is damaged or cut off/ },
  { path: '/zstd-cut', code: 'fetch_failed', says: /compressed with zstd/ },
  { path: '/loop', code: 'fetch_failed', says: /loop/ },
  { path: '/many-hops', code: 'fetch_failed', says: /redirects more than 5 times/ },
  { path: '/to-metadata', code: 'ssrf_blocked', says: /169\.254\.169\.254.*not allowed/ },
  { path: '/to-loopback', code: 'ssrf_blocked', says: /127\.0\.0\.1:8443.*not allowed/ },
  { path: '/to-spelling', code: 'ssrf_blocked', says: /127\.0\.0\.1:8080.*not allowed/ },
  {
    path: '/busy',
    code: 'http_error',
    says: /HTTP 429[\s\S]*Wait 120 s/,
    fields: { status_code: 429, retry_after_seconds: 120 },
  },
  { path: '/gone', code: 'http_error', says: /HTTP 404/, fields: { status_code: 404 } },
  { path: '/broken-server', code: 'http_error', says: /HTTP 500/, fields: { status_code: 500 } },
  { path: '/pdf-as-html', code: 'extract_failed', says: /the PDF is broken[\s\S]*plain text version/ },
  { path: '/image', code: 'unsupported_mime', says: /image\/tiff/ },
  { path: '/empty', code: 'extract_failed', says: /empty/ },
  { path: '/white-space', code: 'extract_failed', says: /empty/ },
  { path: '/no-words', code: 'extract_failed', says: /scripts/ },
  { path: '/login-wall', code: 'challenge_page', says: /sign-in page/, fields: { kind: 'login_wall' } },
  { path: '/members', code: 'challenge_page', says: /sign-in page/, fields: { kind: 'login_wall' } },
  { path: '/bot-wall', code: 'challenge_page', says: /bot check/, fields: { kind: 'bot_wall', status_code: 403 } },
  { path: '/quiet-bot-wall', code: 'challenge_page', says: /bot check/, fields: { kind: 'bot_wall' } },
];

const FENCED = /⟦([0-9a-f]{16})\n[^]*\n\1⟧/;

describe('a fault of the origin', () => {
  it.each(FAULTS)('at $path is reported as $code, and the repaired page opens normally', async (fault) => {
    const broken = await open(fault.path);
    expect(broken.isError).toBe(true);
    expect(broken.structured).toMatchObject({ error: fault.code, ...fault.fields });
    expect(broken.text).toMatch(new RegExp(`^Error ${fault.code}: `));
    expect(broken.text).toMatch(fault.says);
    expect(broken.text).toContain('\nHint: ');
    // The text of an HTTP error is in a fence; other faults show no text of the site.
    expect(FENCED.test(broken.text)).toBe(fault.code === 'http_error');
    expect(broken.text.replace(FENCED, '')).not.toContain(LEAKED_WORD);
    expect(broken.structured).not.toHaveProperty('cursor');

    origin.mend(fault.path);
    const whole = await open(fault.path);
    expect(whole.isError).toBe(false);
    expect(whole.structured['text']).toContain(
      `The page at ${fault.path} is mended now and reads as it should.\n\nIt has a second paragraph, too.`,
    );
  });

  it('is reported when nothing listens at the address', async () => {
    const refused = await client.call('open_url', { url: origin.closedUrl });
    expect(refused.structured).toMatchObject({ error: 'fetch_failed', url: origin.closedUrl });
    expect(refused.text).toMatch(/could not be made|refused/);
  });

  it('leaves nothing that search can find', async () => {
    expect(await found(LEAKED_WORD)).toEqual([]);
    // The index does answer for what was read rightly.
    expect(await found('mended second paragraph')).not.toEqual([]);
  });

  it('on a later opening does not change the cursor and the index of an earlier one', async () => {
    origin.mend('/gone');
    const first = await open('/gone');
    origin.spoil('/gone');
    expect((await open('/gone')).structured).toMatchObject({ error: 'http_error' });
    const again = await client.call('scroll', { cursor: first.structured['cursor'] });
    expect(again.structured['text']).toBe(first.structured['text']);
    expect(await found('mended gone')).toContain(`${origin.url}/gone`);
  });
});

describe('a normal page among nine that are slow, endless, unreachable or hostile', () => {
  const BAD: readonly (readonly [FaultPath, string])[] = [
    ['/silence', 'timeout'],
    ['/headers-then-silence', 'timeout'],
    ['/words-then-silence', 'timeout'],
    ['/endless', 'too_large'],
    ['/huge-chunked', 'too_large'],
    ['/gzip-bomb', 'too_large'],
    ['/reset', 'fetch_failed'],
    ['/to-metadata', 'ssrf_blocked'],
    ['/bot-wall', 'challenge_page'],
  ];

  it('is the only source of passages, and each of the others has its failure reported', async () => {
    for (const [path] of BAD) origin.spoil(path);
    origin.mend('/members');
    const question = 'Does the page of members read as it should?';
    const passages = async (urls: readonly string[]) => {
      const { structured } = await client.call('find_passages', { question, urls });
      const list = structured['passages'] as { text: string; L_start: number; L_end: number; url: string }[];
      return {
        pages: structured['pages'] as { error?: string }[],
        list: list.map(({ text, url, L_start, L_end }) => ({ text, url, L_start, L_end })),
      };
    };
    const whole = `${origin.url}/members`;
    const alone = await passages([whole]);
    expect(alone.list.length).toBeGreaterThan(0);
    // New addresses, so that no stored copy is returned.
    const among = await passages([...BAD.map(([path]) => `${origin.url}${path}?among=ten`), whole]);
    expect(among.list).toEqual(alone.list);
    expect(among.pages.map(({ error }) => error)).toEqual([...BAD.map(([, code]) => code), undefined]);
    origin.spoil('/members');
  });
});

describe('an origin that worked before and fails now', () => {
  it.each<FaultPath>(['/reset', '/silence', '/broken-server', '/busy'])(
    'at %s is replaced by the stored copy, marked as a copy',
    async (path) => {
      origin.mend(path);
      const first = await open(path);
      origin.spoil(path);
      const stale = await open(path);
      expect(stale.structured['text']).toBe(first.structured['text']);
      expect(stale.text).toMatch(
        /^Note: The page could not be loaded now; this is the stored copy of \d{4}-\d\d-\d\dT/m,
      );
    },
  );

  it.each<FaultPath>(['/to-metadata', '/pdf-as-html', '/bot-wall', '/login-wall', '/huge'])(
    'at %s is not hidden by the stored copy',
    async (path) => {
      origin.mend(path);
      await open(path);
      origin.spoil(path);
      expect((await open(path)).isError).toBe(true);
    },
  );
});

describe('an origin that recovers', () => {
  it.each(['/503-then-200', '/503-with-date', '/reset-then-200'])(
    'at %s is requested again within the call',
    async (path) => {
      const opened = await open(path);
      expect(opened.structured['text']).toContain(`The page at ${path} is mended now`);
      expect(origin.requests.filter((request) => request.path === path).length).toBe(2);
    },
  );
});

describe('text with a wrong charset label', () => {
  it.each(['/latin-called-utf8', '/utf8-called-latin', '/utf8-called-utf16', '/utf8-called-nothing-known'])(
    'at %s is decoded according to its bytes',
    async (path) => {
      const opened = await open(path);
      expect(opened.structured).toMatchObject({
        title: 'Crème brûlée',
        text: 'Crème brûlée costs three pounds – or five euros – in the café by the sea.',
      });
    },
  );

  it('keeps its readable part when some bytes are invalid', async () => {
    const opened = await open('/invalid-utf8');
    expect(opened.structured['text']).toMatch(
      /^A good sentence stands here, then broken bytes: .*\uFFFD.* and the sentence goes on to its end\.$/,
    );
  });
});
