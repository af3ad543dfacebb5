import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import guide from '../../../docs/storage.md?raw';

/** Shadow tables of FTS5, and what SQLite and D1 keep for themselves. */
const NOT_OURS = /^(?:sqlite_|_cf_|search_words_)/;

const isNamed = (name: string) => guide.includes(`\`${name}\``);

describe('docs/storage.md', () => {
  it('names every table of the database', async () => {
    const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").all();
    const names = results.map((row) => String(row['name'])).filter((name) => !NOT_OURS.test(name));
    expect(names).toContain('documents');
    expect(names.filter((name) => !isNamed(name))).toEqual([]);
  });

  it('names every table of a subject', async () => {
    const stub = env.CLIENT.get(env.CLIENT.idFromName('documented'));
    const names = await runInDurableObject(stub, (_, state) =>
      state.storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray(),
    );
    const ours = names.map(({ name }) => name).filter((name) => !NOT_OURS.test(name));
    expect(ours).toContain('cursors');
    expect(ours.filter((name) => !isNamed(name))).toEqual([]);
  });
});
