import { toBase64Url } from '#core/text.ts';

const encoder = new TextEncoder();

/** What a value was signed for: it is not valid for any other purpose. */
export type Purpose = 'session' | 'known-browser' | 'link' | 'form';

/**
 * `payload` with its HMAC-SHA-256, as cookies and hidden fields carry it. Signed, not encrypted.
 * @param secret of the deployment
 */
export async function seal(secret: string, purpose: Purpose, payload: string): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await key(secret), signed(purpose, payload));
  return `${toBase64Url(encoder.encode(payload))}.${toBase64Url(new Uint8Array(mac))}`;
}

/** The payload of a sealed value, or `null` when it was not sealed for this purpose with this secret. */
export async function unseal(secret: string, purpose: Purpose, text: string): Promise<string | null> {
  const [body = null, mac = null, ...more] = text.split('.').map(fromBase64Url);
  if (body === null || mac === null || more.length > 0) return null;
  const payload = new TextDecoder().decode(body);
  const isOurs = await crypto.subtle.verify('HMAC', await key(secret), mac, signed(purpose, payload));
  return isOurs ? payload : null;
}

function signed(purpose: Purpose, payload: string): Uint8Array {
  return encoder.encode(`${purpose}\n${payload}`);
}

function key(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
}

/** Strict: of several spellings that decode to the same bytes, only ours is accepted. */
function fromBase64Url(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    return toBase64Url(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
