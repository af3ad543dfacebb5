import { isLoopbackHost } from '#core/config.ts';
import { isSameText } from './same-text.ts';

/** What calls with it come from, among clients and access tokens. */
export const LOCAL_CLIENT = 'local';

/**
 * Whether `token` is the development token of `npm start`. It works on a loopback host only, whatever the configuration
 * says.
 */
export async function isLocalAccessToken(
  token: string,
  expected: string | undefined,
  requestUrl: string,
): Promise<boolean> {
  if (expected === undefined || !isLoopbackHost(new URL(requestUrl).hostname)) return false;
  return isSameText(token, expected);
}
