import * as z from 'zod';
import { DomElement } from '#extract/html/tree.ts';

/**
 * CSS pseudo-classes that mean the same in a parsed page as in a browser. Other pseudo-classes match nothing or are
 * invalid.
 */
const PSEUDO_CLASSES = new Set(
  'is not where has first-child last-child only-child nth-child nth-last-child first-of-type last-of-type only-of-type nth-of-type empty root'.split(
    ' ',
  ),
);
const QUOTED = /"[^"]*"|'[^']*'/g;
const PSEUDO = /:([a-z-]*)/g;
const NAME = /[.#]([\w-]+)/g;
const VALUE = /"([^"]*)"/g;

/** `html` is the source of a document. `names` has all its class and id values, separated by spaces. */
export type PageSource = { html: string; names: string };

/** True if `selector` is a CSS selector that works on a parsed page. */
function isSelector(selector: string): boolean {
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

/**
 * False if `selector` cannot match the page, because each of its alternatives needs a name or value that does not occur
 * in the source.
 */
export function canMatch(selector: string, { html, names }: PageSource): boolean {
  if (selector.includes(':')) return true;
  return selector.split(',').some((part) => {
    const bare = part.replace(QUOTED, '');
    for (const [, name = ''] of bare.matchAll(NAME)) if (!names.includes(name)) return false;
    for (const [, value = ''] of part.matchAll(VALUE)) if (!html.includes(value)) return false;
    return true;
  });
}

/** Tags that a site config may assign to elements. `u` is for inline text without space around it. */
const tag = z.enum(['p', 'div', 'blockquote', 'pre', 'u', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'tr', 'th', 'td']);

const selector = z.string().refine(isSelector, 'is no CSS selector that extraction understands');

/**
 * Describes, as data, where the pages of one site or documentation engine have their content. CONTRIBUTING.md describes
 * the format. A test checks every config of `sites.ts` against this schema.
 */
export const siteConfigSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'must be kebab-case'),
  /** Raise the version whenever the same page may give other lines. */
  version: z.int().min(1),
  match: z
    .strictObject({
      /** Hosts of the site. A subdomain of a host matches, too. */
      domains: z.array(z.string().regex(/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a lower-case host')).optional(),
      /** Prefixes of `<meta name="generator">`. Upper and lower case are equal. */
      generators: z.array(z.string().min(1)).optional(),
      /** CSS selectors. The page matches if each of them selects an element. */
      markers: z.array(selector).min(1).optional(),
    })
    .refine((match) => Object.values(match).some((names) => names !== undefined), 'must match something'),
  /** Regions of the content, in order of preference. The first region with text is used. */
  content: z.array(selector).min(1),
  /** Elements of the region that are not content. */
  remove: z.array(selector),
  /** Wrongly tagged elements of the region, grouped by their correct tag. */
  rename: z.partialRecord(tag, z.array(selector).min(1)).optional(),
  /** Selects the title of the page, first in the region and then in the whole page. */
  title: selector.optional(),
  /** True if the pages need scripts to show their content. */
  rendered: z.boolean().optional(),
});

export type SiteConfig = z.output<typeof siteConfigSchema>;
