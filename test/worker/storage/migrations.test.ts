import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';

/** Runs migrations in a fresh SQLite database of the same engine, stopping on the way to store something. */
function migrate(name: string, pauseAfter: number): Promise<{ schema: unknown[]; kept: number }> {
  const stub = env.CLIENT.get(env.CLIENT.idFromName(name));
  return runInDurableObject(stub, (_, { storage: { sql } }) => {
    for (const [index, { queries }] of env.TEST_MIGRATIONS.entries()) {
      for (const query of queries) sql.exec(query);
      if (index === pauseAfter) storeSomething(sql);
    }
    const schema = sql
      .exec(
        `SELECT type, name, sql FROM sqlite_master
         WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND tbl_name NOT IN ('cursors', 'lists', 'recents')
         ORDER BY type, name`,
      )
      .toArray();
    const kept = Number(sql.exec(`SELECT count(*) AS n FROM document_chunks WHERE body = 'the walrus'`).one()['n']);
    return { schema, kept };
  });
}

function storeSomething(sql: SqlStorage): void {
  sql.exec(
    `INSERT INTO documents (id, title, line_count, byte_count, extractor, cuts, created_at, held_until, indexed)
     VALUES ('d', 'T', 1, 10, 'text@1', '[]', 0, 0, 0)`,
  );
  sql.exec(
    `INSERT INTO document_chunks (id, document_id, first_line, last_line, body) VALUES (1, 'd', 0, 0, 'the walrus')`,
  );
}

describe('migrations', () => {
  it('lead from every earlier version, with what it stored, to the same schema as from nothing', async () => {
    const fresh = await migrate('migrations from nothing', -1);
    expect(fresh.schema.length).toBeGreaterThan(10);
    for (const index of env.TEST_MIGRATIONS.keys()) {
      const { schema, kept } = await migrate(`migrations from version ${index}`, index);
      expect(schema).toEqual(fresh.schema);
      expect(kept).toBe(1);
    }
  });
});
