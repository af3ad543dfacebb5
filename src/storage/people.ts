import { eq, lte, and, count, desc, isNull, or, sql } from 'drizzle-orm';
import { HOUR_MS } from '#core/limits.ts';
import { AdmissionStore } from './admissions.ts';
import type { Db } from './db.ts';
import { endedSignIns, people, accessTokens } from './schema.ts';

/** Minimum interval between two writes of a user's `lastSeenAt`. */
const SEEN_EVERY_MS = HOUR_MS;

/** A user who has signed in. Times in ms. */
export type KnownPerson = typeof people.$inferSelect;

export class PeopleStore {
  readonly admissions: AdmissionStore;
  readonly #db: Db;
  /** Recently seen subjects, each with the time (ms) until which `lastSeenAt` needs no write. */
  readonly #met = new Map<string, number>();

  constructor(db: Db) {
    this.#db = db;
    this.admissions = new AdmissionStore(db);
  }

  async signedIn(subject: string, account: unknown): Promise<void> {
    const lastSeenAt = Date.now();
    await this.#db
      .insert(people)
      .values({ subject, account, lastSeenAt })
      .onConflictDoUpdate({ target: people.subject, set: { account, lastSeenAt } });
    // The user is back, so a deletion that is still running must not remove new data.
    await this.admissions.endErasing(subject);
  }

  /**
   * Records that a person used the server, at most once an hour. This write adds the person if their record was
   * deleted.
   */
  async met(subject: string, account: unknown): Promise<void> {
    const lastSeenAt = Date.now();
    if ((this.#met.get(subject) ?? 0) > lastSeenAt) return;
    await this.#db
      .insert(people)
      .values({ subject, account, lastSeenAt })
      .onConflictDoUpdate({
        target: people.subject,
        set: { lastSeenAt },
        setWhere: lte(people.lastSeenAt, lastSeenAt - SEEN_EVERY_MS),
      });
    if (this.#met.size >= MET_REMEMBERED_MAX) this.#met.clear();
    this.#met.set(subject, lastSeenAt + SEEN_EVERY_MS);
  }

  /** Users, the most recently seen first. @param from number of users to skip */
  list(from: number, limit: number): Promise<KnownPerson[]> {
    const bySight = [desc(people.lastSeenAt), people.subject];
    return this.#db
      .select()
      .from(people)
      .orderBy(...bySight)
      .limit(limit)
      .offset(from);
  }

  async find(subject: string): Promise<KnownPerson | null> {
    const [row] = await this.#db.select().from(people).where(eq(people.subject, subject));
    return row ?? null;
  }

  /**
   * Ends a sign-in before its cookie expires. The row stays until the cookie would have expired.
   * @param id SHA-256 of the cookie, in hex
   */
  async endSignIn(id: string, endsAt: number, now: number): Promise<void> {
    await this.#db.delete(endedSignIns).where(lte(endedSignIns.endsAt, now));
    await this.#db.insert(endedSignIns).values({ id, endsAt }).onConflictDoNothing({ target: endedSignIns.id });
  }

  /**
   * Reads, in one statement, the data that every page needs: whether the sign-in has ended, and the user's time zone.
   */
  async standing(signIn: string, subject: string): Promise<{ isEnded: boolean; zone: string | null }> {
    const zone = this.#db.select({ zone: people.zone }).from(people).where(eq(people.subject, subject));
    const [row] = await this.#db
      .select({ ended: count(), zone: sql<string | null>`(${zone})` })
      .from(endedSignIns)
      .where(eq(endedSignIns.id, signIn));
    return { isEnded: (row?.ended ?? 0) > 0, zone: row?.zone ?? null };
  }

  /** @param zone `null` for UTC */
  async setZone(subject: string, zone: string | null): Promise<void> {
    await this.#db.update(people).set({ zone }).where(eq(people.subject, subject));
  }
}

/** Maximum remembered subjects per isolate. Servers have far fewer users. */
const MET_REMEMBERED_MAX = 1_000;

/** A stored token, as its SHA-256. A fast hash is enough for 256 random bits. Times in ms. */
export type StoredAccessToken = typeof accessTokens.$inferSelect;

export class AccessTokenStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

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
    // A conflict is ignored, because a call may be repeated after a lost response.
    await this.#db.insert(accessTokens).values(token).onConflictDoNothing({ target: accessTokens.id });
  }

  async find(hash: string): Promise<StoredAccessToken | null> {
    const [row] = await this.#db.select().from(accessTokens).where(eq(accessTokens.hash, hash));
    return row ?? null;
  }

  /** @returns false if the user has no token with this ID */
  async revoke(subject: string, id: string): Promise<boolean> {
    const own = and(eq(accessTokens.id, id), eq(accessTokens.subject, subject));
    // Read before the deletion, because a deletion that is repeated after a lost response finds no token.
    const [found] = await this.#db.select({ id: accessTokens.id }).from(accessTokens).where(own);
    if (found !== undefined) await this.#db.delete(accessTokens).where(own);
    return found !== undefined;
  }

  async used(id: string, at: number, unlessAfter: number): Promise<void> {
    const isDue = or(isNull(accessTokens.lastUsedAt), lte(accessTokens.lastUsedAt, unlessAfter));
    await this.#db
      .update(accessTokens)
      .set({ lastUsedAt: at })
      .where(and(eq(accessTokens.id, id), isDue));
  }

  /** @returns number of deleted tokens */
  async purgeExpired(before: number): Promise<number> {
    const { meta } = await this.#db.delete(accessTokens).where(lte(accessTokens.expiresAt, before));
    return meta.changes;
  }
}
