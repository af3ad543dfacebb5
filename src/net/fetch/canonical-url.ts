import { fail } from '#core/failures/failure.ts';
import { URL_CHARS_MAX } from '#core/limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';

const EDGE = /[\s\u0000-\u001f\u200b\ufeff]/u;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const HOST_AND_PORT = /^[^:/?#@\\\s]+:\d{1,5}(?:[/?#\\]|$)/;

/**
 * The canonical form in which a URL is gated, fetched, cached and shown: trimmed, `https` if no scheme is given, host
 * in lower case and ASCII, no fragment, no default port, query order unchanged. Idempotent. The gate then sees a parsed
 * http or https URL.
 * @param base absolute URL against which a relative reference (a `Location`) is resolved
 * @throws {PeriscopeError} `invalid_url` if it is not a URL, `ssrf_blocked` for any scheme but http and https
 */
export function canonicalizeUrl(text: string, base?: string): string {
  if (text.length > URL_CHARS_MAX) tooLong();
  const trimmed = withoutEdges(text);
  if (base === undefined) refuseFragments(trimmed);
  // The URL parser drops tabs and newlines anywhere, so they are removed before the scheme is detected.
  const compact = trimmed.replace(/[\t\n\r]/g, '');
  const url = parse(base === undefined ? withScheme(compact) : compact, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    fail({ code: 'ssrf_blocked', url: `${url.protocol}…`, reason: 'only http and https addresses can be opened' });
  }
  url.hash = '';
  if (url.href.length > URL_CHARS_MAX) tooLong();
  return url.href;
}

/** The URL as failures may show it: without credentials, and only the scheme unless it is http or https. */
export function redactForFailure(text: string): string {
  if (!URL.canParse(text)) return '(not a URL)';
  const { protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? redactUrl(text) : `${protocol}…`;
}

/** Pasted URLs are surrounded by all kinds of white space and control characters. */
function withoutEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && EDGE.test(text.charAt(start))) start += 1;
  while (end > start && EDGE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** File names, and words without a dot before a slash, are not hosts but pasted relative links. */
const FILE_NAME = /^[^/?#@:]+\.(?:x?html?|php|aspx?|jsp|pdf|xml|json|txt|csv)(?:[?#]|$)/i;
const PATH = /^[\p{L}\p{N}_~%-]+(?=[/?#])/u;

function refuseFragments(text: string): void {
  if (text === '') fail({ code: 'invalid_url', problem: 'it is empty' });
  const isRelative = /^(?:[/\\?#]|\.{1,2}(?:\/|$))/.test(text) || FILE_NAME.test(text) || isPath(text);
  if (isRelative) fail({ code: 'invalid_url', problem: 'it is relative, and there is no page to start from' });
}

function isPath(text: string): boolean {
  const first = PATH.exec(text)?.[0] ?? '';
  return /\p{L}/u.test(first) && first.toLowerCase() !== 'localhost';
}

function withScheme(text: string): string {
  if (HOST_AND_PORT.test(text) && !/^https?:/i.test(text)) return `https://${text}`;
  return SCHEME.test(text) ? text : `https://${text}`;
}

function parse(text: string, base: string | undefined): URL {
  try {
    return new URL(text, base);
  } catch {
    return fail({ code: 'invalid_url', problem: 'it does not parse as an address' });
  }
}

function tooLong(): never {
  fail({ code: 'invalid_url', problem: `it is longer than ${URL_CHARS_MAX} characters` });
}
