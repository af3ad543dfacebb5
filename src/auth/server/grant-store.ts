import { STORE_NAME_BYTES_MAX } from '#auth/limits.ts';
import type { ClientState } from '#client/client-state.ts';
import type { ObjectCalls } from '#core/objects.ts';

const encoder = new TextEncoder();

/** The object of one subject, where the rotation of its refresh tokens is decided. */
export type GrantObject = Pick<
  ObjectCalls<ClientState>,
  'heldGrant' | 'beginGrant' | 'rotateGrant' | 'issueToken' | 'endGrant'
>;

export type GrantObjects = (subject: string) => GrantObject;

/** The names in the store: `grant:<subject>:<grant>`, `token:<subject>:<grant>:<hash>`. */
export function grantNamed(name: string): { subject: string; grant: string } | null {
  const [, subject, grant] = /^grant:([^:]+):([^:]+)$/.exec(name) ?? [];
  return subject === undefined || grant === undefined ? null : { subject, grant };
}

/** The id of an access token, from its name in the store. */
export function tokenIdIn(name: string): string | null {
  return name.startsWith(TOKEN) ? name.slice(name.lastIndexOf(':') + 1) : null;
}

const TOKEN = 'token:';

/**
 * The environment as the OAuth library should see it. The library looks up whatever clients send: client ids, parts of
 * codes and tokens. The store throws at a name that is too long for it, which would look like our failure; here such a
 * name is simply not found. And a grant that the library deletes is ended in its subject's object first, which knows its
 * newest tokens: elsewhere, the store may show the grant and hide the tokens for another minute.
 */
export function libraryStore(env: Env, grantsOf: GrantObjects): Env {
  const store = env.OAUTH_KV;
  return withStore(env, {
    get: (name, get) => (encoder.encode(name).length > STORE_NAME_BYTES_MAX ? Promise.resolve(null) : get()),
    delete: async (name) => {
      const named = grantNamed(name);
      if (named === null) return store.delete(name);
      const { subject, grant } = named;
      const tokens = await grantsOf(subject).endGrant(grant);
      await Promise.all(tokens.map((id) => store.delete(`${TOKEN}${subject}:${grant}:${id}`)));
      await store.delete(name);
    },
  });
}

/** What stands in for methods of the store. `get` and `put` also get the call that they stand in for. */
type Instead = {
  get?: (name: string, get: () => unknown) => unknown;
  put?: (name: string, value: string, put: () => Promise<void>) => Promise<void>;
  delete?: (name: string) => Promise<void>;
};

/** The environment with some methods of the store replaced. */
export function withStore(env: Env, instead: Instead): Env {
  const store = env.OAUTH_KV;
  const replaced = new Proxy(store, {
    get: (_, member) => {
      const value: unknown = Reflect.get(store, member);
      if (typeof value !== 'function') return value;
      const { get, put, delete: remove } = instead;
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
