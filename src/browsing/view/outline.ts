import { isBlank } from '#core/text/blank.ts';
import { VIEW_DETAIL_CHARS_MAX, VIEW_TEXT_CHARS_MAX } from './limits.ts';
import { elementKey, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import {
  Addresses,
  DROP_ZONE,
  elementLine,
  hasWords,
  inlineElement,
  isBareZone,
  joinPieces,
  nameShown,
  nativeOptions,
  roleWord,
  textWithin,
  tooltipLine,
} from './element-line.ts';
import { LongNames, Places } from './places.ts';
import type { LineStyle, Piece } from './element-line.ts';
import { holdsControls, isInteractive, takesDropsOnly } from './interactive.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { addPieces, BELOW, GAP, inlinePieces, isInline, isUnseen, shownChildren } from './pieces.ts';
import { FIELD_ROLES, INLINE_ROLES, LANDMARK_ROLES, NAMED_GROUP_ROLES } from '#browsing/tree/roles.ts';
import { bareElement, writeParts } from './view-line.ts';
import type { LinePart, ShownElement, ViewLine } from './view-line.ts';
import { pageWords, quoted } from './words.ts';

/** `within`: the element that a line describes, or the part of the page in which its words stand. */
export type Line = ViewLine & { within: AxElement };

export type OutlineOptions = {
  interactiveOnly: boolean;
  compact: boolean;
  allOptions: boolean;
};

/**
 * A page, or the part of it under `from`, as lines: elements that one can act on, headings and text, in reading order,
 * with as little else as possible.
 *
 * @param refOf the ref of an element, if it has one
 */
export function outline(
  page: Page,
  from: AxElement,
  refOf: (element: AxElement) => string | null,
  options: OutlineOptions,
): Line[] {
  const writer = new Writer(page, refOf, options);
  if (from.parent === null) writer.children(from, 0, options.interactiveOnly);
  else writer.whole(from);
  return pruned(writer.lines, options.interactiveOnly);
}

const CELL_ROLES = new Set(['cell', 'gridcell', 'columnheader', 'rowheader', 'LayoutTableCell']);
class Writer {
  readonly lines: Line[] = [];
  /** The element that is being written. */
  #at: AxElement;
  readonly #page: Page;
  readonly #refOf: (element: AxElement) => string | null;
  readonly #options: OutlineOptions;
  readonly #style: LineStyle;
  /** Labels whose words are the name of their control. */
  readonly #spoken: ReadonlySet<string>;

  constructor(page: Page, refOf: (element: AxElement) => string | null, options: OutlineOptions) {
    this.#page = page;
    this.#at = page.main.root;
    this.#refOf = refOf;
    this.#options = options;
    this.#style = {
      allOptions: options.allOptions,
      withUrls: !options.interactiveOnly,
      toldUrls: new Set(),
      addresses: new Addresses(page),
      places: new Places(page),
      names: new LongNames(page),
    };
    this.#spoken = spokenLabels(page);
  }

  whole(element: AxElement): void {
    if (INLINE_ROLES.has(element.role))
      this.#run([...inlinePieces(element, this.#page)], 0, '', this.#options.interactiveOnly);
    else this.#block(element, 0, this.#options.interactiveOnly);
  }

  /** @param only only elements that one can act on, no text */
  children(parent: AxElement, depth: number, only: boolean, prefix = ''): void {
    let run: Piece[] = [];
    let around: AxElement | null = null;
    let mark = prefix;
    const flush = () => {
      this.#at = around ?? parent;
      around = null;
      if (this.#run(run, depth, mark, only)) mark = '';
      run = [];
    };
    for (const child of shownChildren(parent, this.#page)) {
      if (isInline(child, this.#page)) {
        if (child.parent !== parent) run.push(GAP);
        for (const piece of inlinePieces(child, this.#page)) {
          if (piece === BELOW) flush();
          else {
            run.push(piece);
            around = aroundBoth(around, child.parent ?? parent);
          }
        }
        if (child.parent !== parent) run.push(GAP);
      } else if (child.role !== 'ListMarker') {
        flush();
        this.#block(child, depth, only);
      }
    }
    flush();
  }

  #block(element: AxElement, depth: number, only: boolean): void {
    const { role } = element;
    this.#at = element;
    const acts = isInteractive(element, this.#page);
    if (role === 'LabelText' && this.#spoken.has(elementKey(element))) return this.children(element, depth, true);
    if (role === 'heading') return this.#heading(element, depth, only);
    if (role === 'row' || role === 'LayoutTableRow') return this.#row(element, depth, only);
    if (role === 'listitem' && !acts) return this.#item(element, depth, only);
    if (LANDMARK_ROLES.has(role)) return this.#group(element, depth, only);
    const isGroup = NAMED_GROUP_ROLES.has(role) && !isBlank(element.name) && !this.#isSpokenInside(element);
    // One that one can act on, with nothing in it, is drawn by its style.
    if (isGroup && !(acts && element.children.length === 0)) {
      return this.#lastNames(element.name) ? this.children(element, depth, only) : this.#group(element, depth, only);
    }
    if (acts) return this.#control(element, depth, only);
    if (role === 'progressbar' || role === 'meter' || role === 'Canvas') {
      if (!only) this.#add(depth, [this.#elementLine(element)], 'element');
      return;
    }
    const more = only ? null : tooltipLine(element);
    if (more !== null) return this.#add(depth, [more], 'text');
    this.children(element, depth, only);
  }

  #heading(element: AxElement, depth: number, only: boolean): void {
    if (only && !this.#options.interactiveOnly) return this.children(element, depth, true);
    const level = Number(element.properties.get('level') ?? 2);
    const mark = '#'.repeat(Math.min(Math.max(level, 1), 6));
    const controls = [...everyElement(element)].filter((inner) => isInteractive(inner, this.#page));
    const ref = this.#options.compact ? null : this.#refOf(element);
    const marks = [...(ref === null ? [mark] : [bareElement(ref, mark)]), ' '];
    const [first] = controls;
    const words = pageWords(element.name, VIEW_TEXT_CHARS_MAX);
    if (first === undefined) {
      const isSaid = this.#lastNames(words) || isUnseen(element, this.#page);
      if (words !== '' && !isSaid) this.#add(depth, [...marks, words], 'heading');
      return;
    }
    const isWholly = controls.length === 1 && pageWords(nameShown(first, this.#page), VIEW_TEXT_CHARS_MAX) === words;
    if (isWholly) return this.#add(depth, [...marks, this.#elementLine(first)], 'element');
    this.#add(depth, [...marks, words], 'heading');
    this.children(element, depth, true);
  }

  #item(element: AxElement, depth: number, only: boolean): void {
    const marker = element.children.find(({ role }) => role === 'ListMarker')?.name.trim() ?? '';
    const isNumbered = /[\p{L}\p{N}]/u.test(marker);
    const before = this.lines.length;
    this.children(element, depth, only, only ? '' : `${isNumbered ? marker : '-'} `);
    const first = this.lines[before];
    if (first === undefined || first.depth !== depth || first.kind === 'group') return;
    for (const line of this.lines.slice(before + 1)) line.depth += 1;
  }

  #group(element: AxElement, depth: number, only: boolean): void {
    const name = element.name === '' ? '' : quoted(element.name, VIEW_DETAIL_CHARS_MAX);
    const states = element.properties.get('modal') === true ? ['modal'] : [];
    this.#add(depth, [bareElement(this.#refOf(element), roleWord(element), name, states)], 'group');
    this.children(element, depth + 1, only);
  }

  #row(element: AxElement, depth: number, only: boolean): void {
    const cells = [...shownChildren(element, this.#page)].filter(({ role }) => CELL_ROLES.has(role));
    const ref = this.#refOf(element);
    if (only || cells.length === 0 || !fitsOneLine(element)) {
      if (ref !== null) this.#add(depth, [this.#elementLine(element)], 'element');
      return this.children(element, ref === null ? depth : depth + 1, only);
    }
    const texts = cells.map((cell) => this.#cellParts(cell));
    while (texts.at(-1)?.length === 0) texts.pop();
    const [first = []] = texts;
    if (texts.length === 0 && ref === null) return;
    const line = texts.length === 1 ? first : ['|', ...texts.flatMap((text, at) => [at === 0 ? ' ' : ' | ', ...text])];
    this.#add(depth, ref === null ? line : [bareElement(ref, 'row'), ' ', ...line], 'text');
  }

  #cellParts(cell: AxElement): LinePart[] {
    const pieces: Piece[] = [];
    const inside = [...everyElement(cell)].filter((inner) => inner !== cell && isInteractive(inner, this.#page));
    const isWhole = inside.length === 0 ? isInteractive(cell, this.#page) : this.#hasOnlyHandles(cell, inside);
    if (isWhole) pieces.push({ element: cell });
    if (isWhole && this.#isNamedByText(cell)) pieces.push(...inside.map((element) => ({ element })));
    else addPieces(cell, this.#page, pieces);
    const sort = this.#page.sortOf(cell);
    const parts = this.#join(pieces).flatMap((line, at) => (at === 0 ? line : [' ', ...line]));
    return [...parts.map(withoutBars), ...(isWhole || sort === '' ? [] : [` (${sort})`])];
  }

  /** What reacts in it says nothing, as what makes a column wider: the words are those of the cell. */
  #hasOnlyHandles(cell: AxElement, inside: readonly AxElement[]): boolean {
    const isHandle = (element: AxElement) => element.role === 'generic' && textWithin(element) === '';
    return isInteractive(cell, this.#page) && textWithin(cell) !== '' && inside.every(isHandle);
  }

  /** Otherwise its text is shown beside its name: a day of a calendar is called by its date, and holds what is on. */
  #isNamedByText(cell: AxElement): boolean {
    const bare = (text: string) => text.replaceAll(/\s/gu, '');
    return bare(nameShown(cell, this.#page)).includes(bare(textWithin(cell)));
  }

  #control(element: AxElement, depth: number, only: boolean): void {
    const { role } = element;
    const content = this.#page.within(element);
    if (FRAMES.has(role)) {
      const isNamed = element.name !== '' && content === null;
      this.#add(depth, [this.#elementLine(element)], isNamed ? 'element' : 'group');
      if (content !== null) this.children(content.root, depth + 1, only);
      return;
    }
    if (this.#isContainer(element)) {
      const isZone = isBareZone(element, this.#page);
      const states = this.#page.isDropZone(element) && !isZone ? [DROP_ZONE] : [];
      const shown = bareElement(this.#refOf(element), isZone ? DROP_ZONE : roleWord(element), '', states);
      this.#add(depth, [shown], only ? 'element' : 'group');
      return this.children(element, depth + 1, only);
    }
    this.#add(depth, [this.#elementLine(element)], 'element');
    const isClosed = FIELD_ROLES.has(role) || element.properties.has('editable') || nativeOptions(element).length > 0;
    if (!isClosed || role === 'listbox' || role === 'combobox') this.children(element, depth + 1, true);
  }

  /** An element that reacts to a click and contains a part of the page. Its content is shown, not only its name. */
  #isContainer(element: AxElement): boolean {
    if (element.name !== '' || element.properties.has('editable') || FIELD_ROLES.has(element.role)) return false;
    const text = textWithin(element);
    if (holdsControls(element, this.#page) || text.length > VIEW_DETAIL_CHARS_MAX) return true;
    // What its name does not say stands under it.
    if (text !== '' && nameShown(element, this.#page) === '') return true;
    return takesDropsOnly(element, this.#page) && [...shownChildren(element, this.#page)].length > 1;
  }

  /** @returns whether anything was written */
  #run(pieces: readonly Piece[], depth: number, prefix: string, only: boolean): boolean {
    const elements = pieces.flatMap((piece) => ('element' in piece ? [piece.element] : []));
    const acting = elements.filter((element) => isInteractive(element, this.#page));
    if (only || (acting.length === elements.length && !hasWords(pieces))) {
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

  #join(pieces: readonly Piece[]): LinePart[][] {
    return joinPieces(pieces, VIEW_TEXT_CHARS_MAX, (element) =>
      element.role === 'image' && this.#refOf(element) === null
        ? `[img ${pageWords(element.name, VIEW_DETAIL_CHARS_MAX)}]`
        : inlineElement(element, this.#refOf(element), this.#page, this.#style),
    );
  }

  #isSpokenInside(group: AxElement): boolean {
    const [first] = [...shownChildren(group, this.#page)];
    return first?.role === 'heading' && first.name === group.name;
  }

  /** Whether the previous line already gives its element this name. */
  #lastNames(words: string): boolean {
    const name = quoted(words, VIEW_TEXT_CHARS_MAX);
    const parts = words === '' ? [] : (this.lines.at(-1)?.parts ?? []);
    return parts.some((part) => typeof part === 'object' && wordsIn(part).some((its) => its.includes(name)));
  }

  #elementLine(element: AxElement): ShownElement {
    return elementLine(element, this.#refOf(element), this.#page, this.#style);
  }

  #add(depth: number, parts: readonly LinePart[], kind: Line['kind']): void {
    this.lines.push({ depth, kind, parts, within: this.#at });
  }
}

/** What an element of a line has of the page. */
function wordsIn({ name, place, details, address }: ShownElement): string[] {
  return [name, ...place, ...details, address];
}

/** Bars stand between the cells of a row. */
function withoutBars(part: LinePart): LinePart {
  const bare = (words: string) => words.replaceAll(' | ', ' ¦ ');
  if (typeof part === 'string') return bare(part);
  const { name, place, details, address } = part;
  return { ...part, name: bare(name), place: place.map(bare), details: details.map(bare), address: bare(address) };
}

/** The innermost element that holds both. */
function aroundBoth(one: AxElement | null, other: AxElement): AxElement {
  if (one === null || one === other) return other;
  const holding = new Set<AxElement>();
  for (let at: AxElement | null = one; at !== null; at = at.parent) holding.add(at);
  for (let at: AxElement | null = other; at !== null; at = at.parent) if (holding.has(at)) return at;
  return other;
}

function spokenLabels(page: Page): ReadonlySet<string> {
  const spoken = new Set<string>();
  for (const { root } of page.documents) {
    for (const { document, labels } of everyElement(root))
      for (const id of labels) spoken.add(`${document.frameId} ${id}`);
  }
  return spoken;
}

/** Removes groups without content and, if only elements are shown, headings without any. */
function pruned(lines: readonly Line[], interactiveOnly: boolean): Line[] {
  const kept: Line[] = [];
  for (const line of [...lines].reverse()) {
    const next = kept.at(-1);
    const isEmpty = next === undefined || next.depth <= line.depth;
    const isEmptyGroup = line.kind === 'group' && isEmpty && !isNamedFrame(line);
    const isEmptyHeading =
      interactiveOnly &&
      line.kind === 'heading' &&
      (next === undefined || next.kind === 'heading' || next.depth < line.depth);
    if (!isEmptyGroup && !isEmptyHeading) kept.push(line);
  }
  return kept.reverse();
}

/** A frame whose document shows nothing to assistive technology can still be clicked: a game, a player. */
function isNamedFrame({ within: { role, name } }: Line): boolean {
  return FRAMES.has(role) && name !== '';
}

const FRAMES: ReadonlySet<string> = new Set(['Iframe', 'IframePresentational']);

/** Whether a row of a table can be shown as one line of text. */
function fitsOneLine(row: AxElement): boolean {
  let chars = 0;
  for (const element of everyElement(row)) {
    if (element !== row && BLOCKS_IN_CELLS.has(element.role)) return false;
    if (element.role === 'StaticText') chars += element.name.length;
    if (chars > ROW_CHARS_MAX) return false;
  }
  return true;
}

/** A longer row is laid out like any other part of the page. */
const ROW_CHARS_MAX = 600;
const BLOCKS_IN_CELLS = new Set(['table', 'grid', 'list', 'form', 'Iframe', 'row']);
