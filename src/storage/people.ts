import { eq, lte } from 'drizzle-orm';
import type { Db } from './db.ts';
import { endedSignIns, people } from './schema.ts';

/**
 * Who uses this server, and which of their sign-ins have ended. What an account may do is decided elsewhere, whenever it
 * is asked about.
 */
export class PersonRows {
  readonly #db: Db;
  /** Those that are known to be stored. */
  readonly #met = new Set<string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Keeps how a person has just signed in. */
  async signedIn(subject: string, account: unknown): Promise<void> {
    await this.#db
      .insert(people)
      .values({ subject, account })
      .onConflictDoUpdate({ target: people.subject, set: { account } });
  }

  /** Keeps somebody of whom nothing is known yet: they signed in with a version that kept nothing. */
  async met(subject: string, account: unknown): Promise<void> {
    if (this.#met.has(subject)) return;
    await this.#db.insert(people).values({ subject, account }).onConflictDoNothing({ target: people.subject });
    if (this.#met.size >= MET_REMEMBERED_MAX) this.#met.clear();
    this.#met.add(subject);
  }

  /**
   * Ends a sign-in before its cookie does. There is one row for each, until no such cookie is valid any more.
   * @param id SHA-256 of the cookie, in hex
   */
  async endSignIn(id: string, endsAt: number, now: number): Promise<void> {
    await this.#db.delete(endedSignIns).where(lte(endedSignIns.endsAt, now));
    await this.#db.insert(endedSignIns).values({ id, endsAt }).onConflictDoNothing({ target: endedSignIns.id });
  }

  async isEnded(id: string): Promise<boolean> {
    const [row] = await this.#db.select({ id: endedSignIns.id }).from(endedSignIns).where(eq(endedSignIns.id, id));
    return row !== undefined;
  }
}

/** In one isolate: far more than a server has people. */
const MET_REMEMBERED_MAX = 1_000;
