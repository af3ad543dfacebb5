import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { shortUrl, tellingUrl } from './words.ts';

/** Shortens the addresses of a page's links. Links with equal short forms show the part in which they differ. */
export class Addresses {
  readonly #page: Page;
  /** Full addresses by short form. Built when the first link is written. */
  #meant: ReadonlyMap<string, ReadonlySet<string>> | null = null;

  constructor(page: Page) {
    this.#page = page;
  }

  /** @param name the link's name; words of the address that repeat the name are left out */
  of({ url, document }: AxElement, name: string): string {
    const base = this.#page.urlOf(document);
    const short = shortUrl(url, base, name);
    this.#meant ??= this.#collect();
    const meant = this.#meant.get(short);
    return meant === undefined || meant.size < 2 ? short : tellingUrl(url, base, meant);
  }

  #collect(): ReadonlyMap<string, ReadonlySet<string>> {
    const meant = new Map<string, Set<string>>();
    for (const { root, frame } of this.#page.documents) {
      for (const { url, name } of everyElement(root)) {
        // Shortening omits only long queries, so an address without a query stays unique.
        if (!url.includes('?')) continue;
        const short = shortUrl(url, frame.url, name);
        const known = meant.get(short);
        if (known === undefined) meant.set(short, new Set([url]));
        else known.add(url);
      }
    }
    return meant;
  }
}
