import { CodeFences, toPlain } from '#core/text/plain.ts';
import type { Pause } from '#core/flow/turns.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { MARK, folded, needsSpace } from '#reading/find/reading-blocks.ts';
import { QUOTE_MATCHES_MAX, QUOTE_STEP_CHARS } from '#reading/limits.ts';
import type { Viewport } from '#core/document.ts';

/** The lines of a document, a few at a time. */
export type Chunks = AsyncIterable<{ firstLine: number; lines: readonly string[] }>;

/** How lines are compared: as a reader sees them, or as they are stored, with Markdown marks and addresses. */
export type Form = 'read' | 'raw';

/** A line in a form. */
export type FormedLine = { loc: number; text: string };

/** Lines one after the other, folded; `starts`: where each begins in the text. */
export type Reading = { text: string; starts: number[]; lines: FormedLine[] };

/** Turns lines into a form, one after the other: whether one is code depends on those before it. */
export class LineForm {
  readonly #fences = new CodeFences();
  readonly #form: Form;

  constructor(form: Form) {
    this.#form = form;
  }

  take(stored: string): string {
    const line = toPlain(stored);
    if (this.#form === 'raw') return line;
    const wasOpen = this.#fences.open !== null;
    if (this.#fences.take(line)) return wasOpen && this.#fences.open !== null ? line : '';
    return MARK.test(line) ? '' : visibleText(line.replaceAll('<sup>', '^'));
  }
}

const EM_DASH = /\s*[\u2014\u2015]\s*|\s--\s|(?<=[\p{L}\p{N}])--(?=[\p{L}\p{N}])/gu;
const LONG_DASH = /[\u2014\u2015]|--/;
const NOT_ASCII = /[^\x00-\x7f]/;
const SUPERSCRIPTS = /[\u00b9\u00b2\u00b3\u2070\u2074-\u207f]+/g;

/**
 * Text as quotes are compared. Beyond what `find` takes for the same, an em dash has spaces around it, and a raised number
 * stays one: 10² is not 102.
 */
export function foldedQuote(text: string): string {
  // Most lines have neither.
  const spaced = LONG_DASH.test(text) ? text.replace(EM_DASH, ' - ') : text;
  return folded(NOT_ASCII.test(spaced) ? spaced.replace(SUPERSCRIPTS, (run) => `^${run}`) : spaced).trim();
}

/** A whole text in a form, folded. */
export async function readAs(form: Form, chunks: Chunks, pause: Pause): Promise<Reading> {
  const joined = new Joined();
  const lineForm = new LineForm(form);
  let chars = 0;
  for await (const { firstLine, lines } of chunks) {
    for (const [offset, line] of lines.entries()) {
      joined.add({ loc: firstLine + offset, text: lineForm.take(line) });
      chars += line.length;
      if (chars < QUOTE_STEP_CHARS) continue;
      chars = 0;
      await pause();
    }
  }
  return joined.reading();
}

/** A text that is at hand, in a form, folded. */
export function readText(form: Form, text: string): Reading {
  const joined = new Joined();
  const lineForm = new LineForm(form);
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
    const space = before !== undefined && needsSpace(before, text) ? ' ' : '';
    this.#starts.push(this.#length + space.length);
    this.#lines.push(line);
    this.#parts.push(space + text);
    this.#length += space.length + text.length;
  }

  reading(): Reading {
    return { text: this.#parts.join(''), starts: this.#starts, lines: this.#lines };
  }
}

/** Where a quote stands. `text`: the page's own words, lines kept; `lead` and `tail`: what stands around them in their lines. */
export type QuoteMatch = { lines: Viewport; lead: string; text: string; tail: string };

/**
 * The first place where a text says exactly these words, one after the other and whole, over the ends of lines, too.
 * Compared is what `foldedQuote` leaves: first what a reader sees, then the stored text, for what was copied with marks.
 * @param scan reads the text from its beginning
 */
export async function findQuote(quote: string, scan: () => Chunks, pause: Pause): Promise<QuoteMatch | null> {
  for (const [form, wanted] of waysToLook(quote)) {
    const reading = await readAs(form, scan(), pause);
    for (const words of wanted) {
      const at = wholeMatch(reading.text, words);
      if (at !== null) return placeOf(reading, at, words);
    }
  }
  return null;
}

/** Numbers of lines, as viewports show them: who copies lines may copy these, too. */
const LINE_NUMBERS = /^L\d+: ?/gm;

/** The forms of a quote to look for in each form of a text. */
function waysToLook(quote: string): [Form, string[]][] {
  const texts = new Set([quote, quote.replace(LINE_NUMBERS, '')]);
  const asRaw = [...texts].map((text) => readText('raw', text).text);
  const asRead = [...texts].map((text) => readText('read', text).text);
  const wanted = (forms: readonly string[]) => [...new Set(forms)].filter((text) => text !== '');
  return [
    ['read', wanted([...asRaw, ...asRead])],
    ['raw', wanted(asRaw)],
  ];
}

/** Scripts that put no space between words: a quote may begin anywhere in them. */
const WORD = '[[\\p{L}\\p{N}\\p{M}_]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}]]';
/** What a place inside a word or a number looks like: don|'t, non-|toxic, 1.|5, -|5, 10|^6. */
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

/** Where the words stand whole: "can" is not what "cannot" says. */
function wholeMatch(text: string, words: string): number | null {
  let at = text.indexOf(words);
  for (let tries = 0; at >= 0 && tries < QUOTE_MATCHES_MAX; tries += 1) {
    if (!isInside(text, at) && !isInside(text, at + words.length)) return at;
    at = text.indexOf(words, at + 1);
  }
  return null;
}

function placeOf({ starts, lines }: Reading, at: number, words: string): QuoteMatch {
  const first = lineAt(starts, at);
  const last = lineAt(starts, at + words.length - 1);
  const texts = lines.slice(first, last + 1).map(({ text }) => text);
  const viewport = { start: lines[first]?.loc ?? 0, end: lines[last]?.loc ?? 0 };
  const whole = texts.join('\n');
  const from = unfoldedFrom(texts[0] ?? '', at - (starts[first] ?? 0));
  const tailChars = unfoldedRest(texts.at(-1) ?? '', at + words.length - (starts[last] ?? 0));
  const text = whole.slice(from, whole.length - tailChars);
  const isExact = readText('raw', text).text === words;
  if (!isExact) return { lines: viewport, lead: '', text: whole, tail: '' };
  return { lines: viewport, lead: whole.slice(0, from), text, tail: whole.slice(whole.length - tailChars) };
}

/** The line that holds a place: the last that begins before it. */
function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where in a line the place `at` of its folded form begins. */
function unfoldedFrom(line: string, at: number): number {
  if (at === 0) return 0;
  const end = shortest(line, at + 1);
  const isSecondHalf = /[\udc00-\udfff]/.test(line.charAt(end - 1));
  return Math.max(0, isSecondHalf ? end - 2 : end - 1);
}

/** How much of a line follows the place `at` of its folded form. */
function unfoldedRest(line: string, at: number): number {
  return line.length - shortest(line, at);
}

/** The shortest beginning of a line whose folded form has so many characters. */
function shortest(line: string, chars: number): number {
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (foldedQuote(line.slice(0, middle)).length >= chars) high = middle;
    else low = middle + 1;
  }
  return low;
}
