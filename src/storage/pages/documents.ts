import { and, asc, eq, gte, lte, max, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { mainLines } from '#core/document/document.ts';
import type { Document, Extraction, LaterAnchors } from '#core/document/document.ts';
import { fail } from '#core/failures/failure.ts';
import { CHUNKS_PER_READ_MAX, CHUNK_BYTES_MAX, CHUNK_BYTES_TARGET } from '#storage/limits.ts';
import { SEARCHABLE_START, toSearchableText } from '#core/text/seen-text.ts';
import type { SearchableChunk } from '#core/text/seen-text.ts';
import { sha256Hex, utf8Bytes } from '#core/text/text.ts';
import type { Db } from '#storage/db.ts';
import { chunksOf, DocumentTextCache } from './text-memory.ts';
import type { TextChunk } from './text-memory.ts';
import { documentAnchors, documentChunks, documents, BROWSER_SNAPSHOT_MODE, snapshots } from '#storage/schema.ts';

/** Maximum characters of a document's link targets, which share one row in D1: 20 for each of 25,000 elements. */
const ANCHORS_CHARS_MAX = 500_000;
/** Maximum bound parameters per statement in D1. */
const SQL_PARAMETERS_MAX = 100;

/**
 * Immutable documents, addressed by their content. Only the end of their pin and their state in the full-text index can
 * change.
 */
export class DocumentStore {
  readonly #db: Db;
  readonly #near: Db;
  readonly #memory: DocumentTextCache;

  /**
   * @param near a replica of the database that may lag behind: its documents are correct, and documents missing there
   * are read from `db`
   */
  constructor(db: Db, near: Db = db, memory: DocumentTextCache = new DocumentTextCache()) {
    this.#db = db;
    this.#near = near;
    this.#memory = memory;
  }

  /** Link targets with their lines, and link targets in later parts; none if the document is no longer stored. */
  async anchors(documentId: string): Promise<DocumentAnchors> {
    const [row] = await this.#db.select().from(documentAnchors).where(eq(documentAnchors.documentId, documentId));
    return restoreAnchors(row ?? { anchors: [], later: null });
  }

  /** A document; `null` if it is not stored, or private to another user. */
  async find(id: string, subject: string): Promise<Document | null> {
    const [row] = await this.#db.select().from(documents).where(eq(documents.id, id));
    if (row === undefined || (row.owner !== null && row.owner !== subject)) return null;
    return toDocument(row);
  }

  /**
   * A document that the user may see, with the URL and time (ms) of its fetch. Without a stored snapshot, the URL is
   * `null`, and the time is that of the first storing.
   */
  async visibleTo(
    id: string,
    subject: string,
  ): Promise<{ document: Document; url: string | null; fetchedAt: number; isLive: boolean } | null> {
    const { finalUrl, fetchedAt, documentId } = snapshots;
    const [document, [page], origin] = await Promise.all([
      this.find(id, subject),
      this.#db.select({ finalUrl, fetchedAt }).from(snapshots).where(eq(documentId, id)).limit(1),
      this.origin(id),
    ]);
    if (document === null || origin === null) return null;
    // A private document without a snapshot may come from a browser session, so it is treated as live.
    const isLive = origin.isLive || (origin.isPrivate && page === undefined);
    return { document, url: page?.finalUrl ?? null, fetchedAt: page?.fetchedAt ?? origin.createdAt, isLive };
  }

  /**
   * Facts about a document; `null` if it is no longer stored. Does not check access, because the caller has a cursor on
   * the document.
   */
  async origin(id: string): Promise<DocumentOrigin | null> {
    const isLive = sql<number>`EXISTS (SELECT 1 FROM snapshots
      WHERE snapshots.document_id = documents.id AND snapshots.mode = ${BROWSER_SNAPSHOT_MODE})`;
    const { createdAt, owner, lineCount, restStart } = documents;
    const wanted = { createdAt, owner, lineCount, restStart, isLive };
    const [row] = await this.#db.select(wanted).from(documents).where(eq(documents.id, id));
    if (row === undefined) return null;
    const { owner: whose, isLive: isFromSession, ...facts } = row;
    return { ...facts, isPrivate: whose !== null, isLive: isFromSession === 1 };
  }

  /**
   * Returns lines `start` to `end` (0-based, inclusive), by reading only the chunks that contain them.
   * @throws {PeriscopeError} `cache_error` if the store no longer has the lines
   */
  async readLines(documentId: string, start: number, end: number): Promise<string[]> {
    const kept = this.#memory.lines(documentId, start, end);
    if (kept !== null) return kept;
    const chunks = await this.#read((db) => chunksWithLines(db, eq(documentChunks.documentId, documentId), start, end));
    const [first] = chunks;
    if (first === undefined) fail({ code: 'cache_error', reason: 'the text of this document is missing' });
    this.#memory.keep(documentId, chunks);
    const lines = chunks.flatMap((chunk) => chunk.lines);
    return lines.slice(start - first.firstLine, end - first.firstLine + 1);
  }

  /**
   * Yields the whole document in order. At most {@link CHUNKS_PER_READ_MAX} chunks are read at a time, so that memory
   * use does not depend on its length.
   */
  async *scan(documentId: string): AsyncGenerator<TextChunk> {
    let next = 0;
    while (next !== this.#memory.lineCount(documentId)) {
      const kept = this.#memory.chunkAt(documentId, next);
      if (kept !== null) {
        yield kept;
        next = kept.firstLine + kept.lines.length;
        continue;
      }
      const from = next;
      const chunks = await this.#read((db) => chunksFrom(db, documentId, from));
      for (const { firstLine, lines } of chunks) next = firstLine + lines.length;
      const isLast = chunks.length < CHUNKS_PER_READ_MAX;
      this.#memory.keep(documentId, chunks, isLast && next > 0 ? next : null);
      yield* chunks;
      if (isLast) return;
    }
  }

  /** Yields the document as visible text, which is cached for the next search. */
  async *scanSeen(documentId: string): AsyncGenerator<SearchableChunk> {
    let end = SEARCHABLE_START;
    for await (const chunk of this.scan(documentId)) {
      const seen = chunk.seen ?? toSearchableText(chunk.lines, true, end);
      if (chunk.seen === undefined) this.#memory.keepSeen(documentId, chunk, seen);
      end = seen.end;
      yield { ...chunk, seen };
    }
  }

  /** Reads chunks from the replica, or from the primary if the replica has none. Chunks never change. */
  async #read(read: (db: Db) => Promise<ChunkRow[]>): Promise<TextChunk[]> {
    const near = await read(this.#near);
    const rows = near.length > 0 || this.#near === this.#db ? near : await read(this.#db);
    return [...chunksOf(rows)];
  }

  /**
   * Pins the document until `until` (ms), because a cursor may show it. Returns false if the document is no longer
   * stored.
   */
  hold(documentId: string, until: number): Promise<boolean> {
    return pinDocument(this.#db, documentId, until);
  }
}

type ChunkRow = Pick<typeof documentChunks.$inferSelect, 'documentId' | 'firstLine' | 'body'>;
const CHUNK_ROW = {
  documentId: documentChunks.documentId,
  firstLine: documentChunks.firstLine,
  body: documentChunks.body,
};

/** Chunks that contain the lines. @param ofDocument a condition on `document_chunks` that selects the document */
export function chunksWithLines(db: Db, ofDocument: SQL, start: number, end: number) {
  // Both bounds use the indexed column. With `last_line >= start`, SQLite would read every chunk before the viewport.
  const firstChunk = db
    .select({ firstLine: max(documentChunks.firstLine) })
    .from(documentChunks)
    .where(and(ofDocument, lte(documentChunks.firstLine, start)));
  return db
    .select(CHUNK_ROW)
    .from(documentChunks)
    .where(and(ofDocument, gte(documentChunks.firstLine, firstChunk), lte(documentChunks.firstLine, end)))
    .orderBy(asc(documentChunks.firstLine));
}

function chunksFrom(db: Db, documentId: string, line: number) {
  return db
    .select(CHUNK_ROW)
    .from(documentChunks)
    .where(and(eq(documentChunks.documentId, documentId), gte(documentChunks.firstLine, line)))
    .orderBy(asc(documentChunks.firstLine))
    .limit(CHUNKS_PER_READ_MAX);
}

/** Facts about a stored document. */
export type DocumentOrigin = Pick<Document, 'lineCount' | 'restStart'> & {
  /** Unix time in ms at which the document was first stored. */
  createdAt: number;
  /** True if only its owner may read the document. */
  isPrivate: boolean;
  /** True for a document from a browser session. */
  isLive: boolean;
};

export type DocumentAnchors = { lines: ReadonlyMap<string, number>; later: LaterAnchors };

type StoredAnchors = Pick<typeof documentAnchors.$inferSelect, 'anchors' | 'later'>;

export function restoreAnchors({ anchors, later }: StoredAnchors): DocumentAnchors {
  return {
    lines: new Map(anchors),
    later: later === null ? { pages: new Map(), isWhole: true } : { ...later, pages: new Map(later.pages) },
  };
}

export type NewDocument = {
  document: Document;
  chunks: readonly Chunk[];
  named: StoredAnchors;
  owner: string | null;
};

/** @param owner subject of a private document (its ID is then salted with the owner); `null` for a public one */
export async function newDocument(extraction: Extraction, owner: string | null): Promise<NewDocument> {
  const named = anchorList(extraction);
  return { document: await describe(extraction, named, owner), chunks: chunkParts(extraction), named, owner };
}

/**
 * Statements that store and pin a document. Content that is already stored is not stored again.
 * @param until time (ms) until which a cursor may show the document; the pin lasts at least as long
 */
export function insertDocument(
  db: Db,
  { document, chunks, named, owner }: NewDocument,
  now: number,
  until: number,
): [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]] {
  const first = db
    .insert(documents)
    .values({ ...document, outline: [...document.outline], owner, createdAt: now, heldUntil: until })
    .onConflictDoUpdate({
      target: documents.id,
      set: { heldUntil: sql`max(${documents.heldUntil}, excluded.held_until)` },
    });
  const rows = chunks.map((chunk) => ({ documentId: document.id, ...chunk }));
  // If two requests save the same content at the same time, the unique first line prevents duplicate chunks.
  const inserts = inGroupsOf(rows, Math.floor(SQL_PARAMETERS_MAX / COLUMNS_PER_CHUNK)).map((group) =>
    db.insert(documentChunks).values(group).onConflictDoNothing(),
  );
  const places = db
    .insert(documentAnchors)
    .values({ documentId: document.id, ...named })
    .onConflictDoNothing();
  const hasPlaces = named.anchors.length > 0 || named.later !== null;
  return [first, ...inserts, ...(hasPlaces ? [places] : [])];
}

export async function pinDocument(db: Db, documentId: string, until: number): Promise<boolean> {
  const held = await db
    .update(documents)
    .set({ heldUntil: sql`max(${documents.heldUntil}, ${until})` })
    .where(eq(documents.id, documentId))
    .returning({ id: documents.id });
  return held.length > 0;
}

const COLUMNS_PER_CHUNK = 5;

/** Splits the main part and the rest (menus, comments) separately, because only the main part is indexed. */
function chunkParts(extraction: Extraction): Chunk[] {
  const main = mainLines(extraction);
  const rest = chunkLines(extraction.lines.slice(main.length), CHUNK_BYTES_TARGET);
  return [
    ...chunkLines(main, CHUNK_BYTES_TARGET),
    ...rest.map(({ firstLine, lastLine, body }) => ({
      firstLine: firstLine + main.length,
      lastLine: lastLine + main.length,
      body,
    })),
  ];
}

/** Link targets in document order, as many as fit into a row. */
function anchorList({ anchors, laterAnchors }: Pick<Extraction, 'anchors' | 'laterAnchors'>): StoredAnchors {
  const own = [...(anchors ?? [])].toSorted(([, a], [, b]) => a - b);
  const later = [...(laterAnchors?.pages ?? [])];
  const kept = fitting(own, ANCHORS_CHARS_MAX);
  const more = fitting(later, ANCHORS_CHARS_MAX - kept.chars);
  const isCut = kept.count < own.length || more.count < later.length || laterAnchors?.isWhole === false;
  const others = { pages: later.slice(0, more.count), isWhole: !isCut };
  return { anchors: own.slice(0, kept.count), later: later.length > 0 || isCut ? others : null };
}

function fitting(list: readonly [string, number][], charsMax: number): { count: number; chars: number } {
  let chars = 0;
  for (const [count, [name]] of list.entries()) {
    const more = name.length + ANCHOR_FRAME_CHARS;
    if (chars + more > charsMax) return { count, chars };
    chars += more;
  }
  return { count: list.length, chars };
}

/** Characters that JSON adds to a link target: brackets, quotes, commas and the line number. */
const ANCHOR_FRAME_CHARS = 12;

export function toDocument(row: typeof documents.$inferSelect): Document {
  const { id, title, lineCount, restStart, byteCount, outline, extractor, cuts } = row;
  return { id, title, lineCount, restStart, byteCount, outline, extractor, cuts };
}

async function describe(
  extraction: Extraction,
  { anchors, later }: StoredAnchors,
  owner: string | null,
): Promise<Document> {
  const text = extraction.lines.join('\n');
  const salt = owner === null ? 'public' : `private ${owner}`;
  const parts = [
    ...(extraction.restStart === undefined ? [] : [`rest from ${extraction.restStart}`]),
    ...(anchors.length === 0 ? [] : [JSON.stringify(anchors)]),
    ...(later === null ? [] : [JSON.stringify(later)]),
  ];
  return {
    id: await sha256Hex([salt, ...parts, extraction.extractor, extraction.title ?? '', text].join('\n')),
    title: extraction.title,
    lineCount: extraction.lines.length,
    restStart: extraction.restStart ?? null,
    byteCount: utf8Bytes(text),
    outline: extraction.outline ?? [],
    extractor: extraction.extractor,
    cuts: extraction.cuts,
  };
}

function inGroupsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

type Chunk = { firstLine: number; lastLine: number; body: string };

/**
 * Splits lines into chunks at line ends, each up to `targetBytes` UTF-8 bytes. A longer line gets its own chunk.
 * @throws {RangeError} if a single line exceeds `CHUNK_BYTES_MAX`: the local database would accept it, but production
 *   would not
 */
export function chunkLines(lines: readonly string[], targetBytes: number): Chunk[] {
  const chunks: Chunk[] = [];
  let first = 0;
  let size = 0;
  for (const [number, line] of lines.entries()) {
    const bytes = utf8Bytes(line) + 1;
    if (bytes > CHUNK_BYTES_MAX) throw new RangeError(`line ${number} has ${bytes} bytes`);
    if (number > first && size + bytes > targetBytes) {
      chunks.push(chunkOf(lines, first, number - 1));
      first = number;
      size = 0;
    }
    size += bytes;
  }
  if (lines.length > 0) chunks.push(chunkOf(lines, first, lines.length - 1));
  return chunks;
}

function chunkOf(lines: readonly string[], firstLine: number, lastLine: number): Chunk {
  return { firstLine, lastLine, body: lines.slice(firstLine, lastLine + 1).join('\n') };
}
