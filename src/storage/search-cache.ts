import { and, eq, gt, lte } from 'drizzle-orm';
import type { Db } from './db.ts';
import { searchCache } from './schema.ts';

/** Answers of search providers, by the hash of what was asked of whom. Bodies are opaque here. Times are in ms. */
export class SearchCache {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** `null` when there is none that still holds at `now`. */
  async get(key: string, now: number): Promise<string | null> {
    const [row] = await this.#db
      .select({ body: searchCache.body })
      .from(searchCache)
      .where(and(eq(searchCache.key, key), gt(searchCache.expiresAt, now)));
    return row?.body ?? null;
  }

  async put(key: string, body: string, expiresAt: number): Promise<void> {
    const row = { key, body, expiresAt };
    await this.#db.insert(searchCache).values(row).onConflictDoUpdate({ target: searchCache.key, set: row });
  }

  /** Drops what no longer holds at `now`. */
  async purgeExpired(now: number): Promise<void> {
    await this.#db.delete(searchCache).where(lte(searchCache.expiresAt, now));
  }
}
