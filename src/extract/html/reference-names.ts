import {
  HEADING_TAGS,
  DomElement,
  DomText,
  classOf,
  elementsInside,
  isElement,
  nextAfter,
  nextInside,
} from '#extract/html/tree.ts';
import type { DomNode } from '#extract/html/tree.ts';
import { oneLine } from '#core/text/text.ts';

const DIVISIONS: ReadonlySet<string> = new Set(['div', 'section']);
const PARAGRAPHS: ReadonlySet<string> = new Set(['p']);
export const REFERENCE_ENTRY = /(?:^|\s)refentry(?:\s|$)/;
const NAMES = /(?:^|\s)refnamediv(?:\s|$)/;
const DASH = /\s[—–-]\s/;
const NAMES_CHARS_MAX = 200;
const DEEPEST = 6;

/**
 * Adds a heading with the entry's name, such as `printf`, above each entry of a DocBook reference whose headings do not
 * contain the name. The entry's own headings ("Name", "Synopsis") are the same in all entries and move down one level.
 * Linear.
 */
export function addReferenceHeadings(body: DomElement): void {
  for (let node: DomNode | null = body; node !== null;) {
    if (!isElement(node) || !isEntry(node)) {
      node = nextInside(body, node);
      continue;
    }
    nameEntry(node);
    node = nextAfter(body, node);
  }
}

function isEntry(element: DomElement): boolean {
  return DIVISIONS.has(element.localName) && REFERENCE_ENTRY.test(classOf(element));
}

function nameEntry(entry: DomElement): void {
  const headings = [...elementsInside(entry, HEADING_TAGS)];
  const heading = headingFor(entry, headings);
  if (heading === null) return;
  for (const own of headings) own.localName = `h${Math.min(DEEPEST, Number(own.localName.charAt(1)) + 1)}`;
  entry.insertBefore(heading, entry.firstChild);
}

/**
 * Returns a heading with the names of an entry, at the level of its first heading; `null` if it has no names or its
 * headings contain them.
 */
function headingFor(entry: DomElement, headings: readonly DomElement[]): DomElement | null {
  const part = [...elementsInside(entry, DIVISIONS)].find((division) => NAMES.test(classOf(division)));
  const [first] = part === undefined ? [] : elementsInside(part, HEADING_TAGS);
  const [line] = part === undefined ? [] : elementsInside(part, PARAGRAPHS);
  if (first === undefined || line === undefined) return null;
  const text = oneLine(line.textContent, NAMES_CHARS_MAX);
  const names = text.split(DASH, 1)[0] ?? '';
  if (names === '' || names === text) return null;
  const heard = headings.slice(0, 2).map((own) => own.textContent.trim());
  const [name = ''] = names.split(/[,(]/, 1);
  if (heard.some((own) => own.toLowerCase().includes(name.trim().toLowerCase()))) return null;
  const heading = new DomElement(first.localName);
  heading.append(new DomText(names));
  return heading;
}
