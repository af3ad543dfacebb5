import { isLoopbackHost } from '#core/config/config.ts';

/** Where a redirect URI leads: to a web site, a program that listens on this computer, or the app that opens a scheme. */
export type ReturnPlace =
  | { kind: 'site'; host: string }
  | { kind: 'loopback'; host: string }
  | { kind: 'app'; scheme: string };

/**
 * Schemes without a domain name that programs which use MCP servers register for themselves. RFC 8252 §8.4 has servers refuse
 * schemes without a dot: many of them open other addresses, or run commands, and nobody could tell on the consent page.
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

/** For the developer of a client that is refused. */
export const ACCEPTED_REDIRECTS =
  'Use https, http on a loopback host, or a private-use scheme in reverse domain name form such as com.example.app:/callback (RFC 8252)';

/** @returns `null` for an address to which this server never sends anybody */
export function returnPlaceOf(redirectUri: string): ReturnPlace | null {
  const url = URL.parse(redirectUri);
  if (url === null || FORBIDDEN.test(redirectUri) || url.username !== '' || url.password !== '') return null;
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https' && scheme !== 'http') return appOf(redirectUri, scheme);
  if (isLoopbackHost(url.hostname)) return { kind: 'loopback', host: url.hostname };
  return scheme === 'https' && !url.host.includes('*') ? { kind: 'site', host: url.host } : null;
}

/** White space, control characters, fragments, and what browsers read as a slash. */
const FORBIDDEN = /[\s\p{Cc}#\\]/u;
/** Of RFC 3986, without user information: such an address has no user, and `*` is taken for a wildcard by some. */
const APP_PATH = /^:\/[\w\-.~:/?[\]!$&'()+,;=%]*$/;

function appOf(redirectUri: string, scheme: string): ReturnPlace | null {
  const isKnown = APP_SCHEMES.has(scheme) || isReversedDomain(scheme);
  return isKnown && APP_PATH.test(redirectUri.slice(scheme.length)) ? { kind: 'app', scheme } : null;
}

/** `com.example.app`: a top-level domain of letters first. */
function isReversedDomain(scheme: string): boolean {
  const [top = '', ...labels] = scheme.split('.');
  return /^[a-z]{2,}$/.test(top) && labels.length > 0 && labels.every((label) => /^[a-z0-9-]+$/.test(label));
}

/** For people. No host of an app's address is shown: nothing ties it to a web site of that name. */
export function placeLabel(place: ReturnPlace): string {
  return place.kind === 'app' ? `${place.scheme}: (an app on this device)` : place.host;
}

/** These run in a page, or read from this computer. A client that names one is refused as a whole. */
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
 * The redirect URIs of a registration that this server supports. Others are left out, as clients list the addresses of all
 * the places that they can sign in from.
 * @returns `null` when none is supported, or one is dangerous
 */
export function supportedRedirects(uris: readonly string[]): string[] | null {
  const isDangerous = (uri: string) => DANGEROUS.has(URL.parse(uri)?.protocol ?? '');
  if (uris.some(isDangerous)) return null;
  const supported = uris.filter((uri) => returnPlaceOf(uri) !== null);
  return supported.length === 0 ? null : supported;
}
