import { and, eq, gt, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { CHUNKS_PER_READ_MAX, INDEX_BATCH_BYTES_MAX } from '#storage/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import type { Db } from '#storage/db.ts';
import { sqlInList } from '#storage/db.ts';
import type { NewDocument } from '#storage/pages/documents.ts';
import { hashOwnerMark, PageWords } from './page-words.ts';
import { documentChunks, documents, INDEXING_STATE } from '#storage/schema.ts';

const INDEX_DOCUMENTS_PER_STEP = 100;

/** A condition on `documents` and `document_chunks`: only the main part is searched, not menus or comments. */
export const IS_IN_MAIN_PART = sql`(documents.rest_start IS NULL OR document_chunks.first_line < documents.rest_start)`;

/** Queues documents for indexing. @param which a condition on `documents` */
export function createQueueStatement(db: Db, which: SQL): BatchItem<'sqlite'> {
  return db
    .update(documents)
    .set({ indexed: INDEXING_STATE.due })
    .where(sql`${which} AND documents.indexed = ${INDEXING_STATE.no}`);
}

export function createUnindexStatements(db: Db, which: SQL): [BatchItem<'sqlite'>, BatchItem<'sqlite'>] {
  const unwanted = sql`${which} AND documents.indexed <> ${INDEXING_STATE.no}`;
  return [
    db.delete(searchWords).where(
      sql`rowid IN (SELECT document_chunks.id FROM document_chunks
        JOIN documents ON documents.id = document_chunks.document_id WHERE ${unwanted})`,
    ),
    db.update(documents).set({ indexed: INDEXING_STATE.no }).where(unwanted),
  ];
}

/**
 * Indexes queued documents, at least one, until `maxBytes` of text are done. Other requests can read and write in
 * between. A document is found once its last batch is written.
 *
 * @param which a condition on `documents`; without it, all documents
 * @returns false if no queued documents are left; true if `maxBytes` were reached, so that some may be left
 */
export async function indexQueuedDocuments(db: Db, maxBytes: number, which?: SQL): Promise<boolean> {
  let bytes = 0;
  let after = '';
  while (true) {
    const step = await db
      .select({ id: documents.id, title: documents.title, byteCount: documents.byteCount, owner: documents.owner })
      .from(documents)
      .where(and(eq(documents.indexed, INDEXING_STATE.due), gt(documents.id, after), which))
      .orderBy(documents.id)
      .limit(INDEX_DOCUMENTS_PER_STEP);
    const writer = new IndexWriter(db);
    for (const document of step) {
      if (bytes >= maxBytes) break;
      await indexDocument(db, document, writer);
      bytes += document.byteCount;
      after = document.id;
    }
    await writer.flush();
    if (bytes >= maxBytes) return true;
    if (step.length < INDEX_DOCUMENTS_PER_STEP) return false;
  }
}

/** Writes the row of the first chunk last, because it makes the document searchable. */
async function indexDocument(
  db: Db,
  document: { id: string; title: string | null; owner: string | null },
  to: IndexWriter,
): Promise<void> {
  const words = new PageWords(document.title, await hashOwnerMark(document.owner));
  const chunks = chunksOf(db, document.id);
  for await (const [{ id }, row] of wordsOfChunks(chunks, words)) await to.add(id, row);
  to.complete(document.id);
}

export async function createIndexStatements(
  db: Db,
  { document, chunks, owner }: NewDocument,
): Promise<[BatchItem<'sqlite'>, BatchItem<'sqlite'>, BatchItem<'sqlite'>]> {
  const words = new PageWords(document.title, await hashOwnerMark(owner));
  const rows: [line: number, words: string][] = [];
  const main = chunks.filter(({ firstLine }) => firstLine < (document.restStart ?? Infinity));
  for await (const [{ firstLine }, row] of wordsOfChunks(main, words)) rows.push([firstLine, row]);
  const numbered = sql`SELECT document_chunks.id AS id, row.value ->> 1 AS words
    FROM json_each(${JSON.stringify(rows)}) AS row
    JOIN document_chunks ON document_chunks.document_id = ${document.id} AND document_chunks.first_line = row.value ->> 0`;
  const due = sql`(${numbered}) AS numbered
    JOIN documents ON documents.id = ${document.id} AND documents.indexed = ${INDEXING_STATE.due}`;
  return writeRows(db, due, [document.id]);
}

/** Yields the first chunk last, because it has the words of the whole page. */
async function* wordsOfChunks<T extends { body: string }>(
  chunks: AsyncIterable<T> | Iterable<T>,
  words: PageWords,
): AsyncGenerator<[chunk: T, words: string]> {
  let first: [chunk: T, words: string] | null = null;
  let isLong = false;
  for await (const chunk of chunks) {
    const row = words.add(chunk.body);
    if (first === null) first = [chunk, row];
    else {
      isLong = true;
      yield [chunk, row];
    }
  }
  if (first !== null) yield [first[0], isLong ? `${words.ofPage()} ${first[1]}` : words.ofPage()];
}

async function* chunksOf(db: Db, documentId: string): AsyncGenerator<{ id: number; body: string }> {
  let after = -1;
  while (true) {
    const rows = await db
      .select({ id: documentChunks.id, firstLine: documentChunks.firstLine, body: documentChunks.body })
      .from(documentChunks)
      .innerJoin(documents, eq(documents.id, documentChunks.documentId))
      .where(and(eq(documents.id, documentId), IS_IN_MAIN_PART, gt(documentChunks.firstLine, after)))
      .orderBy(documentChunks.firstLine)
      .limit(CHUNKS_PER_READ_MAX);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNKS_PER_READ_MAX) return;
    after = last.firstLine;
  }
}

class IndexWriter {
  readonly #db: Db;
  #rows: [id: number, words: string][] = [];
  #complete: string[] = [];
  #bytes = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  async add(id: number, words: string): Promise<void> {
    if (this.#bytes >= INDEX_BATCH_BYTES_MAX) await this.flush();
    this.#rows.push([id, words]);
    this.#bytes += utf8Bytes(words);
  }

  /** Marks a document as indexed with the next flush. Must be called after the document's last row. */
  complete(documentId: string): void {
    this.#complete.push(documentId);
  }

  /** Writes the rows. Skips documents that have meanwhile been deleted, unindexed or indexed by another request. */
  async flush(): Promise<void> {
    if (this.#complete.length + this.#rows.length === 0) return;
    const rows = JSON.stringify(this.#rows);
    const complete = this.#complete;
    this.#rows = [];
    this.#complete = [];
    this.#bytes = 0;
    const numbered = sql`SELECT row.value ->> 0 AS id, row.value ->> 1 AS words FROM json_each(${rows}) AS row`;
    const due = sql`(${numbered}) AS numbered JOIN document_chunks AS chunk ON chunk.id = numbered.id
      JOIN documents ON documents.id = chunk.document_id AND documents.indexed = ${INDEXING_STATE.due}`;
    await this.#db.batch(writeRows(this.#db, due, complete));
  }
}

/**
 * Statements that write index rows.
 * @param due a table `numbered` with the `id` and the `words` of each chunk, of documents that are still queued
 * @param complete IDs of the documents without further rows
 */
function writeRows(
  db: Db,
  due: SQL,
  complete: readonly string[],
): [BatchItem<'sqlite'>, BatchItem<'sqlite'>, BatchItem<'sqlite'>] {
  return [
    // Removes rows that an interrupted attempt has written.
    db.delete(searchWords).where(sql`rowid IN (SELECT numbered.id FROM ${due})`),
    db.insert(searchWords).select(sql`SELECT numbered.id, numbered.words FROM ${due}`),
    db
      .update(documents)
      .set({ indexed: INDEXING_STATE.yes })
      .where(sql`indexed = ${INDEXING_STATE.due} AND id IN ${sqlInList(complete)}`),
  ];
}

/** The virtual table of `migrations/`, declared here for deleting rows. */
const searchWords = sqliteTable('search_words', { id: integer('rowid').notNull(), words: text('words').notNull() });
