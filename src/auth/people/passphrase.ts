import { PASSPHRASE_CHARS_MAX } from '#auth/limits.ts';
import { PASSPHRASE_ITERATIONS } from '#core/limits.ts';

const encoder = new TextEncoder();

/** What the isolate derived from the owner's passphrase, so that a guess costs one derivation, not two. */
let known: { passphrase: string; salt: Uint8Array; derived: ArrayBuffer } | undefined;

/**
 * Whether `guess` is the owner's passphrase. Both go through PBKDF2-SHA-256 (RFC 8018 §5.2) with a salt of the isolate
 * and are compared in constant time: the time it takes tells neither the length nor the beginning of the passphrase.
 */
export async function isOwnersPassphrase(guess: string, passphrase: string): Promise<boolean> {
  if (guess.length > PASSPHRASE_CHARS_MAX) return false;
  if (known?.passphrase !== passphrase) {
    const salt = crypto.getRandomValues(new Uint8Array(16));
    known = { passphrase, salt, derived: await derive(passphrase, salt) };
  }
  const { salt, derived } = known;
  return crypto.subtle.timingSafeEqual(await derive(guess.trim(), salt), derived);
}

async function derive(text: string, salt: Uint8Array): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(text), 'PBKDF2', false, ['deriveBits']);
  const params = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: PASSPHRASE_ITERATIONS };
  return crypto.subtle.deriveBits(params, key, 256);
}
