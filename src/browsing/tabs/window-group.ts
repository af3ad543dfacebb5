import { registrableDomain } from '#net/site.ts';
import type { Frame } from './tab.ts';

/**
 * Windows that opened one another. A page may store typed text in `window.name`. When its window navigates to another
 * site, other windows of that site can read the text. A secret and a model's script must therefore not be in the same
 * group.
 */
export class OpenerGroup {
  readonly #scriptedIn = new Set<string>();
  #wasScripted = false;
  readonly #typedIn = new Set<string>();
  #isShared = false;

  /**
   * @param loaderId loader of the document that opens a window. Earlier documents of a window that was alone until
   * now do not count, because their scripts have ended
   */
  share(loaderId: string): void {
    if (!this.#isShared) this.#wasScripted = this.#scriptedIn.has(loaderId);
    this.#isShared = true;
  }

  noteScripted(loaderId: string): void {
    if (this.#isShared) this.#wasScripted = true;
    else this.#scriptedIn.add(loaderId);
  }

  /**
   * Marks a window that shows a site where something was typed. The mark stays when the window navigates, because
   * `window.name` does.
   */
  noteTyped(targetId: string): void {
    this.#typedIn.add(targetId);
  }

  get isScripted(): boolean {
    return this.#isShared && this.#wasScripted;
  }

  /**
   * True if a model's script may still reach the document or its frames.
   * @param loaderId loader of the document
   */
  mayReach(loaderId: string): boolean {
    return this.isScripted || this.#scriptedIn.has(loaderId);
  }

  /**
   * True if another window of the group has shown a site on which a person typed or a secret was filled in. The window
   * itself is checked by its sites instead.
   */
  isTypedInOther(targetId: string): boolean {
    return [...this.#typedIn].some((typed) => typed !== targetId);
  }
}

/** Group and opener of a new window. `openedBy`: URLs of the documents in the tab that opens it. */
export type NewWindowOrigin = { windows: OpenerGroup; openedBy: readonly string[] };

/** URLs of the documents that a tab shows, and of those that opened the tab; only URLs with a site. */
export function urlsOfTabAndOpeners(
  tab: { frames: () => readonly Frame[]; openedBy: readonly string[] } | undefined,
): string[] {
  if (tab === undefined) return [];
  const urls = [...tab.frames().map(({ url }) => url), ...tab.openedBy];
  return [...new Set(urls.filter((url) => registrableDomain(url) !== null))];
}
