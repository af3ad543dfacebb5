import { setBounded } from '#core/flow/remember.ts';
import type { SearchableText } from '#core/text/seen-text.ts';
import type { StoredPage } from '#storage/schema.ts';
import { CACHED_TEXT_AGE_MS_MAX, TEXT_CACHE_BYTES_MAX, CACHED_DOCUMENT_BYTES_MAX } from '#storage/limits.ts';

/** Maximum snapshots for which an isolate caches the ID of their document. They take 200 KB. */
const SNAPSHOTS_REMEMBERED_MAX = 1_000;

/** Consecutive lines of a document. `seen`: their visible text, which the first search fills in. */
export type TextChunk = { firstLine: number; lines: readonly string[]; seen?: SearchableText };

export function* chunksOf(rows: Iterable<{ firstLine: number; body: string }>): Generator<TextChunk> {
  for (const { firstLine, body } of rows) yield { firstLine, lines: body.split('\n') };
}

type Kept = {
  /** Chunks in the order in which they were cached, possibly with gaps between their lines. */
  chunks: TextChunk[];
  lineCount: number | null;
  pages: Map<string, StoredPage>;
  bytes: number;
  /** Expiry, as Unix time in ms. */
  until: number;
};

/**
 * Text of recently read documents in an isolate's memory. It is plain data that the isolate's requests share. Documents
 * never change, so entries are never stale. The key is the document ID, which is salted with the owner for a private
 * document. Callers check access before each use.
 */
export class DocumentTextCache {
  readonly #documents = new Map<string, Kept>();
  readonly #shown = new Map<string, string>();
  readonly #now: () => number;
  #bytes = 0;
  #limit = TEXT_CACHE_BYTES_MAX;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Lines `start` to `end` (0-based, inclusive); `null` if a line is not cached. Lines after the end of the document
   * are omitted.
   */
  lines(documentId: string, start: number, end: number): string[] | null {
    const found: string[] = [];
    for (let at = start; at <= end && at !== this.lineCount(documentId);) {
      const chunk = this.chunkAt(documentId, at);
      if (chunk === null) return null;
      const some = chunk.lines.slice(at - chunk.firstLine, end + 1 - chunk.firstLine);
      found.push(...some);
      at += some.length;
    }
    return found;
  }

  chunkAt(documentId: string, line: number): TextChunk | null {
    const kept = this.#used(documentId);
    return kept?.chunks.find(({ firstLine, lines }) => firstLine <= line && line < firstLine + lines.length) ?? null;
  }

  lineCount(documentId: string): number | null {
    return this.#used(documentId)?.lineCount ?? null;
  }

  keep(documentId: string, chunks: Iterable<TextChunk>, lineCount: number | null = null): void {
    const before = this.#used(documentId);
    const kept: Kept = before ?? {
      chunks: [],
      lineCount: null,
      pages: new Map(),
      bytes: 0,
      until: this.#now() + CACHED_TEXT_AGE_MS_MAX,
    };
    kept.lineCount ??= lineCount;
    for (const chunk of chunks) {
      if (kept.chunks.some(({ firstLine }) => firstLine === chunk.firstLine)) continue;
      const bytes = bytesOf(chunk);
      if (kept.bytes + bytes > CACHED_DOCUMENT_BYTES_MAX) break;
      kept.chunks.push(chunk);
      kept.bytes += bytes;
      this.#bytes += bytes;
    }
    this.#documents.set(documentId, kept);
    this.#shrink();
  }

  /** Caches the visible text of a chunk, if there is room. */
  keepSeen(documentId: string, chunk: TextChunk, seen: SearchableText): void {
    const kept = this.#used(documentId);
    if (kept?.chunks.includes(chunk) !== true) return;
    const bytes = bytesOfText(seen.text);
    if (kept.bytes + bytes > CACHED_DOCUMENT_BYTES_MAX) return;
    chunk.seen = seen;
    kept.bytes += bytes;
    this.#bytes += bytes;
    this.#shrink();
  }

  /**
   * True if the cache has this line of the document that the snapshot showed last. The snapshot may show another
   * document by now, so the result may only be used to skip a read of lines.
   */
  shows(snapshot: string, line: number): boolean {
    const documentId = this.#shown.get(snapshot);
    return documentId !== undefined && this.chunkAt(documentId, line) !== null;
  }

  showsNow(snapshot: string, documentId: string): void {
    setBounded(this.#shown, snapshot, documentId, SNAPSHOTS_REMEMBERED_MAX);
  }

  /** Caches a stored page if its document's text is cached and has room for another page. */
  keepPage(page: StoredPage): void {
    const kept = this.#used(page.document.id);
    if (kept === null) return;
    const isNew = !kept.pages.has(page.snapshot.key);
    if (isNew && kept.pages.size >= PAGES_OF_DOCUMENT_MAX) return;
    kept.pages.set(page.snapshot.key, page);
    if (!isNew) return;
    const bytes = bytesOfPage(page);
    kept.bytes += bytes;
    this.#bytes += bytes;
    this.#shrink();
  }

  /** The page as it was last cached; `null` if it is not cached. The snapshot may show another document by now. */
  page(snapshot: string, documentId: string): StoredPage | null {
    return this.#used(documentId)?.pages.get(snapshot) ?? null;
  }

  /** Drops pages whose snapshots were deleted. Cursors may still show their text. */
  dropPages(snapshots: readonly string[]): void {
    for (const { pages } of this.#documents.values()) for (const key of snapshots) pages.delete(key);
  }

  drop(documentIds: readonly string[]): void {
    for (const id of documentIds) {
      this.#bytes -= this.#documents.get(id)?.bytes ?? 0;
      this.#documents.delete(id);
    }
  }

  /** Shrinks the cache to the memory that other work leaves free. */
  giveWay(freeBytes: number): void {
    this.#limit = Math.max(0, Math.min(freeBytes, TEXT_CACHE_BYTES_MAX));
    this.#shrink();
  }

  #used(documentId: string): Kept | null {
    const kept = this.#documents.get(documentId);
    if (kept === undefined) return null;
    this.#documents.delete(documentId);
    if (kept.until <= this.#now()) {
      this.#bytes -= kept.bytes;
      return null;
    }
    this.#documents.set(documentId, kept);
    return kept;
  }

  #shrink(): void {
    for (const [id, { bytes }] of this.#documents) {
      if (this.#bytes <= this.#limit) return;
      this.#documents.delete(id);
      this.#bytes -= bytes;
    }
  }
}

/** Maximum cached pages (URLs) that show the same document. */
const PAGES_OF_DOCUMENT_MAX = 4;
/** Estimated bytes of a page's URLs, headers and notes. */
const PAGE_BYTES = 4_000;
/** Estimated bytes of overhead for an array, and for each string in it. */
const LINE_BYTES = 40;

function bytesOf({ lines }: TextChunk): number {
  return lines.reduce((sum, line) => sum + LINE_BYTES + bytesOfText(line), LINE_BYTES);
}

function bytesOfPage({ document }: StoredPage): number {
  return document.outline.reduce((sum, { text }) => sum + LINE_BYTES + bytesOfText(text), PAGE_BYTES);
}

function bytesOfText(text: string): number {
  return text.length * (isOneByte(text) ? 1 : 2);
}

function isOneByte(line: string): boolean {
  return !/[^\u0000-\u00ff]/u.test(line);
}
