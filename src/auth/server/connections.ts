import type { AuthRequest, GrantSummary, OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { CLIENT_NAME_CHARS_MAX, GRANTS_PER_CLIENT_MAX } from '#auth/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { SECOND_MS } from '#core/limits.ts';
import { isClientMetadataUrl } from './gated-fetch.ts';
import type { Consents } from '#client/consents.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { describeRedirectDestination, classifyRedirectUri } from './client-metadata.ts';
import type { Person } from '#auth/people/sign-ins.ts';

const GRANT_PURGE_BATCH = 100;

export type ConnectedClient = {
  id: string;
  /** Name on one line: the name that the client gave itself, or the host of its metadata document. */
  name: string;
  /** Hosts of the client's redirect URIs; loopback hosts without the port. */
  hosts: string[];
  isVerified: boolean;
  scopes: string[];
  connections: number;
  /** Time at which the client was first connected, as Unix time in ms. */
  createdAt: number;
};

async function grantsOf(oauth: OAuthHelpers, subject: string): Promise<GrantSummary[]> {
  const grants: GrantSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await oauth.listUserGrants(subject, cursor === undefined ? {} : { cursor });
    grants.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return grants;
}

export async function connectedClients(oauth: OAuthHelpers, subject: string): Promise<ConnectedClient[]> {
  const byClient = Map.groupBy(await grantsOf(oauth, subject), ({ clientId }) => clientId);
  const clients = [...byClient].map(async ([id, grants]) => ({
    id,
    name: await nameOf(oauth, id),
    hosts: [...new Set(grants.flatMap(({ redirectUri }) => (redirectUri === undefined ? [] : hostOf(redirectUri))))],
    isVerified: isClientMetadataUrl(id),
    scopes: [...new Set(grants.flatMap(({ scope }) => scope))],
    connections: grants.length,
    createdAt: Math.min(...grants.map(({ createdAt }) => createdAt)) * SECOND_MS,
  }));
  return (await Promise.all(clients)).sort((one, other) => other.createdAt - one.createdAt);
}

/**
 * Ends all connections of a client, with their tokens, and removes the user's consent.
 * @returns false if the client had no connections
 */
export async function disconnectClient(
  oauth: OAuthHelpers,
  consents: Pick<ObjectCalls<Consents>, 'remove'>,
  subject: string,
  client: string,
): Promise<boolean> {
  const grants = (await grantsOf(oauth, subject)).filter(({ clientId }) => clientId === client);
  await consents.remove(client);
  for (const { id } of grants) await oauth.revokeGrant(id, subject);
  return grants.length > 0;
}

/** Ends all connections of a user. Also deletes the user's grants and tokens that the library no longer lists. */
export async function disconnectAllClients(
  oauth: OAuthHelpers,
  consents: Pick<ObjectCalls<Consents>, 'remove'>,
  subject: string,
  store: KVNamespace,
): Promise<void> {
  const clients = new Set((await grantsOf(oauth, subject)).map(({ clientId }) => clientId));
  for (const client of clients) await disconnectClient(oauth, consents, subject, client);
  for (const kind of ['grant', 'token']) await deleteKeys(store, `${kind}:${subject}:`);
}

async function deleteKeys(store: KVNamespace, prefix: string): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    await Promise.all(page.keys.map(({ name }) => store.delete(name)));
    cursor = page.list_complete ? undefined : page.cursor;
  } while (cursor !== undefined);
}

function hostOf(redirectUri: string): string {
  const place = classifyRedirectUri(redirectUri);
  return place === null ? new URL(redirectUri).protocol : describeRedirectDestination(place);
}

/** Name of a client. For the URL of a metadata document, the URL's host, so that no document is fetched. */
async function nameOf(oauth: OAuthHelpers, id: string): Promise<string> {
  if (isClientMetadataUrl(id)) return URL.parse(id)?.host ?? NAMELESS;
  const client = await oauth.lookupClient(id);
  return oneLine(client?.clientName ?? '', CLIENT_NAME_CHARS_MAX) || NAMELESS;
}

const NAMELESS = 'A client without a name';

/**
 * Completes an authorization. Earlier grants of the client stay, because a user may connect two accounts of one host,
 * such as claude.ai, which share a client ID. The oldest grants end when there are too many.
 * @returns the redirect URL that passes the code to the client
 */
export async function completeAuthorization(
  oauth: OAuthHelpers,
  request: AuthRequest,
  { subject, account }: Person,
  scopes: readonly string[],
): Promise<string> {
  const { redirectTo } = await oauth.completeAuthorization({
    request,
    userId: subject,
    metadata: null,
    scope: [...scopes],
    props: { subject, account, scopes: scopes.filter((scope) => scope.includes(':')), givenAt: Date.now() },
    revokeExistingGrants: false,
  });
  // The library's codes have the form `subject:grant:secret`. The grant's ID distinguishes the new grant from old ones,
  // because grants of the same second have the same age, and KV may list the new grant late.
  const [, newGrant] = (new URL(redirectTo).searchParams.get('code') ?? '').split(':');
  await endOldGrants(oauth, subject, request.clientId, newGrant);
  return redirectTo;
}

async function endOldGrants(
  oauth: OAuthHelpers,
  subject: string,
  clientId: string,
  newGrant: string | undefined,
): Promise<void> {
  const grants = (await grantsOf(oauth, subject)).filter(
    (grant) => grant.clientId === clientId && grant.id !== newGrant,
  );
  const old = grants.sort((a, b) => b.createdAt - a.createdAt).slice(GRANTS_PER_CLIENT_MAX - 1);
  for (const { id } of old) await oauth.revokeGrant(id, subject);
}

const PURGE_CURSOR_KEY = 'purge-cursor';
/**
 * Removes a batch of expired and orphaned grants and tokens that KV did not expire. Each hourly run continues where the
 * last one stopped.
 * @returns number of removed records
 */
export async function purgeExpiredGrants(
  oauth: Pick<OAuthHelpers, 'purgeExpiredData'>,
  store: KVNamespace,
): Promise<number> {
  const before = await store.get(PURGE_CURSOR_KEY);
  const { cursor, grantsPurged, tokensPurged } = await oauth.purgeExpiredData({
    batchSize: GRANT_PURGE_BATCH,
    ...(before === null ? {} : { cursor: before }),
  });
  if (cursor !== undefined) await store.put(PURGE_CURSOR_KEY, cursor);
  else if (before !== null) await store.delete(PURGE_CURSOR_KEY);
  return grantsPurged + tokensPurged;
}
