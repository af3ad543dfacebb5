import type { LeftOut } from '#core/text/page-texts.ts';
import { ValueFinder } from './find-values.ts';
import type { Wanted } from './find-values.ts';
import { alphabetForBytes, alphabetsAcrossLines, alphabetsFor } from './letters.ts';
import type { Alphabet, LettersOfText } from './letters.ts';
import { decodedOf, readingsOf, TAG } from './readings.ts';
import type { Span } from './readings.ts';

/**
 * From so many letters on, a beginning of a secret is hidden like all of it, and what a single box got: pages cut texts, and
 * typing may end half-way. With fewer, too many words of ordinary texts would begin alike.
 */
export const SECRET_PART_LETTERS = 6;

/** The same for an end of it: with six, a model that can guess six letters would have twelve, the first and the last. */
const SECRET_END_LETTERS = 8;

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
      whole ??= finding(all, allOf);
      return whole;
    },
  };
}

function finding(values: Iterable<string>, as: (wanted: Wanted) => Wanted): Found {
  const byAlphabet = new Map<Alphabet, Wanted[]>();
  for (const value of values) {
    const add = (alphabets: readonly Alphabet[], forms: readonly Form[], how = as) => {
      const wanted = wantedOf(value, forms).map(how);
      for (const alphabet of alphabets) byAlphabet.set(alphabet, [...(byAlphabet.get(alphabet) ?? []), ...wanted]);
    };
    add(alphabetsFor(value), FORMS);
    add(alphabetsAcrossLines(value), FORMS, (wanted) => ({ ...allOf(wanted), isUnswallowed: true }));
    add([alphabetForBytes()], FORMS_OF_BYTES);
  }
  const finders = [...byAlphabet].map(([alphabet, wanted]) => new ValueFinder(alphabet, wanted));
  return {
    from: (text, leftOut = []) => edited(text, without(editsIn(text, finders), leftOut)),
    places: (text) => joined(editsIn(text, finders).map(({ whole }) => whole)),
  };
}

/** Without its beginnings and ends. */
function allOf(wanted: Wanted): Wanted {
  return { ...wanted, beginning: Infinity, ending: Infinity };
}

/** A form of a value, in which each of its letters has about so many. */
type Form = { of: (value: string) => string; lettersOfOne: number };

/** The forms in which programs write all of a value. What they write letter by letter is decoded: `readings.ts`. */
const FORMS: readonly Form[] = [
  { of: (value) => value, lettersOfOne: 1 },
  { of: decodedOf, lettersOfOne: 1 },
  // Of a form: there a + is a space, and may be a sign of the value elsewhere.
  { of: formOf, lettersOfOne: 3 },
];

/** What programs make of a value before they take its bytes: names are kept without case, and forms and JSON are signed. */
const SPELLED: readonly Form[] = [
  { of: (value) => value, lettersOfOne: 1 },
  { of: (value) => value.toLowerCase(), lettersOfOne: 1 },
  { of: (value) => value.toUpperCase(), lettersOfOne: 1 },
  { of: (value) => value.normalize('NFC'), lettersOfOne: 1 },
  { of: (value) => value.normalize('NFD'), lettersOfOne: 1 },
  { of: (value) => JSON.stringify(value).slice(1, -1), lettersOfOne: 1 },
  { of: formOf, lettersOfOne: 3 },
  { of: (value) => formOf(value).replaceAll('+', '%20'), lettersOfOne: 3 },
];

/** `btoa` takes Latin-1, and everything else UTF-8. They differ beyond ASCII. */
const FORMS_OF_BYTES: readonly Form[] = SPELLED.flatMap((spelled) =>
  [bytesOf, latin1Of].flatMap((bytesIn) => [
    { of: (value: string) => hexOf(bytesIn(spelled.of(value))), lettersOfOne: 2 * spelled.lettersOfOne },
    // In base64 a letter has another form for each place that it may have in a group of three.
    ...[0, 1, 2].map((before) => ({
      of: (value: string) => base64Within(bytesIn(spelled.of(value)), before),
      lettersOfOne: (4 / 3) * spelled.lettersOfOne,
    })),
  ]),
);

function wantedOf(value: string, forms: readonly Form[]): Wanted[] {
  const trimmed = value.trim();
  const [, host = ''] = EMAIL.exec(trimmed) ?? [];
  const wanted = forms.map(({ of, lettersOfOne }) => ({
    text: of(trimmed),
    beginning: Math.ceil(SECRET_PART_LETTERS * lettersOfOne),
    // Pages name hosts of mail.
    ending: Math.ceil((host.length + SECRET_END_LETTERS) * lettersOfOne),
  }));
  const plain = NUMBER_BEHIND_ZEROS.exec(trimmed)?.[1];
  if (plain !== undefined) wanted.push({ text: plain, beginning: Infinity, ending: Infinity });
  return wanted.filter(({ text }, at) => text !== '' && wanted.findIndex((one) => one.text === text) === at);
}

/** Programs take a code for a number, which has no zeros before it. A shorter one would be many other numbers, too. */
const NUMBER_BEHIND_ZEROS = /^0+([1-9]\d{4,})$/v;
const EMAIL = /^[^@\s]+@([^@\s]+\.[^@\s]+)$/v;

function formOf(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

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

/**
 * What is taken out of a text; tags in a value stay, so that HTML is still whole. `whole`: all of what is hidden, with the
 * tags, one object for all its parts; `null` for what is only left out.
 */
type Edit = { start: number; end: number; whole: Span | null };
type Hidden = Edit & { whole: Span };

function editsIn(text: string, finders: readonly ValueFinder[]): Hidden[] {
  if (text.length < SECRET_PART_LETTERS) return [];
  const edits = readingsOf(text).flatMap((reading) => {
    const letters = new Map<LettersOfText, string>();
    return finders
      .flatMap((finder) => finder.find(reading, text, letters))
      .flatMap((whole) => (reading.isAcrossTags ? piecesOf(text, whole) : [{ start: whole[0], end: whole[1], whole }]));
  });
  return inOrder(edits);
}

function inOrder<T extends Edit>(edits: readonly T[]): T[] {
  return edits.toSorted((one, other) => one.start - other.start);
}

/** What stands between the tags. */
function piecesOf(text: string, whole: Span): Hidden[] {
  const [start, end] = whole;
  const edits: Hidden[] = [];
  const add = (from: number, to: number) => {
    if (from < to) edits.push({ start: from, end: to, whole });
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
  const gaps = joined(leftOut.map(([start, end]): Span => [start, end]));
  let first = 0;
  const shown = edits.flatMap((edit) => {
    while ((gaps[first]?.[1] ?? Infinity) <= edit.start) first += 1;
    return inSight(edit, gaps, first);
  });
  return inOrder([...shown, ...leftOut.map(([start, end]): Edit => ({ start, end, whole: null }))]);
}

/** What is left of an edit outside of the gaps, of which none before `first` reaches to it. */
function inSight({ start, end, whole }: Edit, gaps: readonly Span[], first: number): Edit[] {
  const parts: Edit[] = [];
  let from = start;
  for (let at = first; from < end; at += 1) {
    const [gapStart, gapEnd] = gaps[at] ?? [end, end];
    if (from < Math.min(gapStart, end)) parts.push({ start: from, end: Math.min(gapStart, end), whole });
    from = Math.max(from, gapEnd);
    if (gapStart >= end) break;
  }
  return parts;
}

/** A part of what tags stand in may also be hidden by itself, as an end is: dots of its own would show where. */
function edited(text: string, edits: readonly Edit[]): string {
  let shown = '';
  let last = 0;
  const drawn = new Set<Span>();
  for (const { start, end, wholes } of runsOf(edits)) {
    shown += text.slice(last, start);
    if (wholes.length > 0 && wholes.every((whole) => !drawn.has(whole))) shown += HIDDEN;
    for (const whole of wholes) drawn.add(whole);
    last = end;
  }
  return shown + text.slice(last);
}

/** What adjoins is one. */
function runsOf(edits: readonly Edit[]): { start: number; end: number; wholes: Span[] }[] {
  const runs: ReturnType<typeof runsOf> = [];
  for (const { start, end, whole } of edits) {
    let run = runs.at(-1);
    if (run === undefined || start > run.end) runs.push((run = { start, end, wholes: [] }));
    run.end = Math.max(run.end, end);
    if (whole !== null) run.wholes.push(whole);
  }
  return runs;
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
