import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { RESULT_TEXT_BYTES_MAX } from '#core/limits.ts';
import { HOST_RESULT_BYTES_MAX } from '#support/hosts.ts';
import { PURGE_LISTED_ROWS_MAX } from '#reading/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { followed, nextRound, page, write } from '#support/followed.ts';
import { grantFor } from '../../support/grants.ts';
import { callTool, rpc, structured } from '../../support/mcp-call.ts';
import type { Answer, Era } from '../../support/mcp-call.ts';
import { storePage } from '../../support/stored-pages.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const ALARMS = 'https://docs.acme.dev/alarms';

const textOf = (answer: Answer) => answer.result?.content?.[0]?.text ?? '';

describe('cache_get', () => {
  for (const era of ERAS) {
    it(`shows a page that web_open stored, with a separate cursor and without a request, in the ${era} era`, async () => {
      const opened = structured(await callTool(era, 'web_open', { url: 'https://docs.acme.dev/changing' }));
      const answer = await callTool(era, 'cache_get', { snapshot: opened['snapshot'] });
      const got = structured(answer);
      for (const field of ['url', 'title', 'markdown', 'links', 'snapshot', 'fetched_at', 'total_lines']) {
        expect(got[field]).toEqual(opened[field]);
      }
      expect(got).toMatchObject({ cached: true, stale: false });
      expect(got['cursor']).not.toBe(opened['cursor']);
      expect(answer.result?.content?.[1]).toMatchObject({ uri: `resource://cache/${String(opened['snapshot'])}` });
      const scrolled = structured(await callTool(era, 'scroll', { cursor: got['cursor'] }));
      expect(String(got['markdown'])).toContain(String(scrolled['text']));
    });

    it(`reports an unknown hash and what to do, in the ${era} era`, async () => {
      for (const snapshot of ['0'.repeat(64), 'nonsense', '']) {
        const answer = await callTool(era, 'cache_get', { snapshot });
        expect(answer.result?.isError).toBe(true);
        expect(textOf(answer)).toMatch(/^Error unknown_snapshot: .*\nHint: .*web_open/);
      }
    });
  }

  it('shows a private page only to its owner', async () => {
    const { key } = await storePage({ url: 'https://mine.acme.dev/', lines: ['the unicorn'], owner: 'cache-owner' });
    const [owner, other] = await Promise.all([
      grantFor('cache-owner', ['web:read']),
      grantFor('cache-other', ['web:read', 'cache:purge']),
    ]);
    const own = structured(await callTool('modern', 'cache_get', { snapshot: key }, { token: owner }));
    expect(own['markdown']).toContain('the unicorn');
    const refused = await callTool('modern', 'cache_get', { snapshot: key }, { token: other });
    expect(refused.result?.structuredContent).toMatchObject({ error: 'unknown_snapshot' });
  });

  it('obeys the current URL rules, not those of the day it was stored', async () => {
    const token = await grantFor('cache-opener', ['web:read']);
    const { key } = await storePage({ url: 'http://127.0.0.1:9999/', lines: ['stored when it was allowed'] });
    const moved = await storePage({
      url: 'https://docs.acme.dev/short',
      finalUrl: 'http://localhost/',
      lines: ['stored then'],
    });
    const blocked = await storePage({
      url: 'http://127.0.0.1:9998/',
      finalUrl: 'https://docs.acme.dev/short',
      lines: ['led to a public page then'],
    });
    for (const snapshot of [key, moved.key, blocked.key]) {
      await env.CLIENT.get(env.CLIENT.idFromName('cache-opener')).mintPage(
        { documentId: 'd'.repeat(64), url: ALARMS, title: null, lineCount: 1, restStart: null, fetchedAt: 0, snapshot },
        0,
        null,
        60_000,
      );
      const { result } = await callTool('modern', 'cache_get', { snapshot }, { token });
      expect(result?.structuredContent).toMatchObject({ error: 'ssrf_blocked' });
    }
  });
});

describe('cache_purge', () => {
  for (const era of ERAS) {
    it(`first reports and then removes pages from search and cache, but keeps cursors, in the ${era} era`, async () => {
      const opened = structured(await callTool(era, 'web_open', { url: ALARMS }));
      const request = { snapshot: opened['snapshot'] };
      const told = await callTool(era, 'cache_purge', request);
      expect(structured(told)).toMatchObject({
        dry_run: true,
        count: 1,
        rows: [{ snapshot: opened['snapshot'], url: ALARMS, fetched_at: opened['fetched_at'] }],
        documents_held: 1,
        documents_dropped: 0,
        remaining: 0,
      });
      expect(textOf(told)).toContain(`To remove them: cache_purge ${JSON.stringify({ ...request, dry_run: false })}`);
      structured(await callTool(era, 'cache_get', request));

      const done = structured(await callTool(era, 'cache_purge', { ...request, dry_run: false }));
      const expected = structured(told);
      expect(done).toMatchObject({ dry_run: false, rows: expected['rows'], bytes: expected['bytes'] });
      expect(Date.parse(String(done['held_until']))).toBeGreaterThan(Date.now());
      expect((await callTool(era, 'cache_get', request)).result?.isError).toBe(true);
      const { results } = structured(await callTool(era, 'search', { query: 'alarm wakes durable object' }));
      expect(JSON.stringify(results)).not.toContain(ALARMS);
      structured(await callTool(era, 'scroll', { cursor: opened['cursor'] }));

      const again = structured(await callTool(era, 'web_open', { url: ALARMS, max_age_seconds: 3600 }));
      expect(again['cached']).toBe(false);
    });

    it(`shows a valid call when no criterion is given, in the ${era} era`, async () => {
      const answer = await callTool(era, 'cache_purge', { dry_run: false });
      expect(answer.result?.isError).toBe(true);
      const call = /Call cache_purge with (\{.*\}) to/.exec(textOf(answer))?.[1] ?? '';
      structured(await callTool(era, 'cache_purge', JSON.parse(call)));
    });
  }

  it('reports that a followed page stays for its follower, and a cited one for its citation', async () => {
    const site = 'https://purge-1.acme.dev';
    const edition = (n: number) => page('Prices', `<p>Edition ${n} of the price list. It goes on, as lists do.</p>`);
    await write(`${site}/prices`, edition(1));
    await write(`${site}/quoted`, page('Quoted', '<p>A sentence that somebody quotes. It goes on, as pages do.</p>'));
    await followed({ url: `${site}/prices` });
    await write(`${site}/prices`, edition(2));
    await nextRound();
    const { cursor } = structured(await callTool('modern', 'open_url', { url: `${site}/quoted` }));
    structured(await callTool('modern', 'cite', { cursor, quote: 'A sentence that somebody quotes' }));
    await env.DB.prepare('UPDATE documents SET held_until = 0').run();
    for (const dry_run of [true, false]) {
      const answer = await callTool('modern', 'cache_purge', { domain: 'purge-1.acme.dev', dry_run });
      expect(structured(answer)).toMatchObject({ documents_dropped: 0, documents_followed: 1, documents_cited: 1 });
      expect(textOf(answer)).toContain('Kept because the page is followed: 1.');
      expect(textOf(answer)).toContain('Kept because they are cited: 1.');
    }
  });

  it('is available only to users who were granted it', async () => {
    const token = await grantFor('cache-reader', ['web:read']);
    const { result } = await rpc('modern', 'tools/list', {}, { token });
    const names = result?.tools?.map((tool) => tool.name);
    expect(names).toContain('cache_get');
    expect(names).not.toContain('cache_purge');
    const denied = await callTool('modern', 'cache_purge', { keep_newest: 0, dry_run: false }, { token });
    expect(denied.result?.isError).toBe(true);
    expect(textOf(denied)).toMatch(/^Error permission_denied: cache_purge needs the permission cache:purge/);
  });

  it('is marked as destructive', async () => {
    const { result } = await rpc('modern', 'tools/list');
    const tool = result?.tools?.find(({ name }) => name === 'cache_purge');
    expect(tool?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: false });
  });

  it('lists a hundred pages with the longest URLs within one result, without secrets and with fenced page text', async () => {
    const rest = 'x'.repeat(2_000);
    for (let n = 0; n < PURGE_LISTED_ROWS_MAX + 3; n += 1) {
      await storePage({
        url: `https://long.acme.dev/${n}?access_token=hunter2&q=${rest}`,
        lines: [`${n}`],
        fetchedAt: n,
      });
    }
    const answer = await callTool('modern', 'cache_purge', { domain: 'long.acme.dev' });
    const report = structured(answer);
    expect(report).toMatchObject({ count: PURGE_LISTED_ROWS_MAX + 3, documents_dropped: PURGE_LISTED_ROWS_MAX + 3 });
    expect((report['rows'] as unknown[]).length).toBe(PURGE_LISTED_ROWS_MAX);
    expect(utf8Bytes(textOf(answer))).toBeLessThanOrEqual(RESULT_TEXT_BYTES_MAX);
    expect(utf8Bytes(JSON.stringify(answer.result))).toBeLessThan(HOST_RESULT_BYTES_MAX);
    expect(JSON.stringify(answer)).not.toContain('hunter2');
    expect(textOf(answer)).toMatch(/\n⟦[0-9a-f]{16}\n[\s\S]+\n[0-9a-f]{16}⟧\n… and 3 more\.\n/);
  });
});
