import { LINK_CHARS_MAX } from '#core/limits.ts';
import { NO_ADDRESS } from '#extract/no-address.ts';

const UNSAFE_IN_MARKDOWN = /[()[\]<>|\\`*\s]/g;
const NOWHERE = new URL(NO_ADDRESS).origin;
const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** Resolves the page's links; each different one once. */
export class Links {
  private readonly base: string;
  private readonly known = new Map<string, string | null>();

  constructor(base: string) {
    this.base = base;
  }

  /**
   * An absolute http, https or mailto address fit for a Markdown target, or `null` when `raw` is none. On a page without an
   * address, one that is relative stays as it is written.
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
    if (url.origin === NOWHERE) return trimmed.replace(UNSAFE_IN_MARKDOWN, percent);
    url.username = '';
    url.password = '';
    return url.href.replace(UNSAFE_IN_MARKDOWN, percent);
  }
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
