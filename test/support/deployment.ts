import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { authorizationServer } from '#auth/endpoints.ts';
import { authPages } from '#auth/pages.ts';
import { MCP_PATH } from '#auth/provider.ts';
import type { Doors } from '#auth/provider.ts';
import type { UpstreamFetch } from '#auth/upstream.ts';
import { parseConfig } from '#core/config.ts';
import { pages } from '#http/pages.tsx';
import { Browser } from './oauth-browser.ts';
import { ORIGIN } from './oauth-journey.ts';
import { accessTokens, signInObject } from './stored-people.ts';

/** The door and all its pages under settings of a test's own. `/mcp` answers with who calls. */
export type Deployment = {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** @param address where it is; somewhere of its own by default */
  browser: (address?: string) => Browser;
  /** What was refused, as the log has it. */
  refusals: string[];
  /** Errors nobody planned for. */
  unexpected: unknown[];
};

export function deployment(settings: Record<string, string>, askUpstream: UpstreamFetch): Deployment {
  const config = parseConfig({ PUBLIC_URL: ORIGIN, ...settings });
  const origin = config.PUBLIC_URL ?? ORIGIN;
  const refusals: string[] = [];
  const unexpected: unknown[] = [];
  const doors: Doors = {
    refused: (code) => void refusals.push(code),
    mcp: async (_, principal) => Response.json(principal),
    signIn: signInObject(),
    tokens: accessTokens(),
    askUpstream,
    judgeClientUrl: async () => 'allowed',
    pages: {
      fetch: async (request) => {
        const signIn = await authPages(origin, config, doors, env);
        const app = await pages({
          origin,
          mcpUrl: origin + MCP_PATH,
          signIn,
          health: new Hono(),
          reportUnexpected: (error) => void unexpected.push(error),
        });
        return app.fetch(request);
      },
    },
  };
  const server = authorizationServer(origin, config, doors);
  const fetch = (url: string, init?: RequestInit) =>
    server.fetch(new Request(url, init), env, createExecutionContext());
  return { fetch, browser: (address) => browserAt(address ?? anywhere(), origin, fetch), refusals, unexpected };
}

let addresses = 0;

/** Each at an address of its own, so that what one does does not count against another. */
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
