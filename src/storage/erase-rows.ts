import { eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { changeReports, followFeeds } from './library/schema.ts';
import { hasDocumentId } from '#storage/pages/purge.ts';
import type { DocumentTextCache } from './pages/text-memory.ts';
import { accessTokens, citations, documents, people, siteRules, snapshots } from './schema.ts';
import { createUnindexStatements } from './search/search-index.ts';

/**
 * Maximum documents deleted in one transaction. Even if all of them are large, the transaction stays below D1's limits.
 */
const ERASED_AT_ONCE = 50;

/** Deletes the rows of one user. The user's followed pages must be deleted first. Every method is idempotent. */
export class RowEraser {
  readonly #db: Db;
  readonly #memory: DocumentTextCache;

  constructor(db: Db, memory: DocumentTextCache) {
    this.#db = db;
    this.#memory = memory;
  }

  async things(subject: string): Promise<void> {
    const db = this.#db;
    await db.batch([
      db.delete(citations).where(eq(citations.subject, subject)),
      db.delete(followFeeds).where(eq(followFeeds.subject, subject)),
      db.delete(changeReports).where(eq(changeReports.subject, subject)),
      db.delete(siteRules).where(eq(siteRules.subject, subject)),
    ]);
    for (let ids = await this.#documents(subject); ids.length > 0; ids = await this.#documents(subject)) {
      const which = hasDocumentId(ids);
      await db.batch([
        ...createUnindexStatements(db, which),
        db.delete(snapshots).where(sql`snapshots.document_id IN (SELECT documents.id FROM documents WHERE ${which})`),
        // The chunks and link targets of the documents are deleted with them (`cascade`).
        db.delete(documents).where(which),
      ]);
      this.#memory.drop(ids);
    }
  }

  async tokens(subject: string): Promise<void> {
    await this.#db.delete(accessTokens).where(eq(accessTokens.subject, subject));
  }

  /** Deletes the user's record. Called last, so that the owner sees the user until the deletion is complete. */
  async person(subject: string): Promise<void> {
    await this.#db.delete(people).where(eq(people.subject, subject));
  }

  async #documents(subject: string): Promise<string[]> {
    const rows = await this.#db
      .select({ id: documents.id })
      .from(documents)
      .where(eq(documents.owner, subject))
      .limit(ERASED_AT_ONCE);
    return rows.map(({ id }) => id);
  }
}
