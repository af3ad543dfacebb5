import type { PdfObjects } from './file-objects.ts';
import { isDictionary, readReference } from './values.ts';
import type { PdfDictionary, PdfValue } from './values.ts';

/** Matches the name `/Kids`, in which each letter may be written as `#` and two hexadecimal digits. */
const KIDS = /\/(?:K|#4[bB])(?:i|#69)(?:d|#64)(?:s|#73)(?=[\s\0%[\d])/g;
/** Matches the name `/Parent` in the same way. */
const PARENT = /\/(?:P|#50)(?:a|#61)(?:r|#72)(?:e|#65)(?:n|#6[eE])(?:t|#74)(?=[\s\0%\d])/g;
/**
 * Maximum nodes above a node. For each entry that a page or a form field does not have, pdf.js searches all of them.
 * Trees of real files have fewer than ten levels.
 */
const ANCESTORS_MAX = 200;

/** Lists of the nodes of a PDF's trees. To find a page, pdf.js may walk through all nodes of the page tree. */
export class TreeNodes {
  private readonly objects: PdfObjects;
  private readonly named: PdfValue[] = [];
  private readonly parents = new Set<number>();

  constructor(objects: PdfObjects) {
    this.objects = objects;
  }

  /** @param text the whole file, or the content of an object stream */
  addText(text: string): void {
    for (const { index, 0: name } of text.matchAll(KIDS)) {
      const value = this.objects.valueAt(text, index + name.length);
      if (value !== undefined) this.named.push(value);
    }
    for (const { index, 0: name } of text.matchAll(PARENT)) {
      const parent = readReference(this.objects.valueAt(text, index + name.length));
      if (parent !== null) this.parents.add(parent);
    }
  }

  /** True if a node has too many nodes above it. */
  get isTooDeep(): boolean {
    if (this.parents.size <= ANCESTORS_MAX) return false;
    return [...this.parents].some((parent) =>
      this.objects.valuesOf(parent).some((node) => isDictionary(node) && this.hasManyAncestors(node)),
    );
  }

  private hasManyAncestors(node: PdfDictionary): boolean {
    const found = new Set([node]);
    // The loop also visits the nodes that it adds.
    for (const one of found) {
      for (const parent of this.objects.dictionaries(one.get('Parent'))) found.add(parent);
      if (found.size > ANCESTORS_MAX) return true;
    }
    return false;
  }

  /**
   * Counts the entries of all lists. The count is infinite if a node that has no number of its own refers to a list:
   * pdf.js does not notice when it comes to the same list again. Programs give each node a number.
   */
  count(): number {
    let count = 0;
    for (const value of this.named) {
      for (const list of this.objects.resolve(value)) {
        if (!Array.isArray(list)) continue;
        this.objects.look(list.length);
        if (list.some((node) => isDictionary(node) && readReference(node.get('Kids')) !== null)) return Infinity;
        count += list.length;
      }
    }
    return count;
  }
}
