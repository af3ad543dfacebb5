import * as z from 'zod';
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

/** A document's source, and all its classes and ids separated by spaces. */
export type PageSource = { html: string; names: string };

/** Whether `selector` is a CSS selector that can find elements in a parsed page. */
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

/** Whether `selector` could find anything. It cannot if each alternative needs a name or value that does not occur. */
export function canMatch(selector: string, { html, names }: PageSource): boolean {
  if (selector.includes(':')) return true;
  return selector.split(',').some((part) => {
    const bare = part.replace(QUOTED, '');
    for (const [, name = ''] of bare.matchAll(NAME)) if (!names.includes(name)) return false;
    for (const [, value = ''] of part.matchAll(VALUE)) if (!html.includes(value)) return false;
    return true;
  });
}

/** The tags that an element can be read as. `u` is text that touches its neighbours. */
const tag = z.enum(['p', 'div', 'blockquote', 'pre', 'u', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'tr', 'th', 'td']);

const selector = z.string().refine(isSelector, 'is no CSS selector that extraction understands');

/**
 * One site config: where the content is on the pages of one site or documentation engine. Data only.
 * docs/site-configs.md describes the format, and a test checks every one of `sites.ts` against this schema.
 */
export const siteConfigSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'must be kebab-case'),
  /** Raised whenever the same page may give other lines. */
  version: z.int().min(1),
  match: z
    .strictObject({
      /** Hosts. Each includes its subdomains. */
      domains: z.array(z.string().regex(/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a lower-case host')).optional(),
      /** Beginnings of `<meta name="generator">`, in any case. */
      generators: z.array(z.string().min(1)).optional(),
      /** Each must find an element. */
      markers: z.array(selector).min(1).optional(),
    })
    .refine((match) => Object.values(match).some((names) => names !== undefined), 'must match something'),
  /** The region of the content, in order of preference. The first that finds text wins. */
  content: z.array(selector).min(1),
  /** Left out of the region. */
  remove: z.array(selector),
  /** Elements of the region that are wrongly tagged, by what they really are. */
  rename: z.partialRecord(tag, z.array(selector).min(1)).optional(),
  /** The page's title, searched for in the region, then in the page. */
  title: selector.optional(),
  /** The pages need scripts to show their content. */
  rendered: z.boolean().optional(),
});

export type SiteConfig = z.output<typeof siteConfigSchema>;
