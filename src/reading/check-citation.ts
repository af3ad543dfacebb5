import type { Viewport } from '#core/document.ts';
import type { InTurn } from '#core/turns.ts';
import type { DocumentStore } from '#storage/documents.ts';
import type { CitedSource } from '#core/citation.ts';
import { findQuote } from './find-quote.ts';
import { inOneChunk } from './find-matches.ts';
import { openAt } from './fragments.ts';
import { CHECK_CHARS_MAX } from './limits.ts';
import { nearestPassage } from './near-passage.ts';
import type { OpenPageDeps } from './opened.ts';
import { readText } from './quote-text.ts';
import type { Chunks } from './quote-text.ts';
import { holdUntil } from './reader.ts';
import type { ReaderDeps } from './reader.ts';
import { wordDiff } from './word-diff.ts';
import type { DiffPart } from './word-diff.ts';

/** What the live page says now of what was cited. */
export type LiveAnswer = {
  checkedAt: number;
  said:
    | { kind: 'unchanged' }
    /** Word for word, at these lines of its present text. */
    | { kind: 'same'; lines: Viewport }
    | { kind: 'differs'; parts: DiffPart[] }
    | { kind: 'gone' }
    /** Its site did not answer. */
    | { kind: 'silent' }
    | { kind: 'too_long' };
};

export type CheckDeps = OpenPageDeps & ReaderDeps & { inTurn: InTurn; documents: DocumentStore };

/**
 * Asks the page's site whether it still says the cited lines. The page is opened as `open_url` opens it, from its site.
 * @throws {PeriscopeError} as `openPage` does
 */
export async function checkCitation(
  source: CitedSource,
  cited: Viewport,
  signal: AbortSignal,
  deps: CheckDeps,
): Promise<LiveAnswer> {
  const answer = (said: LiveAnswer['said']): LiveAnswer => ({ checkedAt: deps.now(), said });
  const lines = await deps.documents.readLines(source.documentId, cited.start, cited.end);
  const text = lines.join('\n');
  if (text.length > CHECK_CHARS_MAX) return answer({ kind: 'too_long' });
  const request = { url: source.url, mode: 'auto', maxAgeMs: 0, holdUntil: holdUntil(deps) } as const;
  const { opened } = await openAt(request, signal, deps);
  if (opened.origin === 'stale') return answer({ kind: 'silent' });
  const { document } = opened;
  if (document.id === source.documentId) return answer({ kind: 'unchanged' });
  const scan = (): Chunks => (opened.lines === null ? deps.documents.scan(document.id) : inOneChunk(opened.lines));
  return answer(await deps.inTurn(signal, (pause) => compare(text, scan, pause)));
}

async function compare(text: string, scan: () => Chunks, pause: () => Promise<void>): Promise<LiveAnswer['said']> {
  const place = await findQuote(text, scan, pause);
  if (place !== null) return { kind: 'same', lines: place.lines };
  const near = await nearestPassage(text, scan(), pause);
  if (near === null) return { kind: 'gone' };
  const read = readText('read', text).lines.map((line) => line.text);
  const now = near.text.slice(0, CHECK_CHARS_MAX * 2);
  return { kind: 'differs', parts: wordDiff(read.filter((line) => line !== '').join('\n'), now) };
}
