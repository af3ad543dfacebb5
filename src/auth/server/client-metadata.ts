import type { JsonObject } from '#core/text/json.ts';
import { isLoopbackHost } from '#core/config/config.ts';

/** Maximum redirect URIs of a client: one for each editor or port. Real clients register up to eight. */
const CLIENT_REDIRECTS_MAX = 20;
/** Maximum characters of a URL in a registration. Browsers and proxies accept URLs up to this length. */
const CLIENT_URL_CHARS_MAX = 2_000;
/** Maximum characters of a client's name or version. The consent page shows a name on one line. */
const CLIENT_TEXT_CHARS_MAX = 200;
/** Maximum entries of lists such as contacts, grant types and translations of a name. Real clients need fewer. */
const CLIENT_LIST_MAX = 20;

/** A problem with client metadata. `error` is a code of RFC 7591 §3.2.2. */
type MetadataProblem = { error: 'invalid_redirect_uri' | 'invalid_client_metadata'; description: string };

/** Size limits of metadata fields, because the server stores their values and shows some of them. */
const FIELDS: Readonly<Record<string, { chars: number; items?: number }>> = {
  redirect_uris: { chars: CLIENT_URL_CHARS_MAX, items: CLIENT_REDIRECTS_MAX },
  client_name: { chars: CLIENT_TEXT_CHARS_MAX },
  client_uri: { chars: CLIENT_URL_CHARS_MAX },
  logo_uri: { chars: CLIENT_URL_CHARS_MAX },
  policy_uri: { chars: CLIENT_URL_CHARS_MAX },
  tos_uri: { chars: CLIENT_URL_CHARS_MAX },
  jwks_uri: { chars: CLIENT_URL_CHARS_MAX },
  contacts: { chars: CLIENT_TEXT_CHARS_MAX, items: CLIENT_LIST_MAX },
  grant_types: { chars: CLIENT_TEXT_CHARS_MAX, items: CLIENT_LIST_MAX },
  response_types: { chars: CLIENT_TEXT_CHARS_MAX, items: CLIENT_LIST_MAX },
  token_endpoint_auth_method: { chars: CLIENT_TEXT_CHARS_MAX },
  scope: { chars: CLIENT_URL_CHARS_MAX },
  software_id: { chars: CLIENT_TEXT_CHARS_MAX },
  software_version: { chars: CLIENT_TEXT_CHARS_MAX },
};
/** Maximum characters of a language tag. In `client_name#de`, the tag is stored as part of the field name. */
const LANGUAGE_CHARS_MAX = 35;

/**
 * Checks sizes and counts; the OAuth library checks types and URLs afterwards.
 * @param metadata as sent by the client
 */
export function findMetadataProblem(metadata: unknown): MetadataProblem | null {
  if (typeof metadata !== 'object' || metadata === null) return null;
  const localized = Object.keys(metadata).filter((name) => name.includes('#'));
  if (localized.length > CLIENT_LIST_MAX) return tooMuch('names in other languages', `${CLIENT_LIST_MAX} at most`);
  if (localized.some((name) => name.length - name.indexOf('#') - 1 > LANGUAGE_CHARS_MAX)) {
    return tooMuch('the language of a name', `at most ${LANGUAGE_CHARS_MAX} characters`);
  }
  for (const [key, value] of Object.entries(metadata)) {
    const name = key.split('#', 1)[0] ?? key;
    const problem = sizeProblem(name, value);
    if (problem !== null) return problem;
  }
  return null;
}

function sizeProblem(name: string, value: unknown): MetadataProblem | null {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (field === undefined) return null;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length > (field.items ?? Infinity)) return tooMuch(name, `at most ${field.items} entries`);
  const isLong = values.some((text) => typeof text === 'string' && text.length > field.chars);
  return isLong ? tooMuch(name, `at most ${field.chars} characters${field.items === undefined ? '' : ' each'}`) : null;
}

function tooMuch(name: string, limit: string): MetadataProblem {
  const error = name === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  return { error, description: `${name}: ${limit}` };
}

const GRANT_TYPES: readonly unknown[] = ['authorization_code', 'refresh_token'];
/** URL fields that are stored but never shown, so an unusable value is dropped and the client accepted. */
const DISPLAY_ADDRESSES: ReadonlySet<string> = new Set(['client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'jwks_uri']);

/**
 * The supported part of a registration, or the reason for a refusal. RFC 7591 §2 lets a server replace the unsupported
 * part.
 */
type Narrowed = { metadata: JsonObject; problem: null } | { metadata: null; problem: MetadataProblem };

/**
 * Drops unsupported parts instead of refusing the client: other grant and response types, optional fields that are null
 * or empty, URLs that no browser opens, and redirect URIs with other schemes. Refuses a client if none of its redirect
 * URIs or grant types is supported, or if a redirect URI is dangerous. The response lists the registered parts.
 */
export function dropUnsupportedMetadata(sent: JsonObject): Narrowed {
  const metadata = Object.fromEntries(Object.entries(sent).flatMap(([name, value]) => givenField(name, value)));
  if (isTexts(metadata['redirect_uris'])) {
    const redirects = supportedRedirects(metadata['redirect_uris']);
    if (redirects === null) return refusal('invalid_redirect_uri', ACCEPTED_REDIRECTS_ADVICE);
    metadata['redirect_uris'] = redirects;
  }
  if (isTexts(metadata['grant_types'])) {
    const supported = metadata['grant_types'].filter((type) => GRANT_TYPES.includes(type));
    if (supported.length === 0) return refusal('invalid_client_metadata', `grant_types: ${GRANT_TYPES.join(', ')}`);
    metadata['grant_types'] = [...new Set(['authorization_code', ...supported])];
  }
  // The server supports only the authorization code flow, whose only response type is `code`.
  if (isTexts(metadata['response_types'])) metadata['response_types'] = ['code'];
  return { metadata, problem: null };
}

function refusal(error: MetadataProblem['error'], description: string): Narrowed {
  return { metadata: null, problem: { error, description } };
}

function givenField(name: string, value: unknown): [string, unknown][] {
  const given = Array.isArray(value) ? value.filter((one) => !isEmpty(one)) : value;
  if (isEmpty(given)) return [];
  const isUnusable = DISPLAY_ADDRESSES.has(name.split('#', 1)[0] ?? '') && typeof given === 'string' && !isWeb(given);
  return isUnusable ? [] : [[name, given]];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isWeb(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '');
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

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

const ACCEPTED_REDIRECTS_ADVICE =
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
