import type { Config } from '#core/config.ts';
import { TOKEN_SECRET_BYTES, TOKEN_USED_EVERY_MS, TOKENS_PER_SUBJECT_MAX } from '#auth/limits.ts';
import type { Scope } from '#core/principal.ts';
import { sha256Hex } from '#core/text/text.ts';
import { randomText } from '#core/secrets/sealed.ts';
import { isStillAdmitted } from './principal.ts';
import type { Person } from './sign-ins.ts';
import { DAY_MS } from '#core/limits.ts';
import type { AccessTokenRows } from '#storage/access-tokens.ts';
import { isLoopbackHost } from '#core/config.ts';
import { isSameText } from './cookies.ts';

/** Lets people, and scanners for leaked secrets, recognize a token. */
const PREFIX = 'psc_';
const ID_BYTES = 9;

export type NewToken = { name: string; scopes: readonly Scope[]; days: number };

/**
 * Makes a token for a person. It works until it expires, and while the person may sign in.
 * @returns the token, which cannot be read again; `null` when the person already has too many
 */
export async function makeAccessToken(
  tokens: AccessTokenRows,
  { subject, account }: Person,
  { name, scopes, days }: NewToken,
  now: number,
): Promise<{ token: string; id: string; expiresAt: number } | null> {
  if ((await tokens.count(subject)) >= TOKENS_PER_SUBJECT_MAX) return null;
  const token = PREFIX + randomText(TOKEN_SECRET_BYTES);
  const id = `t_${randomText(ID_BYTES)}`;
  const expiresAt = now + days * DAY_MS;
  const kept = {
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
    await tokens.add(kept);
  } catch (error) {
    // The token may be stored although the answer was lost. Nobody will ever see it, so it should not be on the list.
    await tokens.revoke(subject, id).catch(() => false);
    throw error;
  }
  return { token, id, expiresAt };
}

/** The same properties as those of a grant; `null` when it is not a valid token, or its owner may no longer sign in. */
export async function propsOfAccessToken(
  token: string,
  tokens: AccessTokenRows,
  config: Config,
  now: number,
): Promise<{ subject: string; account: unknown; scopes: string[]; client: string } | null> {
  if (!token.startsWith(PREFIX)) return null;
  const kept = await tokens.find(await sha256Hex(token));
  if (kept === null || kept.expiresAt <= now) return null;
  const { id, subject, account, scopes, lastUsedAt } = kept;
  const props = { subject, account, scopes, client: id };
  if (!isStillAdmitted(props, config)) return null;
  const unlessAfter = now - TOKEN_USED_EVERY_MS;
  if (lastUsedAt === null || lastUsedAt <= unlessAfter) await tokens.used(id, now, unlessAfter);
  return props;
}

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
