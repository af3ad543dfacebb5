import type { AuthRequest, OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { GRANT_PURGE_BATCH, GRANTS_PER_CLIENT_MAX } from '#auth/limits.ts';
import type { Person } from '#auth/people/sign-ins.ts';
import { grantsOf } from './connections.ts';

/**
 * Ends an authorization well: a grant, and the address that takes its code to the client. Earlier grants of the same
 * client stay, as two accounts of one person at one host share a client id; the oldest end when there are too many.
 */
export async function grantAccess(
  oauth: OAuthHelpers,
  request: AuthRequest,
  { subject, account }: Person,
  scopes: readonly string[],
): Promise<string> {
  const { redirectTo } = await oauth.completeAuthorization({
    request,
    userId: subject,
    metadata: {},
    scope: [...scopes],
    props: { subject, account, scopes: scopes.filter((scope) => scope.includes(':')) },
    revokeExistingGrants: false,
  });
  // The library's codes read `subject:grant:secret`. By name, as grants of one second cannot be told apart by age, and
  // the store may list this one only later.
  const [, made] = (new URL(redirectTo).searchParams.get('code') ?? '').split(':');
  await endOldGrants(oauth, subject, request.clientId, made);
  return redirectTo;
}

/** @param made the id of the new grant, which stays */
async function endOldGrants(
  oauth: OAuthHelpers,
  subject: string,
  clientId: string,
  made: string | undefined,
): Promise<void> {
  const grants = (await grantsOf(oauth, subject)).filter((grant) => grant.clientId === clientId && grant.id !== made);
  const old = grants.sort((a, b) => b.createdAt - a.createdAt).slice(GRANTS_PER_CLIENT_MAX - 1);
  for (const { id } of old) await oauth.revokeGrant(id, subject);
}

const PURGE_CURSOR_KEY = 'purge-cursor';
/**
 * Removes expired and orphaned grants and tokens that the store has not dropped by itself: a bounded number each time,
 * continuing where the last run stopped. For the hourly trigger.
 * @returns how many records were removed
 */
export async function purgeExpiredGrants(oauth: OAuthHelpers, store: KVNamespace): Promise<number> {
  const before = await store.get(PURGE_CURSOR_KEY);
  const { cursor, grantsPurged, tokensPurged } = await oauth.purgeExpiredData({
    batchSize: GRANT_PURGE_BATCH,
    ...(before === null ? {} : { cursor: before }),
  });
  if (cursor !== undefined) await store.put(PURGE_CURSOR_KEY, cursor);
  else if (before !== null) await store.delete(PURGE_CURSOR_KEY);
  return grantsPurged + tokensPurged;
}
