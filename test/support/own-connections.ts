import { beforeAll } from 'vitest';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * Setup of the end-to-end tests: each `fetch` opens its own connection. A server closes an idle connection, and on a
 * busy machine the next request would be sent on it before the client notices.
 */
async function useOwnConnections(): Promise<void> {
  await fetch('data:,'); // Makes Node load its HTTP client.
  const dispatcher: unknown = Reflect.get(globalThis, DISPATCHER);
  if (typeof dispatcher !== 'object' || dispatcher === null) throw new Error('This Node has no such HTTP client.');
  Reflect.set(globalThis, DISPATCHER, Reflect.construct(dispatcher.constructor, [{ pipelining: 0 }]));
}
beforeAll(useOwnConnections);
