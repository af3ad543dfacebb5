import type { SeenText } from '#core/text/seen-text.ts';
import type { StoredPage } from './stored-page.ts';
import {
  SNAPSHOTS_REMEMBERED_MAX,
  TEXT_KEPT_MS,
  TEXT_MEMORY_BYTES,
  TEXT_OF_DOCUMENT_BYTES_MAX,
} from '#storage/limits.ts';

/** Lines of a document that are read at a time. `seen`: once a search has asked for it. */
export type TextChunk = { firstLine: number; lines: readonly string[]; seen?: SeenText };

/** One after the other, as far as they are asked for. */
export function* chunksOf(rows: Iterable<{ firstLine: number; body: string }>): Generator<TextChunk> {
  for (const { firstLine, body } of rows) yield { firstLine, lines: body.split('\n') };
}

type Kept = {
  /** By line; there may be gaps. */
  chunks: TextChunk[];
  /** How many lines the document has, once that is known. */
  lineCount: number | null;
  /** By snapshot: what is known of the document and of its fetch. */
  pages: Map<string, StoredPage>;
  bytes: number;
  /** When (ms) it is read from the store again. */
  until: number;
};

/**
 * The text of documents that were read lately, in the memory of an isolate: plain data, shared by its requests. Documents
 * never change, so an entry is never wrong. Its key is the address of the document, which of a private one is salted with
 * its owner; whether somebody may see a document is asked before, each time.
 */
export class TextMemory {
  readonly #documents = new Map<string, Kept>();
  /** By snapshot. */
  readonly #shown = new Map<string, string>();
  readonly #now: () => number;
  #bytes = 0;
  #limit = TEXT_MEMORY_BYTES;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Lines `start` to `end` (0-based, inclusive); `null` when not all of them are here. */
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

  /** The chunk that has this line. */
  chunkAt(documentId: string, line: number): TextChunk | null {
    const kept = this.#used(documentId);
    return kept?.chunks.find(({ firstLine, lines }) => firstLine <= line && line < firstLine + lines.length) ?? null;
  }

  /** `null` when it is not known. */
  lineCount(documentId: string): number | null {
    return this.#used(documentId)?.lineCount ?? null;
  }

  /** @param lineCount of the whole document, where it is known */
  keep(documentId: string, chunks: Iterable<TextChunk>, lineCount: number | null = null): void {
    const before = this.#used(documentId);
    const kept: Kept = before ?? {
      chunks: [],
      lineCount: null,
      pages: new Map(),
      bytes: 0,
      until: this.#now() + TEXT_KEPT_MS,
    };
    kept.lineCount ??= lineCount;
    for (const chunk of chunks) {
      if (kept.chunks.some(({ firstLine }) => firstLine === chunk.firstLine)) continue;
      const bytes = bytesOf(chunk);
      if (kept.bytes + bytes > TEXT_OF_DOCUMENT_BYTES_MAX) break;
      kept.chunks.push(chunk);
      kept.bytes += bytes;
      this.#bytes += bytes;
    }
    this.#documents.set(documentId, kept);
    this.#shrink();
  }

  /** Keeps with a chunk how it is seen, where there is room. */
  keepSeen(documentId: string, chunk: TextChunk, seen: SeenText): void {
    const kept = this.#used(documentId);
    if (kept?.chunks.includes(chunk) !== true) return;
    const bytes = bytesOfText(seen.text);
    if (kept.bytes + bytes > TEXT_OF_DOCUMENT_BYTES_MAX) return;
    chunk.seen = seen;
    kept.bytes += bytes;
    this.#bytes += bytes;
    this.#shrink();
  }

  /**
   * Whether the document that the snapshot showed when it was last seen has this line here. It may show another one by now,
   * so this only saves reading lines that are here.
   */
  shows(snapshot: string, line: number): boolean {
    const documentId = this.#shown.get(snapshot);
    return documentId !== undefined && this.chunkAt(documentId, line) !== null;
  }

  showsNow(snapshot: string, documentId: string): void {
    this.#shown.delete(snapshot);
    const oldest = this.#shown.keys().next();
    if (this.#shown.size >= SNAPSHOTS_REMEMBERED_MAX && oldest.done !== true) this.#shown.delete(oldest.value);
    this.#shown.set(snapshot, documentId);
  }

  /** Keeps with the text of a document what else is known of it, where there is room. */
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

  /** What was known when the text was kept; the snapshot may show another document by now. */
  page(snapshot: string, documentId: string): StoredPage | null {
    return this.#used(documentId)?.pages.get(snapshot) ?? null;
  }

  /** The store shows their pages no more, though cursors may still show their text. */
  dropPages(snapshots: readonly string[]): void {
    for (const { pages } of this.#documents.values()) for (const key of snapshots) pages.delete(key);
  }

  /** They are gone from the store. */
  drop(documentIds: readonly string[]): void {
    for (const id of documentIds) {
      this.#bytes -= this.#documents.get(id)?.bytes ?? 0;
      this.#documents.delete(id);
    }
  }

  /** Other work leaves this much of the memory free. */
  giveWay(freeBytes: number): void {
    this.#limit = Math.max(0, Math.min(freeBytes, TEXT_MEMORY_BYTES));
    this.#shrink();
  }

  /** Puts it last among those to be let go. */
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

/** A text that has many addresses is remembered with some of them. */
const PAGES_OF_DOCUMENT_MAX = 4;
/** Addresses, headers and notes of a fetch. */
const PAGE_BYTES = 4_000;
/** Of the array and of one string in it. */
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
