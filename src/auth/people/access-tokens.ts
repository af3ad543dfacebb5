import type { Config } from '#core/config/config.ts';
import { TOKEN_LAST_USED_WRITE_EVERY_MS, ACCESS_TOKENS_PER_SUBJECT_MAX } from '#auth/limits.ts';
import type { Scope } from '#core/principal.ts';
import { sha256Hex } from '#core/text/text.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import type { AdmissionLookup } from './account.ts';
import { isGrantAlive } from './principal.ts';
import type { Person } from './sign-ins.ts';
import { DAY_MS } from '#core/limits.ts';
import type { AccessTokenStore } from '#storage/people.ts';
import { isLoopbackHost } from '#core/config/config.ts';
import { isSameSecret } from './cookies.ts';

/** Random bytes of an access token. 256 bits cannot be guessed, so storing a plain hash of the token is enough. */
const ACCESS_TOKEN_RANDOM_BYTES = 32;
/** Prefix of every access token, which lets users and scanners for leaked secrets recognize a token. */
const PREFIX = 'psc_';
const ID_BYTES = 9;

export type NewAccessTokenOptions = { name: string; scopes: readonly Scope[]; days: number };

/**
 * Creates a token that works until it expires or its user loses access.
 * @returns the token, which cannot be read again, or `null` if the user has too many
 */
export async function makeAccessToken(
  tokens: AccessTokenStore,
  { subject, account }: Person,
  { name, scopes, days }: NewAccessTokenOptions,
  now: number,
): Promise<{ token: string; id: string; expiresAt: number } | null> {
  if ((await tokens.count(subject)) >= ACCESS_TOKENS_PER_SUBJECT_MAX) return null;
  const token = PREFIX + randomBase64Url(ACCESS_TOKEN_RANDOM_BYTES);
  const id = `t_${randomBase64Url(ID_BYTES)}`;
  const expiresAt = now + days * DAY_MS;
  const stored = {
    id,
    hash: await sha256Hex(token),
    subject,
    account,
    name,
    scopes: [...scopes],
    createdAt: now,
    expiresAt,
  };
  try {
    await tokens.add(stored);
  } catch (error) {
    // The database may have stored the token before the error. No client would have the token, but the console would
    // list it.
    await tokens.revoke(subject, id).catch(() => false);
    throw error;
  }
  return { token, id, expiresAt };
}

/** The grant properties of a token; `null` if the token is unknown or expired, or if its user's access has ended. */
export async function findAccessTokenProps(
  token: string,
  { tokens, config, admissions }: { tokens: AccessTokenStore; config: Config; admissions: AdmissionLookup },
  now: number,
): Promise<{ subject: string; account: unknown; scopes: string[]; client: string; givenAt: number } | null> {
  if (!token.startsWith(PREFIX)) return null;
  const stored = await tokens.find(await sha256Hex(token));
  if (stored === null || stored.expiresAt <= now) return null;
  const { id, subject, account, scopes, createdAt, lastUsedAt } = stored;
  const props = { subject, account, scopes, client: id, givenAt: createdAt };
  if (!(await isGrantAlive(props, config, admissions))) return null;
  const unlessAfter = now - TOKEN_LAST_USED_WRITE_EVERY_MS;
  if (lastUsedAt === null || lastUsedAt <= unlessAfter) await tokens.used(id, now, unlessAfter);
  return props;
}

export const LOCAL_TOKEN_CLIENT_ID = 'local';

/**
 * True for the development token of `npm start`. It works only on a loopback host, even if it is configured elsewhere.
 */
export async function isLocalAccessToken(
  token: string,
  expected: string | undefined,
  requestUrl: string,
): Promise<boolean> {
  if (expected === undefined || !isLoopbackHost(new URL(requestUrl).hostname)) return false;
  return isSameSecret(token, expected);
}
