import { askedOf } from '#core/part-failed.ts';
import { triedTwice } from '#core/passing.ts';

/** Makes a statement again: one that failed is not reused. */
type Make = () => D1PreparedStatement;

const RUNS: ReadonlySet<PropertyKey> = new Set(['all', 'first', 'raw', 'run']);

/**
 * The database. Its failures are named as such, and a passing failure is tried once more with a new statement.
 * @param mayRepeat whether statements may run twice: most of ours set the same value whatever was there
 */
export function carefulD1(database: D1Database, mayRepeat: boolean): D1Database {
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
