import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Frame } from './frame.ts';

/** The frames of one tab, according to what its targets report. Pure state: it sends nothing. */
export class FrameTree {
  readonly #frames = new Map<string, Frame>();
  readonly #mainId: string;

  constructor(mainId: string, session: CdpSession) {
    this.#mainId = mainId;
    this.#frames.set(mainId, { id: mainId, parentId: null, loaderId: '', url: 'about:blank', session });
  }

  main(): Frame {
    const main = this.#frames.get(this.#mainId);
    if (main === undefined) throw new TypeError('a tab has lost its own frame');
    return main;
  }

  get(id: string): Frame | null {
    return this.#frames.get(id) ?? null;
  }

  /** Parents before children, siblings in the order they came. */
  all(): readonly Frame[] {
    const ordered: Frame[] = [this.main()];
    for (let next = 0; next < ordered.length; next += 1) {
      for (const frame of this.#frames.values()) if (frame.parentId === ordered[next]?.id) ordered.push(frame);
    }
    return ordered;
  }

  /** Takes what a target shows when it is attached. */
  take(tree: Protocol.Page.FrameTree, session: CdpSession): void {
    const open = [tree];
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const known = this.#frames.get(next.frame.id);
      this.#put(next.frame, next.frame.parentId ?? known?.parentId ?? null, session);
      open.push(...(next.childFrames ?? []));
    }
  }

  attached(id: string, parentId: string, session: CdpSession): void {
    const known = this.#frames.get(id);
    this.#frames.set(id, { loaderId: '', url: 'about:blank', ...known, id, parentId, session });
  }

  /** Chromium does not report the frames of the previous document as detached; they end with it. */
  navigated(frame: Protocol.Page.Frame, session: CdpSession): void {
    this.#dropChildren(frame.id);
    const known = this.#frames.get(frame.id);
    this.#put(frame, frame.parentId ?? known?.parentId ?? null, session);
  }

  movedWithin(id: string, url: string): void {
    const known = this.#frames.get(id);
    if (known !== undefined) this.#frames.set(id, { ...known, url });
  }

  /** The frame now runs in a target of its own. */
  moved(id: string, parentId: string | null, session: CdpSession): void {
    const known = this.#frames.get(id);
    this.#frames.set(id, { loaderId: '', url: 'about:blank', parentId, ...known, id, session });
  }

  detached(id: string): void {
    if (id === this.#mainId) return;
    this.#dropChildren(id);
    this.#frames.delete(id);
  }

  #dropChildren(id: string): void {
    const children = this.all().filter(({ parentId }) => parentId === id);
    for (const child of children) this.detached(child.id);
  }

  #put(frame: Protocol.Page.Frame, parentId: string | null, session: CdpSession): void {
    const { id, loaderId, url, urlFragment, unreachableUrl } = frame;
    // If an error page replaces a document, the address is still that of the document.
    this.#frames.set(id, { id, parentId, loaderId, url: (unreachableUrl ?? url) + (urlFragment ?? ''), session });
  }
}
