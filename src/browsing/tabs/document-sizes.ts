import type { Protocol } from 'devtools-protocol';
import * as z from 'zod';
import * as pageScripts from '#generated/page-scripts.js';
import { RETURN_BY_VALUE, asArguments, callFunction } from './call-in-page.ts';
import { WHOLE_DOCUMENT_ELEMENTS_MAX } from './limits.ts';
import type { Frame } from './tab.ts';

export class DocumentElementCounts {
  readonly #world: (frame: Frame) => Promise<Protocol.Runtime.ExecutionContextId>;
  readonly #known = new Map<string, { loaderId: string; size: number }>();
  readonly #counting = new Map<string, { loaderId: string; size: Promise<number> }>();

  constructor(world: (frame: Frame) => Promise<Protocol.Runtime.ExecutionContextId>) {
    this.#world = world;
  }

  /**
   * Size of a document in elements, possibly of an earlier moment. Long texts count as several elements.
   * @throws {CdpError} if the document is gone
   */
  async of(frame: Frame): Promise<number> {
    const known = this.#known.get(frame.id);
    if (known?.loaderId === frame.loaderId) return known.size;
    const counting = this.#counting.get(frame.id);
    return counting?.loaderId === frame.loaderId ? counting.size : this.count(frame);
  }

  isLarge({ id, loaderId }: Frame): boolean {
    const known = this.#known.get(id);
    return known?.loaderId === loaderId && known.size > WHOLE_DOCUMENT_ELEMENTS_MAX;
  }

  /** True for a document whose description may keep the renderer busy: a large one, or one not counted yet. */
  mayBeBusy(frame: Frame): boolean {
    return this.isLarge(frame) || this.#counting.get(frame.id)?.loaderId === frame.loaderId;
  }

  /** @throws {CdpError} if the document is gone */
  async count(frame: Frame): Promise<number> {
    const { id, loaderId } = frame;
    const counting = { loaderId, size: this.#sizeNow(frame) };
    this.#counting.set(id, counting);
    try {
      const size = await counting.size;
      this.note(frame, size);
      return size;
    } finally {
      if (this.#counting.get(id) === counting) this.#counting.delete(id);
    }
  }

  note({ id, loaderId }: Frame, size: number): void {
    this.#known.set(id, { loaderId, size });
  }

  async #sizeNow(frame: Frame): Promise<number> {
    const where = { executionContextId: await this.#world(frame) };
    const args = asArguments([WHOLE_DOCUMENT_ELEMENTS_MAX]);
    const { result } = await callFunction(frame.session, where, pageScripts.documentSize, args, RETURN_BY_VALUE);
    return z.int().catch(0).parse(result.value);
  }
}
