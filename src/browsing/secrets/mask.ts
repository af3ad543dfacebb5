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
  const forms = [...values]
    .toSorted((one, other) => other.length - one.length)
    .flatMap((value) => [formsOf(value), ...encodedForms(value)]);
  if (forms.length === 0) return null;
  const wanted = new RegExp(forms.join('|'), 'giv');
  // Tags in between stay, so that HTML is still whole; what they hold is a text like any other.
  const from = (text: string): string =>
    text.replace(wanted, (found, ...groups) => HIDDEN + (isOwn(groups) ? '' : tagsIn(found).map(from).join('')));
  return {
    from,
    places: (text) => [...text.matchAll(wanted)].map(({ 0: found, index }) => [index, index + found.length]),
  };
}

/** A value that has a `<` itself is in a group: what looks like a tag in it is a part of it. */
function isOwn(groups: readonly unknown[]): boolean {
  return groups.slice(0, -2).some((group) => group !== undefined);
}

function tagsIn(found: string): string[] {
  return found.match(TAG) ?? [];
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
  const between = betweenIn(value);
  const space = `(?:${SPACES}${tagsBeside(value)})*`;
  const [first = '', ...rest] = value
    .trim()
    .split(/(\s+)|/u)
    .filter((part) => part !== undefined && part !== '');
  const letters = rest.reduce((whole, part, at) => {
    if (/\s/u.test(part)) return whole;
    return whole + (/\s/u.test(rest[at - 1] ?? '') ? space : between) + formsOfLetter(part);
  }, formsOfLetter(first));
  // A number is not looked for in longer ones.
  if (/^\d+$/.test(value)) return `(?:(?<=%[\\da-f]{2})|(?<!\\d))${letters}(?!\\d)`;
  return value.includes('<') ? `(${letters})` : letters;
}

/**
 * Between letters: spaces, as of parts that are shown beside each other, and what is taken out before a result is shown. A
 * page decides how much of it there is, so it can be passed in one way only.
 */
const GAP = '[[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point} \\u00a0]--[\\t\\n]]';
/** What sites put between the letters of keys and numbers; `<` begins a tag. What the value itself has counts as a letter. */
const SEPARATORS = ['-', '.', '·', '–'];
const TAG = /<[^<>]*>/g;

function betweenIn(value: string): string {
  const separators = SEPARATORS.filter((one) => !value.includes(one)).map((one) => `\\u${hex4(one.charCodeAt(0))}`);
  return `(?:[${GAP}${separators.join('')}]${tagsBeside(value)})*`;
}

function tagsBeside(value: string): string {
  return value.includes('<') ? '' : `|${TAG.source}`;
}

/** Between words. */
const SPACES = `${GAP}|[\\t\\n\\+]|%(?:25)*(?:20|09|0a|c2%(?:25)*a0)|&nbsp;|&#0*32;|&#x0*20;|\\\\+u0020`;

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
    ...(code > 0x20 && code < 0x7f ? [String.fromCodePoint(code + WIDE)] : []),
    ...(code < 0x100 ? [`\\\\+x${code.toString(16).padStart(2, '0')}`] : []),
    ...(NAMED[letter] ?? []),
  ];
  return `(?:${forms.join('|')})`;
}

/** From a letter to the one of the same shape that is as wide as a Chinese one. */
const WIDE = 0xfee0;

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

/** As programs write bytes. In base64 a letter has another form for each place that it may have in a group of three. */
function encodedForms(value: string): string[] {
  const bytes = new TextEncoder().encode(value.trim());
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex, ...[0, 1, 2].map((before) => base64Within(bytes, before))];
}

/** The characters that these bytes alone decide, with some before them. */
function base64Within(bytes: Uint8Array, before: number): string {
  const whole = btoa('\0'.repeat(before) + Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const decided = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return decided.replace(/[+/]/g, (sign) => (sign === '+' ? '[+\\-]' : '[\\/_]'));
}
