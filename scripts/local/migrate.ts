import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { databaseAlone } from './runtime.ts';
import type { WorkerConfig } from './worker-config.ts';

/** drizzle-kit writes it between the statements of a migration. Loading Wrangler's own splitter would take a second. */
const BREAKPOINT = '--> statement-breakpoint';

// The same table as that of `wrangler d1 migrations apply`, so both may be used on one database.
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

const rowSchema = z.object({ name: z.string() });

/**
 * Applies pending migrations in order, each in one transaction. If the database has a migration that is not in the
 * folder, it belongs to another version: its folder is moved aside, and a new one is started. The Worker must not run
 * meanwhile.
 * @param data folder of the runtime's storage
 * @param folder of the migrations
 * @param say tells the user where the data of another version is now
 */
export async function applyMigrations(
  config: WorkerConfig,
  data: string,
  folder: string,
  say: (text: string) => void,
): Promise<void> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  if (await migrate(config, data, folder, files)) return;
  const aside = `${data}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(data, aside);
  say(
    `The stored data belongs to another version of Periscope. It was moved to ${aside}; this start begins with new data.`,
  );
  await migrate(config, data, folder, files);
}

/** @returns false, with nothing changed, if the database has migrations that are not among the files */
async function migrate(config: WorkerConfig, data: string, folder: string, files: string[]): Promise<boolean> {
  const { database, stop } = await databaseAlone(config, data);
  try {
    await database.prepare(TABLE).run();
    const { results } = await database.prepare('SELECT name FROM d1_migrations').all();
    const applied = new Set(results.map((row) => rowSchema.parse(row).name));
    if ([...applied].some((name) => !files.includes(name))) return false;
    for (const name of files.filter((file) => !applied.has(file))) {
      const statements = splitMigration(readFileSync(join(folder, name), 'utf8'));
      const note = database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name);
      await database.batch([...statements.map((sql) => database.prepare(sql)), note]);
    }
    return true;
  } finally {
    await stop();
  }
}

/** @returns the statements of a migration, in order */
export function splitMigration(text: string): string[] {
  return text.split(BREAKPOINT).map((statement) => statement.trim());
}
