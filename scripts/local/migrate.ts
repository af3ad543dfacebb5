import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keeper } from './keeper.ts';

/** drizzle-kit writes it between the statements of a migration. Wrangler's own splitter would take a second to load. */
const BREAKPOINT = '--> statement-breakpoint';

/** Applies the migrations that the database has not had yet, in order, each whole or not at all. Returns their names. */
export async function applyMigrations(keeper: Keeper, folder: string): Promise<string[]> {
  const applied = new Set(await keeper.appliedMigrations());
  const pending = readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && !applied.has(name))
    .sort();
  for (const name of pending) await keeper.migrate(name, splitMigration(readFileSync(join(folder, name), 'utf8')));
  return pending;
}

/** @returns the statements of a migration, in order */
export function splitMigration(text: string): string[] {
  return text.split(BREAKPOINT).map((statement) => statement.trim());
}
