import { isBlank } from '#core/text/blank.ts';
import { nameShown } from './element-line.ts';
import { isInteractive } from './interactive.ts';
import type { Page } from './page.ts';
import { Places } from './places.ts';

/** The places of elements that one can act on and that have nothing else to tell them apart. */
export function placesIn(page: Page): Places {
  return new Places(
    page.documents.map(({ root }) => root),
    (element) => isInteractive(element, page) && isBlank(nameShown(element, page)) && page.hintOf(element) === '',
  );
}
