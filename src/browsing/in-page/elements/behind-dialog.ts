import { truncateWithContext } from '#browsing/in-page/view/cut.ts';
import type { TextWithCuts } from '#core/text/page-texts.ts';
import { isElementVisible } from './look-for.ts';
import { parentAcrossShadow, findPlacesByText } from './named-parts.ts';
import {
  elementCalledOn,
  hitTestDeep,
  labelledBy,
  openRoots,
  parentElementOf,
  queryAll,
  createDomReaders,
} from './safe-dom.ts';
import type { AnyElement } from './safe-dom.ts';

/**
 * The name of the open modal dialog, if this element is behind it or, called on the document, if a visible element with
 * these words is. Returns `''` otherwise. The accessibility tree omits all elements behind a modal dialog.
 * @param within words of the row or container around the element, which must be behind the dialog as well; `''` for
 * none
 */
export function findDialogInFront(this: AnyElement | Window, words: string, within: string): TextWithCuts {
  const dialog = openModal();
  const target = elementCalledOn(this);
  const meant = dialog === null ? [] : target === null ? elementsNamed(words) : [target];
  const isOut = (element: Element) => dialog !== null && isElementVisible(element) && !isInside(element, dialog);
  const isBehind = meant.some(isOut) && (within === '' || elementsWith(within).some(isOut));
  return truncateWithContext(isBehind && dialog !== null ? findDialogName(dialog) : '', NAME_CHARS_MAX);
}

const NAME_CHARS_MAX = 80;
/** Maximum elements with the words that are checked for visibility. */
const NAMED_MAX = 50;

/** Excludes field values, so that a caller cannot find out typed text by guessing. */
function elementsNamed(words: string): Element[] {
  return [...findPlacesByText(words, NAMED_MAX, false).exact];
}

function elementsWith(words: string): Element[] {
  const { exact, others } = findPlacesByText(words, NAMED_MAX, false);
  return [...exact, ...others];
}

/** The topmost modal dialog. Its backdrop covers the page, so a hit test at any point finds this dialog. */
function openModal(): Element | null {
  const open = new Set<Element>(openRoots().flatMap((root) => [...queryAll(root, 'dialog:modal')]));
  const last = [...open].at(-1) ?? null;
  for (let at = last === null ? null : hitTestDeep(document, 0, 0); at !== null; at = parentElementOf(at)) {
    if (open.has(at)) return at;
  }
  return last;
}

function isInside(element: Element, dialog: Element): boolean {
  const read = createDomReaders();
  for (let at: Node | null = element; at !== null; at = parentAcrossShadow(at, read)) if (at === dialog) return true;
  return false;
}

/** The dialog that an element is in, or the one that it shows, such as a backdrop; `null` for none. */
export function dialogAround(element: Element): Element | null {
  const inside = [...Element.prototype.querySelectorAll.call(element, DIALOGS)];
  return Element.prototype.closest.call(element, DIALOGS) ?? inside.find(isElementVisible) ?? null;
}

const DIALOGS = '[role=dialog],[role=alertdialog],dialog';

/** The dialog's name or heading. Its text is not used, because a person may have typed it. */
export function findDialogName(dialog: Element): string {
  const heading = dialog.querySelector('h1,h2,h3,h4,h5,h6,[role=heading]')?.textContent;
  const names = [dialog.getAttribute('aria-label'), labelledBy(dialog, document), heading, dialog.localName];
  return names.map((name) => (name ?? '').replace(/\s+/gu, ' ').trim()).find((name) => name !== '') ?? '';
}
