import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createAuthorizationServer } from '#auth/server/endpoints.ts';
import { pageDeps } from '#web/sign-in/page-deps.ts';
import { personPages } from '#person-pages.ts';
import type { AuthDeps } from '#auth/server/provider.ts';
import type { UpstreamFetch } from '#auth/people/upstream.ts';
import { parseConfig } from '#core/config/config.ts';
import { partNamed } from '#core/objects.ts';
import { PATHS } from '#core/paths.ts';
import { buildPagesOnce } from '#web/public/pages.tsx';
import { retryingKv } from '#storage/db.ts';
import { Browser } from './oauth-browser.ts';
import { ORIGIN } from './oauth-journey.ts';
import { accessTokens, personRows, signInObject } from './stored-people.ts';

/** The entry point with all pages, under settings of a test. `/mcp` answers with the name of the caller. */
export type Deployment = {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** @param address of the client; a new one by default */
  browser: (address?: string) => Browser;
  /** Refusals in the log. */
  refusals: string[];
  /** Unexpected errors. */
  unexpected: unknown[];
};

export function deployment(settings: Record<string, string>, askUpstream: UpstreamFetch): Deployment {
  const config = parseConfig({ PUBLIC_URL: ORIGIN, ...settings });
  const origin = config.PUBLIC_URL ?? ORIGIN;
  const refusals: string[] = [];
  const unexpected: unknown[] = [];
  const deps: AuthDeps = {
    origin,
    config,
    refused: (code) => void refusals.push(code),
    report: (error) => void unexpected.push(error),
    consentsOf: (subject) => partNamed(env.CLIENT, subject, 'consents'),
    grantsOf: (subject) => partNamed(env.CLIENT, subject, 'grants'),
    signIn: signInObject(),
    tokens: accessTokens(),
    people: personRows(),
    askUpstream,
    judgeClientUrl: async () => 'allowed',
  };
  const reportUnexpected = (error: unknown) => void unexpected.push(error);
  const careful = { ...env, OAUTH_KV: retryingKv(env.OAUTH_KV) };
  const kept = { activityDays: 0, wholeUrls: false, webSearch: null };
  const site = buildPagesOnce({ origin, kept, mcpUrl: origin + PATHS.mcp, reportUnexpected }, async () =>
    personPages(await pageDeps(deps, careful)),
  );
  const server = createAuthorizationServer(deps, careful, {
    mcp: async (_, principal) => Response.json(principal),
    pages: async (request) => (await site()).fetch(request, { waitingFor: async () => [] }),
  });
  const fetch = (url: string, init?: RequestInit) => server.fetch(new Request(url, init), createExecutionContext());
  return { fetch, browser: (address) => browserAt(address ?? anywhere(), origin, fetch), refusals, unexpected };
}

let addresses = 0;

/** A new address for each browser, so that rate limits of one do not affect another. */
function anywhere(): string {
  addresses += 1;
  return `198.51.${addresses >> 8}.${addresses & 255}`;
}

function browserAt(address: string, origin: string, fetch: Deployment['fetch']): Browser {
  return new Browser(origin, (url, init) => {
    const headers = { ...(init.headers as Record<string, string>), 'cf-connecting-ip': address };
    return fetch(url, { ...init, headers });
  });
}
