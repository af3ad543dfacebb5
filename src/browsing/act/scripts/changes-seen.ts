import type { DomDocument, DomElement, DomRoot } from './dom.ts';
import { pageScript } from './page-script.ts';

declare const document: DomDocument;
declare const self: { periscopeChanges?: { count: number } };
declare const MutationObserver: new (seen: (records: readonly object[]) => void) => {
  observe: (node: object, options: object) => void;
};

/**
 * How often the document changed since it was first asked. The observer stays for the life of the document: it counts,
 * and its callbacks are of the isolated world, out of the page's sight.
 */
export const CHANGES_SEEN = pageScript(changesSeen, [counterOf]);
/** The same; the element is `this`, and the shadow tree it stands in is watched, too. */
export const CHANGES_SEEN_AT = pageScript(changesSeenAt, [counterOf]);

function changesSeen(): number {
  return counterOf(null).count;
}

function changesSeenAt(this: DomElement): number {
  return counterOf(this.getRootNode()).count;
}

function counterOf(shadow: DomRoot | null): { count: number } {
  const isNew = self.periscopeChanges === undefined;
  const counter = self.periscopeChanges ?? { count: 0 };
  self.periscopeChanges = counter;
  const observer = new MutationObserver(({ length }) => {
    counter.count += length;
  });
  const options = { subtree: true, childList: true, attributes: true, characterData: true };
  if (isNew) observer.observe(document, options);
  if (shadow !== null && shadow !== document) observer.observe(shadow, options);
  return counter;
}
