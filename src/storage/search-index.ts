import { and, eq, gt, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { CHUNKS_PER_READ, INDEX_BATCH_BYTES_MAX, INDEX_DOCUMENTS_PER_STEP } from '#core/limits.ts';
import { utf8Bytes } from '#core/text.ts';
import type { Db } from './db.ts';
import { ownerMark, PageWords } from './page-words.ts';
import { documentChunks, documents, INDEXED } from './schema.ts';

/**
 * What writes the full-text index. A row of it holds words and has the number of the chunk they stand in; the words of
 * the whole page stand in the row of its first chunk. A row goes by its number alone, in the batch in which the text goes.
 */

/** The documents that a subject may find: the one place that says so. A condition on `documents`. */
export function searchableBy(subject: string | null): SQL {
  return sql`(documents.owner IS NULL OR documents.owner = ${subject})`;
}

/** Of such a document, its main part is searched: what stands beside it says nothing of the page. A condition on both tables. */
export const IN_MAIN_PART = sql`(documents.rest_start IS NULL OR document_chunks.first_line < documents.rest_start)`;

/** Notes that the documents are to be indexed. `which` is a condition on `documents`. */
export function noteDue(db: Db, which: SQL): BatchItem<'sqlite'> {
  return db
    .update(documents)
    .set({ indexed: INDEXED.due })
    .where(sql`${which} AND documents.indexed = ${INDEXED.no}`);
}

/** Takes documents out of the index, or out of what is due. */
export function unindexText(db: Db, which: SQL): [BatchItem<'sqlite'>, BatchItem<'sqlite'>] {
  const unwanted = sql`${which} AND documents.indexed <> ${INDEXED.no}`;
  return [
    db.delete(searchWords).where(
      sql`rowid IN (SELECT document_chunks.id FROM document_chunks
        JOIN documents ON documents.id = document_chunks.document_id WHERE ${unwanted})`,
    ),
    db.update(documents).set({ indexed: INDEXED.no }).where(unwanted),
  ];
}

/**
 * Indexes documents that are due, until `maxBytes` of text are done; at least one. Others can read and write in between:
 * a document can be found when its last batch is in.
 *
 * @param which a condition on `documents`; all of them without it
 * @returns whether any is left
 */
export async function indexDue(db: Db, maxBytes: number, which?: SQL): Promise<boolean> {
  let bytes = 0;
  let after = '';
  while (true) {
    const step = await db
      .select({ id: documents.id, title: documents.title, byteCount: documents.byteCount, owner: documents.owner })
      .from(documents)
      .where(and(eq(documents.indexed, INDEXED.due), gt(documents.id, after), which))
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

/** The row of the first passage comes last: with it the document can be found. */
async function indexDocument(
  db: Db,
  document: { id: string; title: string | null; owner: string | null },
  to: IndexWriter,
): Promise<void> {
  const words = new PageWords(document.title, await ownerMark(document.owner));
  let first: { id: number; words: string } | null = null;
  let isLong = false;
  for await (const chunk of chunksOf(db, document.id)) {
    const passage = words.add(chunk.body);
    if (first === null) {
      first = { id: chunk.id, words: passage };
      continue;
    }
    isLong = true;
    await to.add(chunk.id, passage);
  }
  if (first !== null) await to.add(first.id, isLong ? `${words.ofPage()} ${first.words}` : words.ofPage());
  to.complete(document.id);
}

async function* chunksOf(db: Db, documentId: string): AsyncGenerator<{ id: number; body: string }> {
  let after = -1;
  while (true) {
    const rows = await db
      .select({ id: documentChunks.id, firstLine: documentChunks.firstLine, body: documentChunks.body })
      .from(documentChunks)
      .innerJoin(documents, eq(documents.id, documentChunks.documentId))
      .where(and(eq(documents.id, documentId), IN_MAIN_PART, gt(documentChunks.firstLine, after)))
      .orderBy(documentChunks.firstLine)
      .limit(CHUNKS_PER_READ);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNKS_PER_READ) return;
    after = last.firstLine;
  }
}

/** Collects rows and writes them a batch at a time. */
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

  /** The document has no further rows. */
  complete(documentId: string): void {
    this.#complete.push(documentId);
  }

  /** What was dropped, taken out or indexed by somebody else in the meantime is left alone. */
  async flush(): Promise<void> {
    if (this.#complete.length + this.#rows.length === 0) return;
    const rows = JSON.stringify(this.#rows);
    const complete = JSON.stringify(this.#complete);
    this.#rows = [];
    this.#complete = [];
    this.#bytes = 0;
    const db = this.#db;
    const numbers = sql`SELECT value ->> 0 FROM json_each(${rows})`;
    await db.batch([
      // Rows that an attempt which broke off has left.
      db.delete(searchWords).where(sql`rowid IN (${numbers})`),
      db.insert(searchWords).select(sql`
        SELECT row.value ->> 0, row.value ->> 1 FROM json_each(${rows}) AS row
        JOIN document_chunks ON document_chunks.id = row.value ->> 0
        JOIN documents ON documents.id = document_chunks.document_id AND documents.indexed = ${INDEXED.due}`),
      db
        .update(documents)
        .set({ indexed: INDEXED.yes })
        .where(sql`indexed = ${INDEXED.due} AND id IN (SELECT value FROM json_each(${complete}))`),
    ]);
  }
}

/** The virtual table of `migrations/`, as rows are taken out of it. */
const searchWords = sqliteTable('search_words', { id: integer('rowid').notNull(), words: text('words').notNull() });
