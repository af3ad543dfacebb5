import * as z from 'zod';
import { DomElement } from '#extract/html/tree.ts';

/** CSS pseudo-classes that work on a parsed page. Others, such as `:hover`, match nothing or are invalid. */
const PSEUDO_CLASSES = new Set(
  'is not where has first-child last-child only-child nth-child nth-last-child first-of-type last-of-type only-of-type nth-of-type empty root'.split(
    ' ',
  ),
);
const QUOTED = /"[^"]*"|'[^']*'/g;
const PSEUDO = /:([a-z-]*)/g;
const NAME = /[.#]([\w-]+)/g;
const VALUE = /"([^"]*)"/g;

/** `html` is the source of a page. `names` has all its class and id values, separated by spaces. */
export type PageSource = { html: string; names: string };

/** True for a CSS selector that can be used on a parsed page. */
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

/** False if `selector` cannot match the page: each alternative has a class, id or value that the source lacks. */
export function canSelectorMatch(selector: string, { html, names }: PageSource): boolean {
  if (selector.includes(':')) return true;
  return selector.split(',').some((part) => {
    const bare = part.replace(QUOTED, '');
    for (const [, name = ''] of bare.matchAll(NAME)) if (!names.includes(name)) return false;
    for (const [, value = ''] of part.matchAll(VALUE)) if (!html.includes(value)) return false;
    return true;
  });
}

/** Tags that a site config may give to elements. `u` is for inline text without space around it. */
const tag = z.enum(['p', 'div', 'blockquote', 'pre', 'u', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'tr', 'th', 'td']);

const selector = z.string().refine(isSelector, 'is no CSS selector that extraction understands');

/**
 * Says where the pages of a site or documentation engine have their content. CONTRIBUTING.md describes the format. A
 * test checks all of `sites.ts` against this schema.
 */
export const siteConfigSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'must be kebab-case'),
  /** Increase it whenever the same page may give different lines. */
  version: z.int().min(1),
  match: z
    .strictObject({
      /** Hosts of the site. Their subdomains also match. */
      domains: z.array(z.string().regex(/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a lower-case host')).optional(),
      /** Prefixes of the content of `<meta name="generator">`, in any case. */
      generators: z.array(z.string().min(1)).optional(),
      /** CSS selectors. The page matches if each of them finds an element. */
      markers: z.array(selector).min(1).optional(),
    })
    .refine((match) => Object.values(match).some((names) => names !== undefined), 'must match something'),
  /** Selectors of the content. The first that selects some text is used. */
  content: z.array(selector).min(1),
  /** Elements inside the content that do not belong to it, such as copy buttons. */
  remove: z.array(selector),
  /** Wrongly tagged elements inside the content, by the tag that they should have. */
  rename: z.partialRecord(tag, z.array(selector).min(1)).optional(),
  /** The page's title. It is searched for first in the content, then in the whole page. */
  title: selector.optional(),
  /** True if the pages show their content only after their scripts run. */
  rendered: z.boolean().optional(),
});

export type SiteConfig = z.output<typeof siteConfigSchema>;
