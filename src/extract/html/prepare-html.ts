import { ATTRIBUTE_CHARS_MAX } from '#core/limits.ts';
import { DOM_ELEMENTS_MAX } from '#extract/limits.ts';
import { DOM_DEPTH_MAX, DOM_HTML_CHARS_MAX, TEXT_REFERENCES_MAX } from './limits.ts';
import { Disclosures } from './disclosures.ts';
import { hidingOf, isCollapsed, placeOfHidden } from './hidden.ts';
import { scriptKind, writtenAttributes } from './kept-attributes.ts';
import type { ScriptKind } from './kept-attributes.ts';
import { OpenElements } from './open-elements.ts';
import { decodePlainReferences } from './references.ts';
import { BLOCK_TAGS, DROPPED_TAGS, VOID_TAGS } from './tags.ts';
import { tokenize } from './tokens.ts';
import type { Attributes, TokenSink } from './tokens.ts';

/**
 * HTML that is ready for the DOM: well nested, of bounded size, and without anything that is not visible text of the
 * page.
 */
export type Prepared = {
  html: string;
  /** The contents of `application/ld+json` scripts, unchanged. */
  jsonLd: string[];
  /** Every value of class and id once, separated by spaces. */
  names: string;
  /** What was left out because of a limit, in complete sentences of our own. */
  cuts: string[];
  /** Characters of text that were kept. */
  textChars: number;
  /** For each reason, the characters of text in the largest part that was left out. */
  hiddenChars: Readonly<Record<Reason, number>>;
};

export type PrepareOptions = {
  /** Hidden parts to keep, for a page that shows almost nothing without them. */
  keep: ReadonlySet<Reason>;
  /** XHTML: `<a id="x"/>` is a complete element. */
  xml: boolean;
};

/**
 * Why a part is hidden. `late`: until a script shows it. `never`: it is never drawn. `noscript`: it is for browsers
 * without scripts.
 */
export type Reason = 'late' | 'never' | 'noscript';

const HEAD_TAGS: ReadonlySet<string> = new Set(['meta', 'base', 'link']);
/** Obsolete names for `pre`. */
const OLD_PRE: ReadonlySet<string> = new Set(['listing', 'xmp', 'plaintext']);
/** The name that a declarative shadow root is written as. Its content is drawn in place of its host's children. */
const SHADOW = 'x-shadow';
const SAFE_NAME = /^[a-z][a-z0-9:_.-]*$/;
/** More line breaks in a row mean no more than two. */
const BREAKS_IN_A_ROW_MAX = 2;
const JSON_LD_CHARS_MAX = 200_000;
const BLANK = /^\s*$/;

/** Reads the source in one pass. */
export function prepareHtml(html: string, options: PrepareOptions): Prepared {
  const builder = new Builder(options);
  tokenize(html, builder, { xml: options.xml });
  return builder.finish();
}

class Builder implements TokenSink {
  private readonly opened = new OpenElements();
  private readonly disclosures = new Disclosures();
  private readonly head: string[] = [];
  private readonly body: string[] = [];
  private readonly jsonLd: string[] = [];
  private readonly names = new Set<string>();
  private readonly cuts = new Set<string>();
  private readonly options: PrepareOptions;
  private htmlAttributes = '';
  private bodyAttributes = '';
  private hasTitle = false;
  private chars = 0;
  private elements = 0;
  private textChars = 0;
  private references = 0;
  private readonly hiddenChars: Record<Reason, number> = { late: 0, never: 0, noscript: 0 };
  /** Why the current part is left out; `null` for content that is not text. */
  private hiddenFor: Reason | null = null;
  private hiddenRun = 0;
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
      // In a template or a hidden part it does not describe the page.
      if (!this.opened.isDropping()) this.keepHead(name, attributes);
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
    const reason = this.reasonToHide(name, attributes);
    if (name === 'template' && attributes.has('shadowrootmode') && reason === null) {
      this.keepElement(SHADOW, attributes, false, isWhole);
      return;
    }
    if (DROPPED_TAGS.has(name) || name === 'title' || reason !== null) {
      this.hiddenFor = reason;
      this.hiddenRun = 0;
      if (reason !== null && this.elements < DOM_ELEMENTS_MAX) this.holdPlace(placeOfHidden(name, attributes));
      if (!isWhole) this.opened.push(name, 'dropped', '');
      return;
    }
    if (name === 'noscript') return;
    this.keepElement(name, attributes, isVoid, isWhole);
  }

  close(rawName: string): void {
    const name = this.writtenName(SAFE_NAME.test(rawName) ? rawName : 'span');
    if (name === 'html' || name === 'head' || name === 'body') return;
    if (name === 'br') this.open('br', new Map(), false);
    else this.emit(this.opened.close(name));
    this.atPreStart = false;
  }

  text(source: string): void {
    if (this.opened.isDropping()) {
      this.countHidden(source);
      return;
    }
    let text = decodePlainReferences(source).replaceAll('<', '&lt;');
    if (this.atPreStart) text = text.replace(/^\r?\n/, '');
    this.atPreStart = false;
    if (this.breaks > 0 && !BLANK.test(text)) this.breaks = 0;
    if (this.body.length === 0 && BLANK.test(text)) return;
    if (!BLANK.test(text)) {
      this.holdPlace(this.opened.beforeContent());
      this.disclosures.text(this.opened.depthNow());
      this.textChars += text.trim().length;
    }
    this.emitText(text);
  }

  /** Stops at the limit of character references. */
  private emitText(text: string): void {
    let end = text.length;
    for (let at = text.indexOf('&'); at >= 0 && end === text.length; at = text.indexOf('&', at + 1)) {
      this.references += 1;
      if (this.references > TEXT_REFERENCES_MAX) end = at;
    }
    this.emit(text.slice(0, end));
    if (end === text.length) return;
    this.cuts.add(`The page has more than ${TEXT_REFERENCES_MAX} character references: the rest was left out.`);
    this.full = true;
  }

  rawText(name: string, source: string): void {
    if (name === 'script') this.keepScript(source);
    if (name === 'title' && !this.hasTitle && !BLANK.test(source) && this.opened.isDroppingOnly('title')) {
      this.hasTitle = true;
      this.head.push(`<title>${source.slice(0, ATTRIBUTE_CHARS_MAX).replaceAll('<', '&lt;')}</title>`);
    }
    if ((name === 'xmp' || name === 'plaintext') && !this.opened.isDropping()) {
      this.emit(escapeText(source));
    }
  }

  finish(): Prepared {
    this.body.push(this.opened.closeAll());
    if (this.opened.wasFlattened()) {
      this.cuts.add(`Elements nested deeper than ${DOM_DEPTH_MAX} levels were read as neighbours.`);
    }
    const html = `<!doctype html><html${this.htmlAttributes}><head>${this.head.join('')}</head><body${this.bodyAttributes}>${this.body.join('')}</body></html>`;
    return {
      html,
      jsonLd: this.jsonLd,
      names: [...this.names].join(' '),
      textChars: this.textChars,
      hiddenChars: this.hiddenChars,
      cuts: [...this.cuts],
    };
  }

  /** The name under which the element of this end tag was written. */
  private writtenName(name: string): string {
    if (OLD_PRE.has(name)) return 'pre';
    return name === 'template' && !this.opened.isInside('template') ? SHADOW : name;
  }

  private keepRoot(name: string, attributes: Attributes): void {
    if (name === 'html' && this.htmlAttributes === '')
      this.htmlAttributes = writtenAttributes(attributes, this.names, this.cuts);
    if (name === 'body' && this.bodyAttributes === '')
      this.bodyAttributes = writtenAttributes(attributes, this.names, this.cuts);
  }

  private keepHead(name: string, attributes: Attributes): void {
    const wanted = name !== 'link' || attributes.get('rel')?.toLowerCase() === 'canonical';
    if (wanted && this.head.length < 200)
      this.head.push(`<${name}${writtenAttributes(attributes, this.names, this.cuts)}>`);
  }

  private countHidden(source: string): void {
    if (this.hiddenFor === null) return;
    this.hiddenRun += source.trim().length;
    this.hiddenChars[this.hiddenFor] = Math.max(this.hiddenChars[this.hiddenFor], this.hiddenRun);
  }

  private reasonToHide(name: string, attributes: Attributes): Reason | null {
    const hiding = name === 'noscript' ? 'noscript' : hidingOf(name, attributes);
    if (hiding === 'no' || this.options.keep.has(hiding)) return null;
    return this.isPanel(name, attributes) ? null : hiding;
  }

  /** Whether a control on the page opens this closed part. */
  private isPanel(name: string, attributes: Attributes): boolean {
    if (name === 'noscript' || !isCollapsed(attributes) || !this.disclosures.opens(name, attributes)) return false;
    return !this.opened.isInside('nav') && !this.opened.isInside('header') && !this.opened.isInside('footer');
  }

  private closesItself(name: string): boolean {
    const isForeign = ['svg', 'math'].some((tag) => name === tag || this.opened.isInside(tag));
    return this.options.xml || isForeign;
  }

  private keepElement(name: string, attributes: Attributes, isVoid: boolean, isWhole: boolean): void {
    if (name === 'br') {
      this.breaks += 1;
      if (this.breaks > BREAKS_IN_A_ROW_MAX) return;
    }
    if (this.elements >= DOM_ELEMENTS_MAX) {
      this.cuts.add(`The page has more than ${DOM_ELEMENTS_MAX} elements: the rest was left out.`);
      this.full = true;
      return;
    }
    if (name === 'img' || BLOCK_TAGS.has(name)) this.breaks = 0;
    const written = OLD_PRE.has(name) ? 'pre' : name;
    this.disclosures.shown(name, attributes, this.opened.depthNow());
    const tag = `<${written}${writtenAttributes(attributes, this.names, this.cuts)}>`;
    if (isVoid) {
      this.holdPlace(this.opened.beforeContent());
      this.holdPlace(tag);
      return;
    }
    this.holdPlace(this.opened.push(written, 'open', tag));
    if (isWhole) this.emit(this.opened.close(written));
    this.atPreStart = written === 'pre';
  }

  /** Writes and counts the start tag of an element, if it is to be written now. */
  private holdPlace(tag: string): void {
    if (tag === '') return;
    this.elements += 1;
    this.emit(tag);
  }

  private keepScript(source: string): void {
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

  private emit(piece: string): void {
    if (piece === '' || this.full) return;
    const left = DOM_HTML_CHARS_MAX - this.chars;
    if (piece.length > left) {
      this.cuts.add(`The page has more than ${DOM_HTML_CHARS_MAX} characters of content: the rest was left out.`);
      this.full = true;
    }
    // A tag is never cut, because what is open must be closed.
    const kept = piece.startsWith('<') ? piece : piece.slice(0, Math.max(0, left));
    this.chars += kept.length;
    this.body.push(kept);
  }
}

function escapeText(source: string): string {
  return source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
