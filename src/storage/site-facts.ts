import { and, eq, gt, lte } from 'drizzle-orm';
import type { Db } from './db.ts';
import { siteFacts } from './schema.ts';

/** What origins say of themselves in llms.txt, kept for a day. */
export class SiteFactsRows {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  async get(origin: string, now: number): Promise<{ llmsTxt: string | null; markdownPages: string[] } | null> {
    const [row] = await this.#db
      .select()
      .from(siteFacts)
      .where(and(eq(siteFacts.origin, origin), gt(siteFacts.expiresAt, now)));
    return row === undefined ? null : { llmsTxt: row.llmsTxt, markdownPages: row.markdownPages };
  }

  async put(
    origin: string,
    facts: { llmsTxt: string | null; markdownPages: string[] },
    expiresAt: number,
  ): Promise<void> {
    const row = { origin, ...facts, expiresAt };
    await this.#db.insert(siteFacts).values(row).onConflictDoUpdate({ target: siteFacts.origin, set: row });
  }

  /** Drops what is out of date. */
  async purgeExpired(now: number): Promise<void> {
    await this.#db.delete(siteFacts).where(lte(siteFacts.expiresAt, now));
  }
}
