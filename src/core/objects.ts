import { callPlatform, retryOnce } from '#core/failures/failure.ts';
import type { ObjectOfParts } from './stored-object.ts';

/**
 * The methods of a Durable Object, each returning a promise. With this type, editors can jump from a call to the
 * method; with the platform's stub type they cannot. A generic method stays generic.
 */
export type ObjectCalls<T> = {
  readonly [Method in keyof T]: T[Method] extends (...args: infer Args) => infer Answer
    ? [Answer] extends [Promise<unknown>]
      ? T[Method]
      : (...args: Args) => Promise<Awaited<Answer>>
    : never;
};

/**
 * Returns a stub of a Durable Object. Only this function creates stubs. A call that fails because the object was moved,
 * restarted or updated is retried once with a new stub, because the old stub stays broken.
 * @param mayRepeat returns `false` for a call that must not be retried; by default, every call may be retried
 */
export function objectNamed<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  name: string,
  mayRepeat?: MayRepeat,
): ObjectCalls<T>;
export function objectNamed(
  namespace: DurableObjectNamespace,
  name: string,
  mayRepeat: MayRepeat = () => true,
): object {
  const id = namespace.idFromName(name);
  const fresh = () => namespace.get(id);
  return new Proxy(fresh(), {
    get: (stub, method) => {
      if (typeof method !== 'string' || STUB_MEMBERS.has(method)) return Reflect.get(stub, method);
      return (...args: unknown[]): Promise<unknown> => {
        const call = () => callMethod(fresh(), method, args);
        return mayRepeat(method, args)
          ? callPlatform('object', () => retryOnce(call))
          : callPlatform('object', call, true);
      };
    },
  });
}

/** Returns a stub of one part of a Durable Object, like {@link objectNamed}. Every call may be retried. */
export function partNamed<T extends ObjectOfParts, Part extends keyof T & string>(
  namespace: DurableObjectNamespace<T>,
  name: string,
  part: Part,
): ObjectCalls<T[Part]>;
export function partNamed(namespace: DurableObjectNamespace<ObjectOfParts>, name: string, part: string): object {
  const object = objectNamed(namespace, name);
  return new Proxy(object, {
    get: (_, method) => {
      if (typeof method !== 'string' || STUB_MEMBERS.has(method)) return Reflect.get(object, method);
      return (...args: unknown[]) => object.callPart(part, method, args);
    },
  });
}

type MayRepeat = (method: string, args: readonly unknown[]) => boolean;

/** Members of a stub that are not methods. `await stub` looks up `then`, which must not call the object. */
const STUB_MEMBERS: ReadonlySet<string> = new Set(['id', 'name', 'then']);

async function callMethod(stub: object, method: string, args: unknown[]): Promise<unknown> {
  const ask: (...args: unknown[]) => Promise<unknown> = Reflect.get(stub, method);
  return Reflect.apply(ask, stub, args);
}
