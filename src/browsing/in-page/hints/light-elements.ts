import type { DomReaders } from '#browsing/in-page/elements/safe-dom.ts';

/** Maximum characters of the attributes of all reported elements. Chromium sends them with each. Busy pages have 0.2 million. */
const ATTRIBUTE_CHARS_MAX = 1_000_000;

/** Returns a test for elements whose attributes fit into the limit, together with those of earlier elements. */
export function createAttributeBudget(read: DomReaders): (element: Element) => boolean {
  const known = new Map<Element, boolean>();
  let left = ATTRIBUTE_CHARS_MAX;
  return (element) => {
    const before = known.get(element);
    if (before !== undefined) return before;
    const chars = [...read.attributes(element)].reduce((sum, { name, value }) => sum + name.length + value.length, 0);
    const fits = chars <= left;
    if (fits) left -= chars;
    known.set(element, fits);
    return fits;
  };
}
