import { percentDecode, percentEncode, withoutFragment } from '#core/text/text.ts';
import { LINK_CHARS_MAX } from '#core/limits.ts';

/** URL of a page without its own URL. Its host never resolves (RFC 2606 §2), and results never show it. */
export const PLACEHOLDER_PAGE_URL = 'https://html.invalid/';

const UNSAFE_IN_MARKDOWN = /[()[\]<>|\\`*\s]/g;
const NOWHERE = new URL(PLACEHOLDER_PAGE_URL).origin;
const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** Resolves the links of a page. Each distinct link is resolved only once. */
export class LinkResolver {
  readonly base: string;
  private readonly page: string;
  private readonly known = new Map<string, string | null>();

  /** @param page the page's own URL, if the base URL of its links differs */
  constructor(base: string, page = base) {
    this.base = base;
    this.page = withoutFragment(page);
  }

  /**
   * Returns the URL for a Markdown link: absolute (http, https, mailto), or `#name` for a place on the page; `null` for
   * other URLs, such as `javascript:`. On a page without URL, relative URLs stay relative.
   */
  resolve(raw: string): string | null {
    const found = this.known.get(raw);
    if (found !== undefined) return found;
    const resolved = this.compute(raw);
    this.known.set(raw, resolved);
    return resolved;
  }

  private compute(raw: string): string | null {
    const trimmed = raw.trim();
    if (trimmed === '' || trimmed.length > LINK_CHARS_MAX) return null;
    if (/^(?:javascript|data|vbscript|blob|about):/i.test(trimmed)) return null;
    const url = URL.parse(trimmed, this.base);
    if (url === null || !SAFE_PROTOCOLS.has(url.protocol)) return null;
    if (url.origin === NOWHERE) return trimmed.replace(UNSAFE_IN_MARKDOWN, percentEncode);
    url.username = '';
    url.password = '';
    const isInPage = url.hash.length > 1 && withoutFragment(url.href) === this.page;
    return (isInPage ? url.hash : url.href).replace(UNSAFE_IN_MARKDOWN, percentEncode);
  }
}

const NAME_CHARS_MAX = 60;
/** Matches file names that say nothing about a link's target, such as `index.php` or `123`. */
const NO_NAME = /\.(?:php|cfm|aspx?|jsp|cgi|do)$|^[^\p{L}]*$|^\p{L}$/iu;

export function fileNameOrHost(address: string): string {
  const url = URL.parse(address, PLACEHOLDER_PAGE_URL);
  const file = percentDecode(url?.pathname.split('/').findLast((part) => part !== '') ?? '');
  const isName = file !== '' && file.length <= NAME_CHARS_MAX && !NO_NAME.test(file);
  return isName ? file : (url?.hostname ?? '').replace(/^www\./, '');
}
