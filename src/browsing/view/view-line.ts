import type { AxElement } from '#browsing/tree/ax-tree.ts';

/** A line of a view. `group`: a line such as `form "Search"`, shown only above other lines, or for a named frame. */
export type ViewLine = {
  depth: number;
  kind: 'text' | 'element' | 'heading' | 'group';
  parts: readonly LinePart[];
  /** Text that is written instead of `parts`, for a line that is shortened around a search match. */
  excerpt?: string | undefined;
  /** The dialog, menu or live region that contains the line; missing or `null` for none. */
  over?: PageLayer | null;
  /** The row, card or post that contains the line; missing for none. */
  row?: RowOfLine;
};

/** `within`: the element that the line describes. For a line of text, the element around the text. */
export type OutlineLine = ViewLine & { within: AxElement };

/** A part of a page that repeats. `words`: the beginning of its text outside of controls. */
export type RowOfLine = {
  /** Backend node id. */
  node: number;
  words: string;
};

/** A dialog, menu or live region. */
export type PageLayer = {
  /** Backend node id. */
  node: number;
  isLive: boolean;
  /** True for a message about a problem. */
  isAlert?: boolean;
};

export type LinePart = string | ShownElement;

/** An element in a line. An `isInline` element is part of a sentence; any other begins its line. */
export type ShownElement = {
  ref: string | null;
  /** Role of the element; `''` for a link inside text. */
  role: string;
  /** Name as shown; `''` for none. */
  name: string;
  /** Position among unnamed elements of the same role, and the container's name: `['3rd of 9', 'in "Board"']`. */
  place: readonly string[];
  /** Hint, placeholder and value of the element, as shown. */
  details: readonly string[];
  /** Full length of a text field's value that is cut; `null` for any other value. */
  chars: number | null;
  /** Lines of a long value of which only an excerpt was read; `null` for any other value. */
  excerpt: { lines: number; linesBefore: number } | null;
  states: readonly string[];
  /** Address of a link as shown. For an unnamed link in text, its hint instead. */
  address: string;
  isInline: boolean;
};

const NONE: readonly string[] = [];

export function createShownElement(ref: string | null, role: string, name = '', states = NONE): ShownElement {
  return {
    ref,
    role,
    name,
    place: NONE,
    details: NONE,
    chars: null,
    excerpt: null,
    states,
    address: '',
    isInline: false,
  };
}

export function noteLine(words: string): ViewLine {
  return { depth: 0, kind: 'text', parts: [words] };
}

export function leadingElement({ parts: [first] }: ViewLine): ShownElement | null {
  return typeof first !== 'object' || first.isInline ? null : first;
}

export function isFocused({ parts }: ViewLine): boolean {
  return parts.some((part) => typeof part === 'object' && part.states.includes('focused'));
}

export function writeLine(line: ViewLine): string {
  return ' '.repeat(line.depth) + writeWords(line);
}

/** The text of a line without indentation. */
export function writeWords({ parts, excerpt }: ViewLine): string {
  return excerpt ?? writeParts(parts);
}

export function writeWithoutRefs({ parts }: ViewLine): string {
  return writeParts(parts, (element) => ({ ...element, ref: null }));
}

/** @param as converts each element before it is written */
export function writeParts(parts: readonly LinePart[], as = (element: ShownElement) => element): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : writeElement(as(part));
  return text;
}

function writeElement({ ref, role, name, place, details, chars, states, address, isInline }: ShownElement): string {
  let text = ref ?? '';
  const add = (word: string) => {
    if (word !== '') text += text === '' ? word : ` ${word}`;
  };
  const where = place.length === 0 ? '' : `(${place.join(' ')})`;
  add(role);
  add(name);
  if (role !== '') add(where);
  details.forEach(add);
  if (ref !== null && chars !== null) add(`(${chars} characters: browser_read {"selector":"${ref}"})`);
  states.forEach(add);
  if (role === '') add(where);
  add(address);
  return isInline ? `[${text}]` : text;
}
