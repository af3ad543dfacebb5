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
