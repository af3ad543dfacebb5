import { leadingElement, writeParts } from '#browsing/view/view-line.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';

export type ComparableLine = ViewLine & {
  line: ViewLine;
  /** All refs in the line, in order. The ref of an element that begins the line comes first. */
  refs: readonly string[];
  /**
   * The line's text without refs, the `focused` state and positions (`3rd of 9`), because their changes are not news.
   */
  words: string;
  /** Role and name of the element that begins the line; `''` for a line of text. */
  named: string;
};

export function toComparableLine(line: ViewLine): ComparableLine {
  const refs: string[] = [];
  const words = writeParts(line.parts, (shown) => {
    if (shown.ref !== null) refs.push(shown.ref);
    return { ...shown, ref: null, place: [], states: shown.states.filter((state) => state !== 'focused') };
  });
  const element = leadingElement(line);
  return { ...line, line, refs, words, named: element === null ? '' : `${element.role} ${element.name}` };
}
