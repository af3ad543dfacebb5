import { CodeFences, openingFence } from './plain.ts';
import { mayStartInCode } from './shown-lines.ts';

type Span = { start: number; end: number };

/**
 * A Markdown link. Matching takes linear time, because no part of the pattern can contain the start of another link.
 */
const LINK =
  /(?<![!\\])\[((?:[^[\]\\]|\\.|!\[[^[\]]*\]\([^()]*\))*)\]\((<[^<>]*>|[^\s()<]+(?:\([^\s()]*\)[^\s()]*)*)(?:\s+"[^"]*")?\)/g;

export function* linksInProse(line: string): Generator<{ text: string; target: string }> {
  if (!line.includes('](')) return;
  const isInCode = inSpans(codeSpans(line));
  for (const { index, 1: text = '', 2: target = '' } of line.matchAll(LINK)) {
    if (!isInCode(index)) yield { text, target: target.replace(/^<|>$/g, '') };
  }
}

/** Finds code spans. A span reaches from one run of backticks to the next, if both runs have the same length. */
function codeSpans(line: string): Span[] {
  const runs = line.includes('`') ? [...line.matchAll(/`+/g)] : [];
  const spans: Span[] = [];
  for (let at = 0; at + 1 < runs.length; at += 1) {
    const [open, close] = [runs[at], runs[at + 1]];
    if (open === undefined || close === undefined || open[0] !== close[0]) continue;
    spans.push({ start: open.index, end: close.index + close[0].length });
    at += 1;
  }
  return spans;
}

function inSpans(spans: readonly Span[]): (index: number) => boolean {
  let next = 0;
  return (index) => {
    while ((spans[next]?.end ?? Infinity) <= index) next += 1;
    return (spans[next]?.start ?? Infinity) < index;
  };
}

const ADDRESS = /\]\(<?(https?:\/\/[^\s<>)]+)/g;
/**
 * Matches a relative reference whose first segment has no colon. A colon there would make it an absolute URL with a
 * scheme.
 */
const FIRST_SEGMENT = /^[^/?#:]+(?:[/?#]|$)/;

/**
 * Returns a function that shortens an absolute URL to a reference that resolves to it from the page: a fragment, a path
 * below the page's folder, or a path from the root. URLs of other origins stay unchanged.
 */
export function createUrlShortener(page: string): (address: string) => string {
  const base = URL.parse(page);
  if (base === null || !/^https?:$/.test(base.protocol)) return (address) => address;
  const { origin, pathname, search } = base;
  const self = `${origin}${pathname}${search}#`;
  const folder = origin + pathname.slice(0, pathname.lastIndexOf('/') + 1);
  return (address) => {
    if (address.startsWith(self)) return address.slice(self.length - 1);
    // A page in the root folder uses `/path` instead of `path`: nearly as short, and clearer.
    const inFolder = folder !== `${origin}/` && address.startsWith(folder) ? address.slice(folder.length) : '';
    if (FIRST_SEGMENT.test(inFolder)) return inFolder;
    const isOfSite = address.startsWith(`${origin}/`) && address.charAt(origin.length + 1) !== '/';
    return isOfSite ? address.slice(origin.length) : address;
  };
}

/** Makes the URLs of links and images relative to their page, line by line. Code stays unchanged. */
export class RelativeLinkWriter {
  readonly #relative: (address: string) => string;
  readonly #fences = new CodeFences();

  constructor(page: string) {
    this.#relative = createUrlShortener(page);
  }

  take(line: string): string {
    if (this.#fences.take(line) || !line.includes('](')) return line;
    const isInCode = inSpans(codeSpans(line));
    return line.replace(ADDRESS, (whole: string, address: string, at: number) =>
      isInCode(at) ? whole : whole.slice(0, whole.length - address.length) + this.#relative(address),
    );
  }
}

/**
 * Makes the links in consecutive lines of a page relative to the page.
 * @param isBeginning true if these are the first lines of the page, so that the first one cannot be inside a code block
 */
export function withRelativeLinks(lines: readonly string[], page: string, isBeginning = false): string[] {
  const links = new RelativeLinkWriter(page);
  const fromLine =
    !isBeginning && mayStartInCode(lines) ? lines.findIndex((line) => openingFence(line) !== null) + 1 : 0;
  return lines.map((line, index) => (index < fromLine ? line : links.take(line)));
}
