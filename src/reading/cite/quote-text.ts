import { CodeFences, sanitizeText } from '#core/text/plain.ts';
import type { Pause } from '#core/flow/turns.ts';
import { STRIKE_MARK, readableText } from '#core/text/visible-text.ts';
import { SERVER_COMMENT_LINE } from '#core/text/line-kinds.ts';
import { foldForSearch, needsSpaceBetween } from '#core/text/fold.ts';
import { QUOTE_CHARS_PER_PAUSE } from '#reading/limits.ts';
import type { Viewport } from '#core/document/document.ts';

/** Maximum matches to examine. A match inside a word does not count: a quote "a" would match most words of a page. */
const QUOTE_MATCHES_MAX = 10_000;

export type StoredLineChunks = AsyncIterable<{ firstLine: number; lines: readonly string[] }>;

/** The form of a line to search. `read`: the visible text. `raw`: the stored line, with Markdown marks and URLs. */
type TextForm = 'read' | 'raw';

type FormedLine = { loc: number; text: string };

type FoldedLines = { text: string; starts: number[]; lines: FormedLine[] };

/** Converts stored lines to a form. Pass the lines in order, because a code block has several lines. */
export class LineNormalizer {
  readonly #fences = new CodeFences();
  readonly #form: TextForm;
  readonly #strike: string;

  /**
   * @param fence the fence of the code block that contains the first line; `null` if the line is not in code
   * @param strike text to write in the form `read` for a mark of struck-out text
   */
  constructor(form: TextForm, fence: string | null = null, strike = STRIKE_MARK) {
    this.#form = form;
    this.#strike = strike;
    this.#fences.open = fence;
  }

  take(stored: string): string {
    const line = sanitizeText(stored);
    if (this.#form === 'raw') return line;
    const wasOpen = this.#fences.open !== null;
    if (this.#fences.take(line)) return wasOpen && this.#fences.open !== null ? line : '';
    return SERVER_COMMENT_LINE.test(line) ? '' : readableText(line, this.#strike);
  }
}

/** Stands for `~~` while a quote is searched: a control character, which no document contains. */
const STRIKE = '\u0001';

const EM_DASH = / ?[\u2014\u2015] ?| -- |(?<=[\p{L}\p{N}])--(?=[\p{L}\p{N}])/gu;
const LONG_DASH = /[\u2014\u2015]|--/;
const NOT_ASCII = /[^\x00-\x7f]/;
const SUPERSCRIPTS = /[\u00b9\u00b2\u00b3\u2070\u2074-\u207f]+/g;

/**
 * Normalizes a quote as `find` does. Also puts spaces around em dashes, and marks superscripts with `^`, so that 10²
 * does not match 102. Quotes usually lack the marks of struck-out text, so these marks are removed.
 */
function foldedQuote(text: string): string {
  const bare = text.replaceAll(STRIKE, '');
  const spaced = LONG_DASH.test(bare) ? bare.replace(/\s+/gu, ' ').replace(EM_DASH, ' - ') : bare;
  return foldForSearch(NOT_ASCII.test(spaced) ? spaced.replace(SUPERSCRIPTS, (run) => `^${run}`) : spaced).trim();
}

async function foldChunks(form: TextForm, chunks: StoredLineChunks, pause: Pause): Promise<FoldedLines> {
  const joined = new Joined();
  const lineForm = new LineNormalizer(form, null, STRIKE);
  let chars = 0;
  for await (const { firstLine, lines } of chunks) {
    for (const [offset, line] of lines.entries()) {
      joined.add({ loc: firstLine + offset, text: lineForm.take(line) });
      chars += line.length;
      if (chars < QUOTE_CHARS_PER_PAUSE) continue;
      chars = 0;
      await pause();
    }
  }
  return joined.reading();
}

function foldQuoteText(form: TextForm, text: string): FoldedLines {
  const joined = new Joined();
  const lineForm = new LineNormalizer(form, null, STRIKE);
  for (const [loc, line] of text.split('\n').entries()) joined.add({ loc, text: lineForm.take(line) });
  return joined.reading();
}

class Joined {
  readonly #parts: string[] = [];
  readonly #starts: number[] = [];
  readonly #lines: FormedLine[] = [];
  #length = 0;

  add(line: FormedLine): void {
    const text = foldedQuote(line.text);
    if (text === '') return;
    const before = this.#parts.at(-1);
    const space = before !== undefined && needsSpaceBetween(before, text) ? ' ' : '';
    this.#starts.push(this.#length + space.length);
    this.#lines.push(line);
    this.#parts.push(space + text);
    this.#length += space.length + text.length;
  }

  reading(): FoldedLines {
    return { text: this.#parts.join(''), starts: this.#starts, lines: this.#lines };
  }
}

/** The place of a quote in a page. */
export type FoundQuote = {
  lines: Viewport;
  /** The part of the first line before the quote. */
  lead: string;
  /** The quoted text as on the page, with line breaks. */
  text: string;
  /** The part of the last line after the quote. */
  tail: string;
};

/**
 * Finds the first place with exactly these words as whole words, also across line ends. Searches the visible text, and
 * then the stored text, because a quote may have been copied with Markdown marks.
 * @param scan reads the text from its beginning
 */
export async function findQuote(quote: string, scan: () => StoredLineChunks, pause: Pause): Promise<FoundQuote | null> {
  for (const [form, wanted] of formsToSearch(quote)) {
    const reading = await foldChunks(form, scan(), pause);
    for (const words of wanted) {
      const at = wholeMatch(reading.text, words);
      if (at !== null) return matchAt(reading, at, words);
    }
  }
  return null;
}

/** Line numbers of a viewport, such as `L12: `, which a model may have copied with the lines. */
const LINE_NUMBERS = /^L\d+: ?/gm;

function formsToSearch(quote: string): [TextForm, string[]][] {
  const texts = new Set([quote, quote.replace(LINE_NUMBERS, '')]);
  const asRaw = [...texts].map((text) => foldQuoteText('raw', text).text);
  const asRead = [...texts].map((text) => foldQuoteText('read', text).text);
  const wanted = (forms: readonly string[]) => [...new Set(forms)].filter((text) => text !== '');
  return [
    ['read', wanted([...asRaw, ...asRead])],
    ['raw', wanted(asRaw)],
  ];
}

/**
 * A character of a word. Scripts without spaces between words are excluded, because a quote may begin anywhere in them.
 */
const WORD = '[[\\p{L}\\p{N}\\p{M}_]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}]]';
/**
 * Positions that are inside a word or number, as patterns for the text before and after. Examples (the bar is the
 * position): don|'t, non-|toxic, 1.|5, -|5, 10|^6.
 */
const INSIDE: readonly (readonly [before: RegExp, after: RegExp])[] = [
  [new RegExp(`${WORD}$`, 'v'), new RegExp(`^['\\-]?${WORD}`, 'v')],
  [new RegExp(`${WORD}['\\-]$`, 'v'), new RegExp(`^${WORD}`, 'v')],
  [/\d[.,:]$/, /^\d/],
  [/\d$/, /^(?:[.,:]\d|\^|<sup)/],
  [/(?:^|[^\p{L}\p{N}])[-+±^]$/u, /^\d/],
];
const LOOK_CHARS = 4;

function isInside(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LOOK_CHARS), at);
  const after = text.slice(at, at + LOOK_CHARS);
  return INSIDE.some(([left, right]) => left.test(before) && right.test(after));
}

function wholeMatch(text: string, words: string): number | null {
  let at = text.indexOf(words);
  for (let tries = 0; at >= 0 && tries < QUOTE_MATCHES_MAX; tries += 1) {
    if (!isInside(text, at) && !isInside(text, at + words.length)) return at;
    at = text.indexOf(words, at + 1);
  }
  return null;
}

function matchAt({ starts, lines }: FoldedLines, at: number, words: string): FoundQuote {
  const first = lineAt(starts, at);
  const last = lineAt(starts, at + words.length - 1);
  const texts = lines.slice(first, last + 1).map(({ text }) => text);
  const viewport = { start: lines[first]?.loc ?? 0, end: lines[last]?.loc ?? 0 };
  const whole = texts.join('\n');
  const from = unfoldedFrom(texts[0] ?? '', at - (starts[first] ?? 0));
  const tailChars = unfoldedRest(texts.at(-1) ?? '', at + words.length - (starts[last] ?? 0));
  const text = whole.slice(from, whole.length - tailChars);
  const isExact = foldQuoteText('raw', text).text === words;
  if (!isExact) return { lines: viewport, lead: '', text: showStrikes(whole), tail: '' };
  return { lines: viewport, ...balanceStrikes(whole.slice(0, from), text, whole.slice(whole.length - tailChars)) };
}

/** Closes struck-out text at the ends of the quote, and opens it again after them. */
function balanceStrikes(lead: string, text: string, tail: string): Pick<FoundQuote, 'lead' | 'text' | 'tail'> {
  const [before, inside] = [lead, lead + text].map((part) => part.split(STRIKE).length % 2 === 0);
  const ends = before === true ? STRIKE : '';
  const begins = inside === true ? STRIKE : '';
  return {
    lead: showStrikes(lead + ends),
    text: showStrikes(ends + text + begins),
    tail: showStrikes(begins + tail),
  };
}

/** Writes the marks of struck-out text. Marks without text between them are omitted. */
function showStrikes(text: string): string {
  return text.replaceAll(STRIKE + STRIKE, '').replaceAll(STRIKE, STRIKE_MARK);
}

/** Returns the visible text of stored lines, with marks of struck-out text. Blank lines are omitted. */
export function readVisibleLines(text: string): string[] {
  const form = new LineNormalizer('read');
  return text
    .split('\n')
    .map((line) => form.take(line))
    .filter((line) => line !== '');
}

function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the index in the line that corresponds to index `at` of the normalized line. */
function unfoldedFrom(line: string, at: number): number {
  if (at === 0) return 0;
  const end = shortest(line, at + 1);
  const isSecondHalf = /[\udc00-\udfff]/.test(line.charAt(end - 1));
  return Math.max(0, isSecondHalf ? end - 2 : end - 1);
}

/** Returns the number of characters in the line after the place that corresponds to `at` in the normalized line. */
function unfoldedRest(line: string, at: number): number {
  return line.length - shortest(line, at);
}

/** Returns the length of the shortest prefix that has at least `chars` characters after normalizing. */
function shortest(line: string, chars: number): number {
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (foldedQuote(line.slice(0, middle)).length >= chars) high = middle;
    else low = middle + 1;
  }
  return low;
}
