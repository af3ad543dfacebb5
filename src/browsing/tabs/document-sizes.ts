import type { Protocol } from 'devtools-protocol';
import * as z from 'zod';
import * as pageScripts from '#generated/page-scripts.js';
import { AS_DATA, asArguments, callFunction } from './call-function.ts';
import { DOCUMENT_WHOLE_ELEMENTS_MAX } from './limits.ts';
import type { Frame } from './frame.ts';

/** How many elements the documents of a tab have, as far as it is known. A large one is not read as a whole. */
export class DocumentSizes {
  readonly #world: (frame: Frame) => Promise<Protocol.Runtime.ExecutionContextId>;
  /** By frame: the load that brought the document, and its size when it was counted last. */
  readonly #known = new Map<string, { loaderId: string; size: number }>();
  /** What is being counted. */
  readonly #asked = new Map<string, { loaderId: string; size: Promise<number> }>();

  constructor(world: (frame: Frame) => Promise<Protocol.Runtime.ExecutionContextId>) {
    this.#world = world;
  }

  /** As it was counted last, which is not waited for again. @throws {CdpError} when the document is gone */
  async of(frame: Frame): Promise<number> {
    const known = this.#known.get(frame.id);
    if (known?.loaderId === frame.loaderId) return known.size;
    const asked = this.#asked.get(frame.id);
    return asked?.loaderId === frame.loaderId ? asked.size : this.count(frame);
  }

  /** Counts again. @throws {CdpError} when the document is gone */
  async count(frame: Frame): Promise<number> {
    const { id, loaderId } = frame;
    const asked = { loaderId, size: this.#sizeNow(frame) };
    this.#asked.set(id, asked);
    try {
      const size = await asked.size;
      this.note(frame, size);
      return size;
    } finally {
      if (this.#asked.get(id) === asked) this.#asked.delete(id);
    }
  }

  note({ id, loaderId }: Frame, size: number): void {
    this.#known.set(id, { loaderId, size });
  }

  async #sizeNow(frame: Frame): Promise<number> {
    const where = { executionContextId: await this.#world(frame) };
    const args = asArguments([DOCUMENT_WHOLE_ELEMENTS_MAX]);
    const { result } = await callFunction(frame.session, where, pageScripts.countElements, args, AS_DATA);
    return z.int().catch(0).parse(result.value);
  }
}
