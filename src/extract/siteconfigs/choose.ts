import { fail } from '#core/errors.ts';
import type { DomDocument } from '#extract/html/tree.ts';
import type { SiteConfigMatch } from '#extract/extractor.ts';
import { mayFind } from './site-config.ts';
import type { PageSource, SiteConfig } from './site-config.ts';

export type Choice = { config: SiteConfig; match: SiteConfigMatch };

/**
 * The configs that may read the page, best first: only the one asked for, or else by domain (the longest first), by
 * generator, by markers. A config may come twice. Markers are searched last and as needed, because each costs a walk
 * over the page unless its source shows that they find nothing.
 * @throws {PeriscopeError} `invalid_argument` when no config has the id asked for
 */
export function* chooseSiteConfigs(
  document: DomDocument,
  page: { url: string; siteconfig?: string | undefined; source?: PageSource },
  configs: readonly SiteConfig[],
): Generator<Choice> {
  if (page.siteconfig !== undefined) {
    yield { config: siteConfigOf(page.siteconfig, configs), match: 'argument' };
    return;
  }
  for (const config of byDomain(URL.parse(page.url)?.hostname ?? '', configs)) yield { config, match: 'domain' };
  const generators = generatorsOf(document);
  for (const config of configs) {
    if (config.match.generators?.some((name) => isGenerator(name, generators))) yield { config, match: 'generator' };
  }
  for (const config of configs) {
    const { markers } = config.match;
    if (markers?.some((marker) => page.source !== undefined && !mayFind(marker, page.source))) continue;
    if (markers?.every((marker) => document.querySelector(marker) !== null)) yield { config, match: 'marker' };
  }
}

/** @throws {PeriscopeError} `invalid_argument`, naming the existing ids */
export function siteConfigOf(id: string, configs: readonly SiteConfig[]): SiteConfig {
  const config = configs.find((candidate) => candidate.id === id);
  if (config !== undefined) return config;
  return fail({
    code: 'invalid_argument',
    field: 'siteconfig',
    problem: 'there is no site config of this id',
    hint: `Leave siteconfig out to have it chosen by the page, or pass one of: ${configs.map((known) => known.id).join(', ')}.`,
  });
}

function byDomain(host: string, configs: readonly SiteConfig[]): SiteConfig[] {
  const found = configs.map((config) => ({ config, length: coveringDomain(host, config) }));
  return found
    .filter(({ length }) => length > 0)
    .sort((a, b) => b.length - a.length)
    .map(({ config }) => config);
}

/** Length of the config's longest domain that is the host or a parent of it; 0 if none is. */
function coveringDomain(host: string, { match }: SiteConfig): number {
  const covering = match.domains?.filter((domain) => host === domain || host.endsWith(`.${domain}`)) ?? [];
  return Math.max(0, ...covering.map((domain) => domain.length));
}

/** A page may have been made by several generators. */
function generatorsOf(document: DomDocument): string[] {
  const generators: string[] = [];
  for (const meta of document.head.querySelectorAll('meta')) {
    if (meta.getAttribute('name')?.toLowerCase() !== 'generator') continue;
    generators.push((meta.getAttribute('content') ?? '').trim().toLowerCase());
  }
  return generators;
}

function isGenerator(name: string, generators: readonly string[]): boolean {
  return generators.some((generator) => generator.startsWith(name.toLowerCase()));
}

/**
 * Checks the id of a site config before anything is fetched for it. The configs are loaded only for that.
 * @throws {PeriscopeError} `invalid_argument`, naming the existing ids
 */
export async function checkSiteConfigId(id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const { SITE_CONFIGS } = await import('./registry.ts');
  siteConfigOf(id, SITE_CONFIGS);
}
