import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The tables of the page, in its order. */
export const TABLES = {
  reading: 'Reading',
  answers: 'Answers',
  hands: 'Hands',
  citations: 'Citations',
  load: 'Load and cost',
  safety: 'Safety',
} as const;
const tableNames = z.enum(['reading', 'answers', 'hands', 'citations', 'load', 'safety']);

/** A value as the page shows it. It begins with the number that is compared. */
const value = z.string().regex(/^\.?\d/);

/** 95 % interval of repetitions with other samples. */
const interval = z.tuple([z.number(), z.number()]);

/** The result of one run for one row. `bench/record.ts` writes it. */
export const measurement = z.strictObject({
  date: z.iso.date(),
  /** The last commit before the run that changed what the row measures. */
  commit: z.string().regex(/^[0-9a-f]{8}$/),
  /** Number of pages, questions, tasks, calls or attempts behind the value. */
  n: z.number().int().positive(),
  value,
  interval: interval.optional(),
  /** Rivals that the same run measured on the same data. */
  others: z.record(z.string(), value).default({}),
  /** Model and endpoint host, where a model was in the loop. */
  model: z.string().optional(),
});

const row = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  table: tableNames,
  what: z.string(),
  /** The page explains DATA, CORPUS and similar placeholders. */
  command: z.string(),
  /** Paths in the repository. A commit that changes none of them does not change the value. */
  measures: z.array(z.string()).min(1),
  /** `unseen`: nothing was trained or tuned on the data. `seen`: something was. `own`: pages, tasks or definition are ours. */
  data: z.enum(['unseen', 'seen', 'own']),
  better: z.enum(['high', 'low']).default('high'),
  /** Figures that others publish. Nobody ran them here. */
  published: z.array(z.strictObject({ name: z.string(), value, source: z.string() })).default([]),
  /** Why there is no measurement, or who measured. */
  note: z.string().optional(),
  measured: measurement.optional(),
  /** True if a later commit changed what the row measures: the row is then not on the page. `npm run scoreboard` sets it. */
  isStale: z.boolean().default(false),
});

export type Row = z.output<typeof row>;
export type Measurement = z.output<typeof measurement>;
export type MeasuredRow = Row & { measured: Measurement };

export const ROWS_FILE = join(import.meta.dirname, 'rows.json');

/** @throws when a row is malformed or an id is used twice */
export function readRows(text = readFileSync(ROWS_FILE, 'utf8')): Row[] {
  const rows = z.array(row).parse(JSON.parse(text));
  const ids = rows.map(({ id }) => id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  if (twice.length > 0) throw new Error(`Ids of the scoreboard are used twice: ${twice.join(', ')}.`);
  return rows;
}

/** True if the page shows the row. */
export function isOnPage(one: Row): one is MeasuredRow {
  return one.measured !== undefined && !one.isStale;
}
