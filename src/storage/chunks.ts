import { CHUNK_BYTES_MAX } from './limits.ts';
import { utf8Bytes } from '#core/text.ts';

export type Chunk = { firstLine: number; lastLine: number; body: string };

/**
 * Cuts lines into chunks at line ends, filling each up to `targetBytes` UTF-8 bytes. A line longer than that gets a
 * chunk of its own.
 * @throws {RangeError} when a single line exceeds `CHUNK_BYTES_MAX`: the local engine would accept it, production would not.
 */
export function chunkLines(lines: readonly string[], targetBytes: number): Chunk[] {
  const chunks: Chunk[] = [];
  let first = 0;
  let size = 0;
  for (const [number, line] of lines.entries()) {
    const bytes = utf8Bytes(line) + 1;
    if (bytes > CHUNK_BYTES_MAX) throw new RangeError(`line ${number} has ${bytes} bytes`);
    if (number > first && size + bytes > targetBytes) {
      chunks.push(chunk(lines, first, number - 1));
      first = number;
      size = 0;
    }
    size += bytes;
  }
  if (lines.length > 0) chunks.push(chunk(lines, first, lines.length - 1));
  return chunks;
}

function chunk(lines: readonly string[], firstLine: number, lastLine: number): Chunk {
  return { firstLine, lastLine, body: lines.slice(firstLine, lastLine + 1).join('\n') };
}
