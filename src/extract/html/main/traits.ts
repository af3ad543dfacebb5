import { isElement, nextInside } from '#extract/html/tree.ts';
import type { DomDocument, DomNode } from '#extract/html/tree.ts';
import type { PageNames } from '#extract/html/page-facts.ts';
import { describedBy } from './described.ts';
import type { Described } from './described.ts';
import { wordsOf } from './words-of.ts';

/** What a page says about itself outside its text. */
export type PageTraits = {
  isArticle: boolean;
  isProduct: boolean;
  isForum: boolean;
  isList: boolean;
  /** Segments of the URL's path. */
  pathDepth: number;
  isRoot: boolean;
  /** Whether the last segment of the path is several words. */
  hasSlug: boolean;
  hasMain: boolean;
  articles: number;
  /** Words of the page's title and description, in lower case. */
  titleWords: ReadonlySet<string>;
  descriptionWords: ReadonlySet<string>;
  described: Described;
};

const TYPE = /"@type"\s*:\s*(?:\[[^\]]*?)?"([A-Za-z]+)"/g;
const ARTICLE =
  /^(?:Article|NewsArticle|BlogPosting|TechArticle|ReportageNewsArticle|ScholarlyArticle|Report|OpinionNewsArticle)$/;
const FORUM = /^(?:DiscussionForumPosting|QAPage|Question|Answer|Comment)$/;
const LIST = /^(?:ItemList|CollectionPage|SearchResultsPage|ProfilePage|OfferCatalog|Blog)$/;

export function traitsOf(document: DomDocument, jsonLd: readonly string[], url: string, names: PageNames): PageTraits {
  const { ogType } = names;
  const { types, hasMain, articles } = marksOf(document);
  for (const text of jsonLd) for (const [, type] of text.matchAll(TYPE)) types.add(type ?? '');
  const has = (pattern: RegExp) => [...types].some((type) => pattern.test(type));
  const path = (URL.parse(url)?.pathname ?? '/').split('/').filter((part) => part !== '');
  return {
    isArticle: ogType === 'article' || has(ARTICLE),
    isProduct: /product/.test(ogType) || types.has('Product') || types.has('ProductGroup'),
    isForum: has(FORUM),
    isList: has(LIST),
    pathDepth: Math.min(path.length, 6),
    isRoot: path.length === 0,
    hasSlug: (path.at(-1)?.split(/[-_]/).length ?? 0) >= 4,
    hasMain,
    articles,
    titleWords: new Set(wordsOf(names.title ?? '')),
    descriptionWords: new Set(wordsOf(names.description)),
    described: describedBy(jsonLd),
  };
}

/** What elements say about the page, collected in one pass over all of them. */
function marksOf(document: DomDocument): { types: Set<string>; hasMain: boolean; articles: number } {
  const root = document.documentElement;
  const types = new Set<string>();
  let hasMain = false;
  let articles = 0;
  for (let node: DomNode | null = root; node !== null; node = nextInside(root, node)) {
    if (!isElement(node)) continue;
    const type = node.getAttribute('itemtype');
    if (type !== null) types.add(type.replace(/^.*\//, ''));
    if (node.localName === 'article') articles += 1;
    hasMain ||= node.localName === 'main' || node.getAttribute('role') === 'main';
  }
  return { types, hasMain, articles };
}
