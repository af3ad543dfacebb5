import type { TextExtent } from '#client/cursors.ts';
import { headingLevel } from '#core/document/document.ts';
import { CodeFences } from '#core/text/plain.ts';
import { beginsListItem, isDefinitionTerm, lineKind } from '#core/text/line-kinds.ts';
import { truncateText, toShownLines } from '#core/text/shown-lines.ts';
import type { ResultLine } from '#core/text/shown-lines.ts';
import type { FindMatch } from './find-matches.ts';

/** Maximum characters of the lines that explain all matches, some 1,000 tokens. */
const FIND_EXPLAINING_CHARS_MAX = 4_000;

export type MatchContext = { before: readonly ResultLine[]; after: readonly ResultLine[] };

export type ReadLines = (start: number, end: number) => Promise<readonly string[]>;

/** Lines to read before a match and, with `LINES_AFTER`, after it. Definitions are rarely longer. */
const LINES_BEFORE = 40;
const LINES_AFTER = 24;
/**
 * Minimum characters that explain one match (`CHARS_MIN`) and maximum. Within these limits, matches share
 * `FIND_EXPLAINING_CHARS_MAX`.
 */
const CHARS_MIN = 240;
const CHARS_MAX = 1_200;
/**
 * Maximum characters that explain a match in running text. Low, because the surrounding lines say little about such a
 * match.
 */
const PROSE_CHARS_MAX = 300;
/** Maximum characters of each enclosing list item that is shown above a match. */
const OWNER_CHARS_MAX = 160;
/** Maximum enclosing list items shown for a match: enough for a value and the setting to which it belongs. */
const OWNERS_MAX = 2;
/** Maximum terms shown for one definition. Several terms may share a definition. */
const TERMS_MAX = 4;

/**
 * Collects the lines that explain each match that is neither in code, nor in a table, nor in a line that is only a
 * link: the rest of a definition or list item, the next sentences, or the first block below a heading.
 * @param matches best first
 * @param among the numbers of all matching lines that are shown
 */
export async function explainMatches(
  matches: readonly FindMatch[],
  among: ReadonlySet<number>,
  extent: TextExtent,
  read: ReadLines,
): Promise<Map<number, MatchContext>> {
  const open = matches.filter(({ isAlone, head }) => !isAlone && head === null);
  const chars = Math.min(CHARS_MAX, Math.max(CHARS_MIN, FIND_EXPLAINING_CHARS_MAX / Math.max(1, open.length)));
  const own = new Set(open.map(({ loc }) => loc));
  const explained = await Promise.all(
    open.map(async (match) => {
      const { start, end } = boundsOf(match, extent);
      const window = { first: start, lines: await read(start, end) };
      return [match.loc, explainOne(match, window, { charsMax: chars, among, own })] as const;
    }),
  );
  return new Map(explained);
}

/**
 * Returns the range of lines to read around a match. For a match in the main part, the range excludes the rest of the
 * page (menus, notices), which does not explain the match.
 */
function boundsOf({ loc }: FindMatch, { lineCount, restStart }: TextExtent): { start: number; end: number } {
  const inRest = restStart !== null && loc >= restStart;
  const [low, high] = inRest ? [restStart, lineCount] : [0, restStart ?? lineCount];
  return { start: Math.max(low, loc - LINES_BEFORE), end: Math.min(high - 1, loc + LINES_AFTER) };
}

type Window = { first: number; lines: readonly string[] };

type Shown = { charsMax: number; among: ReadonlySet<number>; own: ReadonlySet<number> };

function explainOne(match: FindMatch, window: Window, { charsMax, among, own }: Shown): MatchContext {
  const at = match.loc - window.first;
  const owners = match.level > 0 ? [] : ownersOf(window, at);
  const before = owners.flatMap((index): ResultLine[] => {
    const [line] = toShownLines(window.lines.slice(index, index + 1), window.first + index);
    return line === undefined ? [] : [{ loc: line.loc, text: truncateText(line.text, OWNER_CHARS_MAX) }];
  });
  const end = endOf(match, window, at, owners.length > 0 ? charsMax : Math.min(charsMax, limitOf(match, window, at)));
  const lines = window.lines.slice(at + 1, end);
  const after = cutAfter(toShownLines(lines, match.loc + 1, null, among), charsMax, own);
  const [next] = toShownLines(
    window.lines.slice(end, endOf(match, window, at, Infinity)),
    window.first + end,
    null,
    among,
  );
  return { before, after: next === undefined || among.has(next.loc) ? after : markCut(after) };
}

/** Adds an ellipsis to the last line to show that the explanation continues after it. */
function markCut(lines: readonly ResultLine[]): ResultLine[] {
  return lines.map((line, at) =>
    at < lines.length - 1 || line.text.endsWith('…') ? line : { ...line, text: `${line.text} …` },
  );
}

function limitOf({ level, isNamed }: FindMatch, { lines }: Window, at: number): number {
  return level > 0 || isNamed || beginsListItem(lines[at] ?? '') ? CHARS_MAX : PROSE_CHARS_MAX;
}

/**
 * Cuts the lines that explain a match at the budget, or before the next match that has its own explanation.
 * @param explained line numbers of the matches with an explanation
 */
function cutAfter(lines: readonly ResultLine[], charsMax: number, explained: ReadonlySet<number>): ResultLine[] {
  let left = charsMax;
  const shown: ResultLine[] = [];
  for (const { loc, text } of lines) {
    if (explained.has(loc)) break;
    if (left <= 0) return markCut(shown);
    shown.push({ loc, text: truncateText(text, Math.max(left, OWNER_CHARS_MAX)) });
    left -= text.length;
  }
  return shown;
}

/**
 * Returns the indices of the nearest list items around a line, outermost first, with the terms that share a definition.
 * Returns at most {@link TERMS_MAX}.
 */
function ownersOf({ lines }: Window, at: number): number[] {
  const owners: number[] = [];
  let indent = indentOf(lines[at] ?? '');
  for (let index = at - 1; index >= 0 && indent > 0; index -= 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    if (headingLevel(line) > 0) break;
    const own = indentOf(line);
    if (own >= indent) continue;
    indent = own;
    if (!beginsListItem(line)) continue;
    owners.unshift(...termsAbove(lines, index), index);
    if (owners.length >= OWNERS_MAX) break;
  }
  return owners.slice(-TERMS_MAX);
}

function termsAbove(lines: readonly string[], index: number): number[] {
  const above: number[] = [];
  if (!isDefinitionTerm(lines[index] ?? '')) return above;
  for (let at = index - 1; at >= 0 && above.length < TERMS_MAX && isDefinitionTerm(lines[at] ?? ''); at -= 1)
    above.unshift(at);
  return above;
}

/** Returns the index of the first line after the match that does not explain the match, such as the next list item. */
function endOf({ level, isNamed }: FindMatch, { lines }: Window, at: number, charsMax: number): number {
  const own = lines[at] ?? '';
  const indent = indentOf(own);
  const isItem = beginsListItem(own);
  const isInItem = isItem || indent > 0;
  const introduces = level > 0 || (isNamed && !isItem) || INTRODUCES.test(own);
  const fences = new CodeFences();
  let chars = 0;
  let onlyTerms = isDefinitionTerm(own);
  let hasText = false;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const kind = lineKind(line, fences);
    if (kind === 'blank') {
      if (isInItem || fences.open !== null || (introduces && chars < INTRODUCED_CHARS_MIN)) continue;
      return index;
    }
    if (kind === 'heading' || kind === 'mark' || (kind === 'row' && !introduces)) return index;
    if (!isInItem && !introduces && beginsListItem(line)) return index;
    const isDeeper = indentOf(line) > (isItem ? indent : indent - 1);
    const sharesDefinition: boolean = onlyTerms && !hasText && isDefinitionTerm(line) && indentOf(line) === indent;
    if (isInItem && kind !== 'code' && !isDeeper && !sharesDefinition) return index;
    if (isInItem && !isItem && beginsListItem(line) && indentOf(line) <= indent) return index;
    onlyTerms &&= isDefinitionTerm(line);
    hasText ||= !sharesDefinition;
    chars += line.length;
    if (chars > charsMax) return index + 1;
  }
  return lines.length;
}

/**
 * Minimum characters of a block that explains a heading. A shorter block, such as a version, is shown with the next
 * block.
 */
const INTRODUCED_CHARS_MIN = 120;
const INTRODUCES = /[:：][*_\s]*$/u;

function indentOf(line: string): number {
  const text = line.replace(/^>\s?/, '');
  return text.length - text.trimStart().length;
}
