import type { Protocol } from 'devtools-protocol';
import * as z from 'zod';
import * as pageScripts from '#browsing/in-page/sources.js';
import { AS_DATA, asArguments, callFunction } from './call-function.ts';
import { DOCUMENT_WHOLE_ELEMENTS_MAX } from './limits.ts';
import type { Frame } from './frame.ts';

/** How many elements the documents of a tab have, as far as it is known. A large one is not read as a whole. */
export class DocumentSizes {
  readonly #world: (frame: Frame) => Promise<Protocol.Runtime.ExecutionContextId>;
  /** By frame: the load that brought the document, and its size when it was counted last. */
  readonly #known = new Map<string, { loaderId: string; size: Promise<number> }>();

  constructor(world: (frame: Frame) => Promise<Protocol.Runtime.ExecutionContextId>) {
    this.#world = world;
  }

  /** @throws {CdpError} when the document is gone */
  async of(frame: Frame): Promise<number> {
    const known = this.#known.get(frame.id);
    return known?.loaderId === frame.loaderId ? known.size : this.count(frame);
  }

  /** Counts again. @throws {CdpError} when the document is gone */
  async count(frame: Frame): Promise<number> {
    const size = this.#asked(frame);
    this.#known.set(frame.id, { loaderId: frame.loaderId, size });
    size.catch(() => this.#known.delete(frame.id));
    return size;
  }

  note({ id, loaderId }: Frame, size: number): void {
    this.#known.set(id, { loaderId, size: Promise.resolve(size) });
  }

  async #asked(frame: Frame): Promise<number> {
    const where = { executionContextId: await this.#world(frame) };
    const args = asArguments([DOCUMENT_WHOLE_ELEMENTS_MAX]);
    const { result } = await callFunction(frame.session, where, pageScripts.countElements, args, AS_DATA);
    return z.int().catch(0).parse(result.value);
  }
}
