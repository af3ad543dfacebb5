import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import * as schema from './schema.ts';
import { callPlatform, retryOnce } from '#core/failures/failure.ts';
import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import * as z from 'zod';

export type Db = DrizzleD1Database<typeof schema>;

/** Drizzle clients by database, reused because creating one takes as long as a small query. They hold no user data. */
const clients = new WeakMap<D1Database, Map<boolean, Db>>();

/**
 * Opens a database. Only this function and {@link openNearDb} create drizzle clients.
 * @param mayRepeat true if statements may run twice, so that transient failures are retried once
 */
export function openDb(binding: D1Database, mayRepeat = true): Db {
  const known = clients.get(binding) ?? new Map<boolean, Db>();
  clients.set(binding, known);
  const db = known.get(mayRepeat) ?? drizzle(retryingD1(binding, mayRepeat), { schema });
  known.set(mayRepeat, db);
  return db;
}

const nearClients = new WeakMap<D1Database, Db>();

/** Opens the nearest replica of the database for reading. It may lag behind the primary. */
export function openNearDb(binding: D1Database): Db {
  const db = nearClients.get(binding) ?? drizzle(retryingD1(nearest(binding), true), { schema });
  nearClients.set(binding, db);
  return db;
}

/** Starts a new D1 session for each query, because queries need not be consistent with earlier reads. */
function nearest(binding: D1Database): D1Database {
  return new Proxy(binding, {
    get: (one, member) => {
      if (member !== 'prepare') return Reflect.get(one, member);
      return (query: string) => one.withSession('first-unconstrained').prepare(query);
    },
  });
}

/** Creates a new statement for each attempt, because a statement that failed cannot run again. */
type Make = () => D1PreparedStatement;

const RUNS: ReadonlySet<PropertyKey> = new Set(['all', 'first', 'raw', 'run']);

/**
 * Converts database failures to {@link PartFailed}, and, if `mayRepeat`, retries transient ones once with a new
 * statement.
 * @param mayRepeat true if statements may run twice; this is true for most, because they set the same value again
 */
function retryingD1(database: D1Database, mayRepeat: boolean): D1Database {
  const makers = new WeakMap<D1PreparedStatement, Make>();
  const ask = <T>(work: () => Promise<T>) => callPlatform('database', () => (mayRepeat ? retryOnce(work) : work()));
  const careful = (make: Make): D1PreparedStatement => {
    const statement = new Proxy(make(), {
      get: (one, member) => {
        if (member === 'bind') return (...values: unknown[]) => careful(() => make().bind(...values));
        if (!RUNS.has(member)) return Reflect.get(one, member);
        return (...args: unknown[]) => ask(async () => run(make(), member, args));
      },
    });
    makers.set(statement, make);
    return statement;
  };
  return new Proxy(database, {
    get: (one, member) => {
      if (member === 'prepare') return (query: string) => careful(() => one.prepare(query));
      if (member !== 'batch') return Reflect.get(one, member);
      return (statements: D1PreparedStatement[]) =>
        ask(async () => one.batch(statements.map((statement) => makers.get(statement)?.() ?? statement)));
    },
  });
}

function run(statement: D1PreparedStatement, member: PropertyKey, args: unknown[]): Promise<unknown> {
  const method: (...args: unknown[]) => Promise<unknown> = Reflect.get(statement, member);
  return Reflect.apply(method, statement, args);
}

const CALLS: ReadonlySet<PropertyKey> = new Set(['get', 'getWithMetadata', 'put', 'delete', 'list']);

/**
 * Converts KV failures to {@link PartFailed}, and retries transient ones once. This is safe, because a repeated write
 * changes nothing.
 */
export function retryingKv(store: KVNamespace): KVNamespace {
  return new Proxy(store, {
    get: (_, member) => {
      const value: unknown = Reflect.get(store, member);
      if (typeof value !== 'function') return value;
      const call = (args: unknown[]): unknown => Reflect.apply(value, store, args);
      if (!CALLS.has(member)) return (...args: unknown[]) => call(args);
      return (...args: unknown[]) => callPlatform('store', () => retryOnce(async () => call(args)));
    },
  });
}

/**
 * Maximum entries of a list that are bound as separate parameters. A longer list is bound as JSON, because a D1
 * statement allows only 100 parameters.
 */
const KEYS_BOUND_MAX = 8;

/**
 * The operand of SQL `IN`. A short list becomes parameters, because D1 counts (and bills) the entries of a JSON list as
 * rows read.
 */
export function sqlInList(values: readonly string[]): SQL {
  if (values.length > KEYS_BOUND_MAX) return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
  return sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`;
}

/** Files in `migrations` that this version needs, in order. A test compares this list with the folder. */
export const MIGRATIONS: readonly string[] = ['0000_initial.sql'];

const rows = z.array(z.object({ name: z.string() }));

/** Names of the migrations that wrangler or `npm start` has applied; empty for a new database. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  try {
    return rows.parse(await db.all(sql`SELECT name FROM d1_migrations ORDER BY id`)).map(({ name }) => name);
  } catch (error) {
    if (await hasRecord(db)) throw error;
    return [];
  }
}

async function hasRecord(db: Db): Promise<boolean> {
  const found = await db.all(sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'`);
  return found.length > 0;
}
