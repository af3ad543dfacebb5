import type { OmittedRanges } from '#core/text/page-texts.ts';
import { foldLetters, SecretValueFinder } from './find-values.ts';
import type { SecretValue } from './find-values.ts';
import { decodedText, decodeReadings, TAG_PATTERN } from './readings.ts';
import type { DecodedReading, TextSpan } from './readings.ts';

/**
 * Minimum letters of a secret's beginning that are masked without the rest, because pages cut texts and typing may stop
 * midway. Also the minimum for the part in a box of a split code. Shorter beginnings match too many ordinary words.
 */
export const MASKED_SECRET_LETTERS_MIN = 6;

/** Minimum letters of a secret's end that are masked without the rest. Shorter ends are easier to guess. */
const SECRET_END_LETTERS = 8;
/** A value with fewer letters, such as "a-b-1", is compared including its signs. */
const LETTERS_WITHOUT_SIGNS_MIN = 6;
/**
 * Minimum characters of a text that is searched. The shortest secret, and a code without its leading zeros, have this
 * length.
 */
const TEXT_CHARS_MIN = 5;

export type SecretMask = Masking & {
  /**
   * Masks only whole values. Used for stored tabs, whose URLs must still lead to their page, and for requests. Results
   * use the full mask.
   */
  readonly whole: Masking;
};

type Masking = {
  /** @returns the masked text without the ranges in `leftOut` */
  from: (text: string, leftOut?: OmittedRanges) => string;
  places: (text: string) => TextSpan[];
};

export const MASK_TEXT = '••••';

/**
 * Masks values wherever they are in a text, in the forms that docs/secrets.md promises. Apart from sorting the matches,
 * the time is linear in the length of the text.
 * @returns `null` without values
 */
export function createSecretMask(values: Iterable<string>): SecretMask | null {
  const wanted = [...new Set(values)].flatMap(formsOf);
  if (wanted.length === 0) return null;
  let whole: Masking | null = null;
  return {
    ...masking(wanted),
    get whole() {
      whole ??= masking(wanted.map((one) => ({ ...one, beginning: Infinity, ending: Infinity })));
      return whole;
    },
  };
}

function masking(wanted: readonly SecretValue[]): Masking {
  const bySpelling = Map.groupBy(wanted, ({ spelling }) => JSON.stringify(spelling));
  const finders = [...bySpelling.values()].flatMap((all) =>
    all[0] ? [new SecretValueFinder(all[0].spelling, all)] : [],
  );
  return {
    from: (text, leftOut = []) => masked(text, editsIn(text, finders), leftOut),
    places: (text) => joined(editsIn(text, finders).map(({ found }) => found)),
  };
}

function formsOf(value: string): SecretValue[] {
  const text = value.trim();
  const [, host = ''] = /^[^@\s]+@([^@\s][^@\s.]*\.[^@\s]+)$/v.exec(text) ?? [];
  const keepsSigns = foldLetters(text, { keepsSigns: false }).length < LETTERS_WITHOUT_SIGNS_MIN;
  // Pages show the host of an e-mail address, so a masked end must be longer than the host.
  const parts = { beginning: MASKED_SECRET_LETTERS_MIN, ending: host.length + SECRET_END_LETTERS };
  // In form-encoded texts, `+` means a space.
  const plain = new Set([text, decodedText(text), text.replaceAll(' ', '+')]);
  // Programs that parse a code as a number drop its leading zeros. Numbers with few remaining digits are excluded,
  // because they would match too often.
  const [, number] = /^0+([1-9]\d{4,})$/v.exec(text) ?? [];
  const bytes = [...new Set(SPELLINGS.map((spell) => spell(text)))].flatMap((one) => {
    const lettersOfOne = one.length / text.length;
    return bytesOf(one).flatMap((all) => encodedBytes(all, lettersOfOne, parts));
  });
  const spelled = (one: string) => ({
    text: one,
    isBytes: false,
    spelling: { keepsSigns, hasSpaces: /\s/v.test(one) },
  });
  return [
    ...Array.from(plain, (one) => ({ ...spelled(one), ...parts })),
    ...(number === undefined ? [] : [{ ...spelled(number), beginning: Infinity, ending: Infinity }]),
    ...bytes.map((one) => ({ ...one, isBytes: true, spelling: { keepsSigns: false, hasSpaces: false } })),
  ];
}

/** Spellings in which programs may encode a value as bytes. */
const SPELLINGS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => value.toLowerCase(),
  (value) => value.toUpperCase(),
  (value) => value.normalize('NFD'),
  (value) => JSON.stringify(value).slice(1, -1),
  formEncoded,
];

function formEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

/** Bytes in UTF-8 and, if they differ, in Latin-1, which `btoa` encodes. */
function bytesOf(text: string): string[] {
  const utf8 = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  return utf8 === text || /[^\0-\xff]/v.test(text) ? [utf8] : [utf8, text];
}

/** Encodes bytes in hex and base64. In base64, bytes look different at each of three positions in a group. */
function encodedBytes(bytes: string, lettersOfOne: number, parts: Pick<SecretValue, 'beginning' | 'ending'>) {
  const scaled = (text: string, lettersOfByte: number) => ({
    text,
    beginning: Math.ceil(parts.beginning * lettersOfOne * lettersOfByte),
    ending: Math.ceil(parts.ending * lettersOfOne * lettersOfByte),
  });
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  // Only the base64 characters that do not depend on other bytes.
  const base64 = [0, 1, 2].map((before) =>
    btoa('\0'.repeat(before) + bytes).slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  );
  return [scaled(hex, 2), ...base64.map((one) => scaled(one, 4 / 3))];
}

/** A piece of text to mask, from `start` to `end`. Tags inside a match stay, so that HTML stays valid. */
type Edit = {
  start: number;
  end: number;
  /** The whole match, of which `start` to `end` may be only a piece. */
  found: TextSpan;
};

function editsIn(text: string, finders: readonly SecretValueFinder[]): Edit[] {
  if (text.length < TEXT_CHARS_MIN) return [];
  const edits: Edit[] = [];
  for (const reading of decodeReadings(text)) {
    for (const finder of finders) for (const found of finder.find(reading)) addEdits(edits, text, found, reading);
  }
  return edits.sort((one, other) => one.start - other.start);
}

function addEdits(edits: Edit[], text: string, found: TextSpan, { isTagless }: DecodedReading): void {
  let [start] = found;
  const add = (end: number) => start < end && edits.push({ start, end, found });
  const tags = isTagless ? text.slice(...found).matchAll(TAG_PATTERN) : [];
  for (const { 0: tag, index } of tags) {
    add(found[0] + index);
    start = found[0] + index + tag.length;
  }
  add(found[1]);
}

function masked(text: string, edits: readonly Edit[], leftOut: OmittedRanges): string {
  const shown = showing(text, joined(leftOut.map(([start, end]): TextSpan => [start, end])));
  const drawn = new Set<TextSpan>();
  let said = '';
  let last = 0;
  let hasDots = false;
  for (let at = 0; at < edits.length;) {
    const { start } = edits[at] ?? { start: 0 };
    let end = start;
    const found: TextSpan[] = [];
    for (let edit = edits[at]; edit !== undefined && edit.start <= end; edit = edits[(at += 1)]) {
      end = Math.max(end, edit.end);
      found.push(edit.found);
    }
    const before = shown(last, start);
    said += before;
    hasDots &&= before === '';
    last = end;
    if (shown(start, end) === '') continue;
    if (!hasDots && !found.some((one) => drawn.has(one))) said += MASK_TEXT;
    hasDots = true;
    for (const one of found) drawn.add(one);
  }
  return said + shown(last, text.length);
}

/** @returns a function for the remaining text of a span. Call it for spans in ascending order. */
function showing(text: string, cuts: readonly TextSpan[]): (from: number, to: number) => string {
  let next = 0;
  return (from, to) => {
    let shown = '';
    for (let at = from; at < to;) {
      while ((cuts[next]?.[1] ?? Infinity) <= at) next += 1;
      const [start, end] = cuts[next] ?? [to, to];
      shown += text.slice(at, Math.max(at, Math.min(start, to)));
      at = start < to ? Math.max(at, end) : to;
    }
    return shown;
  };
}

function joined(spans: readonly TextSpan[]): TextSpan[] {
  const all: TextSpan[] = [];
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}
