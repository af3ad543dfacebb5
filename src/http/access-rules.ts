import { isLoopbackHost } from '#core/config.ts';
import type { Config } from '#core/config.ts';

/** Web origins of hosts whose browser side calls connectors directly. */
const CONNECTOR_ORIGINS: readonly string[] = [
  'https://claude.ai',
  'https://claude.com',
  'https://chatgpt.com',
  'https://chat.openai.com',
];

/**
 * Host and Origin rules (MCP transport, "Security warning": DNS rebinding). `null` when the request may pass, else why
 * not. Requests without an Origin come from no browser and pass: their token decides. Pure.
 *
 * PUBLIC_URL is the origin this deployment is reached at; without it, only the platform's routing names it.
 */
export function refusedAccess(
  request: Request,
  { PUBLIC_URL: publicUrl, ALLOWED_ORIGINS }: Pick<Config, 'PUBLIC_URL' | 'ALLOWED_ORIGINS'>,
): string | null {
  const own = new URL(request.url);
  if (!isNamedByHost(request, own)) return 'This host name is not served here.';
  if (publicUrl !== undefined && !sameHost(own, new URL(publicUrl))) return 'This host name is not served here.';
  const origin = request.headers.get('origin');
  if (origin === null || origin === own.origin) return null;
  if (CONNECTOR_ORIGINS.includes(origin) || ALLOWED_ORIGINS.includes(origin)) return null;
  if (!URL.canParse(origin)) return 'This origin may not call the server.';
  if (isLoopbackHost(own.hostname) && isLoopbackHost(new URL(origin).hostname)) return null;
  return 'This origin may not call the server.';
}

/**
 * Where a request that came over plain http should have gone, or `null` when it is fine: passphrases and tokens travel
 * encrypted, but on a loopback host. A tunnel ends https before us and says so in `X-Forwarded-Proto`; on Cloudflare the
 * edge sets that header itself.
 */
export function encryptedUrl(request: Request): string | null {
  const url = new URL(request.url);
  const isEncrypted = url.protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https';
  if (isEncrypted || isLoopbackHost(url.hostname)) return null;
  url.protocol = 'https:';
  return url.href;
}

/**
 * The host of a request's URL is the one its `Host` header names, as browsers write it themselves. Local runtimes take
 * another URL from headers that any page may send, such as `MF-Original-URL`. A request that we make up has no such header.
 */
function isNamedByHost(request: Request, own: URL): boolean {
  const host = request.headers.get('host');
  if (host === null) return true;
  const named = `${own.protocol}//${host}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(named) && new URL(named).host === own.host;
}

/** On a laptop every loopback spelling is the same host. */
function sameHost(a: URL, b: URL): boolean {
  return a.hostname === b.hostname || (isLoopbackHost(a.hostname) && isLoopbackHost(b.hostname));
}
