import * as z from 'zod';
import { quoteSqlName } from '#core/stored-object.ts';
import { INDEXING_STATE } from './schema.ts';

/**
 * Position in a table, for reading its rows part by part. This file reads and writes the rows of all tables for
 * backups, except those of the full-text index, which is rebuilt from the documents.
 */
type TablePlace = { table: string; after: number };
type TableRow = Record<string, unknown>;

const INDEX_TABLES = 'search_words';
const MIGRATIONS = 'd1_migrations';
const DOCUMENTS = 'documents';
/** Tables whose rows may have hundreds of kilobytes. */
const LARGE_ROWS: ReadonlySet<string> = new Set([
  'document_chunks',
  'document_anchors',
  'robots',
  'search_cache',
  'site_facts',
]);
const LARGE_PER_PART = 16;
const ROWS_PER_PART = 250;

const ROW_NUMBER = 'row_number_of_backup';

const names = z.array(z.object({ name: z.string() }));
const numbered = z.looseObject({ row_number_of_backup: z.number() });

/** Names of the tables in a backup. A table comes after the tables that its foreign keys reference. */
export async function listTables(database: D1Database): Promise<string[]> {
  const { results } = await database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const own = names.parse(results).flatMap(({ name }) => (isOwn(name) ? [name] : []));
  const asked = await database.batch(
    own.map((name) => database.prepare('SELECT "table" AS name FROM pragma_foreign_key_list(?)').bind(name)),
  );
  const needs = asked.map((answer) => names.parse(answer.results).map(({ name }) => name));
  const ordered: string[] = [];
  for (let left = own; left.length > 0; left = own.filter((name) => !ordered.includes(name))) {
    const ready = left.filter((name) =>
      needs[own.indexOf(name)]?.every((parent) => parent === name || ordered.includes(parent)),
    );
    // Tables that reference each other would never be ready. Such tables do not exist, but the loop must end.
    ordered.push(...(ready.length > 0 ? ready : left));
  }
  return ordered;
}

function isOwn(name: string): boolean {
  return !/^(?:sqlite_|_cf_)/.test(name) && !name.startsWith(INDEX_TABLES) && name !== MIGRATIONS;
}

export async function readTableRows(
  database: D1Database,
  { table, after }: TablePlace,
): Promise<{ rows: TableRow[]; next: TablePlace | null }> {
  const limit = LARGE_ROWS.has(table) ? LARGE_PER_PART : ROWS_PER_PART;
  const { results } = await database
    .prepare(
      `SELECT rowid AS row_number_of_backup, * FROM ${quoteSqlName(table)} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
    )
    .bind(after, limit)
    .all();
  const found = z.array(numbered).parse(results);
  const last = found.at(-1)?.row_number_of_backup;
  return {
    rows: found.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== ROW_NUMBER))),
    next: last === undefined || found.length < limit ? null : { table, after: last },
  };
}

/**
 * Adds missing rows. Skips rows of a document that was stored during the backup, because the backup does not contain
 * the document. Also skips all rows of a table that this database does not have.
 * @returns number of skipped rows
 */
export async function addMissingRows(database: D1Database, table: string, rows: readonly TableRow[]): Promise<number> {
  const { results } = await database.prepare('SELECT name FROM pragma_table_info(?)').bind(table).all();
  const columns = new Set(names.parse(results).map(({ name }) => name));
  if (columns.size === 0) return rows.length;
  const statements = rows.map((row) => insert(database, table, columns, row));
  if (statements.length === 0) return 0;
  try {
    await database.batch(statements);
    return 0;
  } catch {
    return addOneByOne(statements);
  }
}

async function addOneByOne(statements: readonly D1PreparedStatement[]): Promise<number> {
  let left = 0;
  for (const statement of statements) {
    try {
      await statement.run();
    } catch (error) {
      if (!String(error).includes('FOREIGN KEY')) throw error;
      left += 1;
    }
  }
  return left;
}

function insert(database: D1Database, table: string, columns: ReadonlySet<string>, row: TableRow): D1PreparedStatement {
  const used = Object.entries(row).filter(([name]) => columns.has(name));
  const marks = used.map(() => '?').join(', ');
  return database
    .prepare(
      `INSERT OR IGNORE INTO ${quoteSqlName(table)} (${used.map(([name]) => quoteSqlName(name)).join(', ')}) VALUES (${marks})`,
    )
    .bind(...used.map(([name, value]) => bound(table, name, value)));
}

/** Converts a column's value for a statement. D1 returns bytes as lists of numbers. Indexed documents are queued. */
function bound(table: string, name: string, value: unknown): unknown {
  if (table === DOCUMENTS && name === 'indexed' && value === INDEXING_STATE.yes) return INDEXING_STATE.due;
  return Array.isArray(value) ? Uint8Array.from(value) : value;
}
