import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { carefulD1 } from './careful-d1.ts';
import * as schema from './schema.ts';

export type Db = DrizzleD1Database<typeof schema>;

/** A client reads the whole schema when it is made, which costs as much as a small query. It holds nothing of a request. */
const made = new WeakMap<D1Database, Map<boolean, Db>>();

/**
 * The only place that makes a drizzle client.
 * @param mayRepeat whether its statements may run twice, so that what fails in passing is tried once more
 */
export function openDb(binding: D1Database, mayRepeat = true): Db {
  const known = made.get(binding) ?? new Map<boolean, Db>();
  made.set(binding, known);
  const db = known.get(mayRepeat) ?? drizzle(carefulD1(binding, mayRepeat), { schema });
  known.set(mayRepeat, db);
  return db;
}
