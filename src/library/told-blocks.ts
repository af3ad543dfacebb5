import { headingLevel } from '#core/document/document.ts';
import type { Document } from '#core/document/document.ts';
import { runWithPauses } from '#core/flow/turns.ts';
import type { RunWithCpuLock } from '#core/flow/turns.ts';
import { foldForSearch } from '#core/text/fold.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import type { Follow } from '#storage/library/follows.ts';
import type { ChangedBlock } from '#storage/library/round-pages.ts';
import { compareDocuments } from './compare/compare.ts';
import type { BlockChange, DocumentLines, LineSpan } from './compare/compare.ts';
import { CHANGED_BLOCKS_CHARS_MAX, CHANGED_BLOCKS_PER_PAGE_MAX } from './limits.ts';

export async function findReportedBlocks(
  before: string,
  { document, lines }: { document: Document; lines: readonly string[] },
  { contains, varying }: Pick<Follow, 'contains' | 'varying'>,
  signal: AbortSignal,
  deps: { documents: DocumentStore; inTurn: RunWithCpuLock },
): Promise<ChangedBlock[]> {
  const old = await readWholeDocument(before, deps.documents);
  // Without the old version, which is no longer stored, the whole page counts as added.
  if (old === null) {
    const after = { first: 0, last: Math.max(0, document.lineCount - 1) };
    return [{ kind: 'added', before: null, after, section: null, head: null, words: [] }];
  }
  const now = { lines, restStart: document.restStart };
  const blocks = await compareWithCpuLock(old, now, varying, signal, deps);
  return fitting(contains === null ? blocks : touching(blocks, contains, old, now));
}

export function compareWithCpuLock(
  before: DocumentLines,
  after: DocumentLines,
  varying: readonly string[],
  signal: AbortSignal,
  { inTurn }: { inTurn: RunWithCpuLock },
): Promise<BlockChange[]> {
  return inTurn(signal, (pause) => runWithPauses(compareDocuments(before, after, varying), pause));
}

export async function readWholeDocument(id: string, documents: DocumentStore): Promise<DocumentLines | null> {
  const origin = await documents.origin(id);
  if (origin === null) return null;
  const lines: string[] = [];
  for await (const chunk of documents.scan(id)) lines.push(...chunk.lines);
  return { lines, restStart: origin.restStart };
}

function touching(
  blocks: readonly BlockChange[],
  phrase: string,
  old: DocumentLines,
  now: DocumentLines,
): BlockChange[] {
  const wanted = foldForSearch(phrase);
  const before = linesAbout(wanted, old);
  const after = linesAbout(wanted, now);
  const isAbout = (range: LineSpan | null, about: Uint8Array) =>
    range !== null && about.subarray(range.first, range.last + 1).includes(1);
  return blocks.filter((block) => isAbout(block.before, before) || isAbout(block.after, after));
}

/** Marks each line with 1 if the line, or a heading above it, has the phrase. */
function linesAbout(wanted: string, { lines }: DocumentLines): Uint8Array {
  const about = new Uint8Array(lines.length);
  const headings: { level: number; isAbout: boolean }[] = [];
  for (const [at, line] of lines.entries()) {
    const has = foldForSearch(line).includes(wanted);
    const level = headingLevel(line);
    if (level > 0) {
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({ level, isAbout: has || headings.at(-1)?.isAbout === true });
    }
    about[at] = Number(has || headings.at(-1)?.isAbout === true);
  }
  return about;
}

/** Cuts the list of blocks at its limit. Once the words have used up their limit, blocks are stored without words. */
function fitting(blocks: readonly ChangedBlock[]): ChangedBlock[] {
  let left = CHANGED_BLOCKS_CHARS_MAX;
  return blocks.slice(0, CHANGED_BLOCKS_PER_PAGE_MAX).map(({ words, ...block }) => {
    left -= words.reduce((sum, { text }) => sum + text.length, 0);
    return { ...block, words: left < 0 ? [] : words };
  });
}
