import { sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Db } from './db.ts';

/** What this version expects of its database: the files in `migrations`, in order. A test holds the two together. */
export const MIGRATIONS: readonly string[] = [
  '0000_init.sql',
  '0001_search_index.sql',
  '0002_site_facts.sql',
  '0003_search_cache.sql',
  '0004_site_facts_expiry.sql',
  '0005_search_source_of_indexed.sql',
  '0006_access_tokens.sql',
  '0007_rest_of_pages.sql',
  '0008_places_and_outlines.sql',
  '0009_search_words.sql',
  '0010_privacy_rule.sql',
  '0011_citations.sql',
  '0012_document_url.sql',
  '0013_people.sql',
];

const rows = z.array(z.object({ name: z.string() }));

/** Names of the migrations that were applied to a database, as wrangler and `npm start` record them; none for a new one. */
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
