import { closeSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';

/**
 * The format of a backup file: a line that identifies it, then each part after its length in bytes (4 bytes,
 * big-endian), and the length 0 as its end. The parts are sealed: only the deployment can read them.
 */
const FIRST_LINE = 'periscope backup 1\n';
const NUMBER_BYTES = 4;
const PART_BYTES_MAX = 64 * 1024 * 1024;

const unsigned = z.int().min(0).max(PART_BYTES_MAX);

/** Writes a file that is complete or absent: it gets its name only at the end. */
export function backupWriter(file: string): { add: (part: Buffer) => void; finish: () => void; cancel: () => void } {
  const partial = `${file}.partial`;
  const descriptor = openSync(partial, 'w', 0o600);
  writeSync(descriptor, FIRST_LINE);
  return {
    add: (part) => {
      writeSync(descriptor, numberOf(part.byteLength));
      writeSync(descriptor, part);
    },
    finish: () => {
      writeSync(descriptor, numberOf(0));
      closeSync(descriptor);
      renameSync(partial, file);
    },
    cancel: () => {
      closeSync(descriptor);
      rmSync(partial, { force: true });
    },
  };
}

/** @throws {StopError} if the file is not a backup, or its end is missing */
export function* partsIn(file: string): Generator<Buffer<ArrayBuffer>> {
  const descriptor = openSync(file, 'r');
  try {
    if (read(descriptor, FIRST_LINE.length)?.toString() !== FIRST_LINE) throw new StopError(`${file} is no backup.`);
    for (;;) {
      const size = unsigned.safeParse(read(descriptor, NUMBER_BYTES)?.readUInt32BE());
      if (!size.success) throw new StopError(`${file} is damaged: its end is missing.`);
      if (size.data === 0) return;
      const part = read(descriptor, size.data);
      if (part === null) throw new StopError(`${file} is damaged: its end is missing.`);
      yield part;
    }
  } finally {
    closeSync(descriptor);
  }
}

function numberOf(count: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeUInt32BE(count);
  return bytes;
}

function read(descriptor: number, bytes: number): Buffer<ArrayBuffer> | null {
  const buffer = Buffer.alloc(bytes);
  let at = 0;
  while (at < bytes) {
    const got = readSync(descriptor, buffer, at, bytes - at, null);
    if (got === 0) return null;
    at += got;
  }
  return buffer;
}
