import { globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { openDb } from '#storage/db.ts';
import type { Db } from '#storage/db.ts';

/** The D1 database of a stopped server, opened here to store 100,000 pages in minutes with the Worker's code. */
export function openLocalD1(home: string): { db: Db; exec: (sql: string) => void; close: () => void } {
  const files = globSync(join(home, '.wrangler/state/v3/d1/**/*.sqlite')).filter(
    (file) => !file.endsWith('metadata.sqlite'),
  );
  const [file] = files;
  if (file === undefined || files.length > 1) throw new Error(`Expected one database, found ${files.length}.`);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; PRAGMA cache_size = -200000');
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return new Statement(statement, []);
  };
  const batch = async (statements: Statement[]) => Promise.all(statements.map((statement) => statement.all()));
  return {
    // The part of a D1 binding that drizzle uses.
    db: Reflect.apply(openDb, undefined, [{ prepare, batch }]),
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}

class Statement {
  readonly #statement: StatementSync;
  readonly #values: SQLInputValue[];

  constructor(statement: StatementSync, values: SQLInputValue[]) {
    this.#statement = statement;
    this.#values = values;
  }

  bind(...values: SQLInputValue[]): Statement {
    return new Statement(this.#statement, values);
  }

  async all() {
    this.#statement.setReturnArrays(false);
    return { success: true, meta: {}, results: this.#statement.all(...this.#values) };
  }

  async run() {
    return this.all();
  }

  async raw() {
    this.#statement.setReturnArrays(true);
    return this.#statement.all(...this.#values);
  }
}

/** A folder with an empty database, as a stopped server leaves it. */
export function newDatabase(root: string): string {
  const place = join(root, '.wrangler/state/v3/d1');
  mkdirSync(place, { recursive: true });
  const database = new DatabaseSync(join(place, 'bench.sqlite'));
  for (const name of readdirSync('migrations')
    .filter((one) => one.endsWith('.sql'))
    .toSorted()) {
    database.exec(readFileSync(join('migrations', name), 'utf8'));
  }
  database.close();
  return root;
}
