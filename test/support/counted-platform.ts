import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as z from 'zod';
import { calledMethod } from './called-method.ts';
import { HopsOfOne } from './hops.ts';
import type { Hop, HopsOfCall } from '#scripts/docs/hops.ts';
import { replaced } from './replaced.ts';

/** Operations on the platform since the count began. */
export type Counts = {
  objectRequests: number;
  d1Trips: number;
  rowsRead: number;
  rowsWritten: number;
  kvReads: number;
  /** Rows, values and alarms that objects wrote. */
  objectRowsWritten: number;
};

const meta = z.object({ meta: z.object({ rows_read: z.number(), rows_written: z.number() }) });
const results = z.union([z.array(meta), meta.transform((one) => [one])]);

/** Written and read once for many calls, some seconds apart: by a part of the statement, or by the key in an object. */
const COUNTERS = 'tool_counters';
const DECISIONS = 'from "admissions"';
const BUDGET_BLOCKS = 'budgets_taken';
const ofManyCalls = (statement: string) => statement.includes(COUNTERS) || statement.includes(DECISIONS);
/** Writes that happen after the answer: statements by a part of their text, calls of objects by their methods. */
const STATEMENTS_BEHIND = ['insert into "people"', 'insert into "robots"', 'insert into "site_facts"'];
const METHODS_BEHIND: ReadonlySet<string> = new Set(['note', 'keepStep', 'identity', 'finish']);

/**
 * Counts what the Worker and its objects ask of D1, KV, objects and the network.
 * @returns the counts, which continue; true while an operation has no answer yet; the hops that one call waits for; and
 * how to stop
 */
export async function countPlatform(): Promise<{
  counts: Counts;
  isBusy: () => boolean;
  hopsOf: (work: () => Promise<unknown>) => Promise<HopsOfCall>;
  stop: () => void;
}> {
  const counts: Counts = {
    objectRequests: 0,
    d1Trips: 0,
    rowsRead: 0,
    rowsWritten: 0,
    kvReads: 0,
    objectRowsWritten: 0,
  };
  let hops: HopsOfOne | null = null;
  let unanswered = 0;
  const through = async (
    hop: Hop,
    ask: () => unknown,
    { isBehind = false, asksOthers = false } = {},
  ): Promise<unknown> => {
    unanswered += 1;
    try {
      return await (hops === null ? ask() : hops.through(hop, { isBehind, asksOthers }, ask));
    } finally {
      unanswered -= 1;
    }
  };
  const kvRead = (read: () => unknown) => {
    counts.kvReads += 1;
    return through('kv', read);
  };
  const stops = [
    ...(await countingObjects((rows) => (counts.objectRowsWritten += rows))),
    patch(ownerOf(Reflect.get(env.DB, 'alwaysPrimarySession'), '_send'), '_send', async (send, [, query]) => {
      const text = JSON.stringify(query).replaceAll('\\"', '"');
      if (ofManyCalls(text)) return send();
      const answer = await through('d1', send, { isBehind: STATEMENTS_BEHIND.some((part) => text.includes(part)) });
      counts.d1Trips += 1;
      for (const { meta: rows } of results.parse(answer)) {
        counts.rowsRead += rows.rows_read;
        counts.rowsWritten += rows.rows_written;
      }
      return answer;
    }),
    ...['get', 'list'].map((name) => patch(ownerOf(env.OAUTH_KV, name), name, kvRead)),
    patch(ownerOf(env.CLIENT, 'get'), 'get', (get) =>
      asking(get(), (method, ask) => {
        counts.objectRequests += 1;
        const isBehind = METHODS_BEHIND.has(method);
        return through('objects', ask, { isBehind, asksOthers: !ASKS_NOBODY.has(method) });
      }),
    ),
    patch(globalThis, 'fetch', (ask, [target]) => through(hopOfFetch(target), ask)),
  ];
  return {
    counts,
    isBusy: () => unanswered > 0,
    hopsOf: async (work) => {
      const own = new HopsOfOne();
      hops = own;
      try {
        await work();
      } finally {
        hops = null;
        own.end();
      }
      return own.end();
    },
    stop: () => stops.forEach((stop) => stop()),
  };
}

/** Methods that make no requests. All requests during any other method count as made by that method. */
const ASKS_NOBODY: ReadonlySet<string> = new Set([
  'use',
  'payAndUse',
  'mintPage',
  'mintList',
  'listed',
  'has',
  'lease',
  'take',
  'finish',
  'facts',
]);

function hopOfFetch(target: unknown): Hop {
  const url = new URL(target instanceof Request ? target.url : String(target));
  if (url.hostname === 'cloudflare-dns.com') return 'dns';
  return url.pathname === '/robots.txt' || url.pathname === '/llms.txt' ? 'site' : 'pages';
}

/** All objects share the prototypes of their storage, so one of them is enough. */
async function countingObjects(count: (rows: number) => void): Promise<(() => void)[]> {
  const any = env.CLIENT.get(env.CLIENT.idFromName('of no person'));
  return runInDurableObject(any, (_, { storage }) => {
    const one = (owner: object, name: string) =>
      patch(ownerOf(owner, name), name, (write, [key]) => {
        if (key !== BUDGET_BLOCKS) count(1);
        return write();
      });
    const sql = patch(ownerOf(storage.sql, 'exec'), 'exec', (exec) => {
      const cursor = exec();
      count(written.parse(cursor).rowsWritten);
      return cursor;
    });
    return [sql, one(storage, 'put'), one(storage.kv, 'put'), one(storage, 'setAlarm')];
  });
}

const written = z.custom<{ rowsWritten: number }>(
  (cursor) => typeof cursor === 'object' && cursor !== null && typeof Reflect.get(cursor, 'rowsWritten') === 'number',
);

/** Wraps a stub: each call of a method counts as a request. */
function asking(stub: unknown, through: (method: string, ask: () => unknown) => unknown): unknown {
  if (typeof stub !== 'object' || stub === null) throw new TypeError('no stub');
  return new Proxy(stub, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || typeof name === 'symbol') return value;
      return (...args: unknown[]) => through(calledMethod(name, args), () => Reflect.apply(value, target, args));
    },
  });
}

/** Finds the prototype that defines a property. */
function ownerOf(from: unknown, name: string): object {
  let owner = from;
  while (typeof owner === 'object' && owner !== null) {
    if (Object.hasOwn(owner, name)) return owner;
    owner = Object.getPrototypeOf(owner);
  }
  throw new TypeError(`nothing here has ${name}`);
}

function patch(owner: object, name: string, around: (call: () => unknown, args: unknown[]) => unknown): () => void {
  return replaced(owner, name, (method, self, args) => around(() => Reflect.apply(method, self, args), args));
}
