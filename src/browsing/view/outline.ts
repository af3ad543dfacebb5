import { isBlank } from '#core/text/blank.ts';
import { VIEW_ELEMENT_DETAIL_CHARS_MAX, VIEW_TEXT_CHARS_MAX } from './limits.ts';
import { commonAncestor, elementKey, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { DROP_ZONE, describeElementLine, inlineElement, isDropZoneOnly } from '#browsing/view/line/element-line.ts';
import { resolveShownName, roleWord, showsAllContent, textWithin } from '#browsing/view/line/element-line.ts';
import { describeTooltip, describeWaysToOpen } from '#browsing/view/line/element-line.ts';
import { AddressShortener } from '#browsing/view/line/addresses.ts';
import { readCheckedState } from '#browsing/view/line/choices.ts';
import { NameShortener, ElementPositions } from '#browsing/view/line/places.ts';
import type { LineOptions } from '#browsing/view/line/element-line.ts';
import { hasLettersOrDigits, joinPiecesIntoLines } from './join-pieces.ts';
import type { OutlinePiece } from './join-pieces.ts';
import { containsControls, isInteractive, acceptsOnlyDrops } from './interactive.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { createPageRowTest } from './page-rows.ts';
import { BOX_GAP, collectPieces, inlinePieces, isInline, hasOnlyInvisibleText, LINE_BREAK_PIECE } from './pieces.ts';
import { nameOmitsText, listShownChildren } from './pieces.ts';
import { GRAPHIC_ROLES, EMBEDDED_ROLES, FIELD_ROLES, INLINE_ROLES } from '#browsing/tree/roles.ts';
import { LANDMARK_ROLES, NAMED_GROUP_ROLES, POPUP_ROLES } from '#browsing/tree/roles.ts';
import { CELL_ROLES, findRowCells, fitsOneLine, withoutBars } from '#browsing/view/line/table-row.ts';
import { readRowTextOutsideControls } from '#browsing/view/line/table-row.ts';
import { createShownElement, writeParts } from './view-line.ts';
import type { LinePart, OutlineLine, ShownElement } from './view-line.ts';
import { FRAMES, pruned } from './pruned-lines.ts';
import { sanitizePageText, quotePageText } from './words.ts';

type OutlineOptions = {
  interactiveOnly: boolean;
  compact: boolean;
  allOptions: boolean;
  /** Maximum characters of a paragraph or table cell. */
  textCharsMax: number;
};

/**
 * Writes a page, or the part of it under `from`, as lines in reading order: interactive elements, headings and text.
 * @param refOf returns the ref of an element; `null` for none
 */
export function writeOutline(
  page: Page,
  from: AxElement,
  refOf: (element: AxElement) => string | null,
  options: OutlineOptions,
): OutlineLine[] {
  const writer = new Writer(page, refOf, options);
  if (from.parent === null) writer.children(from, 0, options.interactiveOnly);
  else writer.whole(from);
  return pruned(writer.lines, options.interactiveOnly);
}

/** Maximum characters of a row's text in a view that lists only interactive elements. */
const ROW_WORDS_CHARS_MAX = 60;
/** Maximum spaces of indentation shown in front of a line of source code. */
const INDENT_MAX = 40;
class Writer {
  readonly lines: OutlineLine[] = [];
  #at: AxElement;
  readonly #page: Page;
  readonly #refOf: (element: AxElement) => string | null;
  readonly #options: OutlineOptions;
  readonly #style: LineOptions;
  /** Ids of labels whose text is already the name of their control and need not be shown twice. */
  readonly #spoken: ReadonlySet<string>;
  readonly #isRow: (part: AxElement) => boolean;

  constructor(page: Page, refOf: (element: AxElement) => string | null, options: OutlineOptions) {
    this.#page = page;
    this.#at = page.main.root;
    this.#refOf = refOf;
    this.#options = options;
    this.#style = {
      allOptions: options.allOptions,
      withUrls: !options.interactiveOnly,
      toldUrls: new Set(),
      addresses: new AddressShortener(page),
      places: new ElementPositions(page),
      names: new NameShortener(page),
    };
    this.#spoken = spokenLabels(page);
    const isRow = createPageRowTest(page);
    this.#isRow = (part) => isRow(part) && !page.isOver(part);
  }

  whole(element: AxElement): void {
    if (INLINE_ROLES.has(element.role))
      this.#run([...inlinePieces(element, this.#page)], 0, '', this.#options.interactiveOnly);
    else this.#block(element, 0, this.#options.interactiveOnly);
  }

  /** @param only true to write interactive elements only. @param prefix a list item's number or `- ` */
  children(parent: AxElement, depth: number, only: boolean, prefix = ''): void {
    let run: OutlinePiece[] = [];
    let around: AxElement | null = null;
    let mark = prefix;
    const flush = () => {
      this.#at = around ?? parent;
      around = null;
      if (this.#run(run, depth, mark, only)) mark = '';
      run = [];
    };
    for (const child of listShownChildren(parent, this.#page, this.#isRowOfLines)) {
      if (this.#isRowOfLines(child)) {
        flush();
        this.#part(child, depth, only);
      } else if (isInline(child, this.#page)) {
        if (child.parent !== parent) run.push(BOX_GAP);
        for (const piece of inlinePieces(child, this.#page)) {
          if (piece === LINE_BREAK_PIECE) flush();
          else {
            run.push(piece);
            around = around === null ? (child.parent ?? parent) : commonAncestor(around, child.parent ?? parent);
          }
        }
        if (child.parent !== parent) run.push(BOX_GAP);
      } else if (child.role !== 'ListMarker') {
        flush();
        const before = this.lines.length;
        this.#block(child, depth, only);
        if (mark === '- ' && this.lines.length > before) mark = '';
      }
    }
    flush();
  }

  /** True for a container that exists only for layout, if it is one of several rows that have several lines. */
  readonly #isRowOfLines = (part: AxElement): boolean =>
    part.ignored &&
    this.#isRow(part) &&
    !isInteractive(part, this.#page) &&
    [...listShownChildren(part, this.#page)].some((child) => !isInline(child, this.#page));

  #block(element: AxElement, depth: number, isOnly: boolean): void {
    const { role } = element;
    // The list of a field has its own content, although assistive technology treats the list as part of the field.
    const only = POPUP_ROLES.has(role) ? this.#options.interactiveOnly : isOnly;
    this.#at = element;
    const acts = isInteractive(element, this.#page);
    if (role === 'LabelText' && this.#spoken.has(elementKey(element))) return this.children(element, depth, true);
    if (role === 'heading') return this.#heading(element, depth, only);
    if (role === 'row' || role === 'LayoutTableRow') return this.#row(element, depth, only);
    if (role === 'listitem' && !acts) return this.#item(element, depth, only);
    if (LANDMARK_ROLES.has(role)) return this.#group(element, depth, only);
    const isGroup = NAMED_GROUP_ROLES.has(role) && !isBlank(element.name) && !this.#isSpokenInside(element);
    // An interactive group without content gets its own line, because CSS may draw it, such as a colour swatch.
    if (isGroup && !(acts && element.children.length === 0)) {
      return this.#lastNames(element.name) ? this.children(element, depth, only) : this.#group(element, depth, only);
    }
    if (acts) return this.#control(element, depth, only);
    if (EMBEDDED_ROLES.has(role) && this.#page.fileOf(element) !== null) {
      const shown = createShownElement(null, roleWord(element), '', describeWaysToOpen(element, null, this.#page));
      return only ? undefined : this.#add(depth, [shown], 'element');
    }
    if (role === 'progressbar' || role === 'meter' || role === 'Canvas') {
      if (!only) this.#add(depth, [this.#elementLine(element)], 'element');
      return;
    }
    const more = only ? null : describeTooltip(element);
    if (more !== null) return this.#add(depth, [more], 'text');
    const indent = element.properties.get('indent');
    if (typeof indent !== 'number') return this.#part(element, depth, only);
    // Every line of source code is written, even a line without words, such as a single bracket.
    if (only) return;
    for (const line of this.#join([...element.children].flatMap((text) => [...inlinePieces(text, this.#page)])))
      this.#add(depth, [' '.repeat(Math.min(indent, INDENT_MAX)), ...line], 'text');
  }

  #heading(element: AxElement, depth: number, only: boolean): void {
    if (only && !this.#options.interactiveOnly) return this.children(element, depth, true);
    const level = Number(element.properties.get('level') ?? 2);
    const mark = '#'.repeat(Math.min(Math.max(level, 1), 6));
    const controls = [...everyElement(element)].filter((inner) => isInteractive(inner, this.#page));
    const ref = this.#options.compact ? null : this.#refOf(element);
    const marks = [...(ref === null ? [mark] : [createShownElement(ref, mark)]), ' '];
    const [first] = controls;
    const words = sanitizePageText(element.name, VIEW_TEXT_CHARS_MAX);
    if (first === undefined) {
      const isSaid = this.#lastNames(words) || hasOnlyInvisibleText(element, this.#page);
      if (words !== '' && !isSaid) this.#add(depth, [...marks, words], 'heading');
      return;
    }
    const isWholly =
      controls.length === 1 && sanitizePageText(resolveShownName(first, this.#page), VIEW_TEXT_CHARS_MAX) === words;
    if (isWholly) return this.#add(depth, [...marks, this.#elementLine(first)], 'element');
    this.#add(depth, [...marks, words], 'heading');
    this.children(element, depth, true);
  }

  #item(element: AxElement, depth: number, only: boolean): void {
    if (this.#options.interactiveOnly) return this.#rowByWords(element, depth, null);
    const marker = element.children.find(({ role }) => role === 'ListMarker')?.name.trim() ?? '';
    const isNumbered = /[\p{L}\p{N}]/u.test(marker);
    const before = this.lines.length;
    this.children(element, depth, only, only ? '' : `${isNumbered ? marker : '-'} `);
    this.#indentAfter(before, depth);
  }

  /** Writes a container. If it is one of several rows that look alike, such as a post, its lines are set apart. */
  #part(element: AxElement, depth: number, only: boolean): void {
    const before = this.lines.length;
    this.children(element, depth, only);
    const [first, ...others] = this.lines.slice(before);
    const isLink = (part: LinePart) => typeof part === 'object' && (part.role === 'link' || part.role === '');
    const isWord = ({ kind, parts }: OutlineLine) => kind === 'text' || parts.some(isLink);
    if (only || first === undefined || others.length === 0 || first.kind === 'heading') return;
    if (![first, ...others].some(isWord) || !this.#isRow(element) || !this.#indentAfter(before, depth)) return;
    if (first.kind === 'text' && !first.parts.includes('- ')) first.parts = ['- ', ...first.parts];
  }

  /** Indents all lines but the first, to which they belong. @returns false if the first cannot head them */
  #indentAfter(before: number, depth: number): boolean {
    const first = this.lines[before];
    if (first === undefined || first.depth !== depth || first.kind === 'group') return false;
    for (const line of this.lines.slice(before + 1)) line.depth += 1;
    return true;
  }

  #group(element: AxElement, depth: number, only: boolean): void {
    const name = element.name === '' ? '' : quotePageText(element.name, VIEW_ELEMENT_DETAIL_CHARS_MAX);
    const states = element.properties.get('modal') === true ? ['modal'] : [];
    this.#add(depth, [createShownElement(this.#refOf(element), roleWord(element), name, states)], 'group');
    this.children(element, depth + 1, only);
  }

  #row(element: AxElement, depth: number, only: boolean): void {
    const cells = findRowCells(element, this.#page);
    const ref = this.#refOf(element);
    if (this.#options.interactiveOnly) return this.#rowByWords(element, depth, ref);
    if (only || cells === null || cells.length === 0 || !fitsOneLine(element)) {
      if (ref !== null) this.#add(depth, [this.#elementLine(element)], 'element');
      return this.children(element, ref === null ? depth : depth + 1, only);
    }
    const texts = cells.map((cell) =>
      CELL_ROLES.has(cell.role) ? this.#cellParts(cell) : [createShownElement(this.#refOf(cell), roleWord(cell))],
    );
    while (texts.at(-1)?.length === 0) texts.pop();
    const [first = []] = texts;
    if (texts.length === 0 && ref === null) return;
    const line = texts.length === 1 ? first : ['|', ...texts.flatMap((text, at) => [at === 0 ? ' ' : ' | ', ...text])];
    this.#add(depth, ref === null ? line : [createShownElement(ref, 'row'), ' ', ...line], 'text');
  }

  /** Writes a row's first words as its name, to identify the row where its text is not shown. */
  #rowByWords(element: AxElement, depth: number, ref: string | null): void {
    const words = readRowTextOutsideControls(element, this.#page);
    if (words === '' && ref === null) return this.children(element, depth, true);
    const quoted = words === '' ? '' : quotePageText(words, ROW_WORDS_CHARS_MAX);
    const shown = createShownElement(ref, roleWord(element), quoted);
    this.#add(
      depth,
      [ref === null || words !== '' ? shown : this.#elementLine(element)],
      ref === null ? 'group' : 'element',
    );
    this.children(element, depth + 1, true);
  }

  #cellParts(cell: AxElement): LinePart[] {
    const pieces: OutlinePiece[] = [];
    const inside = [...everyElement(cell)].filter((inner) => inner !== cell && isInteractive(inner, this.#page));
    const isWhole = inside.length === 0 ? isInteractive(cell, this.#page) : this.#hasOnlyHandles(cell, inside);
    if (isWhole) pieces.push({ element: cell });
    if (isWhole && this.#isNamedByText(cell)) pieces.push(...inside.map((element) => ({ element })));
    else collectPieces(cell, this.#page, pieces);
    const sort = this.#page.sortOf(cell);
    const parts = this.#join(pieces).flatMap((line, at) => (at === 0 ? line : [' ', ...line]));
    const tick = isWhole ? '' : readCheckedState(cell, this.#page);
    const more = [...(isWhole || sort === '' ? [] : [`(${sort})`]), ...(tick === '' ? [] : [`(${tick})`])];
    return [...parts.map(withoutBars), ...more.map((word, at) => (at === 0 && parts.length === 0 ? word : ` ${word}`))];
  }

  /** True if the interactive parts of a cell have no text, such as the handle that resizes a table column. */
  #hasOnlyHandles(cell: AxElement, inside: readonly AxElement[]): boolean {
    const isHandle = (element: AxElement) => element.role === 'generic' && textWithin(element) === '';
    return isInteractive(cell, this.#page) && textWithin(cell) !== '' && inside.every(isHandle);
  }

  /** True if the cell's name contains its text. False in a calendar, where the name is a date and the text an event. */
  #isNamedByText(cell: AxElement): boolean {
    const bare = (text: string) => text.replaceAll(/\s/gu, '');
    return bare(resolveShownName(cell, this.#page)).includes(bare(textWithin(cell)));
  }

  #control(element: AxElement, depth: number, only: boolean): void {
    if (FRAMES.has(element.role)) return this.#frame(element, depth, only);
    if (this.#isContainer(element)) {
      const isZone = isDropZoneOnly(element, this.#page);
      const states = this.#page.isDropZone(element) && !isZone ? [DROP_ZONE] : [];
      const shown = createShownElement(this.#refOf(element), isZone ? DROP_ZONE : roleWord(element), '', states);
      this.#add(depth, [shown], only ? 'element' : 'group');
      return this.children(element, depth + 1, only);
    }
    this.#add(depth, [this.#elementLine(element)], 'element');
    if (showsAllContent(element)) return;
    this.children(element, depth + 1, only || (element.role !== 'listbox' && !nameOmitsText(element, this.#page)));
  }

  #frame(element: AxElement, depth: number, only: boolean): void {
    const content = this.#page.within(element);
    const line = this.#elementLine(element);
    const at = this.lines.length;
    this.#add(depth, [line], 'group');
    if (content !== null) this.children(content.root, depth + 1, only);
    if (this.lines.length > at + 1) return;
    // The frame's own line is written only if none of its content's lines shows that there is a frame.
    const isNamed = element.name !== '' && content === null;
    if (!isNamed && !this.#showsNoText(element, content?.root ?? null)) return;
    this.lines.splice(at, 1);
    this.#at = element;
    this.#add(depth, [line], 'element');
  }

  /**
   * True for a visible frame that shows graphics without text, such as a game, and for a frame that is not loaded yet.
   */
  #showsNoText(frame: AxElement, content: AxElement | null): boolean {
    const state = this.#page.frameState(frame);
    if (state === 'lazy' || this.#page.fileOf(frame) !== null) return true;
    return (
      state === 'seen' && content !== null && [...everyElement(content)].some(({ role }) => GRAPHIC_ROLES.has(role))
    );
  }

  /** True for a clickable element around a part of the page, such as a card. Its content is shown below its line. */
  #isContainer(element: AxElement): boolean {
    if (element.name !== '' || element.properties.has('editable') || FIELD_ROLES.has(element.role)) return false;
    const text = textWithin(element);
    if (containsControls(element, this.#page) || text.length > VIEW_ELEMENT_DETAIL_CHARS_MAX) return true;
    // Text that is not part of the element's name must be shown below it.
    if (text !== '' && resolveShownName(element, this.#page) === '') return true;
    return acceptsOnlyDrops(element, this.#page) && [...listShownChildren(element, this.#page)].length > 1;
  }

  /** @returns true if a line was written */
  #run(pieces: readonly OutlinePiece[], depth: number, prefix: string, only: boolean): boolean {
    const elements = pieces.flatMap((piece) => ('element' in piece ? [piece.element] : []));
    const acting = elements.filter((element) => isInteractive(element, this.#page));
    if (only || (acting.length === elements.length && !hasLettersOrDigits(pieces))) {
      for (const element of acting) {
        this.#at = element;
        this.#add(depth, [this.#elementLine(element)], 'element');
      }
      return acting.length > 0;
    }
    const [first = [], ...more] = this.#join(pieces);
    if (first.length === 0) return false;
    if (acting.length === 0 && this.#lastNames(writeParts(first))) return false;
    this.#add(depth, prefix === '' ? first : [prefix, ...first], 'text');
    for (const line of more) this.#add(depth, line, 'text');
    return true;
  }

  #join(pieces: readonly OutlinePiece[]): LinePart[][] {
    return joinPiecesIntoLines(pieces, this.#options.textCharsMax, (element) =>
      element.role === 'image' && this.#refOf(element) === null
        ? `[img ${sanitizePageText(element.name, VIEW_ELEMENT_DETAIL_CHARS_MAX)}]`
        : inlineElement(element, this.#refOf(element), this.#page, this.#style),
    );
  }

  #isSpokenInside(group: AxElement): boolean {
    const [first] = [...listShownChildren(group, this.#page)];
    return first?.role === 'heading' && first.name === group.name;
  }

  /** True if an element in the previous line already shows this text. */
  #lastNames(words: string): boolean {
    const name = quotePageText(words, VIEW_TEXT_CHARS_MAX);
    const parts = words === '' ? [] : (this.lines.at(-1)?.parts ?? []);
    return parts.some((part) => typeof part === 'object' && wordsIn(part).some((its) => its.includes(name)));
  }

  #elementLine(element: AxElement): ShownElement {
    return describeElementLine(element, this.#refOf(element), this.#page, this.#style);
  }

  #add(depth: number, parts: readonly LinePart[], kind: OutlineLine['kind']): void {
    this.lines.push({ depth, kind, parts, within: this.#at });
  }
}

/** Page text of an element's line. */
function wordsIn({ name, place, details, address }: ShownElement): string[] {
  return [name, ...place, ...details, address];
}

function spokenLabels(page: Page): ReadonlySet<string> {
  const spoken = new Set<string>();
  for (const { root } of page.documents) {
    for (const { document, labels } of everyElement(root))
      for (const id of labels) spoken.add(`${document.frameId} ${id}`);
  }
  return spoken;
}
