/** Finds what must not be shown in a text. */
export type Hide = {
  /** The text without it. */
  from: (text: string) => string;
  /** Where it stands: from, and up to. */
  places: (text: string) => [start: number, end: number][];
};

/** What stands in place of it. */
export const HIDDEN = '••••';

/**
 * Hides values wherever they turn up: as they are, in any case, as part of an address, of HTML or of JSON, and with
 * characters between them that nobody sees.
 * @returns `null` when there is nothing to hide
 */
export function hiding(values: Iterable<string>): Hide | null {
  // The longest first, because one may be part of another.
  const forms = [...values].toSorted((one, other) => other.length - one.length).map(formsOf);
  if (forms.length === 0) return null;
  const wanted = new RegExp(forms.join('|'), 'giv');
  return {
    from: (text) => text.replace(wanted, HIDDEN),
    places: (text) => [...text.matchAll(wanted)].map(({ 0: found, index }) => [index, index + found.length]),
  };
}

/** A value with every text in it hidden. @param isOurs members that hold what we wrote ourselves, or what is no text */
export function hiddenIn<T>(value: T, hide: Hide, isOurs: (name: string, member: unknown) => boolean): T;
export function hiddenIn(value: unknown, hide: Hide, isOurs: (name: string, member: unknown) => boolean): unknown {
  if (typeof value === 'string') return hide.from(value);
  if (Array.isArray(value)) return value.map((one) => hiddenIn<unknown>(one, hide, isOurs));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    isOurs(name, member) ? member : hiddenIn<unknown>(member, hide, isOurs),
  ]);
  return Object.fromEntries(members);
}

function formsOf(value: string): string {
  const [first = '', ...rest] = value
    .trim()
    .split(/(\s+)|/u)
    .filter((part) => part !== undefined && part !== '');
  const letters = rest.reduce((whole, part, at) => {
    if (/\s/u.test(part)) return whole;
    return whole + (/\s/u.test(rest[at - 1] ?? '') ? SPACE : BETWEEN) + formsOfLetter(part);
  }, formsOfLetter(first));
  // A number is not looked for in longer ones.
  return /^\d+$/.test(value) ? `(?:(?<=%[\\da-f]{2})|(?<!\\d))${letters}(?!\\d)` : letters;
}

/**
 * Between letters: spaces, as of parts that are shown beside each other, and what is taken out before a result is shown. A
 * page decides how much of it there is, so it can be passed in one way only.
 */
const GAP = '[[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point} \\u00a0]--[\\t\\n]]';
const BETWEEN = `${GAP}*`;
/** Between words. */
const SPACE = `(?:${GAP}|[\\t\\n\\+]|%(?:25)*(?:20|09|0a|c2%(?:25)*a0)|&nbsp;|&#0*32;|&#x0*20;|\\\\+u0020)*`;

function formsOfLetter(letter: string): string {
  const units = [...new TextEncoder().encode(letter)].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`);
  const code = letter.codePointAt(0) ?? 0;
  const json = Array.from({ length: letter.length }, (_, at) => `\\\\+u${hex4(letter.charCodeAt(at))}`).join('');
  const forms = [
    escaped(letter),
    units.join(''),
    `&#0*${code};`,
    `&#x0*${code.toString(16)};`,
    json,
    ...(NAMED[letter] ?? []),
  ];
  return `(?:${forms.join('|')})`;
}

const NAMED: Record<string, readonly string[]> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;', '\\\\+"'],
  "'": ['&apos;'],
  '\\': ['\\\\+'],
  '/': ['\\\\+\\/'],
};

function hex4(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}

function escaped(letter: string): string {
  return letter.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
}
