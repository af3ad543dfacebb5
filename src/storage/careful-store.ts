import { askedOf } from '#core/errors.ts';
import { triedTwice } from '#core/passing.ts';

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
