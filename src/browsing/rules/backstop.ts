import { SECOND_MS } from '#core/limits.ts';
import { parseJson } from '#core/text/json.ts';
import { registrableDomain } from '#net/site.ts';
import { findActionMeaning, hintsToLexiconText } from '#browsing/ask/words/words.ts';

/** Time after a model's act during which a request may be an effect of that act. */
export const ACT_EFFECT_WINDOW_MS = 5 * SECOND_MS;
/** Maximum characters of a body that is checked for a GraphQL query. Queries of pages are shorter. */
const QUERY_CHARS_MAX = 100_000;

export type BackstopRequest = {
  url: string;
  method: string;
  resourceType: string;
  contentType: string;
  hasBody: boolean;
  /** Body of the request; `null` for a file, a stream, or a body that Chromium does not expose. */
  body: string | null;
};

/** The model's last act in a tab that may have caused a request. */
type LastAct = {
  /** The strictest level of the pages that may have sent the request. */
  level: 'read' | 'ask';
  /** Site of the page that sent the request; `null` if unknown. */
  site: string | null;
  /** Time since the act. */
  msSince: number;
};

/**
 * True if a request may be an effect of a model's act that no rule allows. `read`: every request that can change
 * something, except GraphQL queries to the page's own site. `ask`: requests soon after the act that send a form or a
 * file, or go to another site.
 */
export function isStoppedByBackstop(request: BackstopRequest, { level, site, msSince }: LastAct): boolean {
  if (isSafeMethod(request)) return false;
  if (level === 'ask') return msSince <= ACT_EFFECT_WINDOW_MS && (leaves(request, site) || sendsForm(request));
  return leaves(request, site) || !isQuery(request);
}

/** True for methods that by the HTTP standard change nothing, such as GET. */
export function isSafeMethod({ method }: Pick<BackstopRequest, 'method'>): boolean {
  return SAFE_METHODS.has(method.toUpperCase());
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function leaves({ url }: BackstopRequest, site: string | null): boolean {
  return site === null || registrableDomain(url) !== site;
}

/**
 * True if a request may send a form or a file: it loads a document, or its body is not exposed or is not JSON. False
 * for a list that asks for its next part.
 */
function sendsForm(request: BackstopRequest): boolean {
  const { resourceType, contentType, hasBody, body } = request;
  if (resourceType === 'Document') return true;
  if (!hasBody || isListLoadingRequest(request)) return false;
  return body === null || !JSON_TYPE.test(contentType) || !/^\s*[[{"]/u.test(body);
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/iu;

/**
 * True for a GraphQL query, the only request with a body that by its standard changes nothing. Requests with duplicate
 * members, or with operations in the URL, do not count as queries, because servers interpret them in different ways.
 */
function isQuery({ url, method, resourceType, contentType, body }: BackstopRequest): boolean {
  const isScripts = resourceType === 'XHR' || resourceType === 'Fetch';
  if (!isScripts || method.toUpperCase() !== 'POST' || body === null || body.length > QUERY_CHARS_MAX) return false;
  if (!JSON_TYPE.test(contentType) || namesOperation(url)) return false;
  const sent = parseJson(body);
  if (JSON.stringify(sent) !== body) return false;
  const queries = Array.isArray(sent) ? sent : [sent];
  return queries.length > 0 && queries.every(isOneQuery);
}

function namesOperation(url: string): boolean {
  const names = URL.parse(url)?.searchParams.keys() ?? [];
  return [...names].some((name) => STORED.test(name) || /^(?:query|extensions|variables)$/iu.test(name));
}

/** Parameter names, such as `queryId`, under which servers look up a stored operation. */
const STORED = /^(?:id|(?:doc|document|query|operation|persisted)_?(?:id|hash|query))$/iu;

function isOneQuery(sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null || !('query' in sent) || typeof sent.query !== 'string') return false;
  if (Object.keys(sent).some((name) => STORED.test(name))) return false;
  // A name or a string in the query may contain such a word by chance. The request is then refused, which is safe.
  return /^\s*(?:query\b|\{)/u.test(sent.query) && !/\b(?:mutation|subscription)\b/iu.test(sent.query);
}

/** Maximum characters of a body that asks for a part of a list. */
const BODY_CHARS_MAX = 4_000;
const FIELDS_MAX = 30;
/** Maximum characters of a value. A longer value may be a text that a user wrote. */
const VALUE_CHARS_MAX = 200;
/** Maximum characters of a path and query. Longer texts are not compared with words of acts. */
const ADDRESS_CHARS_MAX = 400;

type FormRequest = { url: string; method: string; resourceType: string; contentType: string; body: string | null };

/**
 * True if a script asks for a part of a list, such as its next page, with a form. The address must not name an act, and
 * all fields must be known to concern lists. Any other field may name an act, in other languages or shortened
 * (`act=del`).
 */
function isListLoadingRequest({ url, method, resourceType, contentType, body }: FormRequest): boolean {
  const isScripts = resourceType === 'XHR' || resourceType === 'Fetch';
  if (!isScripts || method.toUpperCase() !== 'POST' || body === null || body.length > BODY_CHARS_MAX) return false;
  if (!/^application\/x-www-form-urlencoded\b/iu.test(contentType) || mayNameAct(url)) return false;
  const fields = [...new URLSearchParams(body)];
  if (fields.length > FIELDS_MAX) return false;
  return fields.some(isAboutList) && fields.every((field) => isAboutList(field) || belongsToList(field));
}

/**
 * True if words of an address name an act, or cannot be read. The host is ignored, because it may be named after
 * anything.
 */
function mayNameAct(url: string): boolean {
  const address = URL.parse(url);
  if (address === null || address.pathname.length + address.search.length > ADDRESS_CHARS_MAX) return true;
  try {
    const text = decodeURIComponent(`${address.pathname} ${address.search}`);
    return namesAct(text.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' '));
  } catch {
    return true;
  }
}

function namesAct(text: string): boolean {
  const read = hintsToLexiconText(text);
  return findActionMeaning(read) !== null || read.words.some((word) => CHANGES.test(word));
}

/**
 * Words for changes that are used in programs. Buttons do not have such words, or they are written as one word
 * (`deleteitem`).
 */
const CHANGES =
  /^(?:add|alter|archive|create|del|drop|edit|follow|insert|like|mark|patch|put|rm|save|set|toggle|update|upload|write)$|^(?:approve|buy|cancel|delete|place|publish|purchase|remove|send|submit|transfer|trash|unlink|withdraw)\p{L}/u;

function isAboutList([name, value]: [string, string]): boolean {
  if (value.length > VALUE_CHARS_MAX) return false;
  if (SEARCHES.test(name)) return !STATEMENT.test(value);
  if (PAGES.test(name)) return /^\d+$/u.test(value);
  if (/^order$/iu.test(name)) return /^(?:asc|desc)/iu.test(value);
  return PLACES.test(name) && !/\s/u.test(value);
}

const SEARCHES = /^(?:q|s|query|search|keywords?|term|filters?(?:\[\w*\])*)$/iu;
const PAGES = /^(?:page|paged|current_?page|page_?(?:no|num|number|index|size)|per_?page|offset|skip)$/iu;
const PLACES = /^(?:cursor|sort|sort_?by|order_?by)$/iu;
/** Matches text in a query language (GraphQL, SQL), which may change data. Users do not search for such text. */
const STATEMENT =
  /[{};\r\n]|^\s*(?:alter|create|delete\s+from|drop|grant|insert|merge|replace|revoke|truncate|update)\s/iu;

/** True for fields that come with a list: the name of its program, a proof of origin, a choice of entries. */
function belongsToList([name, value]: [string, string]): boolean {
  if (value.length > VALUE_CHARS_MAX) return false;
  if (PROGRAM.test(name)) return hintsToLexiconText(value).words.some((word) => READS.test(word)) && !namesAct(value);
  if (PROOF.test(name)) return !/\s/u.test(value);
  return CHOICE.test(name) && /^[\p{L}\p{N}.,:_ -]*$/u.test(value);
}

const PROGRAM = /^(?:act|action|cmd|do|func|function|mode|op|task)$/iu;
const READS =
  /^(?:fetch|filter|find|get|infinite|list|load|more|next|pag|prev|query|scroll|search|show|sort|suggest|view)/u;
const PROOF = /^_*(?:wp_?|ajax_?)?(?:nonce|csrf[\w-]*|xsrf[\w-]*|security|token)$/iu;
const CHOICE =
  /^(?:brand|cat|category|colou?r|count|date|dir|direction|lang|language|layout|limit|locale|month|(?:max|min)_?(?:date|price|size|year)|post_?(?:id|type)|price|region|size|start|tag|taxonomy|year)s?(?:\[\w*\])*$/iu;
