import type { CallsOfDay, CallsOfTool } from './person/activity-log.ts';
import { eq, gte, sql } from 'drizzle-orm';
import type { SQLWrapper } from 'drizzle-orm';
import type { CallFact } from '#core/activity.ts';
import { CALL_DEADLINE_MS } from '#core/limits.ts';
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

type Row = typeof toolCounters.$inferInsert;

/** Sums of a day's calls. `slow`: number of calls that took longer than 10 s. */
type DaySum = { calls: number; errors: number; internal: number; cacheHits: number; slow: number };

const total = (column: SQLWrapper) => sql<number>`coalesce(sum(${column}), 0)`;

export class CounterStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** Adds calls in one batch: a row for each day, tool and outcome. Does nothing without calls. */
  async add(facts: readonly CallFact[]): Promise<void> {
    const rows = new Map<string, Row>();
    for (const fact of facts) {
      const row = rowOf(fact);
      const key = `${row.day} ${row.tool} ${row.outcome}`;
      const sum = rows.get(key);
      rows.set(key, sum === undefined ? row : added(sum, row));
    }
    const [first, ...others] = [...rows.values()].map((row) => this.#upsert(row));
    if (first !== undefined) await this.#db.batch([first, ...others]);
  }

  /**
   * Calls of all users since a day (`2026-11-23`), by tool and by day. Percentiles are rounded up to the limits of the
   * histogram.
   */
  async use(since: string): Promise<{ tools: CallsOfTool[]; days: CallsOfDay[] }> {
    const rows = await this.#db.select().from(toolCounters).where(gte(toolCounters.day, since));
    const tools = [...Map.groupBy(rows, ({ tool }) => tool)].map(([tool, own]) => ({
      tool,
      ...countsOf(own),
      p50: ceilingOf(own, 0.5),
      p95: ceilingOf(own, 0.95),
    }));
    const days = [...Map.groupBy(rows, ({ day }) => day)].map(([day, own]) => ({ day, ...countsOf(own) }));
    return { tools: tools.sort((one, other) => other.calls - one.calls), days };
  }

  async daySum(day: string): Promise<DaySum> {
    const [sum] = await this.#db
      .select({
        calls: total(toolCounters.calls),
        errors: total(sql`iif(${toolCounters.outcome} = 'ok', 0, ${toolCounters.calls})`),
        internal: total(sql`iif(${toolCounters.outcome} = 'internal', ${toolCounters.calls}, 0)`),
        cacheHits: total(toolCounters.cacheHits),
        slow: total(toolCounters.msMore),
      })
      .from(toolCounters)
      .where(eq(toolCounters.day, day));
    return sum ?? { calls: 0, errors: 0, internal: 0, cacheHits: 0, slow: 0 };
  }

  #upsert(row: Row) {
    return this.#db
      .insert(toolCounters)
      .values(row)
      .onConflictDoUpdate({
        target: [toolCounters.day, toolCounters.tool, toolCounters.outcome],
        set: {
          calls: sql`calls + excluded.calls`,
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

function countsOf(rows: readonly Row[]): { calls: number; errors: number } {
  const sum = (some: readonly Row[]) => some.reduce((all, { calls }) => all + calls, 0);
  return { calls: sum(rows), errors: sum(rows.filter(({ outcome }) => outcome !== 'ok')) };
}

/**
 * Latency (ms) that this share of the calls does not exceed: the upper limit of a histogram bucket, at most the
 * deadline of a call.
 */
function ceilingOf(rows: readonly Row[], share: number): number {
  const { calls } = countsOf(rows);
  let soFar = 0;
  for (const [name, ceiling] of BUCKETS) {
    soFar += rows.reduce((all, row) => all + row[name], 0);
    if (soFar >= share * calls) return Math.min(ceiling, CALL_DEADLINE_MS);
  }
  return CALL_DEADLINE_MS;
}

const NAMES = ['calls', 'cacheHits', 'totalMs', ...BUCKETS.map(([name]) => name)] as const;

function added(sum: Row, row: Row): Row {
  const both = { ...sum };
  for (const name of NAMES) both[name] += row[name];
  return both;
}

function rowOf(fact: CallFact): Row {
  const row: Row = {
    day: fact.ts.slice(0, 'YYYY-MM-DD'.length),
    tool: fact.tool,
    outcome: fact.errorCode ?? 'ok',
    calls: 1,
    cacheHits: fact.cacheHit === true ? 1 : 0,
    totalMs: Math.round(fact.ms),
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
  if (bucket !== undefined) row[bucket[0]] = 1;
  return row;
}
