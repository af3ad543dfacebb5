import { sql } from 'drizzle-orm';
import type { CallFact } from '#core/fact.ts';
import type { Db } from './db.ts';
import { toolCounters } from './schema.ts';

const BUCKETS = [
  ['ms50', 50],
  ['ms100', 100],
  ['ms250', 250],
  ['ms500', 500],
  ['ms1000', 1000],
  ['ms2500', 2500],
  ['ms5000', 5000],
  ['ms10000', 10_000],
  ['msMore', Number.POSITIVE_INFINITY],
] as const;

/** Counters and latency histograms by tool, outcome and UTC day: one upsert a call. */
export class CounterStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  async add(fact: CallFact): Promise<void> {
    const buckets = {
      ms50: 0,
      ms100: 0,
      ms250: 0,
      ms500: 0,
      ms1000: 0,
      ms2500: 0,
      ms5000: 0,
      ms10000: 0,
      msMore: 0,
    };
    const bucket = BUCKETS.find(([, ceiling]) => fact.ms <= ceiling);
    if (bucket !== undefined) buckets[bucket[0]] = 1;
    const row = {
      day: fact.ts.slice(0, 'YYYY-MM-DD'.length),
      tool: fact.tool,
      outcome: fact.errorCode ?? 'ok',
      calls: 1,
      cacheHits: fact.cacheHit === true ? 1 : 0,
      totalMs: Math.round(fact.ms),
      ...buckets,
    };
    await this.#db
      .insert(toolCounters)
      .values(row)
      .onConflictDoUpdate({
        target: [toolCounters.day, toolCounters.tool, toolCounters.outcome],
        set: {
          calls: sql`calls + 1`,
          cacheHits: sql`cache_hits + excluded.cache_hits`,
          totalMs: sql`total_ms + excluded.total_ms`,
          ms50: sql`ms_50 + excluded.ms_50`,
          ms100: sql`ms_100 + excluded.ms_100`,
          ms250: sql`ms_250 + excluded.ms_250`,
          ms500: sql`ms_500 + excluded.ms_500`,
          ms1000: sql`ms_1000 + excluded.ms_1000`,
          ms2500: sql`ms_2500 + excluded.ms_2500`,
          ms5000: sql`ms_5000 + excluded.ms_5000`,
          ms10000: sql`ms_10000 + excluded.ms_10000`,
          msMore: sql`ms_more + excluded.ms_more`,
        },
      });
  }
}
