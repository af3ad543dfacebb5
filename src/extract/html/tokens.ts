import { RAW_TEXT_TAGS } from './tags.ts';

/**
 * Attribute values as they are in the source, with character references not decoded. The first attribute of a name
 * wins.
 */
export type Attributes = ReadonlyMap<string, string>;

/** Receives the tokens in order. Text is passed as source, with character references not decoded. */
export type TokenSink = {
  open(name: string, attributes: Attributes, selfClosing: boolean): void;
  close(name: string): void;
  text(source: string): void;
  /** Text of a raw text element (script, title and so on). Only title and textarea have character references. */
  rawText(name: string, source: string): void;
  /** Asked before every token. `true` ends the reading. */
  isDone(): boolean;
};

/** HTML counts fewer characters as white space than Unicode does. */
const NAME_END = /[\t\n\f\r />]/g;
const ATTRIBUTE_NAME = /[^\t\n\f\r />=]*/y;
const UNQUOTED_VALUE = /[^\t\n\f\r >]*/y;
const SPACE_OR_SLASH = /[\t\n\f\r /]*/y;
const SPACE = /[\t\n\f\r ]*/y;
const LETTER = /[a-z]/i;
/** `plaintext` has no end tag: it runs to the end of the source. */
const END_TAGS: ReadonlyMap<string, RegExp> = new Map(
  [...RAW_TEXT_TAGS, 'noscript']
    .filter((name) => name !== 'plaintext')
    .map((name) => [name, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')]),
);
/**
 * Inside a comment at the start of a script, the end tag of a nested script does not end the script (WHATWG HTML
 * §13.2.5.27).
 */
const SCRIPT_COMMENT = /<!--|-->|<script(?=[\t\n\f\r />])|<\/script(?=[\t\n\f\r />])/gi;

export type TokenizeOptions = {
  /** XHTML. */
  xml: boolean;
  /**
   * Reads like a browser that runs scripts: `noscript` is text, and everything after an unclosed quote or an unfinished
   * tag is lost. By default that text is kept.
   */
  asBrowser?: boolean;
};

/**
 * Splits HTML (or, with `xml`, XHTML) into tokens in one pass, in linear time for any input (WHATWG HTML §13.2.5, at
 * the level of tag soup).
 */
export function tokenize(html: string, sink: TokenSink, options: TokenizeOptions): void {
  const reader = new Reader(html, sink, options);
  reader.run();
}

class Reader {
  private at = 0;
  /** For each kind of quote, the position after which there is none. It is not looked for again. */
  private noQuoteAfter = { '"': Infinity, "'": Infinity };
  private readonly html: string;
  private readonly sink: TokenSink;
  private readonly xml: boolean;
  private readonly asBrowser: boolean;

  constructor(html: string, sink: TokenSink, { xml, asBrowser = false }: TokenizeOptions) {
    this.html = html;
    this.sink = sink;
    this.xml = xml;
    this.asBrowser = asBrowser;
  }

  run(): void {
    const { html, sink } = this;
    while (this.at < html.length && !sink.isDone()) {
      const start = this.at;
      let open = html.indexOf('<', start);
      while (open >= 0 && !isMarkup(html, open)) open = html.indexOf('<', open + 1);
      if (open < 0) open = html.length;
      if (open > start) sink.text(html.slice(start, open));
      this.at = open;
      if (open < html.length) this.readMarkup();
    }
  }

  private readMarkup(): void {
    const next = this.html.charAt(this.at + 1);
    if (next === '!') this.skipDeclaration();
    else if (next === '?') this.skipPast(this.xml ? '?>' : '>');
    else if (next === '/') this.readCloseTag();
    else this.readOpenTag();
  }

  private skipDeclaration(): void {
    const { html } = this;
    if (this.xml && html.startsWith('<![CDATA[', this.at)) {
      const end = html.indexOf(']]>', this.at);
      const stop = end < 0 ? html.length : end;
      this.sink.text(
        html
          .slice(this.at + 9, stop)
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;'),
      );
      this.at = end < 0 ? html.length : end + 3;
      return;
    }
    if (!html.startsWith('<!--', this.at)) {
      this.skipPast(this.xml && DOCUMENT_TYPE_WITH_SUBSET.test(html.slice(this.at, this.at + 1_000)) ? ']>' : '>');
      return;
    }
    if (this.xml) this.skipPast('-->', 4);
    else if (html.startsWith('>', this.at + 4)) this.at += 5;
    else if (html.startsWith('->', this.at + 4)) this.at += 6;
    else this.skipPast('-->');
  }

  private skipPast(mark: string, from = 2): void {
    const end = this.html.indexOf(mark, this.at + from);
    this.at = end < 0 ? this.html.length : end + mark.length;
  }

  private readCloseTag(): void {
    const { html } = this;
    const name = this.readName(this.at + 2);
    const end = html.indexOf('>', this.at);
    this.at = end < 0 ? html.length : end + 1;
    if (name !== '') this.sink.close(name);
  }

  private readOpenTag(): void {
    const name = this.readName(this.at + 1);
    this.at += 1 + name.length;
    const attributes = this.readAttributes();
    const selfClosing = this.html.charAt(this.at - 1) === '/';
    const isCutOff = this.at >= this.html.length;
    this.at = Math.min(this.html.length, this.at + 1);
    if (isCutOff && this.asBrowser) return;
    this.sink.open(name, attributes, selfClosing);
    if (this.isRawText(name) && !(this.xml && selfClosing)) this.readRawText(name);
  }

  private readName(from: number): string {
    NAME_END.lastIndex = from;
    const end = NAME_END.exec(this.html)?.index ?? this.html.length;
    return this.html.slice(from, end).toLowerCase();
  }

  private readAttributes(): Attributes {
    const { html } = this;
    // A million tags without attributes should not create a million maps.
    if (html.charAt(this.at) === '>') return NO_ATTRIBUTES;
    const attributes = new Map<string, string>();
    for (;;) {
      this.at = skip(SPACE_OR_SLASH, html, this.at);
      if (this.at >= html.length || html.charAt(this.at) === '>') return attributes;
      const nameStart = this.at;
      this.at = Math.max(nameStart + 1, skip(ATTRIBUTE_NAME, html, nameStart));
      const name = html.slice(nameStart, this.at).toLowerCase();
      const equals = skip(SPACE, html, this.at);
      let value = '';
      if (html.charAt(equals) === '=') value = this.readValue(skip(SPACE, html, equals + 1));
      if (!attributes.has(name)) attributes.set(name, value);
    }
  }

  private readValue(from: number): string {
    const { html } = this;
    const quote = html.charAt(from);
    if ((quote === '"' || quote === "'") && from < this.noQuoteAfter[quote]) {
      const end = html.indexOf(quote, from + 1);
      if (end >= 0) {
        this.at = end + 1;
        return html.slice(from + 1, end);
      }
      this.noQuoteAfter[quote] = from;
    }
    if (this.asBrowser && (quote === '"' || quote === "'")) {
      this.at = html.length;
      return '';
    }
    this.at = skip(UNQUOTED_VALUE, html, from);
    return html.slice(from, this.at);
  }

  private isRawText(name: string): boolean {
    if (!this.asBrowser) return RAW_TEXT_TAGS.has(name);
    // Browsers have no raw text elements in XHTML.
    return !this.xml && (RAW_TEXT_TAGS.has(name) || name === 'noscript');
  }

  private readRawText(name: string): void {
    const { html } = this;
    const endTag = END_TAGS.get(name);
    let end = html.length;
    if (this.asBrowser && name === 'script') end = scriptEnd(html, this.at);
    else if (endTag !== undefined) {
      endTag.lastIndex = this.at;
      end = endTag.exec(html)?.index ?? html.length;
    }
    this.sink.rawText(name, html.slice(this.at, end));
    this.at = end;
  }
}

const NO_ATTRIBUTES: Attributes = new Map();

/** A document type with declarations of its own, which contain tags in quotes. */
const DOCUMENT_TYPE_WITH_SUBSET = /^<!doctype[^<>[]*\[/i;

function scriptEnd(html: string, from: number): number {
  let state: 'script' | 'comment' | 'script in comment' = 'script';
  SCRIPT_COMMENT.lastIndex = from;
  for (let found = SCRIPT_COMMENT.exec(html); found !== null; found = SCRIPT_COMMENT.exec(html)) {
    const mark = found[0].toLowerCase();
    if (mark === '<!--') state = state === 'script' ? 'comment' : state;
    else if (mark === '-->') state = 'script';
    else if (mark === '<script') state = state === 'comment' ? 'script in comment' : state;
    else if (state === 'script in comment') state = 'comment';
    else return found.index;
    // `<!-->` and `<!--->` begin a comment and end it.
    if (mark === '<!--') SCRIPT_COMMENT.lastIndex = found.index + 2;
  }
  return html.length;
}

function isMarkup(html: string, open: number): boolean {
  const next = html.charAt(open + 1);
  if (next === '!' || next === '?') return true;
  return LETTER.test(next === '/' ? html.charAt(open + 2) : next);
}

function skip(pattern: RegExp, html: string, from: number): number {
  pattern.lastIndex = from;
  pattern.exec(html);
  return pattern.lastIndex;
}
