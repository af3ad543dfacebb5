import { elementWalker, domReaders } from '#browsing/in-page/elements/safe-dom.ts';
import type { Readers } from '#browsing/in-page/elements/safe-dom.ts';
import { cut } from '#browsing/in-page/view/cut.ts';
import type { Marks } from '#browsing/in-page/scripts.ts';

declare global {
  interface Window {
    periscopeMarks?: { element: Element; marks: ReadonlySet<string> };
  }
}

/** Maximum ancestors from an element up to its row or tile. */
const AROUND_MAX = 3;
const INSIDE_MAX = 60;
const TOLD_MAX = 4;
const MARK_CHARS_MAX = 60;

/** Attributes with which pages draw a state that a view does not show. */
const DRAWN: ReadonlySet<string> = new Set(['src', 'href', 'fill', 'stroke', 'd']);
const STATES: ReadonlySet<string> = new Set(['aria-selected', 'aria-pressed', 'aria-checked', 'aria-current']);
/** Names of classes and attributes that change with pointer and focus, independent of the click's effect. */
const POINTER_MARKS = /focus|hover|ripple|active-?descendant|touch|pointer|tooltip/iu;

/** Records the marks (classes and attributes) of an element, its content and the elements around it. */
export function noteMarks(element: Element): void {
  self.periscopeMarks = { element, marks: marksOf(element) };
}

/** The marks that changed since they were recorded; none for an element that the page has replaced. */
export function marksSince(this: Element): Marks {
  const noted = self.periscopeMarks;
  delete self.periscopeMarks;
  if (noted?.element !== this || !isConnected(this)) return { came: [], went: [] };
  const now = marksOf(this);
  const told = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...some]
      .filter((mark) => !others.has(mark))
      .slice(0, TOLD_MAX)
      .map((mark) => cut(mark, MARK_CHARS_MAX));
  return { came: told(now, noted.marks), went: told(noted.marks, now) };
}

function isConnected(element: Element): boolean {
  return Reflect.get(Node.prototype, 'isConnected', element);
}

/** Reads members through the prototypes, because the named fields of a form hide its own members. */
function marksOf(element: Element): Set<string> {
  const read = domReaders();
  const marks = new Set<string>();
  add(element, '', marks, read);
  const walker = elementWalker(element);
  let inside = walker.nextNode();
  for (let steps = 0; inside !== null && steps < INSIDE_MAX; steps += 1, inside = walker.nextNode())
    add(inside, '', marks, read);
  let around = read.parentNode(element);
  for (
    let steps = 1;
    around instanceof Element && read.localName(around) !== 'body' && steps <= AROUND_MAX;
    steps += 1
  ) {
    add(around, `around it (${steps}): `, marks, read);
    around = read.parentNode(around);
  }
  return marks;
}

function add(element: Node, where: string, marks: Set<string>, read: Readers): void {
  for (const { name, value } of read.attributes(element)) {
    if (name === 'class') addClasses(value, where, marks);
    const isTold = STATES.has(name) || (where === '' && DRAWN.has(name));
    if (isTold || (name.startsWith('data-') && !POINTER_MARKS.test(name))) marks.add(`${where}${name} ${value}`);
  }
}

function addClasses(names: string, where: string, marks: Set<string>): void {
  for (const name of names.split(/\s+/u))
    if (name !== '' && !POINTER_MARKS.test(name)) marks.add(`${where}class ${name}`);
}
