import { CodeFences } from '#core/code-fences.ts';
import { headingLevel } from '#core/headings.ts';
import { visibleText } from '#core/visible-text.ts';

/** A line as it is read: without Markdown marks and addresses; code as it stands. `level`: of a heading, else 0. */
export type ReadLine = { loc: number; raw: string; text: string; level: number };

/** Lines that are one block of prose, cut at its sentences; any other line alone. */
export type ReadBlock = readonly ReadLine[];

type Kind = 'code' | 'blank' | 'heading' | 'row' | 'mark' | 'prose';

/** A line of our own that says what begins there: a page, or the rest. */
export const MARK = /^<!-- .* -->$/;
const ROW = /^[\s>]*\|/;
const ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\s]{1,100}\]:)\s/;
/** A block has few lines; one without end is cut here, so that memory stays flat. */
const BLOCK_LINES_MAX = 200;

/**
 * Puts the lines of a document together again as they are read. `isMarkdown`: otherwise each line is what it says.
 * `charsMax`: a block that would be longer is cut before the line that goes over; a line is whole.
 */
export async function* readBlocks(
  chunks: AsyncIterable<{ firstLine: number; lines: readonly string[] }>,
  isMarkdown: boolean,
  charsMax: number,
): AsyncGenerator<ReadBlock> {
  const fences = new CodeFences();
  let block: ReadLine[] = [];
  let chars = 0;
  let before: Kind = 'blank';
  for await (const { firstLine, lines } of chunks) {
    for (const [offset, raw] of lines.entries()) {
      const kind = isMarkdown ? kindOf(raw, fences) : 'code';
      const goesOn = kind === 'prose' && before === 'prose' && !ITEM.test(raw);
      const isFull = block.length >= BLOCK_LINES_MAX || chars + raw.length > charsMax;
      if ((!goesOn || isFull) && block.length > 0) {
        yield block;
        block = [];
        chars = 0;
      }
      chars += raw.length;
      before = kind;
      if (kind === 'blank') continue;
      const text = kind === 'code' ? raw : visibleText(raw);
      block.push({ loc: firstLine + offset, raw, text, level: kind === 'heading' ? headingLevel(raw) : 0 });
    }
  }
  if (block.length > 0) yield block;
}

function kindOf(line: string, fences: CodeFences): Kind {
  if (fences.take(line)) return 'code';
  if (/^[\s>]*$/.test(line)) return 'blank';
  if (headingLevel(line) > 0) return 'heading';
  if (MARK.test(line)) return 'mark';
  return ROW.test(line) ? 'row' : 'prose';
}
