import { isBlank } from '#core/text/blank.ts';
import { countWithin } from '#browsing/refs/rows.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { nameShown } from './element-line.ts';
import { isInteractive } from './interactive.ts';
import { VIEW_NAME_CHARS_MAX } from './limits.ts';
import type { Page } from './page.ts';
import { quoted } from './words.ts';

/** The places of elements that one can act on and that have no name, among others like them: `3rd of 9 in "Board"`. */
export class Places {
  readonly #page: Page;
  #known: ReadonlyMap<AxElement, readonly string[]> | null = null;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Which it is, and in what, if that has a name. */
  of(element: AxElement): readonly string[] {
    this.#known ??= this.#find();
    return this.#known.get(element) ?? [];
  }

  #find(): ReadonlyMap<AxElement, readonly string[]> {
    const known = new Map<AxElement, readonly string[]>();
    for (const { root } of this.#page.documents) {
      const byRole = new Map<string, AxElement[]>();
      for (const element of everyElement(root)) {
        if (!this.#isNameless(element)) continue;
        const group = byRole.get(element.role);
        if (group === undefined) byRole.set(element.role, [element]);
        else group.push(element);
      }
      for (const group of byRole.values()) if (group.length > 1) place(group, known);
    }
    return known;
  }

  /** Whether one can act on the element and nothing else tells it apart. */
  #isNameless(element: AxElement): boolean {
    const page = this.#page;
    return isInteractive(element, page) && isBlank(nameShown(element, page)) && page.hintOf(element) === '';
  }
}

function place(group: readonly AxElement[], known: Map<AxElement, readonly string[]>): void {
  const counts = countWithin(group);
  const seen = new Map<AxElement, number>();
  for (const element of group) {
    const around = partAround(element, counts);
    const at = (seen.get(around) ?? 0) + 1;
    seen.set(around, at);
    const which = `${ordinalWord(at)} of ${counts.get(around) ?? 1}`;
    const isNamed = !isBlank(around.name) && around.parent !== null;
    known.set(element, isNamed ? [which, `in ${quoted(around.name, VIEW_NAME_CHARS_MAX)}`] : [which]);
  }
}

/**
 * The smallest part that contains the element and others of its group, or a slightly larger one if that has a name and
 * contains no further ones.
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

export function ordinalWord(at: number): string {
  const teen = at % 100 >= 11 && at % 100 <= 13;
  return `${at}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][at % 10] ?? 'th')}`;
}
