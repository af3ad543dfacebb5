import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text.ts';
import { isText, renameElement } from '#extract/html/dom.ts';
import type { DomDocument, DomElement, DomNode } from '#extract/html/dom.ts';
import type { SiteConfigMatch } from '#extract/extractor.ts';
import { chooseSiteConfigs } from './choose.ts';
import { SITE_CONFIGS } from './registry.ts';
import type { SiteConfig } from './site-config.ts';

export type SiteContent = {
  root: DomElement;
  /** `null` when the config names no title, or the page has none there. */
  title: string | null;
  /** `id@version`. */
  siteconfig: string;
  match: SiteConfigMatch;
};

export type SiteReading = {
  /** `null` when no config knows the page; the document is then as it was. */
  content: SiteContent | null;
  /** The config that fits best says that the page shows its content with scripts only. */
  needsScripts: boolean;
  /** `id@version` of those that fit and found no text. */
  inVain: string[];
};

/**
 * The content of a page by the site config that fits it. Changes the document only when it finds content.
 * @throws {PeriscopeError} `invalid_argument` when there is no config of the id asked for
 */
export function readSite(
  document: DomDocument,
  page: { url: string; siteconfig?: string | undefined },
  configs: readonly SiteConfig[] = SITE_CONFIGS,
): SiteReading {
  let needsScripts: boolean | undefined;
  const inVain = new Set<string>();
  for (const { config, match } of chooseSiteConfigs(document, page, configs)) {
    needsScripts ??= config.rendered === true;
    const siteconfig = `${config.id}@${config.version}`;
    const root = inVain.has(siteconfig) ? null : regionOf(document, config);
    if (root === null) {
      inVain.add(siteconfig);
      continue;
    }
    const title = config.title === undefined ? null : titleIn(root, document, config.title);
    return { content: { root, title, siteconfig, match }, needsScripts, inVain: [...inVain] };
  }
  return { content: null, needsScripts: needsScripts ?? false, inVain: [...inVain] };
}

/** The first region that holds text beside what is to be left out of it; without that. Linear in the page. */
function regionOf(document: DomDocument, config: SiteConfig): DomElement | null {
  for (const selector of config.content) {
    const region = document.querySelector(selector);
    if (region === null) continue;
    const unwanted = unwantedIn(region, config);
    if (!hasText(region, unwanted)) continue;
    for (const element of unwanted) element.remove();
    rename(region, config);
    return region;
  }
  return null;
}

function unwantedIn(region: DomElement, { remove }: SiteConfig): ReadonlySet<DomElement> {
  return new Set(remove.length === 0 ? [] : region.querySelectorAll(remove.join(', ')));
}

/** All are found before the first is renamed, so that selectors mean the page as it came. */
function rename(region: DomElement, config: SiteConfig): void {
  const found = Object.entries(config.rename ?? {}).map(
    ([tag, selectors]) => [tag, [...region.querySelectorAll(selectors.join(', '))]] as const,
  );
  for (const [tag, elements] of found) for (const element of elements) renameElement(element, tag);
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
