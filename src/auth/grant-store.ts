import { STORE_NAME_BYTES_MAX } from '#core/limits.ts';

const encoder = new TextEncoder();

/**
 * The environment as the OAuth library should see it. It looks up whatever clients name – client ids, parts of codes and
 * tokens – and the store throws at a name longer than it can keep, which would end as a failure of ours: nothing has it.
 */
export function withLenientStore(env: Env): Env {
  const store = env.OAUTH_KV;
  const lenient = new Proxy(store, {
    get: (_, member) => {
      const value: unknown = Reflect.get(store, member);
      if (typeof value !== 'function') return value;
      if (member !== 'get') return value.bind(store);
      return (name: string, ...rest: unknown[]): unknown =>
        encoder.encode(name).length > STORE_NAME_BYTES_MAX ? Promise.resolve(null) : value.call(store, name, ...rest);
    },
  });
  return { ...env, OAUTH_KV: lenient };
}

const GRANT = 'grant:';

/**
 * The environment for one request at the token endpoint. The library notes in the grant that a code is used up, and stores
 * what it gives for it after that: if that failed, the client would have neither. So the grant is written last.
 * @returns also how to write it, once the answer is one that gives something
 */
export function withGrantLast(env: Env): { env: Env; writeGrant: () => Promise<void> } {
  const store = env.OAUTH_KV;
  const due: (() => Promise<void>)[] = [];
  const last = new Proxy(store, {
    get: (_, member) => {
      const value: unknown = Reflect.get(store, member);
      if (typeof value !== 'function') return value;
      if (member !== 'put') return value.bind(store);
      return async (name: string, record: string, options?: KVNamespacePutOptions) => {
        const put = () => store.put(name, record, options);
        if (name.startsWith(GRANT)) due.push(put);
        else await put();
      };
    },
  });
  const writeGrant = async () => {
    for (const put of due) await put();
  };
  return { env: { ...env, OAUTH_KV: last }, writeGrant };
}
