import { Zip, ZipPassThrough, ZipDeflate } from 'fflate';

/** A file of the archive, in chunks. Only text is compressed, because most other files already are. */
export type ZipEntry = { name: string; isText: boolean; at: number; pieces: AsyncIterable<Uint8Array> };

/**
 * A ZIP archive, written while it is read, with one chunk in memory at a time. A file that fails ends the archive with
 * an error, so that it cannot be mistaken for a complete one.
 */
export function zipStream(entries: AsyncIterable<ZipEntry>): ReadableStream<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    if (bytes.byteLength > 0) ready.push(bytes);
  });
  const work = written(zip, entries);
  return new ReadableStream({
    pull: async (out) => {
      while (ready.length === 0) {
        if ((await work.next()).done === true) break;
      }
      const bytes = ready.splice(0);
      for (const one of bytes) out.enqueue(one);
      if (bytes.length === 0) out.close();
    },
    cancel: async () => void (await work.return()),
  });
}

/** Writes one chunk, then waits for the next read. */
async function* written(zip: Zip, entries: AsyncIterable<ZipEntry>): AsyncGenerator<void, void, void> {
  for await (const { name, isText, at, pieces } of entries) {
    const file = isText ? new ZipDeflate(name) : new ZipPassThrough(name);
    file.mtime = at;
    zip.add(file);
    for await (const piece of pieces) {
      file.push(piece);
      yield;
    }
    file.push(new Uint8Array(), true);
    yield;
  }
  zip.end();
}
