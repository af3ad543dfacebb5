import { headingLevel } from '#core/document/document.ts';
import type { Document } from '#core/document/document.ts';
import { foldForSearch } from '#core/text/fold.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import type { Follow } from '#storage/library/follows.ts';
import type { ChangedBlock } from '#storage/library/round-pages.ts';
import { compareDocuments } from './compare/compare.ts';
import type { DocumentLines } from './compare/compare.ts';
import { BLOCKS_CHARS_MAX, BLOCKS_PER_CHANGE_MAX } from './limits.ts';

type Range = { first: number; last: number };

/** The blocks that are told of a page whose document is another one; none when only noise differs. */
export async function toldBlocks(
  before: string,
  { document, lines }: { document: Document; lines: readonly string[] },
  { contains, varying }: Pick<Follow, 'contains' | 'varying'>,
  { documents }: { documents: DocumentStore },
): Promise<ChangedBlock[]> {
  const old = await wholeDocument(before, documents);
  // What it was is no longer stored.
  if (old === null) {
    const after = { first: 0, last: Math.max(0, document.lineCount - 1) };
    return [{ kind: 'added', before: null, after, section: null, words: [] }];
  }
  const now = { lines, restStart: document.restStart };
  const blocks = compareDocuments(old, now, varying).filter(
    (block) => contains === null || touches(block, contains, old, now),
  );
  return fitting(blocks);
}

export async function wholeDocument(id: string, documents: DocumentStore): Promise<DocumentLines | null> {
  const origin = await documents.origin(id);
  if (origin === null) return null;
  const lines: string[] = [];
  for await (const chunk of documents.scan(id)) lines.push(...chunk.lines);
  return { lines, restStart: origin.restStart };
}

/** The phrase stands in the block, or in a heading over it. */
function touches(block: ChangedBlock, phrase: string, old: DocumentLines, now: DocumentLines): boolean {
  const wanted = foldForSearch(phrase);
  const has = (range: Range | null, { lines }: DocumentLines) =>
    range !== null &&
    [...lines.slice(range.first, range.last + 1), ...headingsOver(range.first, lines)].some((line) =>
      foldForSearch(line).includes(wanted),
    );
  return has(block.before, old) || has(block.after, now);
}

/** From the nearest one to that of the first level. */
function headingsOver(line: number, lines: readonly string[]): string[] {
  const over: string[] = [];
  let below = Infinity;
  for (let at = Math.min(line, lines.length - 1); at >= 0 && below > 1; at -= 1) {
    const level = headingLevel(lines[at] ?? '');
    if (level === 0 || level >= below) continue;
    below = level;
    over.push(lines[at] ?? '');
  }
  return over;
}

/** As many as are kept; of long ones, the words are left out. */
function fitting(blocks: readonly ChangedBlock[]): ChangedBlock[] {
  let left = BLOCKS_CHARS_MAX;
  return blocks.slice(0, BLOCKS_PER_CHANGE_MAX).map(({ words, ...block }) => {
    left -= words.reduce((sum, { text }) => sum + text.length, 0);
    return { ...block, words: left < 0 ? [] : words };
  });
}
