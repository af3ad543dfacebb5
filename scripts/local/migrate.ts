import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { databaseAlone } from './runtime.ts';
import type { WorkerConfig } from './worker-config.ts';

/** drizzle-kit writes it between the statements of a migration. Wrangler's own splitter would take a second to load. */
const BREAKPOINT = '--> statement-breakpoint';

// The table and its columns are those of `wrangler d1 migrations apply`, so both may be used on one database.
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

const rowSchema = z.object({ name: z.string() });

/**
 * Applies the migrations that the database has not had yet, in order, each whole or not at all. The Worker must not run:
 * whoever asked it meanwhile would hear that it has no tables.
 * @param data folder of the database
 * @param folder of the migrations
 */
export async function applyMigrations(config: WorkerConfig, data: string, folder: string): Promise<void> {
  const { database, stop } = await databaseAlone(config, data);
  try {
    await database.prepare(TABLE).run();
    const { results } = await database.prepare('SELECT name FROM d1_migrations').all();
    const applied = new Set(results.map((row) => rowSchema.parse(row).name));
    const pending = readdirSync(folder)
      .filter((name) => name.endsWith('.sql') && !applied.has(name))
      .sort();
    for (const name of pending) {
      const statements = splitMigration(readFileSync(join(folder, name), 'utf8'));
      const note = database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name);
      await database.batch([...statements.map((sql) => database.prepare(sql)), note]);
    }
  } finally {
    await stop();
  }
}

/** @returns the statements of a migration, in order */
export function splitMigration(text: string): string[] {
  return text.split(BREAKPOINT).map((statement) => statement.trim());
}
