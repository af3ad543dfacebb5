/** A value of a PDF. Unknown keywords are `null`. Strings have the characters to which the file was decoded. */
export type PdfValue = null | boolean | number | Name | Text | Reference | PdfValue[] | PdfDictionary;
type Name = { name: string };
type Text = { text: string };
type Reference = { object: number };
export type PdfDictionary = Map<string, PdfValue>;

/** Maximum nesting of values. Deeper ones are skipped; real files have fewer levels. */
const DEPTH_MAX = 50;
/** Matches a character that ends a name, number or keyword. */
const ENDS = /[\s\0()<>[\]{}/%]/g;
const BRACKETS = /<<|>>|[<[\](%]/g;
const PARENTHESES = /\\[^]|[()]/g;
const LINE_ENDS = /[\r\n]/g;
const SPACE = /[\s\0]/;
const REFERENCE = /(\d{1,10})[\s\0]+\d{1,6}[\s\0]+R(?![^\s\0()<>[\]{}/%])/y;
const NUMBER = /^[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Reads values one by one, as tolerantly as pdf.js: an unclosed string, list or dictionary extends to the end. */
export class PdfValueReader {
  at: number;
  private readonly source: string;
  private readonly end: number;

  constructor(source: string, at: number, end = source.length) {
    this.source = source;
    this.at = at;
    this.end = Math.min(end, source.length);
  }

  /** Reads the next value; `undefined` at the end, and before a closing bracket. */
  value(depth = 0): PdfValue | undefined {
    this.skipSpace();
    if (this.at >= this.end) return undefined;
    const { source, at } = this;
    const character = source.charAt(at);
    if (character === '/') return { name: this.name() };
    if (character === '(') return { text: this.literal() };
    if (depth > DEPTH_MAX && (character === '[' || source.startsWith('<<', at))) return this.skipped();
    if (source.startsWith('<<', at)) return this.dictionary(depth);
    if (character === '<') return { text: this.hexadecimal() };
    if (character === '[') return this.list(depth);
    if (character === ']' || character === '>' || character === ')') return undefined;
    REFERENCE.lastIndex = at;
    const reference = REFERENCE.exec(source);
    if (reference !== null && REFERENCE.lastIndex <= this.end) {
      this.at = REFERENCE.lastIndex;
      return { object: Number(reference[1]) };
    }
    const word = this.word();
    if (NUMBER.test(word)) return Number(word);
    return word === 'true' ? true : word === 'false' ? false : null;
  }

  skipSpace(): void {
    while (this.at < this.end) {
      const character = this.source.charAt(this.at);
      if (character === '%') this.at = afterLine(this.source, this.at, this.end);
      else if (SPACE.test(character)) this.at += 1;
      else return;
    }
  }

  private skipped(): null {
    this.at = skipBrackets(this.source, this.at, this.end);
    return null;
  }

  private word(): string {
    ENDS.lastIndex = this.at + 1;
    const end = Math.min(ENDS.exec(this.source)?.index ?? this.end, this.end);
    const word = this.source.slice(this.at, end);
    this.at = end;
    return word;
  }

  private name(): string {
    const word = this.word().slice(1);
    return word.includes('#')
      ? word.replace(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      : word;
  }

  private literal(): string {
    const { source } = this;
    let text = '';
    let open = 0;
    let { at } = this;
    for (; at < this.end; at += 1) {
      const character = source.charAt(at);
      if (character === '\\') {
        const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0];
        const next = source.charAt(at + 1);
        if (octal !== undefined) text += String.fromCharCode(Number.parseInt(octal, 8) & 255);
        else if (next === '\r') at += source.charAt(at + 2) === '\n' ? 1 : 0;
        else if (next !== '\n') text += ESCAPES[next] ?? next;
        at += octal?.length ?? 1;
        continue;
      }
      if (character === '(') open += 1;
      if (character === ')') open -= 1;
      if (open === 0) break;
      if (open > 1 || character !== '(') text += character;
    }
    this.at = Math.min(at + 1, this.end);
    return text;
  }

  private hexadecimal(): string {
    const closed = this.source.indexOf('>', this.at);
    const end = closed < 0 || closed > this.end ? this.end : closed;
    const digits = this.source.slice(this.at + 1, end).replace(/[^\da-f]/gi, '');
    this.at = Math.min(end + 1, this.end);
    let text = '';
    for (let at = 0; at < digits.length; at += 2)
      text += String.fromCharCode(Number.parseInt(digits.slice(at, at + 2).padEnd(2, '0'), 16));
    return text;
  }

  private list(depth: number): PdfValue[] {
    const values: PdfValue[] = [];
    this.at += 1;
    for (;;) {
      const value = this.value(depth + 1);
      if (value !== undefined) values.push(value);
      else if (this.isClosedBy(']')) return values;
    }
  }

  private dictionary(depth: number): PdfDictionary {
    const entries: PdfDictionary = new Map();
    this.at += 2;
    for (;;) {
      this.skipSpace();
      if (this.source.charAt(this.at) !== '/') {
        if (this.isClosedBy('>>')) return entries;
        continue;
      }
      const key = this.name();
      const value = this.value(depth + 1);
      if (value !== undefined) entries.set(key, value);
    }
  }

  /** True if the closing bracket or the end follows. Anything else is skipped, and false is returned. */
  private isClosedBy(bracket: string): boolean {
    this.skipSpace();
    if (this.at >= this.end) return true;
    const isClosed = this.source.startsWith(bracket, this.at);
    if (isClosed) this.at += bracket.length;
    else this.word();
    return isClosed;
  }
}

/**
 * Returns the position after the list or dictionary at `at`, however deeply nested. As in pdf.js, an unmatched closing
 * bracket is skipped.
 */
export function skipBrackets(source: string, at: number, end = source.length): number {
  const open: string[] = [];
  for (let place = at; place < end;) {
    BRACKETS.lastIndex = place;
    const found = BRACKETS.exec(source);
    if (found === null || found.index >= end) return end;
    const [bracket] = found;
    place = found.index + bracket.length;
    if (bracket === '(') place = afterText(source, place, end);
    else if (bracket === '%') place = afterLine(source, place, end);
    else if (bracket === '<') place = after(source, '>', place, end);
    else if (bracket === '<<') open.push('>>');
    else if (bracket === '[') open.push(']');
    else if (open.at(-1) === bracket) open.pop();
    else if (bracket === '>>') place -= 1;
    if (open.length === 0) return Math.min(place, end);
  }
  return end;
}

function afterText(source: string, at: number, end: number): number {
  let open = 1;
  for (let place = at; place < end;) {
    PARENTHESES.lastIndex = place;
    const found = PARENTHESES.exec(source);
    if (found === null) return end;
    place = found.index + found[0].length;
    if (found[0] === '(') open += 1;
    if (found[0] === ')') open -= 1;
    if (open === 0) return place;
  }
  return end;
}

function afterLine(source: string, at: number, end: number): number {
  LINE_ENDS.lastIndex = at;
  return Math.min(LINE_ENDS.exec(source)?.index ?? end, end);
}

function after(source: string, character: string, at: number, end: number): number {
  const found = source.indexOf(character, at);
  return found < 0 ? end : Math.min(found + 1, end);
}

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map;
}

export function readName(value: PdfValue | undefined): string | null {
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : null;
}

export function readString(value: PdfValue | undefined): string | null {
  return typeof value === 'object' && value !== null && 'text' in value ? value.text : null;
}

export function readReference(value: PdfValue | undefined): number | null {
  return typeof value === 'object' && value !== null && 'object' in value ? value.object : null;
}
