import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { isText } from '#extract/html/tree.ts';
import type { DomDocument, DomElement, DomNode } from '#extract/html/tree.ts';
import type { SiteConfigMatch } from '#extract/extractor.ts';
import type { PageSource, SiteConfig } from './site-config.ts';
import { fail } from '#core/failures/failure.ts';
import { canSelectorMatch } from './site-config.ts';
import { SITE_CONFIGS } from './sites.ts';

type SiteContent = {
  root: DomElement;
  /** Elements of `root` that are not content, such as copy buttons. */
  unwanted: ReadonlySet<DomElement>;
  /** Removes unwanted elements from the document and renames wrongly tagged ones. Returns the title, or `null`. */
  apply: () => string | null;
  /** `id@version` of the site config. */
  siteconfig: string;
  match: SiteConfigMatch;
};

export type SiteContentResult = {
  /** `null` if no site config matches the page and selects some text. */
  content: SiteContent | null;
  needsScripts: boolean;
  /** `id@version` of the site configs that matched the page but selected no text. */
  inVain: string[];
};

/**
 * Selects the content of a page with the site config that matches. The document stays unchanged until `apply` is
 * called.
 * @param page.source source of the document, if available, which speeds up the search
 * @throws {PeriscopeError} `invalid_argument` if no config has the requested id
 */
export function selectSiteContent(
  document: DomDocument,
  page: { url: string; siteconfig?: string | undefined; source?: PageSource },
  configs: readonly SiteConfig[] = SITE_CONFIGS,
): SiteContentResult {
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

/** Returns the first region of the config that contains text outside its unwanted elements. Linear. */
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

/** Gives wrongly tagged elements their proper tags. All selectors run before the first rename, on the original page. */
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
 * Yields site configs to try, best first: only the requested one, or those that match by domain (longest first), then
 * by generator, then by markers. A config may occur twice. Markers come last, because each searches the whole page.
 * @throws {PeriscopeError} `invalid_argument` if no config has the requested id
 */
function* chooseSiteConfigs(
  document: DomDocument,
  page: { url: string; siteconfig?: string | undefined; source?: PageSource },
  configs: readonly SiteConfig[],
): Generator<Choice> {
  if (page.siteconfig !== undefined) {
    yield { config: findSiteConfig(page.siteconfig, configs), match: 'argument' };
    return;
  }
  for (const config of byDomain(URL.parse(page.url)?.hostname ?? '', configs)) yield { config, match: 'domain' };
  const generators = generatorsOf(document);
  for (const config of configs) {
    if (config.match.generators?.some((name) => isGenerator(name, generators))) yield { config, match: 'generator' };
  }
  for (const config of configs) {
    const { markers } = config.match;
    if (markers?.some((marker) => page.source !== undefined && !canSelectorMatch(marker, page.source))) continue;
    if (markers?.every((marker) => document.querySelector(marker) !== null)) yield { config, match: 'marker' };
  }
}

/** @throws {PeriscopeError} `invalid_argument`, with the existing ids, if there is no config with this id */
export function findSiteConfig(id: string, configs: readonly SiteConfig[] = SITE_CONFIGS): SiteConfig {
  const config = configs.find((candidate) => candidate.id === id);
  if (config !== undefined) return config;
  return fail({
    code: 'invalid_argument',
    field: 'siteconfig',
    problem: 'there is no site config with this id',
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

/** Returns the length of the config's longest domain that is the host or a parent domain of it; 0 without one. */
function coveringDomain(host: string, { match }: SiteConfig): number {
  const covering = match.domains?.filter((domain) => host === domain || host.endsWith(`.${domain}`)) ?? [];
  return Math.max(0, ...covering.map((domain) => domain.length));
}

/** Returns the contents of all `generator` metas. A page may have several. */
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
