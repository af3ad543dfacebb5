import { env } from 'cloudflare:workers';
import { PASSPHRASE_ACCOUNT } from '#auth/people/account.ts';
import { completeAuthorization } from '#auth/server/connections.ts';
import { oauthApi as oauthApiOf } from '#auth/server/provider.ts';
import { parseConfig } from '#core/config/config.ts';
import { partNamed } from '#core/objects.ts';
import type { Scope } from '#core/principal.ts';
import { authorizationRequest, exchange, ORIGIN, register } from './oauth-journey.ts';
import type { Tokens } from './oauth-journey.ts';
import { accessTokens, personRows, signInObject } from './stored-people.ts';

/** The OAuth library's own view of the stored grants, for tests of internal state. */
export function oauthApi() {
  return oauthApiOf(
    {
      origin: ORIGIN,
      config: parseConfig({ ...env }),
      refused: () => undefined,
      report: () => undefined,
      consentsOf: (subject) => partNamed(env.CLIENT, subject, 'consents'),
      grantsOf: (subject) => partNamed(env.CLIENT, subject, 'grants'),
      signIn: signInObject(),
      tokens: accessTokens(),
      people: personRows(),
      askUpstream: () => Promise.reject(new Error('nothing is asked')),
      judgeClientUrl: async () => 'allowed',
    },
    env,
  );
}

/**
 * Gets tokens as a client does: registration, authorization code with PKCE, exchange, all at the real endpoints. Only
 * the user's consent is given in code, so the user can be anyone.
 */
export async function grantTokens(subject: string, scopes: readonly Scope[]): Promise<Tokens> {
  const client = await register();
  const asked = await authorizationRequest(client, { scope: scopes.join(' ') });
  const oauth = oauthApi();
  const request = await oauth.parseAuthRequest(new Request(asked.url));
  const redirectTo = await completeAuthorization(oauth, request, { subject, account: PASSPHRASE_ACCOUNT }, scopes);
  return exchange(client, new URL(redirectTo).searchParams.get('code') ?? '', asked.verifier);
}

export async function grantFor(subject: string, scopes: readonly Scope[]): Promise<string> {
  return (await grantTokens(subject, scopes)).access_token;
}
