import { STRIKE_MARK } from '#core/text/visible-text.ts';
import { PROSE_LINE_CHARS_MAX } from '#extract/limits.ts';
import { findUnbreakableRanges } from './protected.ts';
import type { TextRange } from './protected.ts';

const SENTENCE_END = /[.!?…。！？؟।॥։።]/;
/** Matches the end of a sentence with more text after it. Text without a match needs no cut between sentences. */
const END_WITHIN = /[\p{Sentence_Terminal}…｡]["'”’»)\]*_~]*[^"'”’»)\]*_~]/u;
/** Matches a position at which a sentence may end: a space after punctuation, or a full stop such as `。`. */
const MAY_CUT = /[^\p{L}\p{N}\s]\s|[。！？｡]/u;
/** Matches an abbreviation that ends no sentence, such as `e.g.` or `Dr.`. */
const ABBREVIATION =
  /(?:^|[\s([{“"'‘*_])(?:e\.g|i\.e|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ex|c\.-à-d|Dr|Mr|Mrs|Ms|Mx|Prof|St|Ste|Mt|Ft|vs|cf|viz|approx|ca|resp|bzw|Mme|Mlle|Sra|Srta|Gen|Col|Sgt|Capt|Lt|Cmdr|Rev|Hon|Pres|Gov|Sen|Rep|Messrs|Ph\.D|et al|U\.S|U\.K|U\.N|U\.S\.A|E\.U|D\.C|\p{Lu}(?:\.\p{Lu}){0,20})\.[)\]”"'’*_]*\s*$/u;
/** Matches an abbreviation that ends no sentence if a number follows, such as `Fig.`. */
const NUMBERED =
  /(?:^|[\s([])(?:Fig|Figs|Eq|Eqs|No|Nos|Vol|Vols|pp|p|Ch|Sec|Secs|Nr|Abs|Art|Tab|Ex|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s*$/i;
/** Matches the number after an abbreviation such as `Fig.` or `No.`: `7`, `K-4711`, `EN 71`. */
const NUMBER = /^(?:\p{Lu}{1,3}[-/. ]?)?\d/u;
const NUMBER_CHARS = 5;
/**
 * Matches the start of a Markdown block. No line is cut before it, because the text would become a heading, list or
 * quote.
 */
const BLOCK_START =
  /^(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|\d{1,9}[.)](?:\s|$)|[=-]+\s*$|```|~~~|<[a-z/!?]|\||:?-+:?\s*\||\[[^\]]*\]:|\$\$|[*_-](?:\s*[*_-]){2}[\s*_-]*$)/i;
/** Matches an ordinal at the start of a line, such as `2.` or `Table 1.`. It ends no sentence. */
const ORDINAL =
  /^\s*(?:(?:Table|Figure|Listing|Example|Chapter|Section|Step|Part)\s)?\d{1,4}(?:\.\d{1,4}){0,20}\\?[.)]\s*$/i;
/** Matches a letter with a full stop, as the first half of `z. B.`. No sentence ends within such a pair. */
const LETTER_AT_END = /(?:^|[\s([])\p{L}\.\s*$/u;
const LETTER = /^\p{L}\./u;
const CJK_END = /[。！？｡]$/;
const CJK_PAUSE = /[，、；：。！？]/;
const CJK_FIRST = 0x3000;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Cuts a line of prose between sentences, and long sentences between words. The pieces have all characters except white
 * space at the cuts. Returns `null` if the line needs no cut, as most do.
 */
export function splitProseLine(text: string): Iterable<string> | null {
  const hasEnds = SENTENCE_END.test(text) && MAY_CUT.test(text) && END_WITHIN.test(text.trimEnd());
  return hasEnds || text.length > PROSE_LINE_CHARS_MAX ? piecesOf(text, hasEnds) : null;
}

function* piecesOf(text: string, hasEnds: boolean): Generator<string, void> {
  const ranges = findUnbreakableRanges(text);
  let start = 0;
  for (const end of hasEnds ? sentenceCuts(text, ranges) : [text.length]) {
    for (const longCut of end - start > PROSE_LINE_CHARS_MAX ? wordCuts(text, start, end, ranges) : NO_CUTS) {
      yield text.slice(start, longCut).trimEnd();
      start = skipSpace(text, longCut);
    }
    yield end === text.length ? text.slice(start) : text.slice(start, end).trimEnd();
    start = end;
  }
}

const NO_CUTS: readonly number[] = [];

function* sentenceCuts(text: string, ranges: readonly TextRange[]): Generator<number, void> {
  let range = 0;
  let start = 0;
  for (const index of sentenceEnds(text)) {
    while ((ranges[range]?.end ?? Infinity) <= index) range += 1;
    if ((ranges[range]?.start ?? Infinity) < index) continue;
    if (!mayCut(text, start, index)) continue;
    yield index;
    start = index;
  }
  yield text.length;
}

const ABBREVIATION_CHARS_MAX = 16;

function mayCut(text: string, start: number, at: number): boolean {
  const before = text.slice(Math.max(start, at - ABBREVIATION_CHARS_MAX), at);
  if (!/\s$/.test(before) && (!CJK_END.test(before) || text.startsWith(STRIKE_MARK, at))) return false;
  if (ABBREVIATION.test(before) || (NUMBERED.test(before) && NUMBER.test(text.slice(at, at + NUMBER_CHARS))))
    return false;
  if (at - start <= before.length && ORDINAL.test(before)) return false;
  if (LETTER_AT_END.test(before) && LETTER.test(text.slice(at, at + 3))) return false;
  return isSafeStart(text, at) && !/\\\s*$/.test(before);
}

function isSafeStart(text: string, at: number): boolean {
  // Most words begin with a letter, and no Markdown block does.
  if (isLetter(text.charCodeAt(at))) return true;
  return !BLOCK_START.test(text.slice(at, at + 80)) && at < text.length;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function* wordCuts(text: string, from: number, to: number, ranges: readonly TextRange[]): Generator<number, void> {
  let start = from;
  let range = firstRangeAfter(ranges, from);
  while (to - start > PROSE_LINE_CHARS_MAX) {
    const cut = lastBreakWithin(text, start, ranges[range]) ?? breakAround(text, start, to, ranges, range);
    if (cut < 0 || skipSpace(text, cut) >= to) return;
    yield cut;
    start = skipSpace(text, cut);
    range = firstRangeAfter(ranges, start);
  }
}

/**
 * Returns the last word break that fits into the line; `null` if there is none, or if a link or code begins within the
 * line.
 */
function lastBreakWithin(text: string, start: number, next: TextRange | undefined): number | null {
  const end = start + PROSE_LINE_CHARS_MAX;
  if (next !== undefined && next.start <= end) return null;
  for (let at = end; at > start; at -= 1) if (isWordBreak(text, at)) return at;
  return null;
}

/**
 * Returns the last word break outside links and code that fits into the line, or else the next such break; -1 without
 * any.
 */
function breakAround(text: string, start: number, to: number, ranges: readonly TextRange[], first: number): number {
  let range = first;
  let cut = -1;
  for (let at = start + 1; at < to; at += 1) {
    while ((ranges[range]?.end ?? Infinity) <= at) range += 1;
    const inside = ranges[range];
    if (inside !== undefined && inside.start < at) {
      at = Math.min(inside.end, to) - 1;
      continue;
    }
    if (at - start > PROSE_LINE_CHARS_MAX && cut > 0) break;
    if (isWordBreak(text, at)) cut = at;
  }
  return cut;
}

/** Returns the index of the first range that ends after `at`, by binary search. */
function firstRangeAfter(ranges: readonly TextRange[], at: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isWordBreak(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (!isSpace(text.charCodeAt(at))) {
    if (before < CJK_FIRST) return false;
    return CJK_PAUSE.test(text.charAt(at - 1)) && !CJK_PAUSE.test(text.charAt(at)) && isSafeStart(text, at);
  }
  if (isSpace(before) || before === BACKSLASH) return false;
  return isSafeStart(text, skipSpace(text, at));
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next += 1;
  return next;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Matches sentence ends that UAX #29 misses: before a footnote mark or the end of bold text, and after `。`. */
const MORE_ENDS =
  /[.!?…]["'”’»)\]]*(?:[*_~]{1,3}|\[\^[^[\]\s]{1,20}\])["'”’»)\]*_~]*(?:\[\^[^[\]\s]{1,20}\]){0,20}\s+(?=["'“‘«([*_]{0,8}\p{Lu})|(?<![。！？｡])[。！？｡]+(?![。！？｡」』）】”’〉》〕］｣〗)\]*_~\s]|\[\^|$)/gu;
const MAY_HAVE_MORE = /[*_~^。！？｡]/;
/** Matches text for `Intl.Segmenter`: with non-ASCII characters, or a semicolon, on which Unicode versions differ. */
const NOT_PLAIN = /[^\t -:<-~]/;

let segmenter: Intl.Segmenter | undefined;

/** Yields positions of possible sentence ends in order: those of UAX #29, and ends next to Markdown marks. */
export function* sentenceEnds(text: string): Generator<number, void> {
  const more = MAY_HAVE_MORE.test(text) ? text.matchAll(MORE_ENDS) : NOTHING.values();
  let next = more.next();
  for (const index of NOT_PLAIN.test(text) ? endsBySegmenter(text) : endsOfPlain(text)) {
    while (next.done !== true && endOf(next.value) <= index) {
      if (endOf(next.value) < index) yield endOf(next.value);
      next = more.next();
    }
    yield index;
  }
  for (; next.done !== true; next = more.next()) yield endOf(next.value);
}

const NOTHING: readonly RegExpExecArray[] = [];

function endOf(match: RegExpExecArray): number {
  return match.index + match[0].length;
}

function* endsBySegmenter(text: string): Generator<number, void> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const { index } of segmenter.segment(text)) if (index > 0) yield index;
}

const STOP = 1;
const STOP_OF_ABBREVIATIONS = 2;
const CLOSE = 3;
const SPACE_KIND = 4;
const CONTINUES = 5;
const DIGIT = 6;
const LOWER = 7;
const UPPER = 8;
/** Sentence_Break property (UAX #29) of each ASCII character; 0 for others. */
const KINDS = kindsOf([
  ['!?', STOP],
  ['.', STOP_OF_ABBREVIATIONS],
  [`"'()[]{}`, CLOSE],
  ['\t ', SPACE_KIND],
  [',-:', CONTINUES],
  ['0123456789', DIGIT],
  ['abcdefghijklmnopqrstuvwxyz', LOWER],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER],
]);

function kindsOf(kinds: readonly (readonly [characters: string, kind: number])[]): Uint8Array {
  const table = new Uint8Array(0x80);
  for (const [characters, kind] of kinds) for (const one of characters) table[one.charCodeAt(0)] = kind;
  return table;
}

const STOPS = /[.!?]/g;

/** Finds sentence ends by rules SB6 to SB11 of UAX #29, like `Intl.Segmenter` but at a tenth of its cost. */
function* endsOfPlain(text: string): Generator<number, void> {
  for (let at = nextStop(text, 0); at >= 0; at = nextStop(text, at + 1)) {
    const kind = kindAt(text, at);
    const isAbbreviation = kind === STOP_OF_ABBREVIATIONS && isWithinWord(text, at);
    if (isAbbreviation) continue;
    let end = at + 1;
    while (kindAt(text, end) === CLOSE) end += 1;
    while (kindAt(text, end) === SPACE_KIND) end += 1;
    if (end >= text.length) return;
    at = end - 1;
    const next = kindAt(text, end);
    if (next === CONTINUES || next === STOP || next === STOP_OF_ABBREVIATIONS) continue;
    if (kind === STOP_OF_ABBREVIATIONS && isLowerNext(text, end)) continue;
    yield end;
  }
}

function nextStop(text: string, from: number): number {
  STOPS.lastIndex = from;
  return STOPS.exec(text)?.index ?? -1;
}

function kindAt(text: string, at: number): number {
  return KINDS[text.charCodeAt(at)] ?? 0;
}

/** True for a full stop inside a word or number, as in `3.5` or `U.S`. */
function isWithinWord(text: string, at: number): boolean {
  const after = kindAt(text, at + 1);
  const before = kindAt(text, at - 1);
  return after === DIGIT || (after === UPPER && (before === UPPER || before === LOWER));
}

/** True if the next letter is lower-case, before any sentence end: `etc. and` is one sentence. */
function isLowerNext(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) {
    const kind = kindAt(text, at);
    if (kind === LOWER) return true;
    if (kind === UPPER || kind === STOP || kind === STOP_OF_ABBREVIATIONS) return false;
  }
  return false;
}
