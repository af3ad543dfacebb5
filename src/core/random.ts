import { toBase64Url } from './text.ts';

/** Random bytes that nobody can guess, in base64url (RFC 4648 §5). */
export function randomText(bytes: number): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}
