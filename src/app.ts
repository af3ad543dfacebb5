import type { OAuthProvider } from '@cloudflare/workers-oauth-provider';
import { MCP_PATH, oauthProvider } from '#auth/provider.ts';
import { ConfigError, isLoopbackHost, parseConfig } from '#core/config.ts';
import type { Config } from '#core/config.ts';
import { refusedAccess } from '#http/access-rules.ts';
import { pages } from '#http/pages.tsx';
import { handleMcp } from '#mcp/handler.ts';
import { logRefused } from '#telemetry/log.ts';
import { compose } from './compose.ts';

/** One provider per public origin: its resource identifier is part of every token's audience. */
const providers = new Map<string, OAuthProvider<Env>>();
/** A deployment has one or two public names; more means somebody is inventing host headers. */
const ORIGINS_MAX = 8;
let config: Config | undefined;

/** What every request passes first: configuration, host and origin rules, then the provider that guards `/mcp`. */
export async function serve(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  try {
    config ??= parseConfig({ ...env });
  } catch (error) {
    if (error instanceof ConfigError) return new Response(error.message, { status: 500 });
    throw error;
  }
  const refusal = refusedAccess(request, config.PUBLIC_URL ?? null);
  if (refusal !== null) return new Response(refusal, { status: 403 });
  return provider(publicOrigin(request, config), config).fetch(request, env, ctx);
}

/** Loopback hosts are served under the spelling they were asked by; otherwise `PUBLIC_URL`, else the platform's host. */
function publicOrigin(request: Request, { PUBLIC_URL }: Config): string {
  const url = new URL(request.url);
  return isLoopbackHost(url.hostname) || PUBLIC_URL === undefined ? url.origin : PUBLIC_URL;
}

function provider(origin: string, settings: Config): OAuthProvider<Env> {
  const known = providers.get(origin);
  if (known !== undefined) return known;
  if (providers.size >= ORIGINS_MAX) providers.clear();
  const made = oauthProvider(origin, settings, {
    mcp: (request, principal, env, ctx) =>
      handleMcp(request, compose(env, ctx, settings, new URL(origin).hostname, principal)),
    refused: logRefused,
    pages: { fetch: async (request, env, ctx) => (await pages(origin + MCP_PATH)).fetch(request, env, ctx) },
  });
  providers.set(origin, made);
  return made;
}
