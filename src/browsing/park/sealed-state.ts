import * as z from 'zod';
import { PASSPHRASE_ITERATIONS } from '#core/limits.ts';
import { parkedState } from './parked-state.ts';
import type { ParkedState } from './parked-state.ts';

/**
 * Encrypts a parked session: gzip, then AES-256-GCM. The key is derived for each sealing with HKDF (RFC 5869) from the
 * deployment's secret and a random salt. The version and the session are authenticated, so the bytes of one session
 * cannot be opened as another. Layout: version (1 byte), salt (16), IV (12), ciphertext with tag.
 *
 * @param secret from `parkingSecret`; it is not stored in the database
 */
export async function sealState(secret: string, sessionId: string, state: ParkedState): Promise<Uint8Array> {
  return seal(secret, sessionId, state);
}

/** @returns `null` when it was sealed with another secret or for another session, was changed, or cannot be read */
export async function openState(secret: string, sessionId: string, sealed: Uint8Array): Promise<ParkedState | null> {
  return parkedState.safeParse(await open(secret, sessionId, sealed)).data ?? null;
}

/** Names of fields, which are the page's: sealed like the state, and opened by it alone. */
export async function sealTyped(secret: string, sessionId: string, names: readonly string[]): Promise<Uint8Array> {
  return seal(secret, typedOf(sessionId), names);
}

export async function openTyped(secret: string, sessionId: string, sealed: Uint8Array): Promise<string[]> {
  return z.array(z.string()).safeParse(await open(secret, typedOf(sessionId), sealed)).data ?? [];
}

function typedOf(sessionId: string): string {
  return `typed ${sessionId}`;
}

async function seal(secret: string, sessionId: string, state: unknown): Promise<Uint8Array> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const key = await deriveKey(secret, salt);
  const plain = await pipe(encoder.encode(JSON.stringify(state)), new CompressionStream('gzip'));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: contextOf(sessionId) }, key, plain);
  return concat([Uint8Array.of(VERSION), salt, iv, new Uint8Array(sealed)]);
}

async function open(secret: string, sessionId: string, sealed: Uint8Array): Promise<unknown> {
  if (sealed[0] !== VERSION || sealed.byteLength < HEAD_BYTES) return null;
  const salt = sealed.slice(1, 1 + SALT_BYTES);
  const iv = sealed.slice(1 + SALT_BYTES, HEAD_BYTES);
  const key = await deriveKey(secret, salt);
  try {
    const algorithm = { name: 'AES-GCM', iv, additionalData: contextOf(sessionId) };
    const plain = await crypto.subtle.decrypt(algorithm, key, sealed.slice(HEAD_BYTES));
    const text = decoder.decode(await pipe(new Uint8Array(plain), new DecompressionStream('gzip')));
    return JSON.parse(text);
  } catch {
    return null; // which step failed would only tell an attacker something
  }
}

const VERSION = 1;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const HEAD_BYTES = 1 + SALT_BYTES + IV_BYTES;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function contextOf(sessionId: string): Uint8Array {
  return encoder.encode(`periscope parked session v${VERSION}\n${sessionId}`);
}

async function deriveKey(secret: string, salt: Uint8Array): Promise<CryptoKey> {
  const info = encoder.encode(`periscope parked session v${VERSION}`);
  const base = await stretch(secret);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** The stretched form of the last secret. A deployment has only one. */
let stretched: { secret: string; base: CryptoKey } | null = null;

/**
 * The secret may be a passphrase, so guessing it from stolen bytes must be expensive. For us it costs once per isolate.
 */
async function stretch(secret: string): Promise<CryptoKey> {
  if (stretched?.secret === secret) return stretched.base;
  const words = await crypto.subtle.importKey('raw', encoder.encode(secret), 'PBKDF2', false, ['deriveBits']);
  const salt = encoder.encode('periscope parked sessions');
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: PASSPHRASE_ITERATIONS };
  const bits = await crypto.subtle.deriveBits(algorithm, words, 256);
  const base = await crypto.subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey']);
  stretched = { secret, base };
  return base;
}

async function pipe(bytes: Uint8Array, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const source = new Response(bytes).body;
  if (source === null) return bytes;
  return new Uint8Array(await new Response(source.pipeThrough(through)).arrayBuffer());
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
