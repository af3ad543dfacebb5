import { describe, expect, it } from 'vitest';
import { countPlatform } from '#support/counted-platform.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { serverWith } from '#support/server-with.ts';

/** A page that says another number each time it is fetched. */
const CHANGING = 'https://docs.acme.dev/changing';

const send = serverWith({ CACHE_TTL_SECONDS: '3600' });

async function reader(subject: string, url = CHANGING, query = 'edition differs from all others') {
  const token = await grantFor(subject, ['web:read', 'cache:purge']);
  const call = async (tool: string, args: object, worker = send) =>
    structured(await callTool('modern', tool, { ...args }, { token, send: worker }));
  const opened = await call('web_open', { url, refresh: true });
  const { cursor: list, results } = await call('search', { query });
  const ids = Array.isArray(results) ? results : [];
  const id = ids.findIndex((result) => result.url === url) + 1;
  const openResult = (from = list, more = {}) => call('open_result', { cursor: from, result_id: id, ...more });
  return { call, list, opened, openResult };
}

const numberIn = (text: unknown) => /edition (\d+)/.exec(String(text))?.[1];

describe('a result whose page is already stored', () => {
  it('is opened with one call to the Durable Object, and without the database', async () => {
    const { openResult, opened } = await reader('held-hops');
    const platform = await countPlatform();
    try {
      const before = { ...platform.counts };
      const shown = await openResult();
      expect(numberIn(shown['text'])).toBe(numberIn(opened['markdown']));
      expect(platform.counts.objectRequests - before.objectRequests).toBe(1);
      expect(platform.counts.d1Trips - before.d1Trips).toBe(0);
    } finally {
      platform.stop();
    }
  });

  it('gets a separate cursor, which keeps the list and scrolls', async () => {
    const { call, list, openResult } = await reader('held-cursor');
    const first = await openResult();
    const second = await openResult(first['cursor']);
    expect(new Set([list, first['cursor'], second['cursor']]).size).toBe(3);
    const scrolled = await call('scroll', { cursor: second['cursor'], loc: 0 });
    expect(scrolled['text']).toBe(first['text']);
  });

  it('is shown from the requested line', async () => {
    const { call, openResult } = await reader('held-line', 'https://docs.acme.dev/long', 'walrus paragraph');
    const shown = await openResult(undefined, { loc: 200, num_lines: 20 });
    expect(shown['viewport']).toEqual({ start: 200, end: 219 });
    expect(shown['text']).toContain('Paragraph number 100');
    expect((await call('scroll', { cursor: shown['cursor'], delta: 2, num_lines: 20 }))['text']).toContain(
      'number 101',
    );
  });

  it('is the newest version that its reader has fetched', async () => {
    const { call, openResult } = await reader('held-newest');
    const anew = await call('web_open', { url: CHANGING, refresh: true });
    expect(numberIn((await openResult())['text'])).toBe(numberIn(anew['markdown']));
  });

  it('is fetched again once its snapshot is purged', async () => {
    const { call, opened, openResult } = await reader('held-purged');
    await call('cache_purge', { snapshot: opened['snapshot'], dry_run: false });
    expect(numberIn((await openResult())['text'])).not.toBe(numberIn(opened['markdown']));
  });

  it('is fetched again when it exceeds the maximum age', async () => {
    const { list, openResult, opened, call } = await reader('held-old');
    const strict = serverWith({ CACHE_TTL_SECONDS: '0' });
    const shown = await call('open_result', { cursor: list, result_id: 1 }, strict);
    expect(numberIn(shown['text'])).not.toBe(numberIn(opened['markdown']));
    expect(numberIn((await openResult())['text'])).toBe(numberIn(shown['text']));
  });

  it('is refused once the operator has blocked its site', async () => {
    const { list, call } = await reader('held-blocked');
    const blocking = serverWith({ CACHE_TTL_SECONDS: '3600', DENYLIST_DOMAINS: 'docs.acme.dev' });
    await expect(call('open_result', { cursor: list, result_id: 1 }, blocking)).rejects.toThrow(/docs\.acme\.dev/);
  });
});
