import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { z } from 'zod';

/** A stack frame. */
export const FRAME = /^\s*at (?:.*\()?\S+:\d+:\d+\)?$/;
/** Its position in the built Worker. */
const PLACE = /\bindex\.js:(\d+):(\d+)(?=\)?$)/;

const withStack = z.looseObject({ event: z.literal('unexpected_error'), stack: z.array(z.string()) });
const origin = z.object({ fileName: z.string(), lineNumber: z.number(), columnNumber: z.number() });

/**
 * Returns a function that replaces positions in the minified Worker by positions in the sources. The source map is
 * large, so it is read at the first error. Without it, lines stay unchanged.
 */
export function sourceLines(mapFile: string): (line: string) => string {
  let map: SourceMap | null | undefined;
  const placed = (frame: string): string =>
    frame.replace(PLACE, (place, line: string, column: string) => {
      map ??= existsSync(mapFile) ? new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8'))) : null;
      const found = origin.safeParse(map?.findOrigin(Number(line), Number(column)));
      if (!found.success) return place;
      const { fileName, lineNumber, columnNumber } = found.data;
      return `${fileName.replace(/^(?:\.\.\/)+/, '')}:${lineNumber}:${columnNumber}`;
    });
  return (line) => {
    if (FRAME.test(line)) return placed(line);
    if (!line.includes('unexpected_error')) return line;
    const told = withStack.safeParse(parsed(line));
    return told.success ? JSON.stringify({ ...told.data, stack: told.data.stack.map(placed) }) : line;
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
