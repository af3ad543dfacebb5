/** Programs encode what others have encoded: a text is decoded as often as this. */
const MASK_DECODE_PASSES_MAX = 3;

/** A text in one of the ways in which it may be meant, with the way back to the text as it is written. */
export type Reading = {
  text: string;
  /** Whether tags of HTML count as nothing in it: each is one {@link TAG_MARK}. */
  isAcrossTags: boolean;
  /** True for the text as it is written, in which every character stands for itself. */
  isWritten: boolean;
  /** What stands from `start` up to `end`, in the text as it is written. */
  sourceOf: (start: number, end: number) => Span;
};
export type Span = [start: number, end: number];

/** No page means it: it is no character. */
export const TAG_MARK = '\ufdd0';
export const TAG = /<[^<>]*>/g;

/**
 * As it is written, and with what programs encode decoded once, twice and so on; both with tags and without. Those that say
 * the same are left out.
 */
export function readingsOf(text: string): Reading[] {
  const written: Mapped = { text, sourceOf: (start, end) => [start, end] };
  const decoded = decodings(written);
  const tagless = withoutTags(written).flatMap(decodings);
  // Tags may be encoded, too, as in JSON within a page.
  const more = withoutTags(decoded.at(-1) ?? written).filter((last) => last.text !== tagless.at(-1)?.text);
  return [
    ...decoded.map((reading) => ({ ...reading, isAcrossTags: false, isWritten: reading === written })),
    ...[...tagless, ...more].map((reading) => ({ ...reading, isAcrossTags: true, isWritten: false })),
  ];
}

/** None when there is no tag. */
function withoutTags(from: Mapped): Mapped[] {
  const tagless = from.text.includes('<') ? rewritten(from, /</g, tagAt) : from;
  return tagless === from ? [] : [tagless];
}

/** What a text says when everything in it that programs encode is decoded, also what was encoded twice. */
export function decodedOf(text: string): string {
  return decodingsOf(text).at(-1) ?? text;
}

/** A text, and what it says when it is decoded once, twice and so on. */
export function decodingsOf(text: string): string[] {
  return decodings({ text, sourceOf: (start, end) => [start, end] }).map((one) => one.text);
}

type Mapped = Pick<Reading, 'text' | 'sourceOf'>;

function decodings(written: Mapped): Mapped[] {
  const all = [written];
  for (let last = written; all.length <= MASK_DECODE_PASSES_MAX;) {
    const next = rewritten(last, SIGNS_OF_CODES, codeAt);
    if (next.text === last.text) return all;
    all.push(next);
    last = next;
  }
  return all;
}

function tagAt(text: string, at: number): Code | null {
  TAG_HERE.lastIndex = at;
  return TAG_HERE.test(text) ? { says: TAG_MARK, end: TAG_HERE.lastIndex } : null;
}

const TAG_HERE = new RegExp(TAG.source, 'y');

/** A character, or a few, as programs write them: what they say, and where they end. */
type Code = { says: string; end: number };

const SIGNS_OF_CODES = /[%&\\]/g;

/** What programs write for a character: in addresses, in HTML, and in JSON and scripts. Each has its own sign. */
function codeAt(text: string, at: number): Code | null {
  const sign = text.charAt(at);
  return sign === '%' ? byteAt(text, at) : sign === '&' ? entityAt(text, at) : escapeAt(text, at);
}

/** In an address: a byte of UTF-8, or else of Latin-1, or a code unit. The `%` may itself be encoded, again and again. */
const BYTE = /%(?:25)*(?:u([\da-f]{4})|([\da-f]{2}))/iy;
const NEXT_BYTE = /%(?:25)*([89ab][\da-f])/iy;

function byteAt(text: string, at: number): Code | null {
  const [whole, unit, byte = ''] = matchAt(BYTE, text, at) ?? [];
  if (whole === undefined) return null;
  const end = at + whole.length;
  if (unit !== undefined) return { says: String.fromCharCode(Number.parseInt(unit, 16)), end };
  const first = Number.parseInt(byte, 16);
  const latin = { says: String.fromCharCode(first), end };
  const rest = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  const bytes = [first];
  let next = end;
  while (bytes.length <= rest) {
    const [more, value = ''] = matchAt(NEXT_BYTE, text, next) ?? [];
    if (more === undefined) return latin;
    bytes.push(Number.parseInt(value, 16));
    next += more.length;
  }
  if (rest === 0) return latin;
  const says = UTF8.decode(Uint8Array.from(bytes));
  return says.includes('\ufffd') ? latin : { says, end: next };
}

const UTF8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** In HTML: an entity, by number or name. The `&` may itself be one, again and again. */
const ENTITY = /&((?:amp;)*)(?:#0*(\d{1,7});?|#x0*([\da-f]{1,6});?|([a-z]{2,8}\d{0,2});)/iy;

function entityAt(text: string, at: number): Code | null {
  const [whole = '', again = '', decimal, hex, name = ''] = matchAt(ENTITY, text, at) ?? [];
  if (whole === '') return null;
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  const says = Number.isNaN(point) ? (NAMED.get(name) ?? NAMED.get(name.toLowerCase())) : ofPoint(point);
  if (says !== undefined && says !== null) return { says, end: at + whole.length };
  return again === '' ? null : { says: '&', end: at + 1 + again.length };
}

/** In JSON and scripts. What is escaped again and again has many backslashes; what has one for no reason stands by itself. */
const ESCAPE = /\\+(?:u([\da-f]{4})|u\{0*([\da-f]{1,6})\}|x([\da-f]{2})|([nrt])|(["'/`]))?/iy;

function escapeAt(text: string, at: number): Code | null {
  const [whole = '', unit, point, byte, lineEnd, sign = ''] = matchAt(ESCAPE, text, at) ?? [];
  const end = at + whole.length;
  const hex = unit ?? point ?? byte;
  if (hex === undefined) return { says: lineEnd === undefined ? sign : '\n', end };
  const says = ofPoint(Number.parseInt(hex, 16));
  return says === null ? null : { says, end };
}

function matchAt(wanted: RegExp, text: string, at: number): RegExpExecArray | null {
  wanted.lastIndex = at;
  return wanted.exec(text);
}

function ofPoint(point: number): string | null {
  return point <= 0x10ffff ? String.fromCodePoint(point) : null;
}

/** Entities of HTML for the characters of ASCII and Latin-1. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ...'Tab:9 NewLine:10 excl:33 quot:34 num:35 dollar:36 percnt:37 amp:38 apos:39 lpar:40 rpar:41 ast:42 plus:43 comma:44 period:46 sol:47 colon:58 semi:59 lt:60 equals:61 gt:62 quest:63 commat:64 lsqb:91 lbrack:91 bsol:92 rsqb:93 rbrack:93 Hat:94 lowbar:95 grave:96 lcub:123 lbrace:123 verbar:124 vert:124 rcub:125 rbrace:125'
    .split(' ')
    .map((one): [string, string] => {
      const [name = '', code] = one.split(':');
      return [name, String.fromCharCode(Number(code))];
    }),
  ...'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
    .split(' ')
    .map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
]);

/** With what `codeOf` reads at some signs in place of them. */
function rewritten(from: Mapped, signs: RegExp, codeOf: (text: string, at: number) => Code | null): Mapped {
  /** Of each code: where it stands here, how long it is here, and where it began and ended before. */
  const at: number[] = [];
  const chars: number[] = [];
  const began: number[] = [];
  const ended: number[] = [];
  let text = '';
  let last = 0;
  signs.lastIndex = 0;
  while (signs.test(from.text)) {
    const start = signs.lastIndex - 1;
    const code = codeOf(from.text, start);
    if (code === null) continue;
    text += from.text.slice(last, start);
    at.push(text.length);
    chars.push(code.says.length);
    began.push(start);
    ended.push(code.end);
    text += code.says;
    last = code.end;
    signs.lastIndex = last;
  }
  if (at.length === 0) return from;
  text += from.text.slice(last);
  /** Where the character that is `offset` here began and ended. */
  const before = (offset: number): Span => {
    const one = lastUpTo(at, offset);
    const [here = 0, length = 0, start = 0, end = 0] = [at[one], chars[one], began[one], ended[one]];
    if (one >= 0 && offset < here + length) return [start, end];
    const plain = end + offset - here - length;
    return [plain, plain + 1];
  };
  return { text, sourceOf: (start, end) => from.sourceOf(before(start)[0], before(end - 1)[1]) };
}

/** Which of the numbers, in ascending order, is the last that is not above a limit; -1 for none. */
function lastUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
