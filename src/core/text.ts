import { toPlain } from './plain.ts';

const encoder = new TextEncoder();

/** Length in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).byteLength;
}

/** The longest prefix of whole characters within `maxBytes` UTF-8 bytes. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = new Uint8Array(maxBytes);
  const { read } = encoder.encodeInto(text, bytes);
  return text.slice(0, read);
}

/** One plain line, at most `maxChars` UTF-16 units; a cut is marked with an ellipsis and never splits a surrogate pair. */
export function oneLine(text: string, maxChars: number): string {
  const flat = toPlain(text).replace(/\s+/gu, ' ').trim();
  if (flat.length <= maxChars) return flat;
  const cut = flat.slice(0, maxChars - 1);
  const last = cut.charCodeAt(cut.length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${splitsPair ? cut.slice(0, -1) : cut}…`;
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export async function sha256Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

const SECRET_NAME =
  /(?:^|[_.-])(?:token|secret|password|passwd|pwd|key|apikey|auth|authorization|signature|sig|session|sessionid|sid|code|credential|jwt|bearer|assertion)s?$/i;
const CAMEL_BOUNDARY = /([a-z0-9])([A-Z])/g;

/**
 * A URL fit for logs, errors and people: no user info, and query values whose name or shape suggests a credential
 * replaced by `REDACTED`. Text that is no URL comes back as `(not a URL)`.
 */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return '(not a URL)';
  const url = new URL(text);
  url.username = '';
  url.password = '';
  if (url.search === '') return url.href;
  const kept = url.search
    .slice(1)
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at < 0) return pair;
      const name = pair.slice(0, at);
      const value = pair.slice(at + 1);
      return isSecret(name, value) ? `${name}=REDACTED` : pair;
    });
  url.search = kept.join('&');
  return url.href;
}

function isSecret(name: string, value: string): boolean {
  const spaced = name.replace(CAMEL_BOUNDARY, '$1_$2');
  return value !== '' && (SECRET_NAME.test(spaced) || /^ey[\w-]+\.[\w-]+\.[\w-]*$/.test(value));
}
