import { fail } from '#core/errors.ts';
import { DOMAIN_FILTERS_MAX } from './limits.ts';
import { ranked } from './tidy-hits.ts';
import type { SearchResult } from './provider.ts';

/** Domains in the spelling of URLs' hosts; each covers its sub-domains. An empty allow list allows all. */
export type DomainFilter = { allow: readonly string[]; deny: readonly string[] };

const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;
const DOMAIN_CHARS_MAX = 253;

/** @throws {PeriscopeError} `invalid_argument` for what is no host name */
export function domainFilter(
  allow: readonly string[] | undefined,
  deny: readonly string[] | undefined,
): DomainFilter | null {
  const filter = { allow: domains('domain_allowlist', allow ?? []), deny: domains('domain_denylist', deny ?? []) };
  return filter.allow.length + filter.deny.length === 0 ? null : filter;
}

/** The results that the lists let through, ranked again, and the number of the others. Deny wins. */
export function applyFilter(
  hits: readonly SearchResult[],
  filter: DomainFilter,
): { hits: SearchResult[]; left: number } {
  const kept = hits.filter(({ url }) => passes(url, filter));
  return { hits: ranked(kept), left: hits.length - kept.length };
}

export function passes(url: string, { allow, deny }: DomainFilter): boolean {
  const host = new URL(url).hostname.replace(/\.$/, '');
  if (deny.some((domain) => covers(domain, host))) return false;
  return allow.length === 0 || allow.some((domain) => covers(domain, host));
}

function covers(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function domains(field: string, given: readonly string[]): string[] {
  if (given.length > DOMAIN_FILTERS_MAX) refuse(field, `must hold at most ${DOMAIN_FILTERS_MAX} domains`);
  return given.map((text) => hostOf(text) ?? refuse(field, 'must hold host names only, without scheme, port or path'));
}

/**
 * The host as the URL parser writes it, so that case, IDN and a final dot do not matter; `null` when it is not a host.
 */
function hostOf(text: string): string | null {
  const name = text.trim().replace(/\.$/, '');
  if (name === '' || name.length > DOMAIN_CHARS_MAX || /[/:@?#\\%\s]/.test(name)) return null;
  if (!URL.canParse(`https://${name}/`)) return null;
  const host = new URL(`https://${name}/`).hostname;
  return HOST_NAME.test(host) ? host : null;
}

function refuse(field: string, problem: string): never {
  return fail({
    code: 'invalid_argument',
    field,
    problem,
    hint: `Pass host names such as {"${field}":["developer.mozilla.org","example.com"]}; each covers its sub-domains.`,
  });
}
