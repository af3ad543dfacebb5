import { buildTree } from './build-tree.ts';
import type { DomElement } from './tree.ts';

/** Elements of the page's own head. */
export type Head = { links: readonly DomElement[]; base: string | null };

/**
 * Reads the head as a browser that runs scripts does. Text inside comments, scripts, attributes, titles, `noscript` or
 * `template`, and everything after the head, is not part of it. Linear; reading stops at the end of the head.
 * @param xml XHTML
 */
export function readHead(html: string, xml: boolean): Head {
  const { head } = buildTree({ html, xml, scripting: true, isHeadOnly: true }).document;
  const links = head.children.filter(({ localName }) => localName === 'link');
  const base = head.children.find((element) => element.localName === 'base' && element.hasAttribute('href'));
  return { links, base: base?.getAttribute('href') ?? null };
}
