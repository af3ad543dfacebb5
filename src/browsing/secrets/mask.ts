import type { LeftOut } from '#core/text/page-texts.ts';
import { ValueFinder } from './find-values.ts';
import type { Wanted } from './find-values.ts';
import { alphabetForBytes, alphabetsFor } from './letters.ts';
import type { Alphabet, LettersOfText } from './letters.ts';
import { SECRET_END_LETTERS, SECRET_PART_LETTERS } from './limits.ts';
import { decodedOf, readingsOf, TAG } from './readings.ts';
import type { Span } from './readings.ts';

/** Finds what must not be shown in a text: values, their beginnings and their ends. */
export type Hide = Found & {
  /** Finds values alone, for what is no text that anybody reads: an address must still lead to its page. */
  readonly whole: Found;
};

type Found = {
  /** The text without it, and without parts of it that are left out anyway. */
  from: (text: string, leftOut?: LeftOut) => string;
  /** Where it stands: from, and up to. */
  places: (text: string) => Span[];
};

/** What stands in place of it. */
export const HIDDEN = '••••';

/**
 * Hides values wherever they turn up, in every form of {@link FORMS} and every reading of a text, and so their beginnings and ends.
 * The time is that of the text and the values together, whatever they are.
 * @returns `null` when there is nothing to hide
 */
export function hiding(values: Iterable<string>): Hide | null {
  const all = new Set(values);
  if (all.size === 0) return null;
  let whole: Found | null = null;
  return {
    ...finding(all, (wanted) => wanted),
    get whole() {
      whole ??= finding(all, (wanted) => ({ ...wanted, beginning: Infinity, ending: Infinity }));
      return whole;
    },
  };
}

function finding(values: Iterable<string>, as: (wanted: Wanted) => Wanted): Found {
  const byAlphabet = new Map<Alphabet, Wanted[]>();
  for (const value of values) {
    const add = (alphabets: readonly Alphabet[], forms: readonly Form[]) => {
      const wanted = wantedOf(value, forms).map(as);
      for (const alphabet of alphabets) byAlphabet.set(alphabet, [...(byAlphabet.get(alphabet) ?? []), ...wanted]);
    };
    add(alphabetsFor(value), FORMS);
    add([alphabetForBytes()], FORMS_OF_BYTES);
  }
  const finders = [...byAlphabet].map(([alphabet, wanted]) => new ValueFinder(alphabet, wanted));
  return {
    from: (text, leftOut = []) => edited(text, without(editsIn(text, finders), leftOut)),
    places: (text) => joined(editsIn(text, finders).map(({ whole }) => whole)),
  };
}

/** A form of a value, in which each of its letters has about so many. */
type Form = { of: (value: string) => string; lettersOfOne: number };

/** The forms in which programs write all of a value. What they write letter by letter is decoded: `readings.ts`. */
const FORMS: readonly Form[] = [
  { of: (value) => value, lettersOfOne: 1 },
  { of: decodedOf, lettersOfOne: 1 },
  // Of a form: there a + is a space, and may be a sign of the value elsewhere.
  { of: (value) => new URLSearchParams([['', value]]).toString().slice(1), lettersOfOne: 3 },
];

/** `btoa` takes Latin-1, and everything else UTF-8. They differ beyond ASCII. */
const FORMS_OF_BYTES: readonly Form[] = [bytesOf, latin1Of].flatMap((bytesIn) => [
  { of: (value: string) => hexOf(bytesIn(value)), lettersOfOne: 2 },
  // In base64 a letter has another form for each place that it may have in a group of three.
  ...[0, 1, 2].map((before) => ({ of: (value: string) => base64Within(bytesIn(value), before), lettersOfOne: 4 / 3 })),
]);

function wantedOf(value: string, forms: readonly Form[]): Wanted[] {
  const trimmed = value.trim();
  const [, host = ''] = EMAIL.exec(trimmed) ?? [];
  const wanted = forms.map(({ of, lettersOfOne }) => ({
    text: of(trimmed),
    beginning: Math.ceil(SECRET_PART_LETTERS * lettersOfOne),
    // Pages name hosts of mail.
    ending: Math.ceil((host.length + SECRET_END_LETTERS) * lettersOfOne),
  }));
  return wanted.filter(({ text }, at) => text !== '' && wanted.findIndex((one) => one.text === text) === at);
}

const EMAIL = /^[^@\s]+@([^@\s]+\.[^@\s]+)$/v;

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** None for a text with other letters. */
function latin1Of(value: string): Uint8Array {
  const codes = Array.from(value, (letter) => letter.codePointAt(0) ?? 0);
  return Uint8Array.from(codes.every((code) => code <= 0xff) ? codes : []);
}

/** The characters that these bytes alone decide, with some before them. */
function base64Within(bytes: Uint8Array, before: number): string {
  const whole = btoa('\0'.repeat(before) + Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

/** What is taken out of a text; tags in a value stay, so that HTML is still whole. `whole`: with the tags. */
type Edit = { start: number; end: number; hasDots: boolean; whole: Span };

function editsIn(text: string, finders: readonly ValueFinder[]): Edit[] {
  if (text.length < SECRET_PART_LETTERS) return [];
  const edits = readingsOf(text).flatMap((reading) => {
    const letters = new Map<LettersOfText, string>();
    return finders
      .flatMap((finder) => finder.find(reading, text, letters))
      .flatMap((whole) =>
        reading.isAcrossTags ? piecesOf(text, whole) : [{ ...spanned(whole), hasDots: true, whole }],
      );
  });
  return edits.toSorted((one, other) => one.start - other.start);
}

function spanned([start, end]: Span): { start: number; end: number } {
  return { start, end };
}

/** What stands between the tags. */
function piecesOf(text: string, whole: Span): Edit[] {
  const [start, end] = whole;
  const edits: Edit[] = [];
  const add = (from: number, to: number) => {
    if (from < to) edits.push({ start: from, end: to, hasDots: edits.length === 0, whole });
  };
  let last = start;
  for (const { 0: tag, index } of text.slice(start, end).matchAll(TAG)) {
    add(last, start + index);
    last = start + index + tag.length;
  }
  add(last, end);
  return edits;
}

/** What is left out is taken out, too, and shows no dots. */
function without(edits: readonly Edit[], leftOut: LeftOut): readonly Edit[] {
  if (leftOut.length === 0) return edits;
  const shown = edits.flatMap((edit) => {
    const inSight = leftOut.reduce<Span[]>(
      (spans, [start, end]) =>
        spans.flatMap(([from, to]): Span[] => [
          [from, Math.min(to, Math.max(from, start))],
          [Math.max(from, Math.min(to, end)), to],
        ]),
      [[edit.start, edit.end]],
    );
    return inSight
      .filter(([from, to]) => from < to)
      .map(([start, end], at) => ({ ...edit, start, end, hasDots: edit.hasDots && at === 0 }));
  });
  const gone = leftOut.map(([start, end]): Edit => ({ start, end, hasDots: false, whole: [start, end] }));
  return [...shown, ...gone].toSorted((one, other) => one.start - other.start);
}

function edited(text: string, edits: readonly Edit[]): string {
  let shown = '';
  let last = 0;
  let hasDots = false;
  for (const { start, end, ...edit } of edits) {
    if (start >= last) {
      shown += text.slice(last, start);
      hasDots = false;
    }
    if (edit.hasDots && !hasDots) shown += HIDDEN;
    hasDots ||= edit.hasDots;
    last = Math.max(last, end);
  }
  return shown + text.slice(last);
}

/** Those that overlap as one. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}
