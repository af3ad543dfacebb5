import { isBlank } from '#core/text/blank.ts';
import { oneLine } from '#core/text/text.ts';
import { countDescendants } from '#browsing/refs/rows.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { resolveShownName } from './element-line.ts';
import { isInteractive } from '#browsing/view/interactive.ts';
import { VIEW_ELEMENT_DETAIL_CHARS_MAX, VIEW_NAME_CHARS_MAX } from '#browsing/view/limits.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { quotePageText } from '#browsing/view/words.ts';

/** Positions of unnamed interactive elements among those of the same role, such as `3rd of 9 in "Board"`. */
export class ElementPositions {
  readonly #page: Page;
  #known: ReadonlyMap<AxElement, readonly string[]> | null = null;

  constructor(page: Page) {
    this.#page = page;
  }

  /**
   * The position of an element and, if the container has a name, `in "…"`. `[]` for an element with a name or hint, and
   * for the only one of its role.
   */
  of(element: AxElement): readonly string[] {
    this.#known ??= this.#find();
    return this.#known.get(element) ?? [];
  }

  #find(): ReadonlyMap<AxElement, readonly string[]> {
    const known = new Map<AxElement, readonly string[]>();
    for (const { root } of this.#page.documents) {
      const nameless = [...everyElement(root)].filter((element) => this.#isNameless(element));
      const byRole = Map.groupBy(nameless, ({ role }) => role);
      for (const group of byRole.values()) if (group.length > 1) place(group, known);
    }
    return known;
  }

  /** True if an interactive element has neither a name nor a hint, so that only its position distinguishes it. */
  #isNameless(element: AxElement): boolean {
    const page = this.#page;
    return isInteractive(element, page) && isBlank(resolveShownName(element, page)) && page.hintOf(element) === '';
  }
}

/** Shortens long names. A name that begins like another name also shows its end, where the two differ. */
export class NameShortener {
  readonly #page: Page;
  /** Number of elements by the beginning of their name. Built when the first long name is written. */
  #beginnings: ReadonlyMap<string, number> | null = null;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The name. A long one loses its middle if another name begins in the same way. Otherwise, callers cut its end. */
  of(name: string): string {
    if (name.length <= VIEW_NAME_CHARS_MAX) return name;
    const whole = oneLine(name, name.length);
    if (whole.length <= VIEW_NAME_CHARS_MAX) return whole;
    this.#beginnings ??= this.#count();
    if ((this.#beginnings.get(beginningOf(whole)) ?? 0) < 2) return whole;
    const end = whole.slice(-Math.floor(VIEW_NAME_CHARS_MAX * END_SHARE));
    return `${whole.slice(0, VIEW_NAME_CHARS_MAX - end.length - 1)}…${end}`;
  }

  #count(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { root } of this.#page.documents) {
      for (const element of everyElement(root)) {
        if (element.name.length <= BEGINNING_CHARS || element.role === 'StaticText') continue;
        const beginning = beginningOf(oneLine(element.name, element.name.length));
        counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
      }
    }
    return counts;
  }
}

function beginningOf(name: string): string {
  return name.slice(0, BEGINNING_CHARS);
}

/** Length of the beginning by which long names are compared. Two names with the same beginning both show their ends. */
const BEGINNING_CHARS = 160;
const END_SHARE = 0.45;

function place(group: readonly AxElement[], known: Map<AxElement, readonly string[]>): void {
  const counts = countDescendants(group);
  const seen = new Map<AxElement, number>();
  for (const element of group) {
    const around = partAround(element, counts);
    const at = (seen.get(around) ?? 0) + 1;
    seen.set(around, at);
    const which = `${toOrdinal(at)} of ${counts.get(around) ?? 1}`;
    const isNamed = !isBlank(around.name) && around.parent !== null;
    known.set(element, isNamed ? [which, `in ${quotePageText(around.name, VIEW_ELEMENT_DETAIL_CHARS_MAX)}`] : [which]);
  }
}

/**
 * The smallest container with another element of the group. A larger container with a name is preferred if it holds no
 * further elements of the group.
 */
function partAround(element: AxElement, counts: ReadonlyMap<AxElement, number>): AxElement {
  let around = element;
  for (let at: AxElement | null = element.parent; at !== null; at = at.parent) {
    const count = counts.get(around) ?? 1;
    if (count > 1 && (!isBlank(around.name) || counts.get(at) !== count)) break;
    if (count < 2 || !isBlank(at.name)) around = at;
  }
  return around;
}

export function toOrdinal(at: number): string {
  const teen = at % 100 >= 11 && at % 100 <= 13;
  return `${at}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][at % 10] ?? 'th')}`;
}
