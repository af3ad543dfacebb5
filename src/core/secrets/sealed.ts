import { PASSPHRASE_ITERATIONS } from '#core/limits.ts';
import { toBase64Url } from '#core/text/text.ts';
import type { Config } from '#core/config/config.ts';

/** Purpose and owner of an encrypted value. A value copied to another purpose or owner cannot be decrypted. */
export type SealContext = {
  what: 'parked session' | 'secret' | 'picture of a step' | 'script of a step' | 'new tokens' | 'backup' | 'webhook';
  owner: string;
};

/** Converts a value to JSON, compresses it with gzip, and encrypts it with {@link sealBytes}. */
export async function sealJson(secret: string, as: SealContext, value: unknown): Promise<Uint8Array> {
  const plain = await pipe(encoder.encode(JSON.stringify(value)), new CompressionStream('gzip'));
  return sealBytes(secret, as, plain);
}

/** @returns `null` if the value was encrypted with another secret, purpose or owner, was changed, or is unreadable */
export async function unsealJson(secret: string, as: SealContext, sealed: Uint8Array): Promise<unknown> {
  const plain = await unsealBytes(secret, as, sealed);
  if (plain === null) return null;
  try {
    return JSON.parse(decoder.decode(await pipe(plain, new DecompressionStream('gzip'))));
  } catch {
    return null; // the failed step is not revealed, because an attacker could use it
  }
}

/**
 * Encrypts with AES-256-GCM. Each key is derived with HKDF (RFC 5869) from the deployment's secret, the purpose and a
 * random salt. Version, purpose and owner are authenticated. Layout: version (1 byte), salt (16), IV (12),
 * ciphertext+tag.
 * @param secret from `readSealingSecret`; not stored in the database
 */
export async function sealBytes(secret: string, as: SealContext, plain: Uint8Array): Promise<Uint8Array> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const key = await deriveKey(secret, as, salt);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: contextOf(as) }, key, plain);
  return concat([Uint8Array.of(VERSION), salt, iv, new Uint8Array(sealed)]);
}

/**
 * @returns `null` if the bytes were encrypted with another secret, purpose or owner, were changed, or are unreadable
 */
export async function unsealBytes(secret: string, as: SealContext, sealed: Uint8Array): Promise<Uint8Array | null> {
  if (sealed[0] !== VERSION || sealed.byteLength < HEAD_BYTES) return null;
  const salt = sealed.slice(1, 1 + SALT_BYTES);
  const iv = sealed.slice(1 + SALT_BYTES, HEAD_BYTES);
  const key = await deriveKey(secret, as, salt);
  try {
    const algorithm = { name: 'AES-GCM', iv, additionalData: contextOf(as) };
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, sealed.slice(HEAD_BYTES)));
  } catch {
    return null;
  }
}

const VERSION = 1;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const HEAD_BYTES = 1 + SALT_BYTES + IV_BYTES;
/**
 * Purposes whose secret is a token of 190 random bits. Such a token cannot be guessed, so stretching it would only cost
 * time.
 */
const UNGUESSABLE: ReadonlySet<SealContext['what']> = new Set(['new tokens']);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function kindOf({ what }: SealContext): string {
  return `periscope ${what} v${VERSION}`;
}

function contextOf(as: SealContext): Uint8Array {
  return encoder.encode(`${kindOf(as)}\n${as.owner}`);
}

async function deriveKey(secret: string, as: SealContext, salt: Uint8Array): Promise<CryptoKey> {
  const info = encoder.encode(kindOf(as));
  const base = UNGUESSABLE.has(as.what) ? await hkdfKey(encoder.encode(secret)) : await stretch(secret);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** Cache of the stretched secret. A single entry is enough, because a deployment has only one secret. */
let stretched: { secret: string; base: CryptoKey } | null = null;

/** Makes guessing expensive (PBKDF2), because the secret may be a passphrase. An isolate stretches it only once. */
async function stretch(secret: string): Promise<CryptoKey> {
  if (stretched?.secret === secret) return stretched.base;
  const words = await crypto.subtle.importKey('raw', encoder.encode(secret), 'PBKDF2', false, ['deriveBits']);
  // This old name must stay: with another salt, stored values could not be decrypted.
  const salt = encoder.encode('periscope parked sessions');
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: PASSPHRASE_ITERATIONS };
  const bits = await crypto.subtle.deriveBits(algorithm, words, 256);
  const base = await hkdfKey(bits);
  stretched = { secret, base };
  return base;
}

function hkdfKey(bits: BufferSource): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey']);
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

export function randomBase64Url(bytes: number): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/**
 * The secret that encrypts stored data; `null` if none is configured. In that case, nothing that needs encryption is
 * stored.
 */
export function readSealingSecret(config: Pick<Config, 'SESSION_SECRET' | 'OWNER_PASSPHRASE'>): string | null {
  if (config.SESSION_SECRET !== undefined) return `secret ${config.SESSION_SECRET}`;
  if (config.OWNER_PASSPHRASE !== undefined) return `passphrase ${config.OWNER_PASSPHRASE}`;
  return null;
}
