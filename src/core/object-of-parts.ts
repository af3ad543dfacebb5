import { StoredObject } from './stored-object.ts';

/** A Durable Object composed of parts. Callers reach the methods of a part through `partNamed`. */
export class ObjectOfParts extends StoredObject {
  callPart(part: string, method: string, args: readonly unknown[]): unknown {
    const target: unknown = Reflect.get(this, part);
    const called: unknown = typeof target === 'object' && target !== null ? Reflect.get(target, method) : undefined;
    if (typeof called !== 'function') throw new TypeError(`no part has the method ${part}.${method}`);
    return Reflect.apply(called, target, args);
  }
}
