import { decodePlainReferences } from './references.ts';
import { tokenize } from './tokens.ts';
import type { Attributes, TokenSink } from './tokens.ts';

/** Elements of the page's own head, with decoded attributes. */
export type Head = { links: Attributes[]; base: string | null };

/**
 * Reads the head as a browser that runs scripts does. Text inside comments, scripts, attributes, titles, `noscript` or
 * `template`, and everything after the head, is not part of it. One pass, linear; reading stops at the end of the head.
 * @param xml XHTML
 */
export function readHead(html: string, xml: boolean): Head {
  const reader = xml ? new XmlHead() : new HtmlHead();
  tokenize(html, reader, { xml, asBrowser: true });
  return { links: reader.links, base: reader.base };
}

abstract class HeadSink implements TokenSink {
  readonly links: Attributes[] = [];
  base: string | null = null;
  protected isOver = false;

  isDone(): boolean {
    return this.isOver;
  }

  rawText(): void {
    // Scripts, styles and titles hold no links.
  }

  abstract open(name: string, attributes: Attributes, selfClosing: boolean): void;
  abstract close(name: string): void;
  abstract text(source: string): void;

  protected keep(name: string, attributes: Attributes): void {
    if (name === 'link') this.links.push(new Map([...attributes].map(([key, value]) => [key, decode(value)])));
    if (name === 'base' && attributes.has('href')) this.base ??= decode(attributes.get('href') ?? '');
  }
}

/** The elements that may stand in a head. Any other begins the body (WHATWG HTML §13.2.6.4.4). */
const HEAD_ELEMENTS = new Set(
  'base basefont bgsound link meta title style script noscript noframes html head'.split(' '),
);
const NOT_BLANK = /[^\t\n\f\r ]/;

class HtmlHead extends HeadSink {
  private templates = 0;

  override open(name: string, attributes: Attributes): void {
    // Text before the tag may have begun the body.
    if (this.isOver) return;
    if (name === 'template') this.templates += 1;
    // SVG is read by other rules, in which text may look like tags.
    else if (this.templates > 0) this.isOver = name === 'svg' || name === 'math';
    else if (HEAD_ELEMENTS.has(name)) this.keep(name, attributes);
    else this.isOver = true;
  }

  override close(name: string): void {
    if (name === 'template') this.templates = Math.max(0, this.templates - 1);
    else if (this.templates === 0 && ['head', 'body', 'html', 'br'].includes(name)) this.isOver = true;
  }

  override text(source: string): void {
    if (this.templates === 0 && NOT_BLANK.test(source)) this.isOver = true;
  }
}

class XmlHead extends HeadSink {
  private depth = 0;
  private isInHead = false;

  override open(name: string, attributes: Attributes, selfClosing: boolean): void {
    if (this.depth === 0 && name !== 'html') this.isOver = true;
    if (this.depth === 1) this.isInHead = name === 'head';
    if (this.depth === 2 && this.isInHead) this.keep(name, attributes);
    if (!selfClosing) this.depth += 1;
  }

  override close(): void {
    this.depth -= 1;
    if (this.depth === 1 && this.isInHead) this.isOver = true;
  }

  override text(): void {
    // Text between the elements of a head is an error, but does not matter for links.
  }
}

function decode(value: string): string {
  return decodePlainReferences(value)
    .replace(/&lt;/gi, '<')
    .replace(/&(?:amp|#38|#x26);/gi, '&');
}
