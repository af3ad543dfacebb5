import { isLoopbackHost } from '#core/config.ts';

const encoder = new TextEncoder();

/**
 * Whether `token` is the development token of `npm start`. It works on a loopback host only, whatever the configuration
 * says, and is compared by digest, in constant time.
 */
export async function isLocalAccessToken(
  token: string,
  expected: string | undefined,
  requestUrl: string,
): Promise<boolean> {
  if (expected === undefined || !isLoopbackHost(new URL(requestUrl).hostname)) return false;
  const [a, b] = await Promise.all([digest(token), digest(expected)]);
  return crypto.subtle.timingSafeEqual(a, b);
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', encoder.encode(text));
}
