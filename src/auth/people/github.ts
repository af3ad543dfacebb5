import * as oauth from 'oauth4webapi';
import * as z from 'zod';
import type { Config } from '#core/config/config.ts';
import type { UpstreamAccount } from './account.ts';
import { createBoundedFetch, runUpstreamSignIn, hasAllowedEmailEntries, UpstreamError } from './upstream.ts';
import type { SignInFlow, Upstream, UpstreamFetch } from './upstream.ts';

/** GitHub's OAuth endpoints. If a response contains `iss` (RFC 9207), it must equal this issuer. */
const GITHUB: oauth.AuthorizationServer = {
  issuer: 'https://github.com/login/oauth',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
};
const USER_URL = 'https://api.github.com/user';
const EMAILS_URL = 'https://api.github.com/user/emails?per_page=100';

const userSchema = z.object({ id: z.int().positive(), login: z.string().min(1) });
const emailsSchema = z.array(z.object({ email: z.string(), verified: z.boolean() }));

/**
 * Sign-in with a GitHub OAuth app: authorization code with PKCE, then a request for the user's ID and login. `null` if
 * not configured.
 */
export function createGithubUpstream(config: Config, fetch: UpstreamFetch): Upstream | null {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) return null;
  const hasEmails = hasAllowedEmailEntries(config);
  return {
    way: 'github',
    label: 'GitHub',
    authorizationUrl: async (flow) => {
      const url = new URL(GITHUB.authorization_endpoint ?? '');
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: flow.redirectUri,
        ...(hasEmails && { scope: 'user:email' }),
        state: flow.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      }).toString();
      return url;
    },
    identify: (answer, flow) =>
      runUpstreamSignIn(async (signal) => {
        const ask = createBoundedFetch(fetch, signal);
        const token = await exchange({ clientId, clientSecret }, answer, flow, ask);
        const { id, login } = userSchema.parse(await api(USER_URL, token, ask));
        const emails = hasEmails ? emailsSchema.parse(await api(EMAILS_URL, token, ask)) : [];
        return {
          way: 'github',
          id: String(id),
          login: login.toLowerCase(),
          emails: emails.filter(({ verified }) => verified).map(({ email }) => email.toLowerCase()),
        } satisfies UpstreamAccount;
      }),
  };
}

export const GITHUB_ISSUER = GITHUB.issuer;

type Ask = ReturnType<typeof createBoundedFetch>;

/** Exchanges the code for an access token, which is used immediately and never stored. */
async function exchange(
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  answer: URLSearchParams,
  { redirectUri, state, verifier }: SignInFlow,
  ask: Ask,
): Promise<string> {
  const client: oauth.Client = { client_id: clientId };
  const code = oauth.validateAuthResponse(GITHUB, client, answer, state);
  const auth = oauth.ClientSecretPost(clientSecret);
  const response = await oauth.authorizationCodeGrantRequest(GITHUB, client, auth, code, redirectUri, verifier, {
    [oauth.customFetch]: ask,
  });
  const { access_token: token } = await oauth.processAuthorizationCodeResponse(GITHUB, client, response);
  return token;
}

async function api(url: string, token: string, ask: Ask): Promise<unknown> {
  const response = await ask(url, {
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'periscope',
      'x-github-api-version': '2022-11-28',
    },
  });
  if (response.status !== 200) throw new UpstreamError('refused', `status_${response.status}`);
  return response.json();
}
