import * as z from 'zod';
import { DomElement } from '#extract/html/tree.ts';

/** Pseudo-classes that mean the same in a parsed page as in a browser. Others match nothing or are invalid. */
const PSEUDO_CLASSES = new Set(
  'is not where has first-child last-child only-child nth-child nth-last-child first-of-type last-of-type only-of-type nth-of-type empty root'.split(
    ' ',
  ),
);
const QUOTED = /"[^"]*"|'[^']*'/g;
const PSEUDO = /:([a-z-]*)/g;
const NAME = /[.#]([\w-]+)/g;
const VALUE = /"([^"]*)"/g;

/** A document's source, and all its classes and ids separated by spaces. */
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

/** False if `selector` cannot match, because each alternative needs a name or value that does not occur in the page. */
export function canMatch(selector: string, { html, names }: PageSource): boolean {
  if (selector.includes(':')) return true;
  return selector.split(',').some((part) => {
    const bare = part.replace(QUOTED, '');
    for (const [, name = ''] of bare.matchAll(NAME)) if (!names.includes(name)) return false;
    for (const [, value = ''] of part.matchAll(VALUE)) if (!html.includes(value)) return false;
    return true;
  });
}

/** Tags that a config may assign. `u` is text that touches its neighbours. */
const tag = z.enum(['p', 'div', 'blockquote', 'pre', 'u', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'tr', 'th', 'td']);

const selector = z.string().refine(isSelector, 'is no CSS selector that extraction understands');

/**
 * The location of the content on the pages of one site or documentation engine, as data. CONTRIBUTING.md describes the
 * format, and a test checks every config of `sites.ts` against this schema.
 */
export const siteConfigSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'must be kebab-case'),
  /** Raise it whenever the same page may give other lines. */
  version: z.int().min(1),
  match: z
    .strictObject({
      /** Hosts, including their subdomains. */
      domains: z.array(z.string().regex(/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a lower-case host')).optional(),
      /** Prefixes of `<meta name="generator">`, in any case. */
      generators: z.array(z.string().min(1)).optional(),
      /** Selectors that must all match. */
      markers: z.array(selector).min(1).optional(),
    })
    .refine((match) => Object.values(match).some((names) => names !== undefined), 'must match something'),
  /** Regions of the content, in order of preference. The first with text is used. */
  content: z.array(selector).min(1),
  /** Elements to leave out of the region. */
  remove: z.array(selector),
  /** Wrongly tagged elements of the region, by their correct tag. */
  rename: z.partialRecord(tag, z.array(selector).min(1)).optional(),
  /** The page's title, searched for in the region and then in the page. */
  title: selector.optional(),
  /** True if the pages need scripts to show their content. */
  rendered: z.boolean().optional(),
});

export type SiteConfig = z.output<typeof siteConfigSchema>;
