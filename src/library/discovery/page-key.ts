import { trimEndMatching } from '#core/text/text.ts';

/** Tracking and session parameters, which do not change the page. */
const TRACKING =
  /^(?:utm_\w+|ga_\w+|mtm_\w+|pk_\w+|hsa_\w+|_hs\w+|mc_[ce]id|gclid|gbraid|wbraid|dclid|fbclid|msclkid|twclid|ttclid|yclid|igshid|srsltid|_ga|_gl|ref_src|sessionid|phpsessid|jsessionid)$/i;
const INDEX = /\/(?:index|default)\.(?:x?html?|php|aspx?|jsp|md)$/i;
const SESSION = /;jsessionid=[^/]*/i;

/**
 * One key for all URLs of a page: without scheme, fragment, tracking parameters, `index.html` and final slash, and with
 * sorted parameters. Versions (`/stable/`, `/3.2/`) are separate pages. A text that is not a URL is its own key.
 */
export function toPageKey(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const path = trimEndMatching(unescaped(parsed.pathname.replace(SESSION, '')).replace(INDEX, '/'), /\//);
  return `${parsed.host}${path}${queryOf(parsed.searchParams)}`;
}

/** Decodes escapes that a URL does not need (RFC 3986 §6.2.2.2): letters, digits and `-._~`. */
function unescaped(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

function queryOf(parameters: URLSearchParams): string {
  const kept = [...parameters].filter(([name]) => !TRACKING.test(name));
  if (kept.length === 0) return '';
  kept.sort(([one, first], [other, second]) => compare(one, other) || compare(first, second));
  return `?${new URLSearchParams(kept).toString()}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
