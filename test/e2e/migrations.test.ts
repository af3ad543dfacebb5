import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery as splitAsWrangler } from 'wrangler';
import { applyMigrations, splitMigration } from '#scripts/local/migrate.ts';
import { databaseAlone } from '#scripts/local/runtime.ts';
import { readWorkerConfig } from '#scripts/local/worker-config.ts';
import { scratchHome } from '#support/server.ts';

const FOLDER = join(import.meta.dirname, '../../migrations');

describe('a migration', () => {
  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.sql')))(
    'has the same statements for npm start as for wrangler: %s',
    (name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      expect(splitMigration(text).map(plain)).toEqual(splitAsWrangler(text).map(plain));
    },
  );
});

describe('the data of another version', () => {
  it('is moved aside unchanged, and the start begins with new data', async () => {
    const { home, remove } = scratchHome();
    const config = readWorkerConfig(join(FOLDER, '../wrangler.toml'));
    const data = join(home, 'data');
    const older = join(home, 'migrations');
    mkdirSync(older);
    writeFileSync(
      join(older, '0000_older.sql'),
      "CREATE TABLE notes (text TEXT);--> statement-breakpoint\nINSERT INTO notes VALUES ('mine');",
    );
    const said: string[] = [];
    await applyMigrations(config, data, older, (text) => said.push(text));
    expect(said).toEqual([]);
    await applyMigrations(config, data, FOLDER, (text) => said.push(text));
    const [, aside = ''] = /moved to (\S+);/.exec(said.join()) ?? [];
    expect(await rows(config, aside, 'SELECT text FROM notes')).toEqual([{ text: 'mine' }]);
    expect(await rows(config, data, "SELECT name FROM sqlite_master WHERE name IN ('notes', 'documents')")).toEqual([
      { name: 'documents' },
    ]);
    await applyMigrations(config, data, FOLDER, (text) => said.push(text));
    expect(said).toHaveLength(1);
    remove();
  });
});

async function rows(config: ReturnType<typeof readWorkerConfig>, data: string, query: string): Promise<unknown[]> {
  const { database, stop } = await databaseAlone(config, data);
  const { results } = await database.prepare(query).all();
  await stop();
  return results;
}

/** Without separators between statements. */
function plain(statement: string): string {
  return statement.replace('--> statement-breakpoint', '').replace(/;\s*$/, '').replaceAll(/\s+/g, ' ').trim();
}
