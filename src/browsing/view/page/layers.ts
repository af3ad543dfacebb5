import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from './page.ts';
import type { PageLayer } from '#browsing/view/view-line.ts';

/** Roles of layers that open over a page, such as a dialog or menu, and wait for the user. */
export const LAYER_ROLES: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'menu']);
/** A `listbox` may be a popup or a fixed part of the page, so `LAYER_ROLES` does not include it. */
const OPENED: ReadonlySet<string> = new Set([...LAYER_ROLES, 'listbox']);
const LIVE_KINDS: ReadonlySet<unknown> = new Set(['polite', 'assertive']);
const LIVE: ReadonlySet<string> = new Set(['alert', 'status', 'log']);

/** Finds the dialogs, menus and live regions of a page, by ARIA role or by CSS position. */
export class PageLayers {
  readonly #page: Page;
  readonly #known = new Map<AxElement, PageLayer | null>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** The innermost dialog, menu or live region around an element; `null` for none. Results are cached per element. */
  around(element: AxElement): PageLayer | null {
    const passed: AxElement[] = [];
    let over: PageLayer | null = null;
    for (let at: AxElement | null = element; at !== null && over === null; at = at.parent) {
      const before = this.#known.get(at);
      over = before ?? (before === undefined ? this.#of(at) : null);
      if (before !== undefined) break;
      passed.push(at);
    }
    for (const one of passed) this.#known.set(one, over);
    return over;
  }

  #of(element: AxElement): PageLayer | null {
    const { role, backendNodeId: node, properties } = element;
    if (node === null) return null;
    const isLive = LIVE.has(role) || LIVE_KINDS.has(properties.get('live'));
    if (!isLive && !OPENED.has(role) && !this.#page.isOver(element)) return null;
    return { node, isLive, isAlert: role === 'alert' || properties.get('live') === 'assertive' };
  }
}
