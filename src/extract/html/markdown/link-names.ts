import { isBlank } from '#core/text/blank.ts';
import { elementsInside, topOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

const LINKS: ReadonlySet<string> = new Set(['a']);

/** Knows the addresses that links with a text lead to. The list is made when the first link asks for it. */
export class LinkNames {
  private named: ReadonlySet<string> | null = null;

  /** True if another link with a text leads to the same address. */
  isNamedElsewhere(link: DomElement): boolean {
    this.named ??= namedAddressesIn(topOf(link));
    return this.named.has(link.getAttribute('href') ?? '');
  }
}

function namedAddressesIn(page: DomElement): ReadonlySet<string> {
  const named = new Set<string>();
  for (const link of elementsInside(page, LINKS)) {
    const href = link.getAttribute('href');
    if (href !== null && !isBlank(link.textContent)) named.add(href);
  }
  return named;
}
