import { env } from 'cloudflare:workers';
import * as z from 'zod';

/** What was asked of the platform since the count began. */
export type Counts = {
  objectRequests: number;
  d1Trips: number;
  rowsRead: number;
  rowsWritten: number;
  kvReads: number;
};

const meta = z.object({ meta: z.object({ rows_read: z.number(), rows_written: z.number() }) });
const results = z.union([z.array(meta), meta.transform((one) => [one])]);

/** The table that is written for many calls together, some seconds later. */
const COUNTERS = 'tool_counters';

/** Counts what the Worker and its objects ask of D1, KV and objects. @returns the counts, which go on, and how to stop */
export function countPlatform(): { counts: Counts; stop: () => void } {
  const counts: Counts = { objectRequests: 0, d1Trips: 0, rowsRead: 0, rowsWritten: 0, kvReads: 0 };
  const stops = [
    patch(ownerOf(Reflect.get(env.DB, 'alwaysPrimarySession'), '_send'), '_send', async (send, [, query]) => {
      const answer = await send();
      if (JSON.stringify(query).includes(COUNTERS)) return answer;
      counts.d1Trips += 1;
      for (const { meta: rows } of results.parse(answer)) {
        counts.rowsRead += rows.rows_read;
        counts.rowsWritten += rows.rows_written;
      }
      return answer;
    }),
    patch(ownerOf(env.OAUTH_KV, 'get'), 'get', (get) => {
      counts.kvReads += 1;
      return get();
    }),
    patch(ownerOf(env.OAUTH_KV, 'list'), 'list', (list) => {
      counts.kvReads += 1;
      return list();
    }),
    patch(ownerOf(env.CLIENT, 'get'), 'get', (get) => counting(get(), () => (counts.objectRequests += 1))),
  ];
  return { counts, stop: () => stops.forEach((stop) => stop()) };
}

/** A stub each method of which is counted: each call of one is a request. */
function counting(stub: unknown, count: () => void): unknown {
  if (typeof stub !== 'object' || stub === null) throw new TypeError('no stub');
  return new Proxy(stub, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || typeof name === 'symbol') return value;
      return (...args: unknown[]) => {
        count();
        return Reflect.apply(value, target, args);
      };
    },
  });
}

/** Where along its prototypes an object has a property. */
function ownerOf(from: unknown, name: string): object {
  let owner = from;
  while (typeof owner === 'object' && owner !== null) {
    if (Object.hasOwn(owner, name)) return owner;
    owner = Object.getPrototypeOf(owner);
  }
  throw new TypeError(`nothing here has ${name}`);
}

function patch(owner: object, name: string, around: (call: () => unknown, args: unknown[]) => unknown): () => void {
  const before: unknown = Reflect.get(owner, name);
  if (typeof before !== 'function') throw new TypeError(`${name} is no method`);
  Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
    return around(() => Reflect.apply(before, this, args), args);
  });
  return () => void Reflect.set(owner, name, before);
}
