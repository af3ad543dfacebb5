import { STORE_NAME_BYTES_MAX } from '#auth/limits.ts';

const encoder = new TextEncoder();

/**
 * The environment as the OAuth library should see it. The library looks up whatever clients send: client ids, parts of
 * codes and tokens. The store throws at a name that is too long for it, which would look like our failure; here such a
 * name is simply not found.
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
 * The environment for one request at the token endpoint. The library first marks the code as used in the grant, then
 * stores the tokens for it. If the second step failed, the client would have neither. So the grant is written last.
 * @returns also the function that writes it, to be called once the answer is a success
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
