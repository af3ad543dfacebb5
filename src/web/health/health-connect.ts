import { PATHS } from '#core/paths.ts';
import * as z from 'zod';
import { isLoopbackHost } from '#core/config.ts';
import { look, ok } from './health-check.ts';
import type { Check, Report, Verdict } from './health-check.ts';

/** What walking the way of a connecting client needs. */
export type ConnectProbes = {
  /** The public one. */
  origin: string;
  /** This Worker, without the network. */
  inside: (request: Request) => Promise<Response>;
  /** The public address, over the network, as anybody reaches it. */
  outside: (url: string, userAgent: string) => Promise<Response>;
  /** Removes the client that the check registered. */
  forgetClient: (id: string) => Promise<void>;
};

const REDIRECT = 'https://health-check.invalid/callback';
/** As the hosts name themselves when they connect. */
const HOSTS = [
  { name: 'Claude', userAgent: 'Claude-User' },
  { name: 'ChatGPT', userAgent: 'openai-mcp/1.0.0' },
] as const;

const BUG = 'This is a bug in this version: update, and report it if that does not help.';

const resourceSchema = z.object({ resource: z.string(), authorization_servers: z.array(z.string()).min(1) });
const serverSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  registration_endpoint: z.string(),
  code_challenge_methods_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  client_id_metadata_document_supported: z.literal(true),
  authorization_response_iss_parameter_supported: z.literal(true),
});

/** The way of a client that was given the bare URL: challenge, both metadata documents, registration, sign-in page. */
export function checkConnecting(probes: ConnectProbes, report: Report): Promise<Check[]> {
  const { origin } = probes;
  return Promise.all([
    look('Challenge without a token', BUG, report, () => challenge(probes)),
    look('Protected resource metadata', BUG, report, async () => {
      for (const path of [PATHS.resourceMetadata + PATHS.mcp, PATHS.resourceMetadata]) {
        const found = resourceSchema.parse(await json(probes, path));
        if (found.resource !== origin + PATHS.mcp || found.authorization_servers[0] !== origin) return misnamed(origin);
      }
      return ok('It names the connector URL and this authorization server.');
    }),
    look('Authorization server metadata', BUG, report, async () => {
      const found = serverSchema.parse(await json(probes, PATHS.serverMetadata));
      if (found.issuer !== origin) return misnamed(origin);
      const fits =
        found.code_challenge_methods_supported.includes('S256') &&
        found.token_endpoint_auth_methods_supported.includes('none');
      return fits
        ? ok('PKCE with S256, clients without a secret, client documents, and iss: what Claude and ChatGPT require.')
        : { verdict: 'fail', found: 'It lacks something that hosts require.', fix: BUG };
    }),
    look('Registration and sign-in page', BUG, report, () => registration(probes)),
    ...HOSTS.map(({ name, userAgent }) =>
      look(`Reaching this address as ${name}`, BUG, report, () => reach(probes, name, userAgent)),
    ),
  ]);
}

async function challenge({ inside, origin }: ConnectProbes): Promise<Verdict> {
  const answer = await inside(new Request(origin + PATHS.mcp, { method: 'POST', body: '{}' }));
  await answer.body?.cancel();
  const header = answer.headers.get('www-authenticate') ?? '';
  const leads = header.includes(`resource_metadata="${origin}/.well-known/oauth-protected-resource${PATHS.mcp}"`);
  if (answer.status === 401 && leads) return ok('It answers 401 and says where to sign in.');
  return {
    verdict: 'fail',
    found: `It answers HTTP ${answer.status} and does not say where the metadata is.`,
    fix: BUG,
  };
}

async function registration({ inside, origin, forgetClient }: ConnectProbes): Promise<Verdict> {
  const registered = await inside(
    new Request(`${origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Health check',
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'none',
      }),
    }),
  );
  if (registered.status === 429) {
    await registered.body?.cancel();
    return {
      verdict: 'warn',
      found: 'There were too many registrations in the last hour, so no more are accepted now.',
      fix: 'Wait an hour. If you did not connect many clients, somebody else is registering them: add a rate limit for /register to your zone.',
    };
  }
  const { client_id: id } = z.object({ client_id: z.string() }).parse(await registered.json());
  try {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: REDIRECT,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      resource: origin + PATHS.mcp,
      scope: 'web:read',
      state: 'health',
    });
    const page = await inside(new Request(`${origin}/authorize?${query.toString()}`));
    await page.body?.cancel();
    const isRefused = page.status >= 400 || (page.headers.get('location') ?? '').startsWith(REDIRECT);
    if (!isRefused) return ok('A client can register, and its user is shown the sign-in page.');
    return { verdict: 'fail', found: `A user who is sent to sign in is refused: HTTP ${page.status}.`, fix: BUG };
  } finally {
    await forgetClient(id);
  }
}

async function reach({ origin, outside }: ConnectProbes, name: string, userAgent: string): Promise<Verdict> {
  const url = `${origin}/.well-known/oauth-protected-resource${PATHS.mcp}`;
  if (isLoopbackHost(new URL(origin).hostname)) {
    return {
      verdict: 'unknown',
      found: `This address exists on this machine only: ${name} cannot reach it. Clients on this machine can.`,
    };
  }
  const command = `curl -sS -o /dev/null -w '%{http_code}\\n' -A '${userAgent}' ${url}`;
  const answer = await outside(url, userAgent).catch(() => null);
  await answer?.body?.cancel();
  if (answer?.status === 200) {
    return {
      ...ok('It answers from inside Cloudflare. To be sure, run this elsewhere: it must print 200.'),
      command,
    };
  }
  if (answer !== null && (answer.headers.has('cf-mitigated') || [401, 403, 429, 503].includes(answer.status))) {
    return {
      verdict: 'fail',
      found: `Something in front of this Worker refuses requests with the User-Agent ${userAgent}: HTTP ${answer.status}.`,
      fix: `In the Cloudflare dashboard of your domain, under Security, let /mcp, /token, /register, /revoke and /.well-known/* through bot rules, challenges and AI-crawler blocking: ${name} cannot solve a challenge.`,
      command,
    };
  }
  return {
    verdict: 'unknown',
    found:
      'A Worker cannot always ask itself over the network, so this could not be checked from inside. Run this elsewhere: it must print 200.',
    command,
  };
}

function misnamed(origin: string): Verdict {
  return {
    verdict: 'fail',
    found: `The metadata names another address than ${origin}, so clients refuse it.`,
    fix: 'Set PUBLIC_URL to the address people use.',
  };
}

async function json({ inside, origin }: ConnectProbes, path: string): Promise<unknown> {
  return (await inside(new Request(origin + path))).json();
}
