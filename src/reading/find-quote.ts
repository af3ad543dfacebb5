import type { Viewport } from '#core/document.ts';
import type { Pause } from '#core/turns.ts';
import { QUOTE_MATCHES_MAX } from './limits.ts';
import { foldedQuote, readAs, readText } from './quote-text.ts';
import type { Chunks, Form, Reading } from './quote-text.ts';

/** Where a quote stands. `text`: the page's own words, lines kept; `lead` and `tail`: what stands around them in their lines. */
export type QuotePlace = { lines: Viewport; lead: string; text: string; tail: string };

/**
 * The first place where a text says exactly these words, one after the other and whole, over the ends of lines, too.
 * Compared is what `foldedQuote` leaves: first what a reader sees, then the stored text, for what was copied with marks.
 * @param scan reads the text from its beginning
 */
export async function findQuote(quote: string, scan: () => Chunks, pause: Pause): Promise<QuotePlace | null> {
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

function placeOf({ starts, lines }: Reading, at: number, words: string): QuotePlace {
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
