import { fail } from '#core/errors.ts';
import type { FileFacts } from '#core/file-facts.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { PersonFiles } from './person-files.ts';

/** The files that one person keeps. */
export class KeptFiles {
  readonly #object: Pick<ObjectCalls<PersonFiles>, 'facts' | 'list' | 'piece' | 'remove'>;

  constructor(object: Pick<ObjectCalls<PersonFiles>, 'facts' | 'list' | 'piece' | 'remove'>) {
    this.#object = object;
  }

  /** The newest first. */
  list(): Promise<FileFacts[]> {
    return this.#object.list();
  }

  /** `null`: there is no such file. */
  facts(id: string): Promise<FileFacts | null> {
    return this.#object.facts(id);
  }

  /** @returns whether there was such a file */
  remove(id: string): Promise<boolean> {
    return this.#object.remove(id);
  }

  /** Its pieces, in order. @throws {PeriscopeError} `unknown_file` when it is deleted meanwhile */
  async *pieces({ id, bytes }: FileFacts): AsyncGenerator<Uint8Array> {
    let read = 0;
    for (let number = 0; number === 0 || read < bytes; number += 1) {
      const piece = await this.#object.piece(id, number);
      if (piece === null) fail({ code: 'unknown_file', file: id });
      read += piece.byteLength;
      yield piece;
    }
  }

  /** The same, read as it is asked for. */
  stream(facts: FileFacts): ReadableStream<Uint8Array> {
    const pieces = this.pieces(facts);
    return new ReadableStream({
      pull: async (out) => {
        const { done, value } = await pieces.next();
        if (done === true) out.close();
        else out.enqueue(value);
      },
    });
  }

  /** All of it. */
  async read(facts: FileFacts): Promise<Uint8Array> {
    const whole = new Uint8Array(facts.bytes);
    let at = 0;
    for await (const piece of this.pieces(facts)) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }
}
