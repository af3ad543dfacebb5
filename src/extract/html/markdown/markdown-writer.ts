import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { SPAN_REPEAT_CHARS_MAX } from '#extract/limits.ts';
import { areVisuallySeparate, elementsInside, treeRoot } from '#extract/html/tree.ts';
import { MarkdownBlocks } from './blocks.ts';
import { escapeLineStart } from '#extract/escape.ts';
import { InlineContent } from './inline.ts';
import type { LineBreakStyle, InlineMark } from './inline.ts';
import { MarkdownTableBuilder } from '#extract/html/markdown/tables/table.ts';
import type { SpanRepeatBudget } from '#extract/html/markdown/tables/table.ts';
import { toFormula, formulaMarkdown } from './math.ts';
import { splitTexFormulas } from './tex-source.ts';
import type { TextPiece } from './tex-source.ts';
import type { Footnotes } from './footnotes.ts';
import type { LinkResolver } from './urls.ts';
import { isBlank } from '#core/text/blank.ts';
import { oneLine } from '#core/text/text.ts';

const LINKS: ReadonlySet<string> = new Set(['a']);

/**
 * The next step after a start tag: `skip` the content, `descend` into it, or descend and call the function at the end
 * tag.
 */
export type EnterResult = 'skip' | 'descend' | (() => void);

type RowWriter = {
  enterRow: (row: DomElement, group: DomElement | null) => EnterResult;
  enterCell: (cell: DomElement) => EnterResult;
};

export type MarkdownListState = {
  marker: string;
  /** Number of the next item; `null` for bullets. */
  next: number | null;
  /** Formats an item's number as a letter or Roman numeral; `null` for digits and bullets. */
  style: ((value: number) => string) | null;
  step: number;
  items: number;
  /**
   * True if the list is inside a list item that already has text. False for a numbered list that does not begin with 1.
   */
  nested: boolean;
  /** Spaces as wide as the marker of the last item; empty before the first item. */
  indent: string;
  /** For a list in a table cell: how many lists are around it in this cell. */
  depthInCell: number;
  isDefinition?: boolean;
  isOpen?: boolean;
};

export class MarkdownWriter {
  readonly blocks: MarkdownBlocks;
  readonly links: LinkResolver;
  readonly footnotes: Footnotes;
  readonly fields: FieldNames;
  readonly linkNames = new LinkNames();
  readonly lists: MarkdownListState[] = [];
  /** The open tables, outermost first; `null` for a table used only for page layout. */
  readonly tables: (MarkdownTableBuilder | RowWriter | null)[] = [];
  readonly repeats: SpanRepeatBudget = { left: SPAN_REPEAT_CHARS_MAX };
  /** Inline elements that are open, such as links, outermost first. */
  readonly marks: InlineMark[] = [];
  private readonly outer: { run: InlineContent; style: LineBreakStyle }[] = [];
  private run: InlineContent;
  private style: LineBreakStyle = 'hard';
  private lastText: DomNode | undefined;
  /** Caches `isBlankRow`, which is called for each cell of a row. */
  private readonly blankRows = new WeakMap<DomElement, boolean>();

  /** @param isRest true to write the text outside the main part (menus, comments), false for the main part */
  constructor(links: LinkResolver, footnotes: Footnotes, isRest = false) {
    this.blocks = new MarkdownBlocks(isRest);
    this.fields = new FieldNames();
    this.links = links;
    this.footnotes = footnotes;
    this.run = new InlineContent('hard', this.marks);
  }

  /** True while text goes into a heading, table cell, caption or bold line, which cannot contain blocks. */
  isLine(): boolean {
    return this.outer.length > 0;
  }

  isBegun(): boolean {
    return this.isLine() || this.blocks.isUsed() || !this.run.isEmpty();
  }

  isInText(): boolean {
    return !this.run.isEmpty();
  }

  isCell(): boolean {
    return this.style === 'html';
  }

  isBlankRow(row: DomElement): boolean {
    const known = this.blankRows.get(row) ?? isBlank(row.textContent);
    this.blankRows.set(row, known);
    return known;
  }

  /** Writes text. @param node the text node that contains it, if any */
  text(raw: string, node?: DomNode): void {
    if (node !== undefined) {
      if (areVisuallySeparate(this.lastText, node)) this.run.space();
      this.lastText = node;
    }
    if (node === undefined) this.run.text(raw);
    else for (const piece of splitTexFormulas(raw)) this.piece(piece);
  }

  private piece(piece: TextPiece): void {
    const formula = 'tex' in piece ? toFormula(piece.tex, piece.display) : null;
    if (formula !== null) this.run.atom(formulaMarkdown(formula, this.isCell()));
    else if ('text' in piece) this.run.text(piece.text);
  }

  atom(markdown: string): void {
    this.run.atom(markdown);
  }

  code(code: string): void {
    this.run.code(code);
  }

  /** Sets Markdown, such as a label, that is written before the next text. It is dropped if no text follows. */
  raw(markdown: string): void {
    this.run.raw(markdown);
  }

  space(): void {
    this.run.space();
  }

  lineBreak(): void {
    if (this.style === 'hard' && this.run.endsWithBreak()) this.breakBlock();
    else this.run.lineBreak();
  }

  /** Ends the open paragraph. A heading or cell gets a space or `<br>` instead, because it is one line. */
  breakBlock(): void {
    if (this.isLine()) {
      if (!this.run.endsWithBreak()) this.run.lineBreak();
      return;
    }
    if (this.run.isEmpty()) return;
    const text = this.run.finish();
    this.blocks.paragraph(text.split('\n').map(escapeLineStart).join('\n'));
  }

  /** Starts a heading or cell: all text goes into it until `endLine`. */
  startLine(style: LineBreakStyle): void {
    this.outer.push({ run: this.run, style: this.style });
    this.style = style;
    this.run = new InlineContent(style, this.marks);
  }

  endLine(): string {
    const text = this.run.finish();
    const outer = this.outer.pop();
    if (outer !== undefined) {
      this.run = outer.run;
      this.style = outer.style;
    }
    return text;
  }

  anchor(name: string): void {
    const top = this.tables.at(-1);
    // A table in a cell is written as lines of the cell, so link targets in it belong to the table around it.
    const table =
      this.isLine() && !(top instanceof MarkdownTableBuilder)
        ? this.tables.findLast((open) => open instanceof MarkdownTableBuilder)
        : top;
    if (table instanceof MarkdownTableBuilder) table.anchor(name);
    else this.blocks.anchor(name);
  }

  openMark(kind: InlineMark['kind'], open: string, close: string): InlineMark | null {
    if (kind !== 'sub' && kind !== 'sup' && this.marks.some((mark) => mark.kind === kind)) return null;
    const mark: InlineMark = { kind, open, close, used: false };
    this.marks.push(mark);
    return mark;
  }

  closeMark(mark: InlineMark): void {
    const at = this.marks.lastIndexOf(mark);
    if (at >= 0) this.marks.splice(at, 1);
    this.run.closeMark(mark);
  }
}

const LABELS: ReadonlySet<string> = new Set(['label']);
const LISTS: ReadonlySet<string> = new Set(['datalist']);
const NAME_CHARS_MAX = 200;
const FORM_ROLES = /^(?:form|search|radiogroup)$/;

/** Name of a field. `isLabelled` is true if a visible label shows it; otherwise `name` is from its attributes. */
type FieldName = { isLabelled: boolean; isInForm: boolean; name: string };

/** Finds the names of form fields. Its two indexes of the page are built when a field first needs them. */
class FieldNames {
  private labelled: ReadonlySet<string> | null = null;
  private lists: ReadonlyMap<string, DomElement> | null = null;
  private readonly told = new Set<DomElement>();

  nameOf(field: DomElement): FieldName {
    const id = field.getAttribute('id') ?? '';
    let isLabelled = field.hasAttribute('aria-labelledby') || (id !== '' && this.labels(field).has(id));
    let isInForm = false;
    for (let around = field.parentNode; around !== null; around = around.parentNode) {
      const { localName } = around;
      if (localName === 'label') isLabelled = true;
      isInForm ||= localName === 'form' || localName === 'fieldset';
      isInForm ||= FORM_ROLES.test(around.getAttribute('role') ?? '');
      if (isInForm && isLabelled) break;
    }
    const given = field.getAttribute('aria-label') ?? field.getAttribute('title') ?? '';
    return { isLabelled, isInForm, name: isLabelled ? '' : oneLine(given, NAME_CHARS_MAX) };
  }

  /** Returns the `datalist` of a field; `null` if an earlier field has shown it; `undefined` without one. */
  suggestions(field: DomElement): DomElement | null | undefined {
    if (!field.hasAttribute('list')) return undefined;
    this.lists ??= new Map(
      [...elementsInside(treeRoot(field), LISTS)].map((list) => [list.getAttribute('id') ?? '', list]),
    );
    const list = this.lists.get(field.getAttribute('list') ?? '');
    if (list === undefined) return undefined;
    if (this.told.has(list)) return null;
    this.told.add(list);
    return list;
  }

  private labels(field: DomElement): ReadonlySet<string> {
    this.labelled ??= new Set(
      [...elementsInside(treeRoot(field), LABELS)].map((label) => label.getAttribute('for') ?? ''),
    );
    return this.labelled;
  }
}

/** URLs of all links with text. A link with only a picture needs no name if another link with its URL has text. */
class LinkNames {
  private named: ReadonlySet<string> | null = null;

  isNamedElsewhere(link: DomElement): boolean {
    this.named ??= namedAddressesIn(treeRoot(link));
    return this.named.has(link.getAttribute('href') ?? '');
  }
}

function namedAddressesIn(page: DomElement): ReadonlySet<string> {
  const named = new Set<string>();
  for (const link of elementsInside(page, LINKS)) {
    const href = link.getAttribute('href');
    if (href !== null && !isBlank(link.textContent)) named.add(href);
  }
  return named;
}
