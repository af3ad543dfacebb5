import { decodeHTMLStrict } from 'entities/decode';

/** Maximum nested encodings, such as JSON in an attribute, or a URL in a URL. */
const DECODE_PASSES_MAX = 3;

export type TextSpan = [start: number, end: number];

export type DecodedReading = {
  text: string;
  /** True if {@link TAG_PLACEHOLDER} replaces each HTML tag. */
  isTagless: boolean;
  sourceOf: (start: number, end: number) => TextSpan;
};

/** Replaces a tag. A Unicode noncharacter, so no page contains it. */
export const TAG_PLACEHOLDER = '\ufdd0';
export const TAG_PATTERN = /<[^<>]*>/g;

/**
 * Yields the original text, then the text decoded once, twice and three times, and then the same without tags. The last
 * reading is the decoded text without tags, because tags may be encoded as well. Readings that change nothing are left
 * out. In `CORP\tom%40corp.example`, `\t` is not a tab, so such texts are also decoded without escapes of line ends.
 */
export function* decodeReadings(text: string): Generator<DecodedReading> {
  let decoded: DecodedReading = { text, isTagless: false, sourceOf: (start, end) => [start, end] };
  const written = withoutTags(decoded);
  if (LINE_END_ESCAPE.test(text) && /[%&]/u.test(text)) yield* decodings(decoded, decodedExceptLineEnds);
  for (const reading of decodings(decoded)) yield (decoded = reading);
  let tagless: DecodedReading | null = null;
  for (const reading of written === null ? [] : decodings(written)) yield (tagless = reading);
  const last = withoutTags(decoded);
  if (last !== null && last.text !== tagless?.text) yield last;
}

export function decodedText(text: string): string {
  let decoded = text;
  for (const reading of decodings({ text, isTagless: false, sourceOf: (start, end) => [start, end] }))
    decoded = reading.text;
  return decoded;
}

function* decodings(written: DecodedReading, decode = decodedCode): Generator<DecodedReading> {
  let reading: DecodedReading | null = written;
  for (let pass = 0; reading !== null && pass <= DECODE_PASSES_MAX; pass += 1) {
    yield reading;
    reading = replaced(reading, CODE, decode);
  }
}

function withoutTags(reading: DecodedReading): DecodedReading | null {
  const tagless = reading.text.includes('<') ? replaced(reading, TAG_PATTERN, () => TAG_PLACEHOLDER) : null;
  return tagless && { ...tagless, isTagless: true };
}

/**
 * An encoded character: a sequence in a URL (`%uXXXX` is from `escape()`), an HTML entity, or an escape in JSON or a
 * script.
 */
const CODE =
  /%[c-f][\da-f](?:%[89ab][\da-f])+|%u?[\da-f]{2}(?:(?<=%u..)[\da-f]{2})?|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});|\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[nrt"'`\/\\])/giv;

const LINE_END_ESCAPE = /\\[nrt]/v;

function decodedExceptLineEnds(code: string): string {
  return LINE_END_ESCAPE.test(code) ? code : decodedCode(code);
}

function decodedCode(code: string): string {
  const kind = code.charAt(0);
  if (kind === '&') return decodeHTMLStrict(code);
  if (kind === '%') return decodedBytes(code);
  const [, hex] = /^\\[ux]\{?([\da-f]+)/iv.exec(code) ?? [];
  if (hex === undefined) return LINE_END_ESCAPE.test(code) ? '\n' : code.slice(1);
  const point = Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : code;
}

function decodedBytes(code: string): string {
  try {
    return decodeURIComponent(code);
  } catch {
    return code.replaceAll(/%u?([\da-f]+)/giv, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

/** @returns `null` if nothing is replaced */
function replaced(from: DecodedReading, codes: RegExp, replace: (code: string) => string): DecodedReading | null {
  /** Start and end of each code, in the new text (`begins`, `ends`) and in the old text (`began`, `ended`). */
  const begins: number[] = [];
  const ends: number[] = [];
  const began: number[] = [];
  const ended: number[] = [];
  let text = '';
  let last = 0;
  for (const { 0: code, index } of from.text.matchAll(codes)) {
    const replacement = replace(code);
    if (replacement === code) continue;
    text += from.text.slice(last, index);
    last = index + code.length;
    begins.push(text.length);
    text += replacement;
    ends.push(text.length);
    began.push(index);
    ended.push(last);
  }
  if (begins.length === 0) return null;
  text += from.text.slice(last);
  const before = (offset: number): TextSpan => {
    const at = lastUpTo(begins, offset);
    const end = ends[at] ?? 0;
    if (at >= 0 && offset < end) return [began[at] ?? 0, ended[at] ?? 0];
    const plain = (ended[at] ?? 0) + offset - end;
    return [plain, plain + 1];
  };
  const sourceOf = (start: number, end: number) => from.sourceOf(before(start)[0], before(end - 1)[1]);
  return { text, isTagless: from.isTagless, sourceOf };
}

/** @returns index of the last number that is at most `limit`, in an ascending list; -1 for none */
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
