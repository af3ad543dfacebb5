/** A line of a view. A `group` line is shown only if it has content below it. */
export type ViewLine = {
  depth: number;
  kind: 'text' | 'element' | 'heading' | 'group';
  parts: readonly LinePart[];
  /** Text that replaces all parts of the line. */
  excerpt?: string | undefined;
  /** The layer or live region that contains the line; missing or `null` for none. */
  over?: Over | null;
};

/** A layer or live region, which people notice first. `node`: backend node id. `isAlert`: reports a problem. */
export type Over = { node: number; isLive: boolean; isAlert?: boolean };

export type LinePart = string | ShownElement;

/** An element in a line, at its start unless the element is `inline`. */
export type ShownElement = {
  ref: string | null;
  /** Role of the element; empty for a link inside text. */
  role: string;
  /** Name as shown; empty for none. */
  name: string;
  /** Ordinal among similar elements without a name, and the name of the part around them. */
  place: readonly string[];
  /** Hints that distinguish the element, and its value. */
  details: readonly string[];
  /** Full length of a text of which only a part is shown; otherwise `null`. */
  chars: number | null;
  states: readonly string[];
  /** Address of a link, or the part that distinguishes it from other links without a name. */
  address: string;
  isInline: boolean;
};

const NONE: readonly string[] = [];

export function bareElement(ref: string | null, role: string, name = '', states = NONE): ShownElement {
  return { ref, role, name, place: NONE, details: NONE, chars: null, states, address: '', isInline: false };
}

export function noteLine(words: string): ViewLine {
  return { depth: 0, kind: 'text', parts: [words] };
}

export function elementOf({ parts: [first] }: ViewLine): ShownElement | null {
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
