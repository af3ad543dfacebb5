import { isListLoadingRequest } from '#browsing/ask/list-requests.ts';
import { SECOND_MS } from '#core/limits.ts';
import { parseJson } from '#core/text/json.ts';
import { registrableDomain } from '#net/site.ts';

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
