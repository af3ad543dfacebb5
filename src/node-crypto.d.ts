/** Declares only the functions in use, as `node.d.ts` does. In tests, all of Node's types are available instead. */
declare module 'node:crypto' {
  type Hash = { update(data: Uint8Array): Hash; digest(): Uint8Array };
  type BlockCipher = {
    update(data: Uint8Array): Uint8Array;
    final(): Uint8Array;
    setAutoPadding(isPadded: boolean): unknown;
  };
  export function createHash(name: string): Hash;
  export function createCipheriv(name: string, key: Uint8Array, iv: Uint8Array): BlockCipher;
  export function createDecipheriv(name: string, key: Uint8Array, iv: Uint8Array): BlockCipher;
}
