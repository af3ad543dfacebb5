import type { DocumentPart, ElementHint, DomFacts } from '#browsing/in-page/script-types.ts';
import { isBlank } from '#core/text/blank.ts';
import { sizeOfNode } from '#browsing/in-page/elements/document-size.ts';
import { createDomReaders, elementWalker, parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';
import type { ElementWalker } from '#browsing/in-page/elements/safe-dom.ts';
import { examineTexts } from './unseen-texts.ts';
import { watchElementReplacements } from '#browsing/in-page/page/replaced.ts';
import { truncateWithContext } from '#browsing/in-page/view/cut.ts';
import { readEditorPlaceholder } from '#browsing/in-page/fields/editor-placeholder.ts';
import { findVisibleCanvases } from './drawn-canvases.ts';
import { findElementHint, isDrawnByStyle } from './element-hints.ts';
import { embeddedFileUrl, readFrameState } from './frame-states.ts';
import { noticeChoice } from './choice-classes.ts';
import { createAttributeBudget } from './light-elements.ts';
import { exposeToTree, renderSkipped } from './complete-tree.ts';
import { findFrontLayer } from './front-layer.ts';
import { noticeHiddenBoxes } from './hidden-boxes.ts';
import { findRowOfBareLink, listRowLinks } from './row-links.ts';

const NATIVE =
  'a[href],button,input,select,textarea,summary,option,iframe,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[role=treeitem]';
const FIELDS_BY_ROLE = '[role=textbox],[role=searchbox],[role=combobox],[role=listbox],[role=slider],[role=spinbutton]';

type Found = {
  telling: Element[];
  others: Element[];
  handles: Element[];
  over: Element[];
  titled: Element[];
  /** Empty fields with a placeholder. */
  asking: Element[];
  /** Visible frames, and frames that load when scrolled into view. */
  frames: Element[];
  files: Element[];
  /** Table cells with `aria-checked`. The accessibility tree has this state only for roles such as check box. */
  ticked: Element[];
  /** Disabled options. The accessibility tree is not updated when a page enables a list or its options. */
  disabled: Element[];
  unlisted: Element[];
  /** Clickable elements that only a class marks as chosen, each with that class. */
  chosen: Map<Element, string>;
  /** Labels of check boxes and radio buttons that are not displayed, each with the kind and state of its box. */
  boxes: Map<Element, string>;
  /** Clickable table rows with their links that have no address. */
  rows: Map<Element, Element[]>;
  isTreeOld: boolean;
};

/**
 * Collects facts that the accessibility tree lacks about elements. Skips elements that are not displayed. Reads members
 * through prototypes, because a form's named fields hide its own members.
 * @param part set for a large document that is read in parts
 */
export function collectDomFacts(
  max: number,
  othersMax: number,
  textsMax: number,
  silentMax: number,
  part?: DocumentPart<Node>,
): DomFacts<Node> {
  const found = createFound();
  const read = createDomReaders();
  let size = 0;
  const roots: Node[] = part === undefined ? [document] : outermost(part.whole).reverse();
  for (const node of part?.around ?? [])
    if (node instanceof Element) notice(node, getComputedStyle(node), max, othersMax, found);
  const looked: Node[] = [];
  for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
    looked.push(root);
    const walker = elementWalker(root);
    for (let element = root instanceof Element ? root : walker.nextNode(); element !== null;) {
      const style = read.style(element);
      if (style.display === 'none' || isBehind(element)) {
        noticeUnlisted(element, othersMax, found);
        noticeHiddenBoxes(element, othersMax, found.boxes);
        size += 1 + Element.prototype.querySelectorAll.call(element, '*').length;
        element = nextBeside(walker);
        continue;
      }
      if (style.contentVisibility === 'auto') found.isTreeOld = renderSkipped(element) || found.isTreeOld;
      const shadow = shadowOf(element);
      if (shadow !== null) roots.push(shadow);
      notice(element, style, max, othersMax, found);
      size += sizeOfNode(element, read);
      element = walker.nextNode();
    }
  }
  const { textSize, ...texts } = examineTexts(looked, textsMax, silentMax, read);
  // Only the last elements with a high z-index are reported, because pages append the dialogs and menus that they open.
  noticeRowLinks(max, found);
  const { others, isTreeOld } = found;
  const telling = [...new Set([...found.telling, ...found.boxes.keys()])];
  if (part === undefined) watchElementReplacements(telling);
  const front = findFrontLayer(found.over);
  const fits = createAttributeBudget(read);
  return {
    telling: telling.filter(fits),
    others: others.filter(fits),
    isTreeOld,
    size: size + textSize,
    ...texts,
    silent: [...texts.silent, ...looked.flatMap(findVisibleCanvases)],
    hints: hintsOf(found).filter(({ element }) => fits(element)),
    over: found.over.slice(-OVER_MAX).filter(fits),
    front: front === null ? [] : [front].filter(fits),
    underHand: underHand().filter(fits),
  };
}

function createFound(): Found {
  return {
    telling: [],
    others: [],
    handles: [],
    over: [],
    titled: [],
    asking: [],
    frames: [],
    files: [],
    ticked: [],
    disabled: [],
    unlisted: [],
    chosen: new Map(),
    boxes: new Map(),
    rows: new Map(),
    isTreeOld: false,
  };
}

function hintsOf({
  telling,
  others,
  handles,
  titled,
  asking,
  frames,
  files,
  ...states
}: Found): ElementHint<Element>[] {
  return [
    ...withoutShared([...telling, ...others, ...handles].flatMap(hintFor)),
    ...titled.map((element) => said(element, 'title', titleOf(element))),
    ...asking.map((element) => said(element, 'placeholder', placeholderOf(element))),
    ...frames.map((element) => said(element, 'frame', readFrameState(element))),
    ...files.map((element) => ({ element, kind: 'file' as const, words: embeddedFileUrl(element) })),
    ...states.ticked.map((element) => said(element, 'checked', get(element, 'aria-checked') ?? '')),
    ...states.disabled.map((element) => said(element, 'closed', 'disabled')),
    ...states.unlisted.map((element) => said(element, 'closed', 'hidden')),
    ...[...states.chosen].map(([element, name]) => said(element, 'chosen', name)),
    ...[...states.boxes].map(([element, state]) => said(element, 'box', state)),
  ];
}

/** Drops a class that several shapes or drag handles share, because it does not distinguish them. */
function withoutShared(hints: readonly ElementHint<Element>[]): ElementHint<Element>[] {
  const counts = new Map<string, number>();
  const isDrawn = ({ element, kind }: ElementHint<Element>) =>
    kind === 'class' && (isShape(element) || isEmptyPart(element));
  for (const hint of hints) if (isDrawn(hint)) counts.set(hint.words, (counts.get(hint.words) ?? 0) + 1);
  return hints.filter((hint) => !isDrawn(hint) || counts.get(hint.words) === 1);
}

/** True for a child of `<body>` that is `aria-hidden` because an open dialog or menu covers it. */
function isBehind(element: Element): boolean {
  if (get(element, 'aria-hidden') !== 'true' || parentElementOf(element) !== document.body) return false;
  const others: Iterable<Element> = Reflect.get(Element.prototype, 'children', document.body);
  return [...others].some(
    (one) =>
      one !== element &&
      get(one, 'aria-hidden') !== 'true' &&
      Element.prototype.checkVisibility.call(one) &&
      Element.prototype.getClientRects.call(one).length > 0,
  );
}

/** Maximum reported elements that CSS positions over others. Pages usually have only dozens. */
const OVER_MAX = 100;

function outermost(nodes: readonly Node[]): Node[] {
  const outer: Node[] = [];
  for (const node of nodes) {
    const before = outer.at(-1);
    if (before === undefined || !Node.prototype.contains.call(before, node)) outer.push(node);
  }
  return outer;
}

function notice(element: Element, style: CSSStyleDeclaration, max: number, othersMax: number, found: Found): void {
  if (isOver(style)) found.over.push(element);
  if (found.titled.length < othersMax && isTitledPicture(element)) found.titled.push(element);
  if (found.asking.length < othersMax && placeholderOf(element) !== '') found.asking.push(element);
  if (OUTSIDE.has(element.localName)) noticeOutside(element, othersMax, found);
  if (found.ticked.length < othersMax && isTicked(element)) found.ticked.push(element);
  if (found.disabled.length < othersMax && isDisabledOption(element)) found.disabled.push(element);
  if (found.chosen.size < othersMax) noticeChoice(element, found.chosen, isControl);
  if (found.telling.length < max && tells(element, style.cursor)) {
    found.telling.push(element);
    if (isPassedOver(element, style)) found.isTreeOld = exposeToTree(element) || found.isTreeOld;
  } else if (found.others.length < othersMax && (isFilled(element) || isIcon(element, style))) {
    found.others.push(element);
  } else if (found.handles.length < HANDLES_MAX && isHandle(element, style)) {
    found.handles.push(element);
  } else if (found.telling.length < max) {
    noticeRowLink(element, style, found.rows);
  }
}

function noticeRowLink(element: Element, style: CSSStyleDeclaration, rows: Found['rows']): void {
  const row = findRowOfBareLink(element, style);
  const links = row === null ? undefined : rows.get(row);
  if (links !== undefined) links.push(element);
  else if (row !== null) rows.set(row, [element]);
}

function noticeRowLinks(max: number, found: Found): void {
  for (const link of listRowLinks(found.rows).slice(0, Math.max(0, max - found.telling.length))) {
    found.telling.push(link);
    found.isTreeOld = exposeToTree(link) || found.isTreeOld;
  }
}

function isControl(element: Element): boolean {
  if (Element.prototype.matches.call(element, NATIVE) || has(element, 'onclick')) return true;
  return startsPointer(element, getComputedStyle(element).cursor);
}

const OUTSIDE: ReadonlySet<string> = new Set(['iframe', 'frame', 'embed', 'object']);

function noticeOutside(element: Element, othersMax: number, found: Found): void {
  if (found.frames.length < othersMax && readFrameState(element) !== '') found.frames.push(element);
  if (found.files.length < othersMax && isFile(element)) found.files.push(element);
}

function isTicked(element: Element): boolean {
  return has(element, 'aria-checked') && Element.prototype.matches.call(element, TICKED);
}

function isDisabledOption(element: Element): boolean {
  return element.localName === 'option' && Element.prototype.matches.call(element, ':disabled,[aria-disabled=true]');
}

/** Notes options that the browser leaves out of their list, because CSS hides them or their group. */
function noticeUnlisted(element: Element, max: number, { unlisted }: Found): void {
  if (element.localName === 'option') unlisted.push(element);
  else if (element.localName === 'optgroup') unlisted.push(...element.children);
  unlisted.splice(max);
}

function isFile(element: Element): boolean {
  const address = embeddedFileUrl(element);
  return address !== '' && address.length <= ADDRESS_CHARS_MAX;
}

/** Maximum characters in a file's address. Longer addresses are mostly `data:` URLs. */
const ADDRESS_CHARS_MAX = 2_000;

/** Maximum drag handles and shapes. An SVG drawing may have thousands of shapes, of which only some can be dragged. */
const HANDLES_MAX = 200;
const TICKED =
  ':is([role=gridcell],[role=cell],[role=row],[role=rowheader]):is([aria-checked=true],[aria-checked=mixed])';

function isOver({ position, zIndex }: CSSStyleDeclaration): boolean {
  return position === 'fixed' || (position !== 'static' && Number.parseInt(zIndex, 10) > 0);
}

function tells(element: Element, cursor: string): boolean {
  if (isSaid(element, 'aria-current') || isSaid(element, 'aria-sort')) return true;
  if (get(element, 'draggable') === 'true' && !Element.prototype.matches.call(element, 'a,img')) return true;
  if (Element.prototype.matches.call(element, NATIVE)) return isNameless(element);
  return has(element, 'onclick') || startsPointer(element, cursor);
}

function isSaid(element: Element, attribute: string): boolean {
  return !/^(?:false|none|)$/u.test(get(element, attribute) ?? '');
}

/** True for a control without text or label, such as an icon button. */
function isNameless(element: Element): boolean {
  if (!/^(?:a|button|div|span|li|i|td)$/u.test(element.localName) || element.childElementCount > 3) return false;
  return [element.textContent, get(element, 'aria-label'), get(element, 'title')].every((words) =>
    isBlank(words ?? ''),
  );
}

/** The innermost elements under the mouse pointer or around the focus. */
function underHand(): Element[] {
  const find: Document['querySelectorAll'] = Reflect.get(Document.prototype, 'querySelectorAll');
  return [':hover', ':focus-within'].flatMap((state) => [...find.call(document, state)].slice(-UNDER_HAND_MAX));
}

const UNDER_HAND_MAX = 12;

/**
 * True for an inline element that looks clickable but may be missing from the accessibility tree, because it has no
 * listener.
 */
function isPassedOver(element: Element, { cursor, display }: CSSStyleDeclaration): boolean {
  return display === 'inline' && cursor === 'pointer' && !Element.prototype.matches.call(element, NATIVE);
}

/** True for an empty element that CSS draws, such as an icon. */
function isIcon(element: Element, style: CSSStyleDeclaration): boolean {
  return element.childElementCount === 0 && isNameless(element) && isDrawnByStyle(element, style);
}

/** True for a drag handle or an SVG shape that only its class can identify. */
function isHandle(element: Element, { cursor }: CSSStyleDeclaration): boolean {
  if (!has(element, 'class')) return false;
  if (isShape(element)) return Reflect.get(Element.prototype, 'closest').call(element, NATIVE) === null;
  return /^(?:crosshair|grab|move|cell|copy|\w+-resize)$/u.test(cursor) && isEmptyPart(element);
}

function isShape(element: Element): boolean {
  return SHAPES.has(element.localName) && element instanceof SVGElement && !has(element, 'aria-label');
}

/** True for an empty `<div>` or `<span>`. */
function isEmptyPart(element: Element): boolean {
  return (
    element.childElementCount === 0 && /^(?:div|span)$/u.test(element.localName) && isBlank(element.textContent ?? '')
  );
}

const SHAPES: ReadonlySet<string> = new Set(['circle', 'ellipse', 'path', 'polygon', 'polyline', 'rect', 'line']);

/** True for an icon whose only text is its `title`. */
function isTitledPicture(element: Element): boolean {
  if (!has(element, 'title') || isBlank(titleOf(element)) || !isBlank(element.textContent ?? '')) return false;
  if (Element.prototype.matches.call(element, 'img,input,iframe,select,textarea,svg *')) return false;
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  if (width < ICON_PX_MIN || height < ICON_PX_MIN) return false;
  const isDrawn = Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true });
  const picture = Reflect.get(Element.prototype, 'querySelector').call(element, 'svg,img,canvas,use,i');
  return isDrawn && (picture !== null || isDrawnByStyle(element, getComputedStyle(element)));
}

const ICON_PX_MIN = 4;

function placeholderOf(element: Element): string {
  if (has(element, 'contenteditable')) return readEditorPlaceholder(element);
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return isField && element.value === '' && !has(element, 'readonly') ? (get(element, 'placeholder') ?? '').trim() : '';
}

function titleOf(element: Element): string {
  return (get(element, 'title') ?? '').trim();
}

function said(element: Element, kind: ElementHint<Element>['kind'], words: string): ElementHint<Element> {
  return { element, kind, words: truncateWithContext(words, SAID_CHARS_SENT).uncut };
}

const SAID_CHARS_SENT = 80;

function hintFor(element: Element): ElementHint<Element>[] {
  const hint = isNameless(element) || isShape(element) ? findElementHint(element) : null;
  // Sent uncut, because the text is shortened after secrets in it are masked.
  return hint === null ? [] : [{ element, ...hint, words: truncateWithContext(hint.words, HINT_CHARS_SENT).uncut }];
}

const HINT_CHARS_SENT = 40;

function get(element: Element, attribute: string): string | null {
  return Element.prototype.getAttribute.call(element, attribute);
}

function startsPointer(element: Element, cursor: string): boolean {
  if (cursor !== 'pointer') return false;
  const parent: unknown = Reflect.get(Node.prototype, 'parentNode', element);
  const outer = parent instanceof ShadowRoot ? parent.host : parent;
  return !(outer instanceof Element) || getComputedStyle(outer).cursor !== 'pointer';
}

/**
 * True for an input with a value, and for every `<select>`, editable element and element with the role of a field,
 * because a view shows their content as a value.
 */
function isFilled(element: Element): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value !== '';
  if (element instanceof HTMLSelectElement) return true;
  return has(element, 'contenteditable') || Element.prototype.matches.call(element, FIELDS_BY_ROLE);
}

function has(element: Element, attribute: string): boolean {
  return Element.prototype.hasAttribute.call(element, attribute);
}

function shadowOf(element: Element): ShadowRoot | null {
  return Reflect.get(Element.prototype, 'shadowRoot', element);
}

function nextBeside(walker: ElementWalker): Element | null {
  for (let beside = walker.nextSibling(); ; beside = walker.nextSibling()) {
    if (beside !== null || walker.parentNode() === null) return beside;
  }
}
