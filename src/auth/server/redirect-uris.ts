import { isLoopbackHost } from '#core/config/config.ts';

/** Destination of a redirect URI: a web site, a program on this computer, or the app that opens a scheme. */
export type RedirectDestination =
  | { kind: 'site'; host: string }
  | { kind: 'loopback'; host: string }
  | { kind: 'app'; scheme: string };

/**
 * Allowed schemes without a dot, all registered by known MCP clients. RFC 8252 §8.4 tells servers to refuse schemes
 * without a dot, because many open other URLs or run commands, which the consent page cannot show.
 */
const APP_SCHEMES: ReadonlySet<string> = new Set([
  'antigravity',
  'claude',
  'code-oss',
  'cursor',
  'goose',
  'jetbrains',
  'kiro',
  'lmstudio',
  'mcpjam',
  'positron',
  'raycast',
  'trae',
  'vscode',
  'vscode-insiders',
  'vscodium',
  'warp',
  'warppreview',
  'windsurf',
  'windsurf-next',
  'zed',
]);

export const ACCEPTED_REDIRECTS_ADVICE =
  'Use https, http on a loopback host, or a private-use scheme in reverse domain name form such as com.example.app:/callback (RFC 8252)';

/** Classifies a redirect URI. @returns `null` for a URI to which this server never redirects */
export function classifyRedirectUri(redirectUri: string): RedirectDestination | null {
  const url = URL.parse(redirectUri);
  if (url === null || FORBIDDEN.test(redirectUri) || url.username !== '' || url.password !== '') return null;
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https' && scheme !== 'http') return appOf(redirectUri, scheme);
  if (isLoopbackHost(url.hostname)) return { kind: 'loopback', host: url.hostname };
  return scheme === 'https' && !url.host.includes('*') ? { kind: 'site', host: url.host } : null;
}

/** Forbidden: white space, control characters, fragments, and backslashes, which browsers read as slashes. */
const FORBIDDEN = /[\s\p{Cc}#\\]/u;
/**
 * Path characters of RFC 3986 except `@` and `*`. Without `@` a URI has no user information, and some parsers read `*`
 * as a wildcard.
 */
const APP_PATH = /^:\/[\w\-.~:/?[\]!$&'()+,;=%]*$/;

function appOf(redirectUri: string, scheme: string): RedirectDestination | null {
  const isKnown = APP_SCHEMES.has(scheme) || isReversedDomain(scheme);
  return isKnown && APP_PATH.test(redirectUri.slice(scheme.length)) ? { kind: 'app', scheme } : null;
}

/** True for a scheme such as `com.example.app`, whose first label can be a top-level domain. */
function isReversedDomain(scheme: string): boolean {
  const [top = '', ...labels] = scheme.split('.');
  return /^[a-z]{2,}$/.test(top) && labels.length > 0 && labels.every((label) => /^[a-z0-9-]+$/.test(label));
}

/** Describes a destination to users. Omits an app URI's host: `cursor://example.com` need not belong to example.com. */
export function describeRedirectDestination(place: RedirectDestination): string {
  return place.kind === 'app' ? `${place.scheme}: (an app on this device)` : place.host;
}

/** Schemes that run code in a page or read local files. A client that registers one is refused entirely. */
const DANGEROUS: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'javascript:',
  'vbscript:',
  'view-source:',
]);

/**
 * The supported redirect URIs of a registration. Others are dropped, because clients list the URIs of every environment
 * from which they can sign in.
 * @returns `null` if none is supported, or one is dangerous
 */
export function supportedRedirects(uris: readonly string[]): string[] | null {
  const isDangerous = (uri: string) => DANGEROUS.has(URL.parse(uri)?.protocol ?? '');
  if (uris.some(isDangerous)) return null;
  const supported = uris.filter((uri) => classifyRedirectUri(uri) !== null);
  return supported.length === 0 ? null : supported;
}
