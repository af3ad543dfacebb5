import { DurableObject } from 'cloudflare:workers';
import { MIB } from './limits.ts';

/** Place at which a backup of an object continues: after a row of a table, or after a key of the key-value storage. */
type ObjectPlace = { table: string; after: number } | { key: string | null };

export type StoredRow = Record<string, SqlStorageValue>;

export type StoredObjectChunk = {
  rows: { table: string; values: StoredRow }[];
  values: [key: string, value: unknown][];
  alarm: number | null;
  /** The place at which the next part begins; `null` after the last part. */
  next: ObjectPlace | null;
};

/** Maximum bytes of a part. Its encoding must fit in memory twice. A single larger row or value may exceed it. */
const PART_BYTES_MAX = 2 * MIB;
const VALUES_PER_LIST = 100;
const OWN_TABLES = String.raw`type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE '\_cf\_%' ESCAPE '\'`;

/** A Durable Object that supports backups of all its tables and values, whatever their content. */
export class StoredObject extends DurableObject {
  protected readonly tablesWithoutBackup: readonly string[] = [];
  /** True after a change of the storage that is not reflected in the object's memory, such as restored rows. */
  #isOutdated = false;

  /** Reads one part of the data for a backup. @param from `next` of the previous part; `null` for the first part */
  async backUp(from: ObjectPlace | null): Promise<StoredObjectChunk> {
    const alarm = await this.ctx.storage.getAlarm();
    const tables = this.#tables();
    const place = from ?? (tables[0] === undefined ? { key: null } : { table: tables[0], after: 0 });
    if ('table' in place) return { ...this.#rows(place, tables), values: [], alarm };
    const listed = await this.ctx.storage.list({
      limit: VALUES_PER_LIST,
      ...(place.key === null ? {} : { startAfter: place.key }),
    });
    const values = [...listed];
    const last = values.at(-1)?.[0];
    return {
      rows: [],
      values,
      alarm,
      next: values.length < VALUES_PER_LIST || last === undefined ? null : { key: last },
    };
  }

  /**
   * Adds missing rows and values. Existing ones stay.
   * @param replaced keys whose values are overwritten
   * @returns number of rows that were skipped because none of their columns exists any more
   */
  async restore(
    { rows, values, alarm }: Omit<StoredObjectChunk, 'next'>,
    replaced: readonly string[],
  ): Promise<number> {
    const tables = new Map(this.#tables().map((table) => [table, this.#columns(table)]));
    let left = 0;
    for (const { table, values: row } of rows) {
      const columns = Object.keys(row).filter((name) => tables.get(table)?.has(name));
      if (columns.length === 0) left += 1;
      else {
        const stored = columns.map((name) => row[name] ?? null);
        this.#insert(table, columns, stored);
      }
    }
    for (const [key, value] of values) {
      if (!replaced.includes(key) && (await this.ctx.storage.get(key)) !== undefined) continue;
      await this.ctx.storage.put(key, value);
      this.#isOutdated = true;
    }
    if (alarm !== null && (await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(Math.max(alarm, Date.now()));
    }
    await this.ctx.storage.sync();
    return left;
  }

  /** Permanently deletes all stored data. The object's memory keeps its data until the object ends. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    await this.ctx.storage.sync();
    this.#isOutdated = true;
  }

  /** Ends this object if its storage changed, so that its next call reads the storage again. The current call fails. */
  endAfterRestore(): void {
    if (this.#isOutdated) this.ctx.abort('what is stored has changed');
  }

  #tables(): string[] {
    return this.ctx.storage.sql
      .exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE ${OWN_TABLES} ORDER BY name`)
      .toArray()
      .map(({ name }) => name)
      .filter((name) => !this.tablesWithoutBackup.includes(name));
  }

  #columns(table: string): Set<string> {
    const rows = this.ctx.storage.sql.exec<{ name: string }>(`SELECT name FROM pragma_table_info(?)`, table).toArray();
    return new Set(rows.map(({ name }) => name));
  }

  #rows(
    { table, after }: { table: string; after: number },
    tables: readonly string[],
  ): Pick<StoredObjectChunk, 'rows' | 'next'> {
    const rows: StoredObjectChunk['rows'] = [];
    let bytes = 0;
    const name = quoteSqlName(table);
    const found = this.ctx.storage.sql.exec(
      `SELECT rowid AS row_number_of_backup, * FROM ${name} WHERE rowid > ? ORDER BY rowid`,
      after,
    );
    for (const { row_number_of_backup: at, ...values } of found) {
      rows.push({ table, values });
      bytes += bytesOf(values);
      if (bytes > PART_BYTES_MAX) return { rows, next: { table, after: Number(at) } };
    }
    const following = tables[tables.indexOf(table) + 1];
    return { rows, next: following === undefined ? { key: null } : { table: following, after: 0 } };
  }

  #insert(table: string, columns: readonly string[], values: SqlStorageValue[]): void {
    const names = columns.map(quoteSqlName).join(', ');
    const marks = columns.map(() => '?').join(', ');
    const insert = `INSERT OR IGNORE INTO ${quoteSqlName(table)} (${names}) VALUES (${marks})`;
    if (this.ctx.storage.sql.exec(insert, ...values).rowsWritten > 0) this.#isOutdated = true;
  }
}

export function quoteSqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function bytesOf(values: StoredRow): number {
  return Object.values(values).reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + value.length;
    return sum + (value instanceof ArrayBuffer ? value.byteLength : 8);
  }, 0);
}

/** A Durable Object composed of parts. Callers reach the methods of a part through `partNamed`. */
export class ObjectOfParts extends StoredObject {
  callPart(part: string, method: string, args: readonly unknown[]): unknown {
    const target: unknown = Reflect.get(this, part);
    const called: unknown = typeof target === 'object' && target !== null ? Reflect.get(target, method) : undefined;
    if (typeof called !== 'function') throw new TypeError(`no part has the method ${part}.${method}`);
    return Reflect.apply(called, target, args);
  }
}
