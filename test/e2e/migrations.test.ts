import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery as splitAsWrangler } from 'wrangler';
import { splitMigration } from '#scripts/local/migrate.ts';

const FOLDER = join(import.meta.dirname, '../../migrations');

describe('a migration', () => {
  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.sql')))(
    '%s has the same statements for npm start as for wrangler',
    (name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      expect(splitMigration(text).map(plain)).toEqual(splitAsWrangler(text).map(plain));
    },
  );
});

/** Without what stands between statements. */
function plain(statement: string): string {
  return statement.replace('--> statement-breakpoint', '').replace(/;\s*$/, '').replaceAll(/\s+/g, ' ').trim();
}
