import { fail } from '#core/failures/failure.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { isFocused, noteLine, writeLine } from './view-line.ts';
import type { ViewLine } from './view-line.ts';

type LinePage = { from: number; to: number; next: string | null };

/**
 * Reason why a paging token is refused.
 * - `document`: the token belongs to another tab, document, scope element, search or set of options.
 * - `lines`: the line after which to continue no longer exists.
 */
type PagingProblem = 'malformed' | 'document' | 'lines';

const TOKEN = /^s([0-9a-z]{1,6})-([0-9a-z]{1,7})-([0-9a-z]{1,7})(?:-([0-9a-z]{1,9}))?$/;

/** The first node of the large document's part in which the token continues; `null` for the beginning. */
export function parseTokenPart(token: string | undefined): number | null {
  const part = TOKEN.exec(token?.trim() ?? '')?.[4];
  return part === undefined ? null : Number.parseInt(part, 36);
}

export function writePartToken(generation: string, from: number): string {
  return `s0-${digest(generation)}-0-${from.toString(36)}`;
}

/**
 * The lines that fit into one page, from the start or after the lines already shown. The token for the next page has
 * hashes of the options and of the last line shown, so the next page begins after that line even if earlier lines were
 * added or removed.
 * @param generation identifies the documents and the options
 * @param part backend node id at which these lines begin, for a large document read in parts
 */
export function paginateLines(
  lines: readonly ViewLine[],
  generation: string,
  maxBytes: number,
  after: string | undefined,
  part: number | null = null,
): LinePage | PagingProblem {
  const from = after === undefined ? 0 : startAfter(lines, generation, after);
  if (typeof from !== 'number') return from;
  let to = from;
  let bytes = 0;
  while (to < lines.length) {
    bytes += bytesOfLines(lines.slice(to, to + 1));
    if (bytes > maxBytes && to > from) break;
    to += 1;
  }
  return {
    from,
    to,
    next: to < lines.length ? tokenFor(lines, generation, to) + (part === null ? '' : `-${part.toString(36)}`) : null,
  };
}

export function bytesOfLines(lines: readonly ViewLine[]): number {
  return lines.reduce((sum, line) => sum + utf8Bytes(writeLine(line)) + 1, 0);
}

function tokenFor(lines: readonly ViewLine[], generation: string, to: number): string {
  return `s${to.toString(36)}-${digest(generation)}-${digest(
    lines
      .slice(to - 1, to)
      .map(writeLine)
      .join(''),
  )}`;
}

function startAfter(lines: readonly ViewLine[], generation: string, after: string): number | PagingProblem {
  const [, index, made, line] = TOKEN.exec(after.trim()) ?? [];
  if (index === undefined) return 'malformed';
  if (made !== digest(generation)) return 'document';
  const at = Number.parseInt(index, 36);
  if (at === 0) return 0;
  for (let distance = 0; distance <= lines.length; distance += 1) {
    for (const place of distance === 0 ? [at] : [at + distance, at - distance]) {
      const before = lines[place - 1];
      if (before !== undefined && digest(writeLine(before)) === line) return place;
    }
  }
  return 'lines';
}

/** 32-bit FNV-1a hash, to detect changed lines. Not for security. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Lines shown before the focused line: enough for what its control belongs to. */
const LINES_BEFORE = 3;
const LINES_AFTER = 8;

/**
 * The lines around the keyboard focus, if they are beyond the first page of a view; otherwise `[]`.
 * @param shown number of lines on the first page
 */
export function linesAroundFocus(lines: readonly ViewLine[], shown: number, maxBytes: number): ViewLine[] {
  const at = lines.findIndex((line) => line.kind === 'element' && isFocused(line));
  const focused = lines[at];
  if (focused === undefined || at < shown) return [];
  const over = lines.findLastIndex(
    ({ kind, depth }, before) => before < at && (kind === 'heading' || kind === 'group') && depth <= focused.depth,
  );
  const wanted = lines.slice(Math.max(at - LINES_BEFORE, 0), at + LINES_AFTER);
  const near = over < 0 || over >= at - LINES_BEFORE ? wanted : [...lines.slice(over, over + 1), ...wanted];
  while (near.at(-1) !== focused && bytesOfLines(near) > maxBytes) near.pop();
  while (near[0] !== focused && bytesOfLines(near) > maxBytes) near.shift();
  return near;
}

/** Wraps the lines around the focus in two notes, to be shown before the first page of a view. */
export function wrapFocusedLines(near: readonly ViewLine[]): ViewLine[] {
  const least = Math.min(...near.map(({ depth }) => depth));
  return [BEFORE, ...near.map((line) => ({ ...line, depth: line.depth - least + 1 })), AFTER];
}

const BEFORE = noteLine('(around the focus, further down the page:)');
const AFTER = noteLine('(the page from its beginning:)');

const PAGING_WORDS: Record<PagingProblem, string> = {
  malformed: 'is not a token from a snapshot',
  document: 'belongs to another page, document or set of options: the tab has loaded something else since',
  lines: 'belongs to lines that no longer exist: the page has changed since',
};

export function failPaging(problem: PagingProblem): never {
  return fail({
    code: 'invalid_argument',
    field: 'after',
    problem: PAGING_WORDS[problem],
    hint: 'Call browser_snapshot without after, then pass its next as after.',
  });
}
