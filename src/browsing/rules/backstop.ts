import { SECOND_MS } from '#core/limits.ts';
import { parseJson } from '#core/text/json.ts';
import { registrableDomain } from '#net/site.ts';

/** Time after a model's act in which a request may be an effect of the act. */
export const EFFECT_MS = 5 * SECOND_MS;
/** Maximum characters of a body that is searched for a query. Queries of pages are shorter. */
const QUERY_CHARS_MAX = 100_000;

export type BackstopRequest = {
  url: string;
  method: string;
  resourceType: string;
  contentType: string;
  hasBody: boolean;
  /** Body of the request; `null` for a file, a stream, or a body that the browser does not expose. */
  body: string | null;
};

/**
 * `level`: the strictest level of the pages that may have sent the request. `site`: the page's site, if it has one.
 * `msSince`: time since the model's last act in the tab.
 */
type LastAct = { level: 'read' | 'ask'; site: string | null; msSince: number };

/**
 * True if a request may be an effect of a model's act that no rule allows. `read`: every request that can change
 * something, except the queries by which pages load content. `ask`: requests soon after the act that send a form or a
 * file, or leave the page's site.
 */
export function isBackstopped(request: BackstopRequest, { level, site, msSince }: LastAct): boolean {
  if (isSafe(request)) return false;
  if (level === 'ask') return msSince <= EFFECT_MS && (sendsForm(request) || leaves(request, site));
  return leaves(request, site) || !isQuery(request);
}

/** True if the method, by its standard, changes nothing. */
export function isSafe({ method }: Pick<BackstopRequest, 'method'>): boolean {
  return SAFE_METHODS.has(method.toUpperCase());
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function leaves({ url }: BackstopRequest, site: string | null): boolean {
  return site === null || registrableDomain(url) !== site;
}

/** True for a body of a type that forms and file uploads have. A body that is not exposed, or is no JSON, may be one. */
function sendsForm({ resourceType, contentType, hasBody, body }: BackstopRequest): boolean {
  if (resourceType === 'Document') return true;
  return hasBody && (body === null || !JSON_TYPE.test(contentType) || !/^\s*[[{"]/u.test(body));
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/iu;

/**
 * True for a GraphQL query: the one request with a body that by its standard changes nothing. Servers read a body that names a
 * member twice, or an address that holds an operation, in different ways, so these are no queries.
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

/** Names under which servers look up an operation that they have stored. */
const STORED = /^(?:id|(?:doc|document|query|operation|persisted)_?(?:id|hash|query))$/iu;

function isOneQuery(sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null || !('query' in sent) || typeof sent.query !== 'string') return false;
  if (Object.keys(sent).some((name) => STORED.test(name))) return false;
  // A name or a string of the document may contain one of these words. Then the request is refused, which is safe.
  return /^\s*(?:query\b|\{)/u.test(sent.query) && !/\b(?:mutation|subscription)\b/iu.test(sent.query);
}
