import { eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { followFeeds } from './library/schema.ts';
import { idIn } from './pages/eviction.ts';
import type { TextMemory } from './pages/text-memory.ts';
import { accessTokens, citations, documents, people, snapshots } from './schema.ts';
import { unindexText } from './search/search-index.ts';

/** Documents that one transaction deletes: below the ceiling of its statements, whatever they hold. */
const ERASED_AT_ONCE = 50;

/** Deletes the rows of one person. What they follow goes before, with the rounds of it. Each may be asked for twice. */
export class RowEraser {
  readonly #db: Db;
  readonly #memory: TextMemory;

  constructor(db: Db, memory: TextMemory) {
    this.#db = db;
    this.#memory = memory;
  }

  /** Public links, quotes and feeds; then the private documents, which no citation holds any more. */
  async things(subject: string): Promise<void> {
    const db = this.#db;
    await db.batch([
      db.delete(citations).where(eq(citations.subject, subject)),
      db.delete(followFeeds).where(eq(followFeeds.subject, subject)),
    ]);
    for (let ids = await this.#documents(subject); ids.length > 0; ids = await this.#documents(subject)) {
      const which = idIn(ids);
      await db.batch([
        ...unindexText(db, which),
        db.delete(snapshots).where(sql`snapshots.document_id IN (SELECT documents.id FROM documents WHERE ${which})`),
        // Its text and anchors go with it.
        db.delete(documents).where(which),
      ]);
      this.#memory.drop(ids);
    }
  }

  async tokens(subject: string): Promise<void> {
    await this.#db.delete(accessTokens).where(eq(accessTokens.subject, subject));
  }

  /** Last: until then the owner sees that somebody is there. */
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
