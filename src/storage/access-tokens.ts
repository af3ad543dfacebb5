import { and, count, desc, eq, isNull, lte, or } from 'drizzle-orm';
import type { Db } from './db.ts';
import { accessTokens } from './schema.ts';

/**
 * A token as it is stored; times in ms. The token itself is not: only its SHA-256. It has 256 random bits, so nobody can
 * guess it, and a fast hash is enough.
 */
export type StoredAccessToken = typeof accessTokens.$inferSelect;

/** Access tokens by their hash. What they are good for is decided elsewhere. */
export class AccessTokenRows {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** Those of a subject, newest first. */
  list(subject: string): Promise<StoredAccessToken[]> {
    const newest = [desc(accessTokens.createdAt), desc(accessTokens.id)];
    return this.#db
      .select()
      .from(accessTokens)
      .where(eq(accessTokens.subject, subject))
      .orderBy(...newest);
  }

  async count(subject: string): Promise<number> {
    const [row] = await this.#db.select({ n: count() }).from(accessTokens).where(eq(accessTokens.subject, subject));
    return row?.n ?? 0;
  }

  async add(token: Omit<StoredAccessToken, 'lastUsedAt'>): Promise<void> {
    // The same token again is the same try again, whose answer was lost.
    await this.#db.insert(accessTokens).values(token).onConflictDoNothing({ target: accessTokens.id });
  }

  async find(hash: string): Promise<StoredAccessToken | null> {
    const [row] = await this.#db.select().from(accessTokens).where(eq(accessTokens.hash, hash));
    return row ?? null;
  }

  /** Ends one of a subject's own. @returns whether there was one */
  async revoke(subject: string, id: string): Promise<boolean> {
    const own = and(eq(accessTokens.id, id), eq(accessTokens.subject, subject));
    // Asked before: one who deletes again, as the answer was lost, finds nothing.
    const [found] = await this.#db.select({ id: accessTokens.id }).from(accessTokens).where(own);
    if (found !== undefined) await this.#db.delete(accessTokens).where(own);
    return found !== undefined;
  }

  /** Writes down a use, unless one was written down after `unlessAfter`. */
  async used(id: string, at: number, unlessAfter: number): Promise<void> {
    const isDue = or(isNull(accessTokens.lastUsedAt), lte(accessTokens.lastUsedAt, unlessAfter));
    await this.#db
      .update(accessTokens)
      .set({ lastUsedAt: at })
      .where(and(eq(accessTokens.id, id), isDue));
  }

  /** Drops those that ended before `before`. @returns how many */
  async purgeExpired(before: number): Promise<number> {
    const { meta } = await this.#db.delete(accessTokens).where(lte(accessTokens.expiresAt, before));
    return meta.changes;
  }
}
