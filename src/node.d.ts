/** Declares only the functions in use, so that the Worker's code cannot use other parts of Node. */
declare module 'node:zlib' {
  type Options = { maxOutputLength: number; finishFlush?: number };
  /** @throws if the data is corrupt or decompresses to more than `maxOutputLength` bytes */
  export function inflateRawSync(data: Uint8Array, options: Options): Uint8Array;
  export function inflateSync(data: Uint8Array, options: Options): Uint8Array;
}

declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R;
    getStore(): T | undefined;
  }
}
