import { BRAVE_QUERY_CHARS_MAX, BRAVE_QUERY_WORDS_MAX } from './limits.ts';
import type { SearchQuery } from './provider.ts';

const ENDPOINT = 'https://api.search.brave.com/res/v1/web/search';

/** Brave names some languages in its own way, or only with a script or region (API reference, language codes). */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ja: 'jp',
    no: 'nb',
    pt: 'pt-br',
    zh: 'zh-hans',
    'zh-cn': 'zh-hans',
    'zh-sg': 'zh-hans',
    'zh-hk': 'zh-hant',
    'zh-mo': 'zh-hant',
    'zh-tw': 'zh-hant',
  }),
);
const WITH_REGION = new Set(['en-gb', 'pt-br', 'pt-pt', 'zh-hans', 'zh-hant']);

/**
 * A request of Brave's web search (API reference: Web Search, GET). Highlighting marks and result types that are not
 * web pages are asked to stay away. Pure.
 */
export function braveRequest(
  query: SearchQuery,
  key: string,
  userAgent: string,
): { url: string; headers: Record<string, string>; notes: string[] } {
  const text = withinLimits(query.query);
  const parameters = new URLSearchParams({
    q: text,
    count: String(query.count),
    offset: String(query.offset ?? 0),
    text_decorations: 'false',
    result_filter: 'web',
  });
  const optional = {
    freshness: query.freshness,
    safesearch: query.safesearch,
    country: query.country,
    search_lang: query.search_lang === undefined ? undefined : braveLanguage(query.search_lang),
    ui_lang: query.ui_lang,
    extra_snippets: query.extra_snippets === true ? 'true' : undefined,
    goggles: query.goggles,
  };
  for (const [name, value] of Object.entries(optional)) if (value !== undefined) parameters.set(name, value);
  return {
    url: `${ENDPOINT}?${parameters.toString()}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': userAgent,
      'x-subscription-token': key,
    },
    notes: text === query.query ? [] : [CUT_NOTE],
  };
}

const CUT_NOTE = `brave takes ${BRAVE_QUERY_CHARS_MAX} characters and ${BRAVE_QUERY_WORDS_MAX} words: the end of the query was left out.`;

/** Whole words, as many as Brave takes; a single longer word is cut. */
function withinLimits(text: string): string {
  const words = text.split(' ').slice(0, BRAVE_QUERY_WORDS_MAX);
  while (words.length > 1 && words.join(' ').length > BRAVE_QUERY_CHARS_MAX) words.pop();
  return words.join(' ').slice(0, BRAVE_QUERY_CHARS_MAX);
}

function braveLanguage(language: string): string {
  const own = LANGUAGES.get(language);
  if (own !== undefined || WITH_REGION.has(language)) return own ?? language;
  const base = language.replace(/-.*$/, '');
  return LANGUAGES.get(base) ?? base;
}
