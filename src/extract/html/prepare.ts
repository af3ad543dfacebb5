import { ATTRIBUTE_CHARS_MAX, DOM_DEPTH_MAX, DOM_ELEMENTS_MAX, DOM_HTML_CHARS_MAX } from '#core/limits.ts';
import { isHidden } from './hidden.ts';
import { OpenElements } from './open-elements.ts';
import { BLOCK_TAGS, DROPPED_TAGS, VOID_TAGS } from './tags.ts';
import { tokenize } from './tokens.ts';
import type { Attributes, TokenSink } from './tokens.ts';

/** HTML fit for a DOM: well nested, of bounded size, without anything that is no visible text of the page. */
export type Prepared = {
  html: string;
  /** Texts of `application/ld+json` scripts, as they stand. */
  jsonLd: string[];
  elements: number;
  /** Sum of the depths of all elements: what walks up from each of them costs. */
  depthSum: number;
  /** What was left out for a limit, in our own words. */
  cuts: string[];
  /** Share of the source that was script, from 0 to 1. */
  scriptShare: number;
};

export type PrepareOptions = {
  /** Keep what the page's own attributes hide until a script shows it; for pages that show nothing else. */
  lenient: boolean;
  /** XHTML: `<a id="x"/>` is a whole element. */
  xml: boolean;
};

type ScriptKind = 'json' | 'inline' | 'display';

const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'class id href src data-src data-original data-lazy-src data-srcset srcset alt title lang xml:lang colspan rowspan start value type ' +
    'checked role aria-label datetime itemprop itemtype itemscope rel open name encoding display alttext reversed ' +
    'data-lang data-language data-line-number data-tex property content charset http-equiv width height scope disabled aria-level aria-checked data-testid data-component-type data-footnote-ref data-footnote-backref data-syntax data-enlighter-language data-code-language data-mode'
  ).split(' '),
);
const LINKS: ReadonlySet<string> = new Set([
  'href',
  'src',
  'data-src',
  'data-original',
  'data-lazy-src',
  'srcset',
  'data-srcset',
]);
const HEAD_TAGS: ReadonlySet<string> = new Set(['meta', 'base', 'link']);
const SAFE_NAME = /^[a-z][a-z0-9:_.-]*$/;
/** More than two line breaks in a row say nothing more than two. */
const BREAKS_IN_A_ROW_MAX = 2;
const JSON_LD_CHARS_MAX = 200_000;
const BLANK = /^\s*$/;

/** One pass over the source, linear in its length; never throws, whatever the source holds. */
export function prepareHtml(html: string, options: PrepareOptions): Prepared {
  const builder = new Builder(options);
  tokenize(html, builder);
  return builder.finish(html.length);
}

class Builder implements TokenSink {
  private readonly opened = new OpenElements();
  private readonly head: string[] = [];
  private readonly body: string[] = [];
  private readonly jsonLd: string[] = [];
  private readonly cuts = new Set<string>();
  private readonly options: PrepareOptions;
  private htmlAttributes = '';
  private bodyAttributes = '';
  private hasTitle = false;
  private chars = 0;
  private elements = 0;
  private depthSum = 0;
  private scriptChars = 0;
  private breaks = 0;
  private atPreStart = false;
  private full = false;
  private script: ScriptKind | undefined;

  constructor(options: PrepareOptions) {
    this.options = options;
  }

  isDone(): boolean {
    return this.full;
  }

  open(rawName: string, attributes: Attributes, selfClosing: boolean): void {
    const name = SAFE_NAME.test(rawName) ? rawName : 'span';
    if (name === 'html' || name === 'head' || name === 'body') {
      this.keepRoot(name, attributes);
      return;
    }
    if (HEAD_TAGS.has(name)) {
      this.keepHead(name, attributes);
      return;
    }
    const isVoid = VOID_TAGS.has(name);
    const isWhole = isVoid || (selfClosing && this.closesItself(name));
    if (this.opened.isDropping()) {
      if (!isWhole) this.opened.push(name, 'dropped', '');
      return;
    }
    this.emit(this.opened.closeImplied(name));
    if (name === 'script') this.script = scriptKind(attributes);
    if (DROPPED_TAGS.has(name) || name === 'title' || isHidden(name, attributes, this.options.lenient)) {
      if (!isWhole) this.opened.push(name, 'dropped', '');
      return;
    }
    this.keepElement(name, attributes, isVoid, isWhole);
  }

  close(rawName: string): void {
    const name = SAFE_NAME.test(rawName) ? rawName : 'span';
    if (name === 'html' || name === 'head' || name === 'body') return;
    if (name === 'br') this.open('br', new Map(), false);
    else this.emit(this.opened.close(name));
    this.atPreStart = false;
  }

  text(source: string): void {
    if (this.opened.isDropping()) return;
    let text = source.replaceAll('<', '&lt;');
    if (this.atPreStart) text = text.replace(/^\r?\n/, '');
    this.atPreStart = false;
    if (this.breaks > 0 && !BLANK.test(text)) this.breaks = 0;
    if (this.body.length === 0 && BLANK.test(text)) return;
    if (!BLANK.test(text)) this.holdPlace(this.opened.beforeContent());
    this.emit(text);
  }

  rawText(name: string, source: string): void {
    if (name === 'script') this.keepScript(source);
    if (name === 'title' && !this.hasTitle && !BLANK.test(source) && this.opened.isDroppingOnly('title')) {
      this.hasTitle = true;
      this.head.push(`<title>${source.slice(0, ATTRIBUTE_CHARS_MAX).replaceAll('<', '&lt;')}</title>`);
    }
    if ((name === 'xmp' || name === 'plaintext') && !this.opened.isDropping()) {
      this.emit(`<pre>${escapeText(source)}</pre>`);
    }
  }

  finish(sourceChars: number): Prepared {
    this.body.push(this.opened.closeAll());
    if (this.opened.wasFlattened()) {
      this.cuts.add(`Elements nested deeper than ${DOM_DEPTH_MAX} levels were read as neighbours.`);
    }
    const html = `<!doctype html><html${this.htmlAttributes}><head>${this.head.join('')}</head><body${this.bodyAttributes}>${this.body.join('')}</body></html>`;
    return {
      html,
      jsonLd: this.jsonLd,
      elements: this.elements,
      depthSum: this.depthSum,
      cuts: [...this.cuts],
      scriptShare: sourceChars === 0 ? 0 : this.scriptChars / sourceChars,
    };
  }

  private keepRoot(name: string, attributes: Attributes): void {
    if (name === 'html' && this.htmlAttributes === '') this.htmlAttributes = this.attributesOf(attributes);
    if (name === 'body' && this.bodyAttributes === '') this.bodyAttributes = this.attributesOf(attributes);
  }

  private keepHead(name: string, attributes: Attributes): void {
    const wanted = name !== 'link' || attributes.get('rel')?.toLowerCase() === 'canonical';
    if (wanted && this.head.length < 200) this.head.push(`<${name}${this.attributesOf(attributes)}>`);
  }

  private closesItself(name: string): boolean {
    return (
      this.options.xml ||
      name === 'svg' ||
      name === 'math' ||
      this.opened.isInside('math') ||
      this.opened.isInside('svg')
    );
  }

  private keepElement(name: string, attributes: Attributes, isVoid: boolean, isWhole: boolean): void {
    if (name === 'br') {
      this.breaks += 1;
      if (this.breaks > BREAKS_IN_A_ROW_MAX) return;
    }
    if (this.elements >= DOM_ELEMENTS_MAX) {
      this.cuts.add(`The page has more than ${DOM_ELEMENTS_MAX} elements: what follows was left out.`);
      this.full = true;
      return;
    }
    if (name === 'img' || BLOCK_TAGS.has(name)) this.breaks = 0;
    const written = name === 'listing' ? 'pre' : name;
    const tag = `<${written}${this.attributesOf(attributes)}>`;
    if (isVoid) {
      this.holdPlace(this.opened.beforeContent());
      this.holdPlace(tag);
      return;
    }
    this.holdPlace(this.opened.push(written, 'open', tag));
    if (isWhole) this.emit(this.opened.close(written));
    this.atPreStart = written === 'pre';
  }

  /** Writes one element's start tag, if it is to be written now, and counts it. */
  private holdPlace(tag: string): void {
    if (tag === '') return;
    this.elements += 1;
    this.depthSum += this.opened.depthNow();
    this.emit(tag);
  }

  private keepScript(source: string): void {
    this.scriptChars += source.length;
    const kind = this.script;
    this.script = undefined;
    if (kind === undefined) return;
    if (kind === 'json') {
      if (source.length <= JSON_LD_CHARS_MAX) this.jsonLd.push(source);
      return;
    }
    const tag = kind === 'display' ? 'x-tex-block' : 'x-tex';
    this.emit(`<${tag}>${escapeText(source)}</${tag}>`);
  }

  private attributesOf(attributes: Attributes): string {
    let out = '';
    for (const [name, value] of attributes) {
      if (!KEPT_ATTRIBUTES.has(name)) continue;
      let kept = value;
      if (value.length > ATTRIBUTE_CHARS_MAX) {
        if (LINKS.has(name)) {
          if (name === 'href') this.cuts.add(`Links longer than ${ATTRIBUTE_CHARS_MAX} characters were left out.`);
          continue;
        }
        kept = value.slice(0, ATTRIBUTE_CHARS_MAX);
      }
      out += ` ${name}="${kept.includes('"') ? kept.replaceAll('"', '&quot;') : kept}"`;
    }
    return out;
  }

  private emit(piece: string): void {
    if (piece === '' || this.full) return;
    const left = DOM_HTML_CHARS_MAX - this.chars;
    if (piece.length > left) {
      this.cuts.add(`The page has more than ${DOM_HTML_CHARS_MAX} characters of content: what follows was left out.`);
      this.full = true;
    }
    // A tag is never cut: what is open must be closed.
    const kept = piece.startsWith('<') ? piece : piece.slice(0, Math.max(0, left));
    this.chars += kept.length;
    this.body.push(kept);
  }
}

function scriptKind(attributes: Attributes): ScriptKind | undefined {
  const type = attributes.get('type')?.trim().toLowerCase() ?? '';
  if (type === 'application/ld+json') return 'json';
  if (!type.startsWith('math/tex')) return undefined;
  return type.includes('mode=display') ? 'display' : 'inline';
}

function escapeText(source: string): string {
  return source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
