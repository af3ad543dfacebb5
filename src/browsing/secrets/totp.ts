import { trimEndMatching } from '#core/text/text.ts';

export type TotpSeed = {
  key: string;
  algorithm: 'SHA-1' | 'SHA-256' | 'SHA-512';
  digits: number;
  periodSeconds: number;
};

/** The one-time code for a time (RFC 6238). @param at Unix time in ms */
export async function totpAt({ key, algorithm, digits, periodSeconds }: TotpSeed, at: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / 1_000 / periodSeconds)));
  const imported = await crypto.subtle.importKey('raw', bytesOf(key), { name: 'HMAC', hash: algorithm }, false, [
    'sign',
  ]);
  const mac = new DataView(await crypto.subtle.sign('HMAC', imported, counter.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 15;
  return String((mac.getUint32(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

/**
 * Parses a base32 key or an `otpauth://totp/` URL.
 * @returns the seed, or the problem as text
 */
export function parseSeed(text: string): TotpSeed | string {
  const trimmed = text.trim();
  if (!/^otpauth:/iu.test(trimmed)) return seedOf(trimmed, USUAL);
  const url = URL.parse(trimmed);
  if (url === null || url.host.toLowerCase() !== 'totp') return 'is not an otpauth://totp/ address';
  const of = (name: string) => url.searchParams.get(name);
  const algorithm = ALGORITHMS.find((one) => one.replace('-', '') === (of('algorithm') ?? 'SHA1').toUpperCase());
  const digits = Number(of('digits') ?? USUAL.digits);
  const periodSeconds = Number(of('period') ?? USUAL.periodSeconds);
  if (algorithm === undefined) return 'asks for another algorithm than SHA1, SHA256 or SHA512';
  if (!Number.isInteger(digits) || digits < 6 || digits > 8) return 'asks for codes of other than 6 to 8 digits';
  if (!Number.isInteger(periodSeconds) || periodSeconds < 10 || periodSeconds > 300)
    return 'asks for a period of other than 10 to 300 seconds';
  return seedOf(of('secret') ?? '', { algorithm, digits, periodSeconds });
}

const ALGORITHMS = ['SHA-1', 'SHA-256', 'SHA-512'] as const;
const USUAL = { algorithm: 'SHA-1', digits: 6, periodSeconds: 30 } as const;

function seedOf(base32: string, how: Omit<TotpSeed, 'key'>): TotpSeed | string {
  const key = trimEndMatching(base32.replace(/[\s-]/gu, ''), /=/).toUpperCase();
  if (!/^[A-Z2-7]+$/u.test(key)) return 'is not base32: letters and the digits 2 to 7';
  if (bytesOf(key).byteLength < KEY_BYTES_MIN) return `is shorter than ${KEY_BYTES_MIN} bytes`;
  return { key, ...how };
}

/** Minimum bytes of a key: 80 bits, the shortest key that sites issue. */
const KEY_BYTES_MIN = 10;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(base32: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((base32.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const char of base32) {
    held = ((held << 5) | BASE32.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = (held >> bits) & 0xff;
    at += 1;
  }
  return bytes;
}
