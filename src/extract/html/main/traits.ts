import type { DomDocument } from '#extract/html/dom.ts';
import { describedBy } from './described.ts';
import type { Described } from './described.ts';
import { wordsOf } from './words-of.ts';

/** What a page says of itself, outside its text. */
export type PageTraits = {
  isArticle: boolean;
  isProduct: boolean;
  isForum: boolean;
  isList: boolean;
  /** Segments of the URL's path. */
  pathDepth: number;
  isRoot: boolean;
  /** The path's last segment is several words. */
  hasSlug: boolean;
  hasMain: boolean;
  articles: number;
  /** Words of the page's title and of its description, lower case. */
  titleWords: ReadonlySet<string>;
  descriptionWords: ReadonlySet<string>;
  described: Described;
};

export type PageNames = { title: string; description: string; ogType: string };

const TYPE = /"@type"\s*:\s*(?:\[[^\]]*?)?"([A-Za-z]+)"/g;
const ARTICLE =
  /^(?:Article|NewsArticle|BlogPosting|TechArticle|ReportageNewsArticle|ScholarlyArticle|Report|OpinionNewsArticle)$/;
const FORUM = /^(?:DiscussionForumPosting|QAPage|Question|Answer|Comment)$/;
const LIST = /^(?:ItemList|CollectionPage|SearchResultsPage|ProfilePage|OfferCatalog|Blog)$/;

export function traitsOf(document: DomDocument, jsonLd: readonly string[], url: string, names: PageNames): PageTraits {
  const { ogType } = names;
  const types = new Set<string>();
  for (const text of jsonLd) for (const [, type] of text.matchAll(TYPE)) types.add(type ?? '');
  for (const element of document.querySelectorAll('[itemtype]')) {
    types.add((element.getAttribute('itemtype') ?? '').replace(/^.*\//, ''));
  }
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
    hasMain: document.querySelector('main, [role="main"]') !== null,
    articles: document.querySelectorAll('article').length,
    titleWords: new Set(wordsOf(names.title)),
    descriptionWords: new Set(wordsOf(names.description)),
    described: describedBy(jsonLd),
  };
}
