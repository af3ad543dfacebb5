import { sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Db } from './db.ts';

/** Files in `migrations` that this version needs, in order. A test compares this list with the folder. */
export const MIGRATIONS: readonly string[] = ['0000_initial.sql'];

const rows = z.array(z.object({ name: z.string() }));

/** Names of the migrations that wrangler or `npm start` has applied; empty for a new database. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  try {
    return rows.parse(await db.all(sql`SELECT name FROM d1_migrations ORDER BY id`)).map(({ name }) => name);
  } catch (error) {
    if (await hasRecord(db)) throw error;
    return [];
  }
}

async function hasRecord(db: Db): Promise<boolean> {
  const found = await db.all(sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'`);
  return found.length > 0;
}
