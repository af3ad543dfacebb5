import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { PdfObjects } from './file-objects.ts';
import { isDictionary, readName, readString } from './values.ts';
import type { PdfDictionary, PdfValue } from './values.ts';

/** Encryption of streams; `none` if they are not encrypted. */
type Method = 'none' | 'rc4' | 'aes128' | 'aes256';
type Key = { key: Uint8Array; streams: Method; files: Method };

/**
 * `null`: not encrypted by the handler `Standard`, the only one that pdf.js opens. `locked`: the file needs a password.
 * `unknown`: the key is not certain; other readers may be able to decrypt the file.
 */
type Encryption = PdfStreamCipher | 'locked' | 'unknown' | null;

/** Match the names `/Encrypt` and `/ID`, in which each letter may be written as `#` and two hexadecimal digits. */
const ENCRYPT = /\/(?:E|#45)(?:n|#6[eE])(?:c|#63)(?:r|#72)(?:y|#79)(?:p|#70)(?:t|#74)(?=[\s\0<%])/g;
const IDS = /\/(?:I|#49)(?:D|#44)(?=[\s\0[%])/g;
/** Maximum keys that are tried. Normal files have one encryption dictionary and one identifier. */
const CANDIDATES_MAX = 500;
const PADDING = Uint8Array.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a'.match(/../g) ?? [],
  (digits) => Number.parseInt(digits, 16),
);
const BLOCK = 16;
const BLANK = 0x20;

export function readEncryption(source: string, objects: PdfObjects): Encryption {
  const declared = valuesAfter(source, ENCRYPT, objects).map((value) => objects.resolve(value));
  // Not found: the dictionary may be in an object stream, although the standard forbids it.
  if (declared.some((found) => found.length === 0)) return 'unknown';
  // pdf.js opens files only with the handler `Standard`.
  const handlers = declared
    .flat()
    .filter(isDictionary)
    .filter((dictionary) => readName(dictionary.get('Filter')) === 'Standard');
  if (handlers.length === 0) return null;
  const ids = valuesAfter(source, IDS, objects).flatMap((value) => objects.resolve(value).flatMap(firstText));
  const tried = [...new Set(['', ...ids])];
  if (handlers.length * tried.length > CANDIDATES_MAX) return 'unknown';
  const keys = new Map<string, Key>();
  for (const handler of handlers) {
    for (const id of tried) {
      const key = keyOf(handler, bytesOf(id));
      if (key !== null) keys.set(`${key.streams} ${key.files} ${latin1Of(key.key)}`, key);
    }
  }
  const [key] = keys.values();
  if (key === undefined) return 'locked';
  return keys.size > 1 ? 'unknown' : new PdfStreamCipher(key);
}

/** Returns each distinct value after the pattern. Files that were saved several times repeat values. */
function valuesAfter(source: string, pattern: RegExp, objects: PdfObjects): PdfValue[] {
  const values = new Map<string, PdfValue>();
  for (const { index, 0: name } of source.matchAll(pattern)) {
    const value = objects.valueAt(source, index + name.length);
    if (value !== undefined) values.set(keyOfValue(value), value);
  }
  return [...values.values()];
}

function keyOfValue(value: PdfValue): string {
  return JSON.stringify(value, (_, one: unknown) => (one instanceof Map ? [...one] : one));
}

function firstText(value: PdfValue): string[] {
  const text = readString(Array.isArray(value) ? value[0] : undefined);
  return text === null ? [] : [text];
}

/**
 * Returns the key if an empty user password opens the file, or zeros if the file encrypts neither streams nor strings;
 * else `null`.
 */
function keyOf(handler: PdfDictionary, id: Uint8Array): Key | null {
  const version = numberOf(handler, 'V');
  const revision = numberOf(handler, 'R');
  const methods = { streams: methodOf(handler, version, 'StmF'), files: methodOf(handler, version, 'EFF') };
  const key = version === 5 ? keyOf256(handler, revision) : keyOfOlder(handler, { version, revision, id });
  if (key !== null) return { key, ...methods };
  const isOpen = version >= 4 && methods.streams === 'none' && methodOf(handler, version, 'StrF') === 'none';
  return isOpen ? { key: new Uint8Array(BLOCK), ...methods } : null;
}

function methodOf(handler: PdfDictionary, version: number, entry: string): Method {
  if (version < 4) return 'rc4';
  const name = readName(handler.get(entry)) ?? (entry === 'EFF' ? readName(handler.get('StmF')) : null) ?? 'Identity';
  const filters = handler.get('CF');
  const filter = isDictionary(filters) ? filters.get(name) : undefined;
  const method = isDictionary(filter) ? readName(filter.get('CFM')) : null;
  if (method === null || method === 'None') return 'none';
  return version === 5 || method === 'AESV3' ? 'aes256' : method === 'AESV2' ? 'aes128' : 'rc4';
}

type Older = { version: number; revision: number; id: Uint8Array };

/** Computes a key by algorithms 2, 4 and 5 of ISO 32000-2. */
function keyOfOlder(handler: PdfDictionary, { version, revision, id }: Older): Uint8Array | null {
  const [owner, user] = [bytesOf(readString(handler.get('O')) ?? ''), bytesOf(readString(handler.get('U')) ?? '')];
  const length = Math.min(BLOCK, keyBits(handler, version) / 8);
  const permissions = new Uint8Array(new Int32Array([numberOf(handler, 'P')]).buffer);
  const isHidden = revision >= 4 && (version < 4 || handler.get('EncryptMetadata') === false);
  let hash = md5(PADDING, owner.subarray(0, 32), permissions, id, new Uint8Array(isHidden ? 4 : 0).fill(0xff));
  if (revision >= 3) for (let round = 0; round < 50; round += 1) hash = md5(hash.subarray(0, length));
  const key = hash.subarray(0, length);
  let check = revision >= 3 ? md5(PADDING, id) : PADDING;
  for (let round = 0; round < (revision >= 3 ? 20 : 1); round += 1)
    check = rc4(
      key.map((byte) => byte ^ round),
      check,
    );
  if (!check.every((byte, at) => byte === user[at])) return null;
  if (version !== 4 || key.length === BLOCK) return key;
  const padded = new Uint8Array(BLOCK);
  padded.set(key);
  return padded;
}

function keyBits(handler: PdfDictionary, version: number): number {
  const declared = numberOf(handler, 'Length');
  if (declared > 0) return declared;
  if (version <= 3) return 40;
  const filters = handler.get('CF');
  const filter = isDictionary(filters) ? filters.get(readName(handler.get('StmF')) ?? '') : undefined;
  const bits = (isDictionary(filter) ? numberOf(filter, 'Length') : 0) || 128;
  return bits < 40 ? bits * 8 : bits;
}

/** Computes a key by algorithm 2.A of ISO 32000-2, in which revision 5 hashes only once. */
function keyOf256(handler: PdfDictionary, revision: number): Uint8Array | null {
  const user = bytesOf(readString(handler.get('U')) ?? '');
  const sealed = bytesOf(readString(handler.get('UE')) ?? '');
  if (user.length < 48 || sealed.length < 32) return null;
  const hashed = (salt: Uint8Array) => (revision === 6 ? hash2B(salt) : sha(256, salt));
  const check = hashed(user.subarray(32, 40));
  if (!check.every((byte, at) => byte === user[at])) return null;
  return aes('decrypt', hashed(user.subarray(40, 48)), new Uint8Array(BLOCK), sealed.subarray(0, 32));
}

/** Computes algorithm 2.B of ISO 32000-2 for an empty password. */
function hash2B(salt: Uint8Array): Uint8Array {
  let hash = sha(256, salt);
  for (let round = 0, last = 0; round < 64 || last > round - 32; round += 1) {
    const repeated = new Uint8Array(hash.length * 64);
    for (let at = 0; at < repeated.length; at += hash.length) repeated.set(hash, at);
    const packed = aes('encrypt', hash.subarray(0, BLOCK), hash.subarray(BLOCK, 2 * BLOCK), repeated);
    const sum = packed.subarray(0, BLOCK).reduce((total, byte) => total + byte, 0) % 3;
    hash = sha(sum === 0 ? 256 : sum === 1 ? 384 : 512, packed);
    last = packed.at(-1) ?? 0;
  }
  return hash.subarray(0, 32);
}

/** Decrypts the streams of a file that an empty password opens. */
export class PdfStreamCipher {
  private readonly key: Key;

  constructor(key: Key) {
    this.key = key;
  }

  /** Decrypts a stream. @param isFile true for an attached file, which may be encrypted differently */
  decrypt(data: Uint8Array, object: ObjectNumber, isFile: boolean): Uint8Array {
    const method = this.method(isFile);
    if (method === 'none') return data;
    const key = this.keyFor(object, method);
    if (method === 'rc4') return rc4(key, data);
    const whole = data.length - (data.length % BLOCK);
    if (whole <= BLOCK) return new Uint8Array(0);
    const plain = aes('decrypt', key, data.subarray(0, BLOCK), data.subarray(BLOCK, whole));
    const padding = plain.at(-1) ?? 0;
    return padding >= 1 && padding <= BLOCK ? plain.subarray(0, plain.length - padding) : plain;
  }

  /** Overwrites a stream so that it decrypts to spaces. */
  blank(data: Uint8Array, object: ObjectNumber, isFile: boolean): void {
    const method = this.method(isFile);
    data.fill(BLANK);
    if (method === 'none') return;
    const key = this.keyFor(object, method);
    if (method === 'rc4') data.set(rc4(key, data));
    else {
      const whole = data.length - (data.length % BLOCK);
      if (whole > BLOCK) data.set(aes('encrypt', key, data.subarray(0, BLOCK), data.slice(BLOCK, whole)), BLOCK);
    }
  }

  private method(isFile: boolean): Method {
    return isFile ? this.key.files : this.key.streams;
  }

  /** Computes the key of a stream by algorithm 1 of ISO 32000-2. */
  private keyFor({ object, generation }: ObjectNumber, method: Method): Uint8Array {
    const { key } = this.key;
    if (method === 'aes256') return key;
    const place = [object & 255, (object >> 8) & 255, (object >> 16) & 255, generation & 255, (generation >> 8) & 255];
    const salt = method === 'aes128' ? [0x73, 0x41, 0x6c, 0x54] : [];
    return md5(key, Uint8Array.from(place), Uint8Array.from(salt)).subarray(0, Math.min(key.length + 5, BLOCK));
  }
}

type BlockCipher = {
  update: (data: Uint8Array) => Uint8Array;
  final: () => Uint8Array;
  setAutoPadding: (isPadded: boolean) => unknown;
};

type ObjectNumber = { object: number; generation: number };

function numberOf(dictionary: PdfDictionary, key: string): number {
  const value = dictionary.get(key);
  return typeof value === 'number' ? value : 0;
}

/**
 * Maps characters back to bytes, because the decoder that reads the file maps some to other characters (windows-1252).
 * Characters from escapes in strings are bytes already.
 */
const BYTES = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('latin1').decode(Uint8Array.of(byte)), byte]),
);

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => BYTES.get(character) ?? character.charCodeAt(0));
}

function latin1Of(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function md5(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function sha(bits: 256 | 384 | 512, data: Uint8Array): Uint8Array {
  return createHash(`sha${bits}`).update(data).digest();
}

function aes(way: 'encrypt' | 'decrypt', key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  const name = `aes-${key.length * 8}-cbc`;
  const cipher: BlockCipher = way === 'encrypt' ? createCipheriv(name, key, iv) : createDecipheriv(name, key, iv);
  cipher.setAutoPadding(false);
  const start = cipher.update(data);
  const rest = cipher.final();
  const all = new Uint8Array(start.length + rest.length);
  all.set(start);
  all.set(rest, start.length);
  return all;
}

function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let index = 0, other = 0; index < 256; index += 1) {
    const value = state[index] ?? 0;
    other = (other + value + (key[index % key.length] ?? 0)) & 255;
    state[index] = state[other] ?? 0;
    state[other] = value;
  }
  const coded = new Uint8Array(data.length);
  for (let at = 0, index = 0, other = 0; at < data.length; at += 1) {
    index = (index + 1) & 255;
    const value = state[index] ?? 0;
    other = (other + value) & 255;
    const swapped = state[other] ?? 0;
    state[index] = swapped;
    state[other] = value;
    coded[at] = (data[at] ?? 0) ^ (state[(value + swapped) & 255] ?? 0);
  }
  return coded;
}
