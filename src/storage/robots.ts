import { eq, lte } from 'drizzle-orm';
import type { Db } from './db.ts';
import { robots } from './schema.ts';

export type StoredRobots = { outcome: 'rules' | 'open' | 'closed'; body: Uint8Array; expiresAt: number };

/** robots.txt by origin, kept between requests. */
export class RobotsRows {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  async get(origin: string): Promise<StoredRobots | null> {
    const [row] = await this.#db.select().from(robots).where(eq(robots.origin, origin));
    if (row === undefined) return null;
    return { outcome: row.outcome, body: new Uint8Array(row.body), expiresAt: row.expiresAt };
  }

  async put(origin: string, entry: StoredRobots): Promise<void> {
    const row = { origin, ...entry };
    await this.#db.insert(robots).values(row).onConflictDoUpdate({ target: robots.origin, set: row });
  }

  /** Drops what is out of date. @returns how many */
  async purgeExpired(now: number): Promise<number> {
    const { meta } = await this.#db.delete(robots).where(lte(robots.expiresAt, now));
    return meta.changes;
  }
}
