import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { shortUrl, distinguishingUrl } from '#browsing/view/words.ts';

/**
 * Shortens link addresses. If two links with a query have the same short form, both show the query parts in which they
 * differ.
 */
export class AddressShortener {
  readonly #page: Page;
  /** Full addresses by their short form. Built when the first link is written. */
  #meant: ReadonlyMap<string, ReadonlySet<string>> | null = null;

  constructor(page: Page) {
    this.#page = page;
  }

  /** @param name the link's name; a last path segment that repeats the name is omitted from the address */
  of({ url, document }: AxElement, name: string): string {
    const base = this.#page.urlOf(document);
    const short = shortUrl(url, base, name);
    this.#meant ??= this.#collect();
    const meant = this.#meant.get(short);
    return meant === undefined || meant.size < 2 ? short : distinguishingUrl(url, base, meant);
  }

  #collect(): ReadonlyMap<string, ReadonlySet<string>> {
    const meant = new Map<string, Set<string>>();
    for (const { root, frame } of this.#page.documents) {
      for (const { url, name } of everyElement(root)) {
        // Only the queries can distinguish links with the same short form, so an address without a query is skipped.
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
