import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { carefulD1 } from './careful-d1.ts';
import * as schema from './schema.ts';

export type Db = DrizzleD1Database<typeof schema>;

/**
 * The only place that makes a drizzle client.
 * @param mayRepeat whether its statements may run twice, so that what fails in passing is tried once more
 */
export function openDb(binding: D1Database, mayRepeat = true): Db {
  return drizzle(carefulD1(binding, mayRepeat), { schema });
}
