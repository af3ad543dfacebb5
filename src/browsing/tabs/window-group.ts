/**
 * Windows that opened one another. A page may store what was typed on its site in `window.name`, and the others may read it
 * once the window shows a page of their site. So a secret and a model's script must not meet in a group either.
 */
export class WindowGroup {
  readonly #scriptedIn = new Set<string>();
  #wasScripted = false;
  readonly #typedIn = new Set<string>();
  #isShared = false;

  /** @param loaderId of the document that opens the window: scripts of earlier documents of a single window are gone */
  share(loaderId: string): void {
    if (!this.#isShared) this.#wasScripted = this.#scriptedIn.has(loaderId);
    this.#isShared = true;
  }

  noteScripted(loaderId: string): void {
    if (this.#isShared) this.#wasScripted = true;
    else this.#scriptedIn.add(loaderId);
  }

  /** For a window that shows a site where something was typed. Stays when it shows another page, as `window.name` does. */
  noteTyped(targetId: string): void {
    this.#typedIn.add(targetId);
  }

  /** Whether a model's script may have reached other windows of the group. */
  get isScripted(): boolean {
    return this.#isShared && this.#wasScripted;
  }

  /**
   * Whether a model's script may reach what a window shows, in frames, too.
   * @param loaderId of its document
   */
  mayReach(loaderId: string): boolean {
    return this.isScripted || this.#scriptedIn.has(loaderId);
  }

  /** Whether another window has shown a site where a secret, or a person's input, was typed. The window itself is checked by its sites. */
  isTypedInOther(targetId: string): boolean {
    return [...this.#typedIn].some((typed) => typed !== targetId);
  }
}
