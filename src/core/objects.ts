import { askedOf } from '#core/failures/failure.ts';
import { triedTwice } from '#core/failures/transient.ts';

/**
 * A Durable Object as its callers see it: its own methods, with answers to wait for. An editor goes from a call to the
 * method, which the types of the platform do not allow.
 */
export type ObjectCalls<T> = {
  readonly [Method in keyof T]: T[Method] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never;
};

/**
 * The object of that name: the one way to call one. A call that fails because the object was moved, restarted or updated
 * is made once more, with a new stub, as the old one stays broken.
 * @param mayRepeat whether a call of this method may be made twice; each may when this is left out
 */
export function objectNamed<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  name: string,
  mayRepeat?: (method: string) => boolean,
): ObjectCalls<T>;
export function objectNamed(
  namespace: DurableObjectNamespace,
  name: string,
  mayRepeat: (method: string) => boolean = () => true,
): object {
  const id = namespace.idFromName(name);
  const fresh = () => namespace.get(id);
  return new Proxy(fresh(), {
    get: (stub, method) => {
      if (typeof method !== 'string' || NO_METHODS.has(method)) return Reflect.get(stub, method);
      return (...args: unknown[]): Promise<unknown> => {
        const call = () => called(fresh(), method, args);
        return mayRepeat(method) ? askedOf('object', () => triedTwice(call)) : askedOf('object', call, true);
      };
    },
  });
}

/** `then`: a stub is no promise, and whoever looks whether it is one calls nothing. */
const NO_METHODS: ReadonlySet<string> = new Set(['id', 'name', 'then']);

async function called(stub: object, method: string, args: unknown[]): Promise<unknown> {
  const ask: (...args: unknown[]) => Promise<unknown> = Reflect.get(stub, method);
  return Reflect.apply(ask, stub, args);
}
