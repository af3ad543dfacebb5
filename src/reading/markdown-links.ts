import { CodeFences } from '#core/code-fences.ts';
import { PAGE_LINKS_MAX } from './limits.ts';

export type PageLink = { url: string; text: string };

const LINK =
  /(?<!!)\[((?:[^[\]\\]|\\.|!\[[^\]]*\]\([^)]*\))*)\]\((<[^>]*>|[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)(?:\s+"[^"]*")?\)/g;

const CODE = /(?<!`)(`+)(?!`)[^`]*(?<!`)\1(?!`)/g;

/** The links of Markdown lines in order, each address once; code is ignored. Pure. */
export function linksOf(lines: readonly string[]): PageLink[] {
  const links = new Map<string, string>();
  for (const { text, target } of linksIn(lines)) {
    if (/^https?:/.test(target) && !links.has(target)) links.set(target, text.replace(/\\(.)/g, '$1').trim());
    if (links.size >= PAGE_LINKS_MAX) break;
  }
  return [...links].map(([url, text]) => ({ url, text }));
}

/** Every link of Markdown lines as it is written, except in code. */
export function* linksIn(lines: Iterable<string>): Generator<{ text: string; target: string }> {
  const fences = new CodeFences();
  for (const line of lines) {
    if (fences.take(line)) continue;
    const visible = line.replace(CODE, (code) => ' '.repeat(code.length));
    for (const { index, 1: text = '', 2: target = '' } of line.matchAll(LINK)) {
      if (visible.charAt(index) === '[') yield { text, target: target.replace(/^<|>$/g, '') };
    }
  }
}
