import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import * as schema from './schema.ts';

export type Db = DrizzleD1Database<typeof schema>;

/** The only place that makes a drizzle client. */
export function openDb(binding: D1Database): Db {
  return drizzle(binding, { schema });
}
