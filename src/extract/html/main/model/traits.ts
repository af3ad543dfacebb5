import { isElement, nextInside } from '#extract/html/tree.ts';
import type { DomDocument, DomNode } from '#extract/html/tree.ts';
import type { PageMetadata } from '#extract/html/page-metadata.ts';
import { lowerCaseWords } from './words.ts';
import { roundedShare } from './row-writer.ts';
import { parseJson } from '#core/text/json.ts';

export type PageTraits = {
  isArticle: boolean;
  isProduct: boolean;
  isForum: boolean;
  isList: boolean;
  pathDepth: number;
  isRoot: boolean;
  /** True if the last part of the URL path has at least four words, as in `/how-to-bake-bread`. */
  hasSlug: boolean;
  hasMain: boolean;
  articles: number;
  /** Words of the page's title and of its `meta` description, in lower case. */
  titleWords: ReadonlySet<string>;
  descriptionWords: ReadonlySet<string>;
  described: Described;
};

const TYPE = /"@type"\s*:\s*(?:\[|"([A-Za-z]+)")/g;
const NAME = /"([A-Za-z]+)"/;
const TYPES_CHARS_MAX = 500;
const ARTICLE =
  /^(?:Article|NewsArticle|BlogPosting|TechArticle|ReportageNewsArticle|ScholarlyArticle|Report|OpinionNewsArticle)$/;
const FORUM = /^(?:DiscussionForumPosting|QAPage|Question|Answer|Comment)$/;
const LIST = /^(?:ItemList|CollectionPage|SearchResultsPage|ProfilePage|OfferCatalog|Blog)$/;

export function readPageTraits(
  document: DomDocument,
  jsonLd: readonly string[],
  url: string,
  names: PageMetadata,
): PageTraits {
  const { ogType } = names;
  const { types, hasMain, articles } = marksOf(document);
  for (const text of jsonLd) for (const type of typesIn(text)) types.add(type);
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
    titleWords: new Set(lowerCaseWords(names.title ?? '')),
    descriptionWords: new Set(lowerCaseWords(names.description)),
    described: readJsonLdPhrases(jsonLd),
  };
}

/** Yields the `@type` of each JSON-LD object. If `@type` is a list, only its first entry. */
function* typesIn(jsonLd: string): Generator<string> {
  for (const { 0: whole, 1: name, index } of jsonLd.matchAll(TYPE)) {
    const from = index + whole.length;
    const list = name === undefined ? jsonLd.slice(from, from + TYPES_CHARS_MAX).split(']', 1)[0] : undefined;
    const type = name ?? NAME.exec(list ?? '')?.[1];
    if (type !== undefined) yield type;
  }
}

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

/** Runs of three words in the page's structured data: `content` in descriptions, `opinion` in reviews and the like. */
type Described = { content: ReadonlySet<string>; opinion: ReadonlySet<string> };

const CONTENT: ReadonlySet<string> = new Set(['description', 'articleBody', 'text']);
const OPINION_TYPE = /Review|Rating|Organization|Person|WebSite|Breadcrumb/;
const RUN = 3;
/** Maximum runs of three words that are compared: enough for a long article. Runs after that are ignored. */
const RUNS_MAX = 20_000;
/** Maximum JSON-LD values that are read. */
const VALUES_MAX = 20_000;
const SEGMENT_CHARS_MAX = 2_000;

/** Collects the runs of three words in JSON-LD texts. Invalid JSON is ignored. */
export function readJsonLdPhrases(jsonLd: readonly string[]): Described {
  const content = new Set<string>();
  const opinion = new Set<string>();
  for (const source of jsonLd) {
    for (const { text, isOpinion } of textsOf(parseJson(source))) addRuns(isOpinion ? opinion : content, text);
  }
  return { content, opinion };
}

export function phraseShares(
  { content, opinion }: Described,
  text: string,
): readonly [content: number, opinion: number] {
  if (content.size === 0 && opinion.size === 0) return [0, 0];
  const runs = runsOf(lowerCaseWords(text.slice(0, SEGMENT_CHARS_MAX)));
  return [shareOf(content, runs), shareOf(opinion, runs)];
}

function shareOf(known: ReadonlySet<string>, runs: readonly string[]): number {
  let found = 0;
  if (known.size > 0) for (const run of runs) if (known.has(run)) found += 1;
  return roundedShare(found, runs.length);
}

type Text = { text: string; isOpinion: boolean };

/** Collects the texts in a JSON-LD value. Not recursive, because the page controls how deeply values are nested. */
function textsOf(root: unknown): Text[] {
  const found: Text[] = [];
  const waiting: { value: unknown; type: string }[] = [{ value: root, type: '' }];
  for (let at = 0; at < waiting.length && at < VALUES_MAX; at += 1) {
    const { value, type } = waiting[at] ?? { value: null, type: '' };
    if (typeof value !== 'object' || value === null) continue;
    const own = '@type' in value ? typeOf(value['@type']) : type;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object') waiting.push({ value: inner, type: own });
      else if (typeof inner === 'string' && (key === 'reviewBody' || CONTENT.has(key))) {
        found.push({ text: inner, isOpinion: key === 'reviewBody' || OPINION_TYPE.test(own) });
      }
    }
  }
  return found;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string').join(' ');
  return typeof value === 'string' ? value : '';
}

function addRuns(into: Set<string>, text: string): void {
  for (const run of runsOf(lowerCaseWords(plain(text)))) {
    if (into.size >= RUNS_MAX) return;
    into.add(run);
  }
}

/** Removes tags and character references, because descriptions are often HTML, sometimes escaped. */
function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/<[^<>]*>|&#?\w{1,8};/g, ' ');
}

function runsOf(words: readonly string[]): string[] {
  const runs: string[] = [];
  for (let at = 0; at + RUN <= words.length; at += 1) runs.push(`${words[at]} ${words[at + 1]} ${words[at + 2]}`);
  return runs;
}
