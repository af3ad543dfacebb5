import type { GrantSummary, OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { CLIENT_NAME_CHARS_MAX } from '#auth/limits.ts';
import type { SignInObject } from '#auth/people/deployment-identity.ts';
import { isLoopbackHost } from '#core/config.ts';
import { oneLine, quoted, sha256Hex } from '#core/text.ts';
import { SECOND_MS } from '#core/units.ts';
import { isDocumentUrl } from './client-id.ts';

/** A client that a person has let in, with all its connections. */
export type Connected = {
  id: string;
  /** As it calls itself, on one line; of one that describes itself at an address of its own, the host of that. */
  name: string;
  /** Where its access went, without the ports of this computer. None for connections of versions that did not note it. */
  hosts: string[];
  isVerified: boolean;
  scopes: string[];
  connections: number;
  /** When the first of them was made (ms). */
  createdAt: number;
};

/** Everything a person has granted. */
export async function grantsOf(oauth: OAuthHelpers, subject: string): Promise<GrantSummary[]> {
  const grants: GrantSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await oauth.listUserGrants(subject, cursor === undefined ? {} : { cursor });
    grants.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return grants;
}

/** The clients of a person, the newest first. */
export async function connectedClients(oauth: OAuthHelpers, subject: string): Promise<Connected[]> {
  const byClient = Map.groupBy(await grantsOf(oauth, subject), ({ clientId }) => clientId);
  const clients = [...byClient].map(async ([id, grants]) => ({
    id,
    name: await nameOf(oauth, id),
    hosts: [...new Set(grants.flatMap(({ redirectUri }) => (redirectUri === undefined ? [] : hostOf(redirectUri))))],
    isVerified: isDocumentUrl(id),
    scopes: [...new Set(grants.flatMap(({ scope }) => scope))],
    connections: grants.length,
    createdAt: Math.min(...grants.map(({ createdAt }) => createdAt)) * SECOND_MS,
  }));
  return (await Promise.all(clients)).sort((one, other) => other.createdAt - one.createdAt);
}

/**
 * Ends all connections of a client, with their tokens, and forgets what the person decided: it has to ask again.
 * @returns whether it had any
 */
export async function disconnect(
  oauth: OAuthHelpers,
  signIn: Pick<SignInObject, 'forgetConsent'>,
  subject: string,
  client: string,
): Promise<boolean> {
  const grants = (await grantsOf(oauth, subject)).filter(({ clientId }) => clientId === client);
  const returns = new Set(grants.flatMap(({ redirectUri }) => redirectUri ?? []));
  const keys = [...returns].map((redirectUri) => consentKey(subject, { clientId: client, redirectUri }));
  await signIn.forgetConsent(await Promise.all(keys));
  for (const { id } of grants) await oauth.revokeGrant(id, subject);
  return grants.length > 0;
}

/** Names what a person decided for a client at one address to return to. */
export function consentKey(
  subject: string,
  { clientId, redirectUri }: { clientId: string; redirectUri: string },
): Promise<string> {
  return sha256Hex(JSON.stringify([subject, clientId, redirectUri]));
}

function hostOf(redirectUri: string): string {
  const { host, hostname, href } = new URL(redirectUri);
  return isLoopbackHost(hostname) ? hostname : host || href;
}

/** What a list calls a client: where its access goes, then what it calls itself, set apart as its own words. */
export function labelOf({ name, hosts, isVerified }: Connected): string {
  return isVerified ? name : [hosts.join(', '), quoted(name)].filter((part) => part !== '').join(' ');
}

/** Nothing is fetched for it: a description at an address of its own is vouched for by the host alone. */
async function nameOf(oauth: OAuthHelpers, id: string): Promise<string> {
  if (isDocumentUrl(id)) return URL.parse(id)?.host ?? NAMELESS;
  const client = await oauth.lookupClient(id);
  return oneLine(client?.clientName ?? '', CLIENT_NAME_CHARS_MAX) || NAMELESS;
}

const NAMELESS = 'A client without a name';
