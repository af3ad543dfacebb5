import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text.ts';
import { isText } from '#extract/html/tree.ts';
import type { DomDocument, DomElement, DomNode } from '#extract/html/tree.ts';
import type { SiteConfigMatch } from '#extract/extractor.ts';
import { chooseSiteConfigs } from './choose.ts';
import { SITE_CONFIGS } from './registry.ts';
import type { PageSource, SiteConfig } from './site-config.ts';

export type SiteContent = {
  root: DomElement;
  /** What the config leaves out of `root`. */
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

export type SiteReading = {
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
): SiteReading {
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
