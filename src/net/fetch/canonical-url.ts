import { fail } from '#core/failures/failure.ts';
import { URL_CHARS_MAX } from '#core/limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';

const EDGE = /[\s\u0000-\u001f\u200b\ufeff]/u;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const HOST_AND_PORT = /^[^:/?#@\\\s]+:\d{1,5}(?:[/?#\\]|$)/;

/**
 * Converts a URL to its canonical form, which is checked (`gate.ts`), fetched, cached and shown. The text is trimmed
 * and gets `https` if it has no scheme. The host is in lower case and ASCII. The fragment and a default port are
 * removed; the order of the query stays. A canonical URL stays unchanged. Only http and https URLs are returned.
 * @param base absolute URL against which a relative reference (a `Location` header) is resolved
 * @throws {PeriscopeError} `invalid_url` if the text is not a URL, `ssrf_blocked` for any scheme except http and https
 */
export function canonicalizeUrl(text: string, base?: string): string {
  if (text.length > URL_CHARS_MAX) tooLong();
  const trimmed = withoutEdges(text);
  if (base === undefined) refuseFragments(trimmed);
  // The URL parser ignores tabs and newlines anywhere in a URL. They are removed first, so that they cannot hide the
  // scheme.
  const compact = trimmed.replace(/[\t\n\r]/g, '');
  const url = parse(base === undefined ? withScheme(compact) : compact, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    fail({ code: 'ssrf_blocked', url: `${url.protocol}…`, reason: 'only http and https addresses can be opened' });
  }
  url.hash = '';
  if (url.href.length > URL_CHARS_MAX) tooLong();
  return url.href;
}

/**
 * Returns the URL in a form that failures may show: without credentials. If the scheme is not http or https, returns
 * only the scheme. For a text that is not a URL, returns a placeholder.
 */
export function redactForFailure(text: string): string {
  if (!URL.canParse(text)) return '(not a URL)';
  const { protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? redactUrl(text) : `${protocol}…`;
}

/** Removes white space and control characters from both ends, because pasted URLs often have them. */
function withoutEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && EDGE.test(text.charAt(start))) start += 1;
  while (end > start && EDGE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Matches a file name, such as `page.html`. Without a scheme, this is a relative link that was pasted, not a host. */
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
