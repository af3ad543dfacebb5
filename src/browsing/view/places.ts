import { isBlank } from '#core/text/blank.ts';
import { countWithin } from '#browsing/refs/rows.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { VIEW_NAME_CHARS_MAX } from './limits.ts';
import { quoted } from './words.ts';

/** The places of elements without a name among others like them: `3rd of 9 in "Board"`. */
export class Places {
  readonly #roots: readonly AxElement[];
  readonly #isNameless: (element: AxElement) => boolean;
  #known: ReadonlyMap<AxElement, string> | null = null;

  /** @param isNameless whether one can act on the element and nothing else tells it apart */
  constructor(roots: readonly AxElement[], isNameless: (element: AxElement) => boolean) {
    this.#roots = roots;
    this.#isNameless = isNameless;
  }

  of(element: AxElement): string {
    this.#known ??= this.#find();
    return this.#known.get(element) ?? '';
  }

  #find(): ReadonlyMap<AxElement, string> {
    const known = new Map<AxElement, string>();
    for (const root of this.#roots) {
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
}

function place(group: readonly AxElement[], known: Map<AxElement, string>): void {
  const counts = countWithin(group);
  const seen = new Map<AxElement, number>();
  for (const element of group) {
    const around = partAround(element, counts);
    const at = (seen.get(around) ?? 0) + 1;
    seen.set(around, at);
    const name =
      isBlank(around.name) || around.parent === null ? '' : ` in ${quoted(around.name, VIEW_NAME_CHARS_MAX)}`;
    known.set(element, `${ordinal(at)} of ${counts.get(around) ?? 1}${name}`);
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

function ordinal(at: number): string {
  const teen = at % 100 >= 11 && at % 100 <= 13;
  return `${at}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][at % 10] ?? 'th')}`;
}
