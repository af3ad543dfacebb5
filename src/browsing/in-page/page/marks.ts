import { elementWalker, createDomReaders } from '#browsing/in-page/elements/safe-dom.ts';
import type { DomReaders } from '#browsing/in-page/elements/safe-dom.ts';
import { truncateWithContext } from '#browsing/in-page/view/cut.ts';
import type { MarkChanges } from '#browsing/in-page/script-types.ts';
import { scriptState } from './script-state.ts';

declare global {
  interface ScriptState {
    marks?: { element: Element; marks: ReadonlySet<string> };
    looks?: Looks;
  }
}

/** Maximum levels climbed from an element to its row or tile. */
const AROUND_MAX = 3;
const INSIDE_MAX = 60;
const TOLD_MAX = 4;
const MARK_CHARS_MAX = 60;

/** Attributes with which pages draw a state that a text view does not show, such as another icon. */
const DRAWN: ReadonlySet<string> = new Set(['src', 'href', 'fill', 'stroke', 'd']);
const STATES: ReadonlySet<string> = new Set(['aria-selected', 'aria-pressed', 'aria-checked', 'aria-current']);
/** Class and attribute names that change with pointer and focus, whatever a click does. */
const POINTER_MARKS = /focus|hover|ripple|active-?descendant|touch|pointer|tooltip/iu;

/** Records the marks (classes, styles and state attributes) of an element, its content and its nearest ancestors. */
export function recordElementMarks(element: Element): void {
  scriptState().marks = { element, marks: marksOf(element) };
}

/** The marks that changed since {@link recordElementMarks}; none for an element that the page has replaced. */
export function compareElementMarks(this: Element): MarkChanges {
  const noted = scriptState().marks;
  delete scriptState().marks;
  if (noted?.element !== this || !isConnected(this)) return { came: [], went: [] };
  const now = marksOf(this);
  const told = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...some]
      .filter((mark) => !others.has(mark))
      .slice(0, TOLD_MAX)
      .map((mark) => truncateWithContext(mark, MARK_CHARS_MAX));
  return { came: told(now, noted.marks), went: told(noted.marks, now) };
}

function isConnected(element: Element): boolean {
  return Reflect.get(Node.prototype, 'isConnected', element);
}

/** Reads members through prototypes, because a form's named fields hide its own members. */
function marksOf(element: Element): Set<string> {
  const read = createDomReaders();
  const marks = new Set<string>();
  for (const { one, steps } of partsOf(element, read))
    add(one, steps === 0 ? '' : `around it (${steps}): `, marks, read);
  return marks;
}

/** An element, its content and its nearest ancestors. `steps`: distance of an ancestor; 0 for the others. */
function partsOf(element: Element, read: DomReaders): { one: Element; steps: number }[] {
  const parts = [{ one: element, steps: 0 }];
  const walker = elementWalker(element);
  for (let one = walker.nextNode(); one !== null && parts.length <= INSIDE_MAX; one = walker.nextNode())
    parts.push({ one, steps: 0 });
  let one = read.parentNode(element);
  for (let steps = 1; one instanceof Element && read.localName(one) !== 'body' && steps <= AROUND_MAX; steps += 1) {
    parts.push({ one, steps });
    one = read.parentNode(one);
  }
  return parts;
}

type Look = { classes: string; drawn: string };
type Looks = { looks: ReadonlyMap<Element, Look>; hadFocus: boolean };

/** Records how an element is drawn, with its content and ancestors. Called when the pointer is already over it. */
export async function recordElementStyle(this: Element): Promise<void> {
  // Waits for transitions that the pointer started: their end would count as an effect of the click.
  const running = partsOf(this, createDomReaders()).flatMap(({ one }) => Element.prototype.getAnimations.call(one));
  const ended = Promise.allSettled(running.map(({ finished }) => finished));
  if (running.length > 0) await Promise.race([ended, new Promise((late) => setTimeout(late, TRANSITION_MS_MAX))]);
  scriptState().looks = { looks: looksOf(this, true), hadFocus: hasFocus(this) };
}

/**
 * True if a changed class or style altered the element's appearance. If the element received the focus, outlines do not
 * count.
 */
export function hasStyleChanged(this: Element): boolean {
  const { looks, hadFocus = false } = scriptState().looks ?? {};
  delete scriptState().looks;
  if (looks === undefined || !isConnected(this)) return false;
  const now = looksOf(this, hadFocus || !hasFocus(this));
  const before = (one: Element) => looks.get(one);
  const marked = [...now].filter(([one, look]) => before(one) !== undefined && before(one)?.classes !== look.classes);
  const drawn = [...now].filter(([one, { drawn: is }]) => before(one)?.drawn.startsWith(is) === false);
  return drawn.some(([one]) => marked.some(([around]) => Node.prototype.contains.call(around, one)));
}

function hasFocus(element: Element): boolean {
  return Element.prototype.matches.call(element, ':focus, :focus-within, :focus *');
}

function looksOf(element: Element, withOutlines: boolean): Map<Element, Look> {
  const read = createDomReaders();
  const attribute = (one: Element, name: string) => read.attribute(one, name) ?? '';
  const properties = withOutlines ? [...DRAWN_BY, ...OUTLINES] : DRAWN_BY;
  const lookOf = (one: Element) => {
    const style = getComputedStyle(one);
    const drawn = properties.map((property) => style.getPropertyValue(property)).join('|');
    return { classes: `${attribute(one, 'class')} ${attribute(one, 'style')}`, drawn };
  };
  return new Map(partsOf(element, read).map(({ one }) => [one, lookOf(one)]));
}

/** Maximum wait for transitions before a click. Most take 150 to 300 ms. */
const TRANSITION_MS_MAX = 300;

const DRAWN_BY = [
  'background-color',
  'background-image',
  'color',
  'opacity',
  'display',
  'visibility',
  'font-weight',
  'text-decoration-line',
  'filter',
];
/**
 * CSS properties with which browsers and pages draw the focus. Last in the list, so that a comparison can omit them.
 */
const OUTLINES = [
  'outline-style',
  'outline-color',
  'outline-width',
  'border-left-color',
  'border-left-width',
  'box-shadow',
];

function add(element: Node, where: string, marks: Set<string>, read: DomReaders): void {
  for (const { name, value } of read.attributes(element)) {
    if (name === 'class') addClasses(value, where, marks);
    if (name === 'style') addStyles(value, where, marks);
    const isTold = STATES.has(name) || (where === '' && DRAWN.has(name));
    if (isTold || (name.startsWith('data-') && !POINTER_MARKS.test(name))) marks.add(`${where}${name} ${value}`);
  }
}

function addStyles(style: string, where: string, marks: Set<string>): void {
  for (const part of style.split(';')) if (DRAWING_STYLE.test(part)) marks.add(`${where}style ${part.trim()}`);
}

const DRAWING_STYLE =
  /^\s{0,9}(?:background|border|box-shadow|color|display|fill|filter|opacity|outline|stroke|text-decoration|visibility)/u;

function addClasses(names: string, where: string, marks: Set<string>): void {
  for (const name of names.split(/\s+/u))
    if (name !== '' && !POINTER_MARKS.test(name)) marks.add(`${where}class ${name}`);
}
