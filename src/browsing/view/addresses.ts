import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { shortUrl, tellingUrl } from './words.ts';

/**
 * The addresses of a page's links, as short as possible. If a short form stands for several addresses, their
 * differences are shown.
 */
export class Addresses {
  readonly #page: Page;
  /** For each short form, the addresses that it stands for. It is built when the first link is written. */
  #meant: ReadonlyMap<string, ReadonlySet<string>> | null = null;

  constructor(page: Page) {
    this.#page = page;
  }

  /** @param name the link's name, which its address need not repeat */
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
        // Only a long query is left out of an address.
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
