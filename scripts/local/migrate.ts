import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keeper } from './keeper.ts';

/** Applies the migrations that the database has not had yet, in order, each whole or not at all. Returns their names. */
export async function applyMigrations(keeper: Keeper, folder: string): Promise<string[]> {
  const applied = new Set(await keeper.appliedMigrations());
  const pending = readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && !applied.has(name))
    .sort();
  if (pending.length === 0) return [];
  // It takes a second to load, and a start with nothing to apply does without.
  const { unstable_splitSqlQuery: split } = await import('wrangler');
  for (const name of pending) await keeper.migrate(name, split(readFileSync(join(folder, name), 'utf8')));
  return pending;
}
