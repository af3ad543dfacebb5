import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Db } from './db.ts';
import { documents } from './schema.ts';

/**
 * Statements that write the full-text index. It keeps no text of its own: a row must be taken out with the very text it
 * was put in with, so it goes before the chunks do, in the same batch. `which` is a condition on `documents`.
 */

/** Of all text, the main part of each document is searched: what stands beside it says nothing of the page. */
const IN_MAIN_PART = sql`(documents.rest_start IS NULL OR document_chunks.first_line < documents.rest_start)`;

type Statements = [BatchItem<'sqlite'>, BatchItem<'sqlite'>];

/** Adds the public documents that are not in the index yet. */
export function indexText(db: Db, which: SQL): Statements {
  const wanted = sql`${which} AND documents.indexed = 0 AND documents.owner IS NULL`;
  return [
    db.insert(searchIndex).select(sql`
      SELECT document_chunks.id, documents.title, document_chunks.body
      FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id WHERE ${wanted} AND ${IN_MAIN_PART}`),
    db.update(documents).set({ indexed: 1 }).where(wanted),
  ];
}

/** Takes documents out of the index. */
export function unindexText(db: Db, which: SQL): Statements {
  const unwanted = sql`${which} AND documents.indexed = 1`;
  return [
    db.insert(searchIndexCommand).select(sql`
      SELECT 'delete', document_chunks.id, documents.title, document_chunks.body
      FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id WHERE ${unwanted} AND ${IN_MAIN_PART}`),
    db.update(documents).set({ indexed: 0 }).where(unwanted),
  ];
}

/** The virtual table of `migrations/`, as rows are added to it, and as its `delete` command is given. */
const searchIndex = sqliteTable('search_index', {
  id: integer('rowid').notNull(),
  title: text('title'),
  body: text('body').notNull(),
});
const searchIndexCommand = sqliteTable('search_index', {
  command: text('search_index').notNull(),
  id: integer('rowid').notNull(),
  title: text('title'),
  body: text('body').notNull(),
});
