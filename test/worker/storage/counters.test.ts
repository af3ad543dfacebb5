import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CallFact } from '#core/activity.ts';
import { CounterStore } from '#storage/counters.ts';
import { openDb } from '#storage/db.ts';
import guide from '../../../docs/observability.md?raw';

const counters = new CounterStore(openDb(env.DB));
const queries = Array.from(guide.matchAll(/^```sql\n([\s\S]*?)^```/gm), ([, sql]) => sql ?? '');
const today = new Date().toISOString();

const call = (tool: string, ms: number, errorCode: string | null = null, cacheHit: boolean | null = null) =>
  counters.add([fact(tool, ms, errorCode, cacheHit)]);

const fact = (
  tool: string,
  ms: number,
  errorCode: string | null = null,
  cacheHit: boolean | null = null,
): CallFact => ({
  ts: today,
  requestId: 'test',
  tool,
  url: null,
  ms,
  cacheHit,
  status: errorCode === null ? 'ok' : 'error',
  errorCode,
});

const rows = async (sql: string | undefined) => (await env.DB.prepare(sql ?? '').all()).results;

beforeEach(() => env.DB.prepare('DELETE FROM tool_counters').run());

describe('counters', () => {
  it('put each call into exactly one column of the histogram, a ceiling into its own', async () => {
    const latencies = [0, 50, 51, 100, 250, 500, 1000, 2500, 5000, 10_000, 10_001, 44_999];
    for (const ms of latencies) await call('scroll', ms);
    expect(await rows('SELECT * FROM tool_counters')).toEqual([
      {
        day: today.slice(0, 10),
        tool: 'scroll',
        outcome: 'ok',
        calls: latencies.length,
        cache_hits: 0,
        total_ms: latencies.reduce((sum, ms) => sum + ms, 0),
        ms_50: 2,
        ms_100: 2,
        ms_250: 1,
        ms_500: 1,
        ms_1000: 1,
        ms_2500: 1,
        ms_5000: 1,
        ms_10000: 1,
        ms_more: 2,
      },
    ]);
  });

  it('count outcomes separately', async () => {
    await call('open_url', 10, null, true);
    await call('open_url', 10, 'robots_disallowed');
    await call('open_url', 10, 'robots_disallowed');
    expect(await rows('SELECT outcome, calls, cache_hits FROM tool_counters ORDER BY outcome')).toEqual([
      { outcome: 'ok', calls: 1, cache_hits: 1 },
      { outcome: 'robots_disallowed', calls: 2, cache_hits: 0 },
    ]);
  });
});

describe('calls counted together', () => {
  it('produce the same rows as calls counted one by one', async () => {
    await counters.add([
      fact('find', 10),
      fact('scroll', 10, null, true),
      fact('find', 700),
      fact('find', 1, 'timeout'),
    ]);
    await counters.add([fact('find', 10)]);
    expect(await rows('SELECT tool, outcome, calls, cache_hits, total_ms, ms_50, ms_1000 FROM tool_counters')).toEqual([
      { tool: 'find', outcome: 'ok', calls: 3, cache_hits: 0, total_ms: 720, ms_50: 2, ms_1000: 1 },
      { tool: 'scroll', outcome: 'ok', calls: 1, cache_hits: 1, total_ms: 10, ms_50: 1, ms_1000: 0 },
      { tool: 'find', outcome: 'timeout', calls: 1, cache_hits: 0, total_ms: 1, ms_50: 1, ms_1000: 0 },
    ]);
  });
});

describe('the queries in the observability guide', () => {
  it('find the ceilings around the 95th percentile', async () => {
    for (let n = 0; n < 19; n += 1) await call('find', 40);
    await call('find', 20_000);
    for (let n = 0; n < 18; n += 1) await call('search', 40);
    await call('search', 700, 'search_unavailable');
    await call('search', 20_000);
    await env.DB.prepare(`INSERT INTO tool_counters SELECT '2001-01-01', 'find', outcome, 900, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 900
      FROM tool_counters WHERE tool = 'find'`).run();
    expect(await rows(queries[0])).toEqual([
      { tool: 'find', calls: 20, p95_above_ms: 0, p95_at_most_ms: 50 },
      { tool: 'search', calls: 20, p95_above_ms: 500, p95_at_most_ms: 1000 },
    ]);
  });

  it('distinguish errors and answers from the store', async () => {
    for (const hit of [true, true, true, false]) await call('open_url', 100, null, hit);
    await call('open_url', 600, 'timeout');
    expect(await rows(queries[1])).toEqual([
      { tool: 'open_url', calls: 5, errors: 1, percent_from_store: 60, mean_ms: 200 },
    ]);
  });
});
