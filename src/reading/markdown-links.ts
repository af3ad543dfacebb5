import { closesFence, openingFence } from '#extract/lines/block-marks.ts';
import { PAGE_LINKS_MAX } from '#core/limits.ts';

export type PageLink = { url: string; text: string };

const LINK =
  /(?<!!)\[((?:[^[\]\\]|\\.|!\[[^\]]*\]\([^)]*\))*)\]\((<[^>]*>|[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)(?:\s+"[^"]*")?\)/g;

/** The links of Markdown lines in order, each address once; code blocks have none. Pure. */
export function linksOf(lines: readonly string[]): PageLink[] {
  const links = new Map<string, string>();
  let fence: string | null = null;
  for (const line of lines) {
    if (fence !== null) {
      if (closesFence(line, fence)) fence = null;
      continue;
    }
    fence = openingFence(line);
    if (fence !== null) continue;
    for (const [, text = '', target = ''] of line.matchAll(LINK)) {
      const url = target.replace(/^<|>$/g, '');
      if (/^https?:/.test(url) && !links.has(url)) links.set(url, text.replace(/\\(.)/g, '$1').trim());
      if (links.size >= PAGE_LINKS_MAX) return asList(links);
    }
  }
  return asList(links);
}

function asList(links: ReadonlyMap<string, string>): PageLink[] {
  return [...links].map(([url, text]) => ({ url, text }));
}
