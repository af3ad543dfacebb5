import { env } from 'cloudflare:workers';
import { calledMethod } from './called-method.ts';
import { replaced } from './replaced.ts';

/** `before`: the call never arrives. `after`: it is carried out, but its answer is lost. */
export type FaultMoment = 'before' | 'after';

/**
 * The failure of a call to D1, an object or the key-value store. `goesOn`: every later call fails, too, as when a part of
 * the platform stops working in the middle of a request.
 */
export type Fault = { moment: FaultMoment; error: () => Error; goesOn?: boolean };

const D1_RUNS = ['all', 'first', 'raw', 'run'];
const KV_CALLS = ['get', 'getWithMetadata', 'put', 'delete', 'list'];

/**
 * Makes the n-th call to a binding fail, whether the Worker or an object makes it.
 * @returns whether there were so many calls, and the result of the work
 */
export async function withFault<T>(
  n: number,
  fault: Fault,
  work: () => Promise<T>,
): Promise<{ hit: string | null; result: T }> {
  let calls = 0;
  let hit: string | null = null;
  const pass = async (what: string, call: () => Promise<unknown>): Promise<unknown> => {
    calls += 1;
    if (fault.goesOn === true ? calls < n : calls !== n) return call();
    hit ??= what;
    if (fault.moment === 'after') await call();
    throw fault.error();
  };
  const undo = [...databaseFaults(pass), ...storeFaults(pass), ...objectFaults(pass)];
  try {
    const result = await work();
    return { hit, result };
  } finally {
    for (const back of undo) back();
  }
}

type Pass = (what: string, call: () => Promise<unknown>) => Promise<unknown>;

function databaseFaults(pass: Pass): (() => void)[] {
  const statement: object = Object.getPrototypeOf(env.DB.prepare('SELECT 1'));
  const database: object = Object.getPrototypeOf(env.DB);
  const through = (owner: object, name: string) =>
    replaced(owner, name, (method, self, args) => pass(`D1 ${name}`, async () => Reflect.apply(method, self, args)));
  return [...D1_RUNS.map((name) => through(statement, name)), through(database, 'batch')];
}

function storeFaults(pass: Pass): (() => void)[] {
  const store: object = Object.getPrototypeOf(env.OAUTH_KV);
  return KV_CALLS.map((name) =>
    replaced(store, name, (method, self, args) => pass(`KV ${name}`, async () => Reflect.apply(method, self, args))),
  );
}

function objectFaults(pass: Pass): (() => void)[] {
  const namespace: object = Object.getPrototypeOf(env.CLIENT);
  return [
    replaced(namespace, 'get', (get, self, args) => {
      const stub = Reflect.apply(get, self, args);
      if (typeof stub !== 'object' || stub === null) throw new TypeError('a stub was expected');
      return new Proxy(stub, {
        get: (one, member) => {
          const value: unknown = Reflect.get(one, member);
          if (typeof value !== 'function' || typeof member !== 'string') return value;
          return (...values: unknown[]) =>
            pass(`object ${calledMethod(member, values)}`, async () => Reflect.apply(value, one, values));
        },
      });
    }),
  ];
}

/** The failure of Cloudflare's objects and database while they are moved or updated. */
export function passing(): Error {
  return Object.assign(new Error('D1_ERROR: Network connection lost.'), { retryable: true });
}

/** The failure of an overloaded object or database. */
export function overloaded(): Error {
  return Object.assign(new Error('Durable Object is overloaded; the words of a fault'), { overloaded: true });
}

/** A failure that no retry mends. */
export function lasting(): Error {
  return new Error('D1_ERROR: internal error; the words of a fault');
}
