import { cut } from '#browsing/in-page/view/cut.ts';
import type { Marks } from '#browsing/in-page/scripts.ts';

declare global {
  interface Window {
    periscopeMarks?: { element: Element; marks: ReadonlySet<string> };
  }
}

/** The row or tile around an element. */
const AROUND_MAX = 3;
const INSIDE_MAX = 60;
const TOLD_MAX = 4;
const MARK_CHARS_MAX = 60;

/** What pages draw a state with, besides what a view tells. */
const DRAWN = ['src', 'href', 'fill', 'stroke', 'd'] as const;
const STATES = ['aria-selected', 'aria-pressed', 'aria-checked', 'aria-current'] as const;
/** The pointer and the focus bring these, whatever a click does. */
const OF_HAND = /focus|hover|ripple|active-?descendant|touch|pointer|tooltip/iu;

/** Notes how the page has marked an element, what is in it and what is around it. */
export function noteMarks(element: Element): void {
  self.periscopeMarks = { element, marks: marksOf(element) };
}

/** What is marked otherwise since it was noted; nothing for an element that the page has replaced. */
export function marksSince(this: Element): Marks {
  const noted = self.periscopeMarks;
  delete self.periscopeMarks;
  if (noted?.element !== this || !this.isConnected) return { came: [], went: [] };
  const now = marksOf(this);
  const told = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...some]
      .filter((mark) => !others.has(mark))
      .slice(0, TOLD_MAX)
      .map((mark) => cut(mark, MARK_CHARS_MAX));
  return { came: told(now, noted.marks), went: told(noted.marks, now) };
}

function marksOf(element: Element): Set<string> {
  const marks = new Set<string>();
  add(element, '', marks);
  for (const inner of [...element.querySelectorAll('*')].slice(0, INSIDE_MAX)) add(inner, '', marks);
  let around = element.parentElement;
  for (let steps = 1; around !== null && around !== document.body && steps <= AROUND_MAX; steps += 1) {
    add(around, `around it (${steps}): `, marks);
    around = around.parentElement;
  }
  return marks;
}

function add(element: Element, where: string, marks: Set<string>): void {
  for (const name of element.classList) if (!OF_HAND.test(name)) marks.add(`${where}class ${name}`);
  for (const name of where === '' ? [...DRAWN, ...STATES] : STATES) {
    const value = element.getAttribute(name);
    if (value !== null) marks.add(`${where}${name} ${value}`);
  }
  for (const { name, value } of element.attributes) {
    if (name.startsWith('data-') && !OF_HAND.test(name)) marks.add(`${where}${name} ${value}`);
  }
}
