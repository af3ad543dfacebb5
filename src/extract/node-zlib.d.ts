declare module 'node:zlib' {
  type Options = { maxOutputLength: number };
  /** @throws when the data is broken, or unpacks to more than `maxOutputLength` */
  export function inflateRawSync(data: Uint8Array, options: Options): Uint8Array;
  export function inflateSync(data: Uint8Array, options: Options): Uint8Array;
}
