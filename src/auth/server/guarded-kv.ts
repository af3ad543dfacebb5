import type { RotatedGrants } from '#client/grants.ts';
import type { ObjectCalls } from '#core/objects.ts';

/** Maximum bytes of a key in Workers KV, which throws for a longer key. */
const STORE_NAME_BYTES_MAX = 512;

const encoder = new TextEncoder();

export type FindGrants = (subject: string) => ObjectCalls<RotatedGrants>;

/**
 * Parses a key of the OAuth library: `grant:<subject>:<grant>` or `token:<subject>:<grant>:<hash>`.
 * @returns `null` for other keys
 */
export function parseGrantKey(name: string): { subject: string; grant: string } | null {
  const [, subject, grant] = /^grant:([^:]+):([^:]+)$/.exec(name) ?? [];
  return subject === undefined || grant === undefined ? null : { subject, grant };
}

export function tokenIdOfKey(name: string): string | null {
  return name.startsWith(TOKEN) ? name.slice(name.lastIndexOf(':') + 1) : null;
}

const TOKEN = 'token:';

/**
 * The environment for the OAuth library. Clients choose client IDs, codes and tokens, and KV throws for a key that is
 * too long; this store treats such a key as not found. Deleting a grant first ends it in its subject's Durable Object,
 * which knows the newest tokens: in other locations, KV lists new tokens with a delay of up to a minute.
 */
export function guardOAuthStore(env: Env, grantsOf: FindGrants): Env {
  const store = env.OAUTH_KV;
  return withStoreOverrides(env, {
    get: (name, get) => (encoder.encode(name).length > STORE_NAME_BYTES_MAX ? Promise.resolve(null) : get()),
    delete: async (name) => {
      const named = parseGrantKey(name);
      if (named === null) return store.delete(name);
      const { subject, grant } = named;
      const tokens = await grantsOf(subject).end(grant);
      await Promise.all(tokens.map((id) => store.delete(`${TOKEN}${subject}:${grant}:${id}`)));
      await store.delete(name);
    },
  });
}

/** Replacements for methods of the KV namespace. `get` and `put` also receive a function for the original call. */
type StoreOverrides = {
  get?: (name: string, get: () => unknown) => unknown;
  put?: (name: string, value: string, put: () => Promise<void>) => Promise<void>;
  delete?: (name: string) => Promise<void>;
};

export function withStoreOverrides(env: Env, overrides: StoreOverrides): Env {
  const store = env.OAUTH_KV;
  const replaced = new Proxy(store, {
    get: (_, member) => {
      const value: unknown = Reflect.get(store, member);
      if (typeof value !== 'function') return value;
      const { get, put, delete: remove } = overrides;
      if (member === 'get' && get !== undefined)
        return (name: string, ...rest: unknown[]) => get(name, () => Reflect.apply(value, store, [name, ...rest]));
      if (member === 'put' && put !== undefined)
        return (name: string, record: string, options?: KVNamespacePutOptions) =>
          put(name, record, () => store.put(name, record, options));
      if (member === 'delete' && remove !== undefined) return remove;
      return value.bind(store);
    },
  });
  return { ...env, OAUTH_KV: replaced };
}
