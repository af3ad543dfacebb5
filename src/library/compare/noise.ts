import type { WorkSteps } from '#core/flow/turns.ts';
import { diffWords } from '#core/text/word-diff.ts';
import type { DiffBudget } from '#core/text/word-diff.ts';
import type { DocumentBlock } from './blocks.ts';

const MONTHS =
  'jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|févr(?:ier)?|mar(?:ch|s)?|märz|apr(?:il)?|avr(?:il)?|may|mai|june?|juni?|juin|july?|juli?|juil(?:let)?|aug(?:ust)?|août|sept?(?:ember|embre)?|oct(?:ober|obre)?|okt(?:ober)?|nov(?:ember|embre)?|dec(?:ember)?|dez(?:ember)?|déc(?:embre)?';
const DAYS = 'mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?';
/** Values that may differ between two builds of the same text: dates, times, versions, counts and hashes. */
const VALUES = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${MONTHS}|${DAYS}|am|pm|utc|gmt|cest|cet|z)(?![\\p{L}\\p{N}])\\.?|[0-9a-f]{7,64}(?![\\p{L}\\p{N}])|\\d[\\p{L}\\p{N}.,:+/年月日-]*)`,
  'giu',
);
/** Words of a note such as "Last updated on 3 May". The note must also have a date or a duration. */
const LAST_CHANGED =
  /\b(?:last|zuletzt|dernière|última?)\b.{0,30}\b(?:updated?|modified|changed?|built|build|generated|reviewed|edited|revised|commit|aktualisiert|geändert|mise? à jour|modification|actualización|modificación)(?!\p{L})|最終更新|更新日|最后更新|最後更新|последнее (?:обновление|изменение)/iu;
const MADE =
  /^(?:(?:this|the) )?(?:page|site|web ?site|documentation|document|docs)?\W*(?:(?:was|were) )?(?:last |automatically |auto-)?(?:updated|modified|generated|built|rendered|compiled|served|published|created)\b/iu;
const DATE = new RegExp(
  `\\d{4}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\d{1,2}:\\d{2}|(?<!\\p{L})(?:${MONTHS})(?!\\p{L})\\.?\\s*\\d|\\d\\.?\\s*(?:${MONTHS})(?!\\p{L})|\\d\\s?(?:m?s|milliseconds|seconds)\\b|\\d{4}年`,
  'iu',
);
const COPYRIGHT = /copyright|©|\(c\)\s*\d{4}|all rights reserved/iu;
const DATE_WORDS_MAX = 20;
const COPYRIGHT_WORDS_MAX = 40;
const COUNTER_CHARS_MAX = 120;
/** Maximum characters that are searched for a note such as "Last updated on 3 May". */
const TEXT_CHARS_MAX = 1_000;

/**
 * True if two blocks differ only in a build date, a copyright year or a counter, or only in values in the page's
 * header.
 */
export function isUnreportedChange(
  one: DocumentBlock | null,
  other: DocumentBlock | null,
  headers: ReadonlySet<DocumentBlock>,
): boolean {
  if (one === null || other === null || one.kind === 'code' || other.kind === 'code' || one.kind === 'heading')
    return false;
  const [before, after] = [one.text.replace(VALUES, '#'), other.text.replace(VALUES, '#')];
  if (after.length <= COUNTER_CHARS_MAX && isCounter(after) && isCounter(before.slice(0, COUNTER_CHARS_MAX + 1)))
    return true;
  if (rangesAsOne(before) !== rangesAsOne(after)) return false;
  if (headers.has(other)) return true;
  // The date may be in its own block, below a heading such as "Last update".
  const said = `${/^[#\W]*$/.test(after) ? (other.section ?? '') : ''} ${other.text}`.trim().slice(0, TEXT_CHARS_MAX);
  const words = wordsOf(said).length;
  if (words <= COPYRIGHT_WORDS_MAX && COPYRIGHT.test(said)) return true;
  return words <= DATE_WORDS_MAX && DATE.test(said) && (LAST_CHANGED.test(said) || MADE.test(said.replace(/^\W+/, '')));
}

/** Minimum characters below a page's header. In a file with only a version, the version is content, not a header. */
const CHARS_BELOW_HEADER_MIN = 30;
const HEADER_BLOCKS = 2;
const HEADER_WORDS_MAX = 6;

const PRICE = /[\p{Sc}]|\b(?:EUR|USD|GBP|CHF|price|preis|prix)\b/iu;

/** Finds texts at the top of a page that a generator adds to every page, such as the version of the software. */
export function findHeaderBlocks(blocks: readonly DocumentBlock[]): ReadonlySet<DocumentBlock> {
  const below = blocks.slice(HEADER_BLOCKS).reduce((chars, { text }) => chars + text.length, 0);
  if (below < CHARS_BELOW_HEADER_MIN) return new Set();
  const heading = blocks.findIndex(({ kind }) => kind === 'heading');
  const above = blocks.slice(0, heading < 0 ? HEADER_BLOCKS : Math.min(heading, HEADER_BLOCKS));
  return new Set(above.filter(({ text }) => wordsOf(text).length <= HEADER_WORDS_MAX && !PRICE.test(text)));
}

/** Replaces a range of numbers by one number, because a copyright year such as `2001` may become `2001–2026`. */
function rangesAsOne(text: string): string {
  return text.replace(/#(?:[\s,–-]{1,3}#)*/g, '#').replace(/\s+/g, ' ');
}

const WILD = '*';
const WORDS_MAX = 40;

/**
 * Pattern of a block that varies: kind, section and constant words, with `*` for varying words. It contains page text.
 */
export function* varyingPattern(
  one: DocumentBlock | null,
  other: DocumentBlock | null,
  work: DiffBudget,
): WorkSteps<string> {
  const block = one ?? other;
  const parts = one === null || other === null ? [] : yield* diffWords(one.text, other.text, { work });
  const kept =
    parts.length === 0 ? [WILD] : parts.flatMap(({ kind, text }) => (kind === 'same' ? wordsOf(text) : [WILD]));
  const words = kept.filter((word, at) => word !== WILD || kept[at - 1] !== WILD).slice(0, WORDS_MAX);
  return `${headOf(block)}${words.join(' ')}`;
}

function headOf(block: DocumentBlock | null): string {
  return `${block?.kind === 'item' ? 'prose' : (block?.kind ?? '')} ${(block?.section ?? '').slice(0, 200)}\n`;
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/**
 * Minimum constant words of a pattern that may match any number of blocks. A pattern with fewer matches only one block.
 */
const NAMING_WORDS_MIN = 3;

export class VaryingPatterns {
  readonly #heads = new Map<string, Pattern[]>();

  constructor(varying: readonly string[]) {
    for (const one of varying) {
      const end = one.indexOf('\n') + 1;
      const head = one.slice(0, end);
      const words = one.slice(end).split(' ');
      const isNaming = words.filter((word) => word !== WILD).length >= NAMING_WORDS_MIN;
      this.#heads.set(head, [...(this.#heads.get(head) ?? []), { words, left: isNaming ? Infinity : 1 }]);
    }
  }

  /** Cost of `takes`, in characters of text that could be read in the same time. */
  cost(one: DocumentBlock | null, other: DocumentBlock | null): number {
    const patterns = this.#patternsFor(one, other).length;
    return ((one?.text.length ?? 0) + (other?.text.length ?? 0)) * (1 + patterns / PATTERNS_PER_READING);
  }

  takes(one: DocumentBlock | null, other: DocumentBlock | null): boolean {
    const patterns = this.#patternsFor(one, other);
    if (patterns.length === 0) return false;
    const texts = [one, other].flatMap((block) => (block === null ? [] : [wordsOf(block.text)]));
    const found = patterns.find(({ words, left }) => left > 0 && texts.every((text) => matches(text, words)));
    if (found !== undefined) found.left -= 1;
    return found !== undefined;
  }

  #patternsFor(one: DocumentBlock | null, other: DocumentBlock | null): readonly Pattern[] {
    return this.#heads.get(headOf(other ?? one)) ?? [];
  }
}

/** Number of patterns that can be matched against a text in the time that reading the text takes. */
const PATTERNS_PER_READING = 20;

type Pattern = { words: readonly string[]; left: number };

/**
 * True if the text has the pattern's words in order, and no words at its ends unless the pattern has a `*` there. A
 * pattern of the maximum length may have been cut, so it allows more words at the end.
 */
function matches(words: readonly string[], pattern: readonly string[]): boolean {
  let at = 0;
  let isWild = false;
  for (const wanted of pattern) {
    if (wanted === WILD) {
      isWild = true;
      continue;
    }
    if (isWild) while (at < words.length && words[at] !== wanted) at += 1;
    if (words[at] !== wanted) return false;
    at += 1;
    isWild = false;
  }
  return isWild || at === words.length || pattern.length >= WORDS_MAX;
}

/** Things that pages count. The number is before the word, as in `7 comments`, or after it, as in `Comments (7)`. */
const COUNTED = new Set(
  'view views visit visits visitor visitors hits read reads like likes comment comments replies share shares star stars fork forks watcher watchers follower followers download downloads vote votes online aufrufe vues vistas'.split(
    ' ',
  ),
);
const COUNTED_AFTER: readonly (readonly string[])[] = [
  'pageview',
  'pageviews',
  'page view',
  'page views',
  'times',
  'people online',
  'people are reading',
  ...['min', 'mins', 'minute', 'minutes'].map((minutes) => `${minutes} read`),
].map((words) => words.split(' '));
const AGO = new Set(['second', 'minute', 'hour', 'day', 'week', 'month', 'year'].flatMap((unit) => [unit, `${unit}s`]));
const VAGUE = new Set(['a', 'an', 'few']);
const MULTIPLES = new Set(['k', 'm']);
/** Placeholder for a number. */
const NUMBER = '#';
const TOKENS = /[\p{L}\p{N}_]+|#/gu;
const COUNTERS_MAX = 6;

/**
 * True if a text consists of up to six counters: `1,204 views`, `Comments (7)`, `3 min read`, `5 minutes ago`.
 * @param text with each number replaced by `#`
 */
function isCounter(text: string): boolean {
  const tokens = text.toLowerCase().match(TOKENS) ?? [];
  let counters = 0;
  for (let at = 0; at < tokens.length;) {
    const taken = counterAt(tokens, at);
    if (taken > 0) counters += 1;
    else if (tokens[at] !== NUMBER) return false;
    at += Math.max(1, taken);
  }
  return counters > 0 && counters <= COUNTERS_MAX;
}

/** Number of tokens of the counter (`#` for a number, as in `# comments`) that begins here; 0 for none. */
function counterAt(tokens: readonly string[], at: number): number {
  const hasNumber = tokens[at] === NUMBER;
  const isMultiple = hasNumber && MULTIPLES.has(tokens[at + 1] ?? '');
  const from = at + Number(hasNumber) + Number(isMultiple);
  const word = tokens[from] ?? '';
  const isVague = VAGUE.has(word);
  if (AGO.has(tokens[from + Number(isVague)] ?? '') && tokens[from + Number(isVague) + 1] === 'ago')
    return from + Number(isVague) + 2 - at;
  if (!hasNumber) return COUNTED.has(word) && tokens[from + 1] === NUMBER ? 2 : 0;
  const words = COUNTED_AFTER.find((one) => one.every((part, offset) => tokens[from + offset] === part));
  if (words !== undefined) return from + words.length - at;
  return COUNTED.has(word) ? from + 1 - at : 0;
}
