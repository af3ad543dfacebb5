import { STRIKE_MARK } from '#core/text/visible-text.ts';

/** A range of text, such as one that must not be broken: a link, code, a formula or a tag. `end` is exclusive. */
export type TextRange = { start: number; end: number };

/** Maximum characters searched for the end of a link target, a bracket or a formula. */
const LOOK_AHEAD_MAX = 4_096;
/**
 * Maximum characters that unsuccessful searches read, per character of text. When a text with many unclosed brackets
 * and dollar signs, such as a hostile one, exceeds it, the remaining text has no protected ranges.
 */
const VAIN_TIMES_MAX = 8;
const MATH_CHARS_MAX = 1_000;
/**
 * `DISPLAY_MATH` and `INLINE_MATH` match from after the opening dollar signs to the end. `\$` does not close a formula.
 */
const DISPLAY_MATH = /^(?:\\.|[^\\$]|\$(?!\$))*\$\$/;
const INLINE_MATH = /^(?!\s)(?:\\.|[^\\$])+(?<!\s)\$(?!\d)/;
const INTERESTING = /[\\`[\]<$]/g;
const HTML_TAG = /<[a-z/!?][^<>]*>/iy;
const WORTH_A_SCAN = /[`[<$]/;
const NO_CODE: CodeRuns = new Map();

/** State of one scan. `vain` is the number of characters that unsuccessful searches may still read. */
type Scan = { text: string; brackets: number[]; codeRuns: CodeRuns; vain: number };

/**
 * Finds the ranges of text that must not be broken. Linear for any text.
 * @param spent receives the number of characters that unsuccessful searches read
 */
export function findUnbreakableRanges(text: string, spent?: (chars: number) => void): TextRange[] {
  if (!WORTH_A_SCAN.test(text)) return [];
  const ranges: TextRange[] = [];
  const codeRuns = text.includes('`') ? findCodeRuns(text) : NO_CODE;
  const mayLook = LOOK_AHEAD_MAX + text.length * VAIN_TIMES_MAX;
  const scan: Scan = { text, brackets: [], codeRuns, vain: mayLook };
  let at = 0;
  for (;;) {
    INTERESTING.lastIndex = at;
    const found = INTERESTING.exec(text);
    if (found === null) break;
    at = found.index;
    const end = endOfSpan(scan, at);
    if (end.range !== null) addRange(ranges, end.range);
    at = end.next;
  }
  spent?.(mayLook - scan.vain);
  return ranges;
}

const MARK_OR_ESCAPE = /\\.|~~|\*+/gs;

/** Struck-out text, and the runs of stars, which mark bold and italic text, within it. */
type StruckRange = TextRange & { emphasis: { start: number; length: number }[] };

/** Finds struck-out text with its marks. Marks inside links, code and formulas do not count. Linear. */
export function findStruckRanges(text: string): StruckRange[] {
  const skipped = findUnbreakableRanges(text);
  const struck: StruckRange[] = [];
  let range = 0;
  let open: Omit<StruckRange, 'end'> | null = null;
  for (const { 0: mark, index: start } of text.matchAll(MARK_OR_ESCAPE)) {
    while ((skipped[range]?.end ?? Infinity) <= start) range += 1;
    if (mark.startsWith('\\') || (skipped[range]?.start ?? Infinity) <= start) continue;
    const end = start + mark.length;
    if (mark !== STRIKE_MARK) open?.emphasis.push({ start, length: mark.length });
    else if (open === null && /\S/.test(text.charAt(end))) open = { start, emphasis: [] };
    else if (open !== null && /\S/.test(text.charAt(start - 1))) {
      struck.push({ ...open, end });
      open = null;
    }
  }
  return struck;
}

type Step = { range: TextRange | null; next: number };

function endOfSpan(scan: Scan, at: number): Step {
  const { text, brackets } = scan;
  switch (text.charAt(at)) {
    case '\\':
      return { range: null, next: at + 2 };
    case '`':
      return codeSpan(text, at, scan.codeRuns);
    case '<': {
      HTML_TAG.lastIndex = at;
      const end = HTML_TAG.test(text) ? HTML_TAG.lastIndex : -1;
      return end < 0 ? { range: null, next: at + 1 } : { range: { start: at, end }, next: end };
    }
    case '$':
      return mathSpan(scan, at);
    case '[':
      brackets.push(text.charAt(at - 1) === '!' ? at - 1 : at);
      return { range: null, next: at + 1 };
    default:
      return closeBracket(scan, at);
  }
}

/** Positions of runs of backticks, by their length. `next` is the index of the first one ahead of the scan. */
type CodeRuns = ReadonlyMap<number, { starts: number[]; next: number }>;

function findCodeRuns(text: string): CodeRuns {
  const found = new Map<number, { starts: number[]; next: number }>();
  for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', at)) {
    const end = endOfRun(text, at);
    const runs = found.get(end - at);
    if (runs === undefined) found.set(end - at, { starts: [at], next: 0 });
    else runs.starts.push(at);
    at = end;
  }
  return found;
}

function endOfRun(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === '`') end += 1;
  return end;
}

/** Finds the end of a code span: the next run of backticks of the same length (CommonMark §6.1). */
function codeSpan(text: string, at: number, codeRuns: CodeRuns): Step {
  const next = endOfRun(text, at);
  const runs = codeRuns.get(next - at);
  if (runs === undefined) return { range: null, next };
  while ((runs.starts[runs.next] ?? Infinity) < at) runs.next += 1;
  const close = runs.starts[runs.next] === at ? runs.starts[runs.next + 1] : undefined;
  if (close === undefined) return { range: null, next };
  const end = close + next - at;
  return { range: { start: at, end }, next: end };
}

function mathSpan(scan: Scan, at: number): Step {
  const { text } = scan;
  const isDouble = text.charAt(at + 1) === '$';
  const from = isDouble ? at + 2 : at + 1;
  if (scan.vain <= 0) return { range: null, next: from };
  const window = text.slice(from, from + MATH_CHARS_MAX);
  const match = (isDouble ? DISPLAY_MATH : INLINE_MATH).exec(window);
  if (match === null) {
    scan.vain -= isDouble ? window.length : 1;
    return { range: null, next: from };
  }
  const end = from + match.index + match[0].length;
  return { range: { start: at, end }, next: end };
}

function closeBracket(scan: Scan, at: number): Step {
  const { text } = scan;
  const start = scan.brackets.pop();
  if (start === undefined) return { range: null, next: at + 1 };
  const after = text.charAt(at + 1);
  if (after === '(') {
    const end = endOfTarget(scan, at + 1);
    if (end > 0) return { range: { start, end }, next: end };
  }
  if (after === '[') {
    const end = text.indexOf(']', at + 2);
    if (end > 0 && end - at < LOOK_AHEAD_MAX) return { range: { start, end: end + 1 }, next: end + 1 };
  }
  return { range: null, next: at + 1 };
}

function endOfTarget(scan: Scan, open: number): number {
  const { text } = scan;
  let depth = 0;
  const stop = Math.min(text.length, open + Math.min(LOOK_AHEAD_MAX, scan.vain));
  for (let at = open; at < stop; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 0x5c) at += 1;
    else if (character === 0x28) depth += 1;
    else if (character === 0x29) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  scan.vain -= Math.max(0, stop - open);
  return -1;
}

/** Appends a range. A link replaces the ranges inside its text, such as code. */
function addRange(ranges: TextRange[], range: TextRange): void {
  for (let last = ranges.at(-1); last !== undefined && last.start >= range.start; last = ranges.at(-1)) ranges.pop();
  ranges.push(range);
}
