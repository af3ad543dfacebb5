import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { isText } from '#extract/html/tree.ts';
import type { DomDocument, DomElement, DomNode } from '#extract/html/tree.ts';
import type { SiteConfigMatch } from '#extract/extractor.ts';
import type { PageSource, SiteConfig } from './site-config.ts';
import { fail } from '#core/failures/failure.ts';
import { canMatch } from './site-config.ts';
import { SITE_CONFIGS } from './sites.ts';

export type SiteContent = {
  root: DomElement;
  /** Left out of `root`. */
  unwanted: ReadonlySet<DomElement>;
  /**
   * Changes the document as the config says: unwanted parts are removed, and wrongly tagged ones renamed.
   * @returns the title; `null` when the config names none or the page has none there
   */
  apply: () => string | null;
  /** `id@version`. */
  siteconfig: string;
  match: SiteConfigMatch;
};

export type SiteResult = {
  /** `null` when no config fits the page; the document is then unchanged. */
  content: SiteContent | null;
  /** The best config says that the page needs scripts to show its content. */
  needsScripts: boolean;
  /** `id@version` of the configs that fitted and found no text. */
  inVain: string[];
};

/**
 * The content of a page by the site config that fits it. `source`: what the document was parsed from, if available. The
 * document is unchanged until `apply` is called.
 * @throws {PeriscopeError} `invalid_argument` when no config has the id asked for
 */
export function readSite(
  document: DomDocument,
  page: { url: string; siteconfig?: string | undefined; source?: PageSource },
  configs: readonly SiteConfig[] = SITE_CONFIGS,
): SiteResult {
  let needsScripts: boolean | undefined;
  const inVain = new Set<string>();
  for (const { config, match } of chooseSiteConfigs(document, page, configs)) {
    needsScripts ??= config.rendered === true;
    const siteconfig = `${config.id}@${config.version}`;
    const region = inVain.has(siteconfig) ? null : regionOf(document, config);
    if (region === null) {
      inVain.add(siteconfig);
      continue;
    }
    const apply = () => applyTo(region, document, config);
    return { content: { ...region, apply, siteconfig, match }, needsScripts, inVain: [...inVain] };
  }
  return { content: null, needsScripts: needsScripts ?? false, inVain: [...inVain] };
}

type Region = Pick<SiteContent, 'root' | 'unwanted'>;

/** The first region with text beside what is left out of it. Linear in the page. */
function regionOf(document: DomDocument, config: SiteConfig): Region | null {
  for (const selector of config.content) {
    const root = document.querySelector(selector);
    if (root === null) continue;
    const unwanted = unwantedIn(root, config);
    if (hasText(root, unwanted)) return { root, unwanted };
  }
  return null;
}

function applyTo({ root, unwanted }: Region, document: DomDocument, config: SiteConfig): string | null {
  for (const element of unwanted) element.remove();
  rename(root, config);
  return config.title === undefined ? null : titleIn(root, document, config.title);
}

function unwantedIn(region: DomElement, { remove }: SiteConfig): ReadonlySet<DomElement> {
  return new Set(remove.length === 0 ? [] : region.querySelectorAll(remove.join(', ')));
}

/** All elements are found before the first is renamed, so that selectors apply to the page as it was sent. */
function rename(region: DomElement, config: SiteConfig): void {
  const found = Object.entries(config.rename ?? {}).map(
    ([tag, selectors]) => [tag, [...region.querySelectorAll(selectors.join(', '))]] as const,
  );
  for (const [tag, elements] of found) for (const element of elements) element.localName = tag;
}

function hasText(region: DomElement, unwanted: ReadonlySet<DomNode>): boolean {
  let node: DomNode = region;
  for (;;) {
    if (isText(node) && /\S/.test(node.textContent ?? '')) return true;
    const child: DomNode | null = unwanted.has(node) ? null : node.firstChild;
    if (child !== null) {
      node = child;
      continue;
    }
    while (node !== region && node.nextSibling === null && node.parentNode !== null) node = node.parentNode;
    if (node === region || node.nextSibling === null) return false;
    node = node.nextSibling;
  }
}

function titleIn(region: DomElement, document: DomDocument, selector: string): string | null {
  const element = region.querySelector(selector) ?? document.querySelector(selector);
  const title = oneLine(element?.textContent ?? '', TITLE_CHARS_MAX);
  return title === '' ? null : title;
}

type Choice = { config: SiteConfig; match: SiteConfigMatch };

/**
 * The configs that may read the page, best first: only the one asked for, or else by domain (the longest first), by
 * generator, by markers. A config may come twice. Markers are searched last and as needed, because each costs a walk
 * over the page unless its source shows that they find nothing.
 * @throws {PeriscopeError} `invalid_argument` when no config has the id asked for
 */
function* chooseSiteConfigs(
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
    if (markers?.some((marker) => page.source !== undefined && !canMatch(marker, page.source))) continue;
    if (markers?.every((marker) => document.querySelector(marker) !== null)) yield { config, match: 'marker' };
  }
}

/** @throws {PeriscopeError} `invalid_argument`, naming the existing ids */
export function siteConfigOf(id: string, configs: readonly SiteConfig[] = SITE_CONFIGS): SiteConfig {
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
