import { registrableDomain } from '#net/site.ts';
import type { Frame } from './tab.ts';

/**
 * Windows that opened one another. A page may store typed text in `window.name`; other windows of the group can read it
 * once that window shows a page of their site. So a secret and a model's script must not meet in a group.
 */
export class WindowGroup {
  readonly #scriptedIn = new Set<string>();
  #wasScripted = false;
  readonly #typedIn = new Set<string>();
  #isShared = false;

  /**
   * @param loaderId loader of the document that opens the window; scripts of earlier documents of a single window are
   * gone
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
   * Marks a window that shows a site where something was typed. The mark stays when the window shows another page, as
   * `window.name` does.
   */
  noteTyped(targetId: string): void {
    this.#typedIn.add(targetId);
  }

  get isScripted(): boolean {
    return this.#isShared && this.#wasScripted;
  }

  /**
   * True if a model's script may reach the document or its frames.
   * @param loaderId loader of the document
   */
  mayReach(loaderId: string): boolean {
    return this.isScripted || this.#scriptedIn.has(loaderId);
  }

  /**
   * True if another window of the group has shown a site where a secret, or a person's input, was typed. The window
   * itself is checked by its sites.
   */
  isTypedInOther(targetId: string): boolean {
    return [...this.#typedIn].some((typed) => typed !== targetId);
  }
}

/** Origin of a new window. `openedBy`: URLs of the documents of the tab that opens it. */
export type From = { windows: WindowGroup; openedBy: readonly string[] };

/** URLs of the sites that a tab shows, and of the sites that opened it. */
export function sitesOf(tab: { frames: () => readonly Frame[]; openedBy: readonly string[] } | undefined): string[] {
  if (tab === undefined) return [];
  const urls = [...tab.frames().map(({ url }) => url), ...tab.openedBy];
  return [...new Set(urls.filter((url) => registrableDomain(url) !== null))];
}
