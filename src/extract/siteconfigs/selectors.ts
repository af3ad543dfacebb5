import { DomElement } from '#extract/html/tree.ts';

/** Pseudo-classes that mean the same in a parsed page as in a browser. Others find nothing, or are invalid. */
const PSEUDO_CLASSES = new Set(
  'is not where has first-child last-child only-child nth-child nth-last-child first-of-type last-of-type only-of-type nth-of-type empty root'.split(
    ' ',
  ),
);
const QUOTED = /"[^"]*"|'[^']*'/g;
const PSEUDO = /:([a-z-]*)/g;
const NAME = /[.#]([\w-]+)/g;
const VALUE = /"([^"]*)"/g;

/** What a document was parsed from: its source, and all its classes and ids separated by spaces. */
export type PageSource = { html: string; names: string };

/** Whether `selector` is a CSS selector that can find elements in a parsed page. */
export function isSelector(selector: string): boolean {
  if (selector.trim() !== selector || selector === '') return false;
  const names = selector.replace(QUOTED, '').matchAll(PSEUDO);
  for (const [, name = ''] of names) if (!PSEUDO_CLASSES.has(name)) return false;
  const page = new DomElement('html');
  page.append(new DomElement('p'));
  try {
    page.querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

/** Whether `selector` could find anything. It cannot if each alternative needs a name or value that does not occur. */
export function mayFind(selector: string, { html, names }: PageSource): boolean {
  if (selector.includes(':')) return true;
  return selector.split(',').some((part) => {
    const bare = part.replace(QUOTED, '');
    for (const [, name = ''] of bare.matchAll(NAME)) if (!names.includes(name)) return false;
    for (const [, value = ''] of part.matchAll(VALUE)) if (!html.includes(value)) return false;
    return true;
  });
}
