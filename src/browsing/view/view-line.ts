/** A line of a view. A `group` line stands only above its content. */
export type ViewLine = {
  depth: number;
  kind: 'text' | 'element' | 'heading' | 'group';
  parts: readonly LinePart[];
  /** What is shown in place of all its parts. */
  excerpt?: string | undefined;
  /** What lies over the page, or is announced as it changes, and holds the line; missing or `null` for none. */
  over?: Over | null;
};

/** A part of a page that people look at first: a node of its document. */
export type Over = { node: number; isLive: boolean };

/** Words, ours or the page's, or an element. */
export type LinePart = string | ShownElement;

/** An element in a line. The line begins with it, unless it is `inline`. */
export type ShownElement = {
  ref: string | null;
  /** Empty for a link among words. */
  role: string;
  /** As it is shown; empty when it has none. */
  name: string;
  /** Which it is of several without a name, and in what, if that has a name. */
  place: readonly string[];
  /** What tells it apart, what it holds. */
  details: readonly string[];
  /** Length of a text of which only some is shown. */
  chars: number | null;
  states: readonly string[];
  /** Where a link leads, or what tells it apart from others without a name. */
  address: string;
  isInline: boolean;
};

const NONE: readonly string[] = [];

/** An element of which no more is shown than that. */
export function bareElement(ref: string | null, role: string, name = '', states = NONE): ShownElement {
  return { ref, role, name, place: NONE, details: NONE, chars: null, states, address: '', isInline: false };
}

/** A line of our own words. */
export function noteLine(words: string): ViewLine {
  return { depth: 0, kind: 'text', parts: [words] };
}

/** The element that a line begins with. */
export function elementOf({ parts: [first] }: ViewLine): ShownElement | null {
  return typeof first !== 'object' || first.isInline ? null : first;
}

export function isFocused({ parts }: ViewLine): boolean {
  return parts.some((part) => typeof part === 'object' && part.states.includes('focused'));
}

/** A line as it is shown. */
export function writeLine(line: ViewLine): string {
  return ' '.repeat(line.depth) + writeWords(line);
}

/** The same without its indent. */
export function writeWords({ parts, excerpt }: ViewLine): string {
  return excerpt ?? writeParts(parts);
}

/** The words of a line without refs. */
export function writeWithoutRefs({ parts }: ViewLine): string {
  return writeParts(parts, (element) => ({ ...element, ref: null }));
}

/** @param as what is written in place of an element */
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
