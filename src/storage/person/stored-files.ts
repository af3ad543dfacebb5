import { fail } from '#core/failures/failure.ts';
import type { FileFacts } from '#core/document/file-facts.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { FileByteLimits, FileNotStoredReason, PersonFiles } from './person-files.ts';
import { abortable } from '#core/flow/abort.ts';
import { STORED_FILE_PIECE_BYTES, KIB } from '#core/limits.ts';
import { toHex } from '#core/text/text.ts';
import { FILES_PER_SUBJECT_MAX } from '#storage/limits.ts';

/**
 * Bytes read for type detection. Signatures are in the first kilobyte; names of archive members come a little later.
 */
const FILE_HEAD_BYTES = 64 * KIB;

export class StoredFiles {
  readonly #object: Pick<ObjectCalls<PersonFiles>, 'facts' | 'list' | 'piece' | 'remove'>;

  constructor(object: Pick<ObjectCalls<PersonFiles>, 'facts' | 'list' | 'piece' | 'remove'>) {
    this.#object = object;
  }

  list(): Promise<FileFacts[]> {
    return this.#object.list();
  }

  facts(id: string): Promise<FileFacts | null> {
    return this.#object.facts(id);
  }

  remove(id: string): Promise<boolean> {
    return this.#object.remove(id);
  }

  /** Yields the pieces in order. @throws {PeriscopeError} `unknown_file` if the file is deleted meanwhile */
  async *pieces({ id, bytes }: FileFacts): AsyncGenerator<Uint8Array> {
    let read = 0;
    for (let number = 0; number === 0 || read < bytes; number += 1) {
      const piece = await this.#object.piece(id, number);
      if (piece === null) fail({ code: 'unknown_file', file: id });
      read += piece.byteLength;
      yield piece;
    }
  }

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

export type FileStore = Pick<ObjectCalls<PersonFiles>, 'add' | 'finish' | 'remove'>;

type NewFile = {
  /** Determines a sanitized name and the media type from the first bytes. Called when the file has been read. */
  describe: (head: Uint8Array) => Promise<{ name: string; mediaType: string }>;
  /** Reads the next bytes; `null` at the end. */
  read: () => Promise<Uint8Array | null>;
};

export type StoreFileOptions = {
  /** The browser session with which the file is deleted; empty for a file without one. */
  session: string;
  limits: FileByteLimits;
  signal: AbortSignal;
  /** Called with the error if an interrupted file cannot be deleted. */
  report: (error: unknown) => void;
};

/**
 * Stores a file piece by piece. A refused or interrupted file is deleted.
 * @returns the stored file, or the reason for a refusal
 * @throws the error of `read`, `describe` or the store, or the reason of `signal`
 */
export async function storeFile(
  store: FileStore,
  { describe, read }: NewFile,
  { session, limits, signal, report }: StoreFileOptions,
): Promise<FileFacts | FileNotStoredReason> {
  const id = newFileId();
  const digest = new crypto.DigestStream('SHA-256');
  const hash = digest.getWriter();
  let head = new Uint8Array();
  let number = 0;
  try {
    for await (const piece of piecesOf(read, signal)) {
      if (number === 0) head = piece.slice(0, FILE_HEAD_BYTES);
      const [noRoom] = await Promise.all([store.add(id, session, number, piece, limits), hash.write(piece)]);
      if (noRoom !== null) return noRoom;
      number += 1;
    }
    await hash.close();
    const facts = await store.finish(id, session, { ...(await describe(head)), sha256: toHex(await digest.digest) });
    return facts ?? 'gone';
  } catch (error) {
    await store.remove(id).catch(report);
    throw error;
  }
}

/** Reason for a refusal, worded to complete the sentence "it is not kept: …". */
export function describeFileNotStored(noRoom: FileNotStoredReason, { each, together }: FileByteLimits): string {
  const mega = (bytes: number) => `${Math.floor(bytes / 100_000) / 10} MB`;
  switch (noRoom) {
    case 'gone':
      return 'it could not be read to its end';
    case 'each':
      return `it is larger than ${mega(each)}, the most that a file may have here`;
    case 'together':
      return `stored files may have ${mega(together)} together`;
    case 'count':
      return `there are already ${FILES_PER_SUBJECT_MAX} stored files, which is the limit`;
  }
}

/** Splits bytes into pieces of `STORED_FILE_PIECE_BYTES`; the last piece may be shorter. An empty file has one empty piece. */
async function* piecesOf(read: NewFile['read'], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(STORED_FILE_PIECE_BYTES);
  let filled = 0;
  let isFirst = true;
  for (;;) {
    const bytes = await abortable(read(), signal);
    if (bytes === null) break;
    for (let from = 0; from < bytes.byteLength;) {
      const part = bytes.subarray(from, from + STORED_FILE_PIECE_BYTES - filled);
      piece.set(part, filled);
      from += part.byteLength;
      filled += part.byteLength;
      if (filled < STORED_FILE_PIECE_BYTES) continue;
      yield piece;
      piece = new Uint8Array(STORED_FILE_PIECE_BYTES);
      filled = 0;
      isFirst = false;
    }
  }
  if (filled > 0 || isFirst) yield piece.subarray(0, filled);
}

function newFileId(): string {
  return `f_${crypto.randomUUID().replaceAll('-', '')}`;
}
