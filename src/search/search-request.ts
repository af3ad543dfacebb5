import { fail } from '#core/failures/failure.ts';
import type { SearchSource } from '#core/search-engines.ts';
import { SEARCH_OFFSET_MAX, WEB_SEARCH_RESULTS_MAX } from '#core/limits.ts';
import { QUERY_CHARS_MAX } from './limits.ts';
import type { SearchQuery, SearchResult } from './provider.ts';
import { addRanks } from './tidy-hits.ts';

/** Maximum characters of a Goggle, which is sent in the query string. A longer Goggle should be hosted at a URL. */
const GOGGLES_CHARS_MAX = 2_000;
const DOMAIN_FILTERS_MAX = 50;

export type SearchRequest = SearchQuery & {
  /** The single site whose own search is asked, instead of the deployment's providers. */
  source?: SearchSource | undefined;
  domain_allowlist?: readonly string[] | undefined;
  domain_denylist?: readonly string[] | undefined;
};

const PERIODS = new Set(['pd', 'pw', 'pm', 'py']);
const DATE_RANGE = /^(\d{4}-\d{2}-\d{2})to(\d{4}-\d{2}-\d{2})$/;
const COUNTRY = /^(?:[a-z]{2}|all)$/i;
const SEARCH_LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{2,4})?$/i;
const UI_LANGUAGE = /^([a-z]{2,3})-([a-z]{2})$/i;

/**
 * Checks the arguments of a search. White space and the case of codes are normalized. Missing arguments stay missing.
 * Pure.
 * @throws {PeriscopeError} `invalid_argument`, naming the field
 */
export function parseRequest(request: SearchRequest): { query: SearchQuery; filter: DomainFilter | null } {
  const filter = domainFilter(request.domain_allowlist, request.domain_denylist);
  const query: SearchQuery = {
    query: words(request.query),
    also: request.also,
    count: whole('count', request.count, 1, WEB_SEARCH_RESULTS_MAX),
    offset: whole('offset', request.offset ?? 0, 0, SEARCH_OFFSET_MAX),
    freshness: given(request.freshness, freshness),
    safesearch: request.safesearch,
    country: given(request.country, country),
    search_lang: given(request.search_lang, searchLanguage),
    ui_lang: given(request.ui_lang, uiLanguage),
    extra_snippets: request.extra_snippets === true ? true : undefined,
    goggles: given(request.goggles, goggles),
  };
  return { query, filter };
}

function given(value: string | undefined, parse: (text: string) => string): string | undefined {
  return value === undefined ? undefined : parse(value.trim());
}

function words(text: string): string {
  const folded = text.replace(/\s+/gu, ' ').trim();
  const hint = 'Pass a few words to search for, such as {"query":"durable objects alarms"}.';
  if (folded === '') refuse('query', 'must not be empty', hint);
  if (folded.length > QUERY_CHARS_MAX) refuse('query', `must be at most ${QUERY_CHARS_MAX} characters`, hint);
  return folded;
}

function whole(field: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  return refuse(field, `must be a whole number from ${min} to ${max}`, `Pass {"${field}":${min}}, for example.`);
}

function freshness(text: string): string {
  if (PERIODS.has(text)) return text;
  const [, from, to] = DATE_RANGE.exec(text) ?? [];
  const hint =
    'Pass "pd", "pw", "pm" or "py" (past day, week, month, year), or dates such as "2026-01-01to2026-03-31".';
  if (from === undefined || to === undefined) refuse('freshness', 'is neither a known period nor two dates', hint);
  if (!isDate(from) || !isDate(to)) refuse('freshness', 'names a day that does not exist', hint);
  if (from > to) refuse('freshness', 'ends before it begins', hint);
  return text;
}

function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** Normalizes a country code. ISO 3166 uses GB for the United Kingdom, so `UK` becomes `GB`. */
function country(text: string): string {
  const code = text.toUpperCase();
  if (COUNTRY.test(text)) return code === 'UK' ? 'GB' : code;
  return refuse('country', 'is not a country code', 'Pass two letters such as "US" or "DE", or "ALL".');
}

function searchLanguage(text: string): string {
  if (SEARCH_LANGUAGE.test(text)) return text.toLowerCase();
  return refuse('search_lang', 'is not a language code', 'Pass a code such as "en", "de" or "pt-br".');
}

function uiLanguage(text: string): string {
  const [, language, region] = UI_LANGUAGE.exec(text) ?? [];
  if (language === undefined || region === undefined) {
    return refuse('ui_lang', 'is not a language with a region', 'Pass a code such as "en-US" or "de-DE".');
  }
  return `${language.toLowerCase()}-${region.toUpperCase()}`;
}

function goggles(text: string): string {
  if (text !== '' && text.length <= GOGGLES_CHARS_MAX) return text;
  const problem = `must be 1 to ${GOGGLES_CHARS_MAX} characters`;
  return refuse('goggles', problem, 'Pass the URL of a Goggle or a short definition.');
}

function refuse(field: string, problem: string, hint: string): never {
  return fail({ code: 'invalid_argument', field, problem, hint });
}

export type DomainFilter = { allow: readonly string[]; deny: readonly string[] };

const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;
const DOMAIN_CHARS_MAX = 253;

/**
 * Checks the domain lists of a request. Returns `null` if both lists are empty.
 * @throws {PeriscopeError} `invalid_argument` for a text that is not a host name
 */
export function domainFilter(
  allow: readonly string[] | undefined,
  deny: readonly string[] | undefined,
): DomainFilter | null {
  const filter = { allow: domains('domain_allowlist', allow ?? []), deny: domains('domain_denylist', deny ?? []) };
  return filter.allow.length + filter.deny.length === 0 ? null : filter;
}

export function applyFilter(
  hits: readonly SearchResult[],
  filter: DomainFilter,
): { hits: SearchResult[]; left: number } {
  const allowed = hits.filter(({ url }) => passesFilter(url, filter));
  return { hits: addRanks(allowed), left: hits.length - allowed.length };
}

export function passesFilter(url: string, { allow, deny }: DomainFilter): boolean {
  const host = new URL(url).hostname.replace(/\.$/, '');
  if (deny.some((domain) => covers(domain, host))) return false;
  return allow.length === 0 || allow.some((domain) => covers(domain, host));
}

function covers(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function domains(field: string, names: readonly string[]): string[] {
  if (names.length > DOMAIN_FILTERS_MAX) refuseDomain(field, `must hold at most ${DOMAIN_FILTERS_MAX} domains`);
  return names.map(
    (text) => hostOf(text) ?? refuseDomain(field, 'must hold host names only, without scheme, port or path'),
  );
}

/**
 * Parses a host name. The URL parser normalizes its case and international characters. Returns `null` if the text is
 * not a host name.
 */
function hostOf(text: string): string | null {
  const name = text.trim().replace(/\.$/, '');
  if (name === '' || name.length > DOMAIN_CHARS_MAX || /[/:@?#\\%\s]/.test(name)) return null;
  if (!URL.canParse(`https://${name}/`)) return null;
  const host = new URL(`https://${name}/`).hostname;
  return HOST_NAME.test(host) ? host : null;
}

function refuseDomain(field: string, problem: string): never {
  return fail({
    code: 'invalid_argument',
    field,
    problem,
    hint: `Pass host names such as {"${field}":["developer.mozilla.org","example.com"]}; each covers its sub-domains.`,
  });
}
