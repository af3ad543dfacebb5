import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import * as schema from './schema.ts';
import { askedOf } from '#core/failures/failure.ts';
import { triedTwice } from '#core/failures/transient.ts';

export type Db = DrizzleD1Database<typeof schema>;

/** A client reads the whole schema when it is made, which costs as much as a small query. It holds nothing of a request. */
const made = new WeakMap<D1Database, Map<boolean, Db>>();

/**
 * The only place that makes a drizzle client.
 * @param mayRepeat whether its statements may run twice, so that what fails in passing is tried once more
 */
export function openDb(binding: D1Database, mayRepeat = true): Db {
  const known = made.get(binding) ?? new Map<boolean, Db>();
  made.set(binding, known);
  const db = known.get(mayRepeat) ?? drizzle(carefulD1(binding, mayRepeat), { schema });
  known.set(mayRepeat, db);
  return db;
}

/** Makes a statement again: one that failed is not reused. */
type Make = () => D1PreparedStatement;

const RUNS: ReadonlySet<PropertyKey> = new Set(['all', 'first', 'raw', 'run']);

/**
 * The database. Its failures are named as such, and a passing failure is tried once more with a new statement.
 * @param mayRepeat whether statements may run twice: most of ours set the same value whatever was there
 */
function carefulD1(database: D1Database, mayRepeat: boolean): D1Database {
  const makers = new WeakMap<D1PreparedStatement, Make>();
  const ask = <T>(work: () => Promise<T>) => askedOf('database', () => (mayRepeat ? triedTwice(work) : work()));
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
 * The key-value store, with its failures named as such, and what fails in passing tried once more: to put or delete the same
 * twice comes to the same.
 */
export function carefulStore(store: KVNamespace): KVNamespace {
  return new Proxy(store, {
    get: (_, member) => {
      const value: unknown = Reflect.get(store, member);
      if (typeof value !== 'function') return value;
      const call = (args: unknown[]): unknown => Reflect.apply(value, store, args);
      if (!CALLS.has(member)) return (...args: unknown[]) => call(args);
      return (...args: unknown[]) => askedOf('store', () => triedTwice(async () => call(args)));
    },
  });
}
