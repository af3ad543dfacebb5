/** Only what is used, so that the Worker does not see the rest of Node. */
declare module 'node:zlib' {
  type Options = { maxOutputLength: number; finishFlush?: number };
  /** @throws when the data is broken, or unpacks to more than `maxOutputLength` */
  export function inflateRawSync(data: Uint8Array, options: Options): Uint8Array;
  export function inflateSync(data: Uint8Array, options: Options): Uint8Array;
}

declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R;
    getStore(): T | undefined;
  }
}
