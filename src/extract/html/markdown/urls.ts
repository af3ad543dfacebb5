import { percentDecode, percentEncode } from '#core/text/text.ts';
import { LINK_CHARS_MAX } from '#core/limits.ts';

/**
 * Placeholder URL for a page without URL. The host never resolves (RFC 2606 §2), and results never show the
 * placeholder.
 */
export const NO_ADDRESS = 'https://html.invalid/';

const UNSAFE_IN_MARKDOWN = /[()[\]<>|\\`*\s]/g;
const NOWHERE = new URL(NO_ADDRESS).origin;
const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** Resolves the links of a page. Results are cached, so each distinct link is resolved once. */
export class Links {
  readonly base: string;
  private readonly page: string;
  private readonly known = new Map<string, string | null>();

  /** @param page the page's own URL, if its links are resolved against another base URL */
  constructor(base: string, page = base) {
    this.base = base;
    this.page = withoutFragment(page);
  }

  /**
   * Returns the URL as a Markdown link target: an absolute http, https or mailto URL, or `#name` for a fragment of the
   * page. Returns `null` for other values. On a page without URL, relative URLs stay relative.
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
/** Matches file names that do not describe the target of a link: names of programs, and names without a word. */
const NO_NAME = /\.(?:php|cfm|aspx?|jsp|cgi|do)$|^[^\p{L}]*$|^\p{L}$/iu;

export function fileNameIn(address: string): string {
  const url = URL.parse(address, NO_ADDRESS);
  const file = percentDecode(url?.pathname.split('/').findLast((part) => part !== '') ?? '');
  const isName = file !== '' && file.length <= NAME_CHARS_MAX && !NO_NAME.test(file);
  return isName ? file : (url?.hostname ?? '').replace(/^www\./, '');
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}
