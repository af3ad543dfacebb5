import { and, count, desc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { sha256Hex } from '#core/text/text.ts';
import { DAY_MS, SECOND_MS } from '#core/limits.ts';
import type { Db } from './db.ts';
import { admissions, invitations } from './schema.ts';

/**
 * Maximum age of an isolate's cached decisions about users. After this time, a refused user is locked out everywhere,
 * unless the database fails.
 */
const ADMISSIONS_FRESH_MS = 5 * SECOND_MS;
/** Time for which `endedAt` is stored: longer than any unused sign-in or connection lasts. */
const ENDED_KEPT_MS = 100 * DAY_MS;
/** Maximum open invitations. An owner creates fewer by hand. */
const INVITATIONS_MAX = 100;

type Verdict = 'allowed' | 'refused';

/** The owner's decision about one user. Sign-ins, grants and tokens issued before `endedAt` are invalid. */
export type Admission = { verdict: Verdict | null; endedAt: number };

/** A user about whom the owner has decided. Times in ms. */
export type DecidedPerson = typeof admissions.$inferSelect;
export type Invitation = typeof invitations.$inferSelect;

type Known = { until: number; byId: ReadonlyMap<string, Admission> };

/** Cached decisions about users, by database client. The requests of an isolate share them. */
const known = new WeakMap<Db, Known>();
const UNDECIDED: Admission = { verdict: null, endedAt: 0 };

/** ID of a user in this table: a hash, so that the table does not reveal the subject. */
export function admissionId(subject: string): Promise<string> {
  return sha256Hex(`admission\n${subject}`);
}

/**
 * The owner's decisions about users. Calls read them from a list in memory that is at most a few seconds old, or older
 * while the database fails. Most calls therefore need no database query.
 */
export class AdmissionStore {
  readonly #db: Db;
  readonly #now: () => number;

  constructor(db: Db, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  async of(subject: string): Promise<Admission> {
    const { byId } = await this.#known();
    return byId.get(await admissionId(subject)) ?? UNDECIDED;
  }

  /** Reads all decisions, or uses the cached list while it is fresh or the database fails. */
  async #known(): Promise<Known> {
    const now = this.#now();
    const before = known.get(this.#db);
    if (before !== undefined && before.until > now) return before;
    try {
      const rows = await this.#db
        .select({ id: admissions.id, verdict: admissions.verdict, endedAt: admissions.endedAt })
        .from(admissions);
      const read = {
        until: now + ADMISSIONS_FRESH_MS,
        byId: new Map(rows.map(({ id, ...admission }) => [id, admission])),
      };
      known.set(this.#db, read);
      return read;
    } catch (error) {
      if (before === undefined) throw error;
      return before;
    }
  }

  /**
   * The latest {@link DECIDED_SHOWN_MAX} users with a decision, latest first. `account` is `null` for users whose data
   * was deleted.
   */
  decided(): Promise<DecidedPerson[]> {
    return this.#db
      .select()
      .from(admissions)
      .where(isNotNull(admissions.verdict))
      .orderBy(desc(admissions.decidedAt), admissions.id)
      .limit(DECIDED_SHOWN_MAX);
  }

  async allow(subject: string, account: unknown, note: string): Promise<void> {
    await this.#decide(subject, { verdict: 'allowed', account, note, decidedAt: this.#now() });
  }

  /** Refuses a user, even one in `ALLOWED_USERS`, and ends their access. */
  async refuse(subject: string, account: unknown): Promise<void> {
    const now = this.#now();
    await this.#decide(subject, { verdict: 'refused', account, decidedAt: now, endedAt: now + 1 });
  }

  /** Ends a user's sign-ins, grants and tokens. */
  async end(subject: string): Promise<void> {
    await this.#decide(subject, { endedAt: this.#now() + 1 });
  }

  /**
   * Revokes a refusal. Access that was ended stays ended.
   * @param id from {@link decided}
   * @param verdict `allowed` for a user whom `ALLOWED_USERS` does not name; `null` lets `ALLOWED_USERS` decide
   */
  async revokeRefusal(id: string, verdict: 'allowed' | null): Promise<boolean> {
    const decidedAt = this.#now();
    const set = verdict === null ? { verdict, account: null, note: null, decidedAt } : { verdict, decidedAt };
    const isRefused = and(eq(admissions.id, id), eq(admissions.verdict, 'refused'));
    const { meta } = await this.#db.update(admissions).set(set).where(isRefused);
    this.#forget();
    return meta.changes > 0;
  }

  async #decide(subject: string, change: Partial<typeof admissions.$inferInsert>): Promise<void> {
    const id = await admissionId(subject);
    await this.#db
      .insert(admissions)
      .values({ id, decidedAt: this.#now(), ...change })
      .onConflictDoUpdate({ target: admissions.id, set: change });
    this.#forget();
  }

  #forget(): void {
    known.delete(this.#db);
  }

  /** Records the deletion of a user's data. A refusal remains, without the user's name; an acceptance is removed. */
  async beginErasing(subject: string): Promise<void> {
    const now = this.#now();
    const verdict = sql<Verdict | null>`CASE WHEN ${admissions.verdict} = 'refused' THEN ${admissions.verdict} END`;
    const set = { account: null, note: null, endedAt: now + 1, erasing: subject, erasingSince: now };
    await this.#db
      .insert(admissions)
      .values({ id: await admissionId(subject), decidedAt: now, ...set })
      .onConflictDoUpdate({ target: admissions.id, set: { ...set, verdict } });
    this.#forget();
  }

  /**
   * Users whose deletion began before `before` (ms). Calls may have written data since then, which must also be
   * deleted.
   */
  async erasing(before: number): Promise<string[]> {
    const rows = await this.#db
      .select({ subject: admissions.erasing })
      .from(admissions)
      .where(and(isNotNull(admissions.erasing), lte(admissions.erasingSince, before)));
    return rows.flatMap(({ subject }) => subject ?? []);
  }

  async endErasing(subject: string): Promise<void> {
    await this.#db.update(admissions).set({ erasing: null, erasingSince: null }).where(eq(admissions.erasing, subject));
  }

  /**
   * Adds an invitation. Its `id` is the SHA-256 of the link's token, in hex.
   * @returns false if there are too many open invitations
   */
  async invite(invitation: Invitation): Promise<boolean> {
    const [row] = await this.#db.select({ n: count() }).from(invitations).where(gt(invitations.expiresAt, this.#now()));
    if ((row?.n ?? 0) >= INVITATIONS_MAX) return false;
    await this.#db.insert(invitations).values(invitation).onConflictDoNothing();
    return true;
  }

  invitations(): Promise<Invitation[]> {
    return this.#db
      .select()
      .from(invitations)
      .where(gt(invitations.expiresAt, this.#now()))
      .orderBy(desc(invitations.createdAt), invitations.id);
  }

  async invitation(id: string): Promise<Invitation | null> {
    const open = and(eq(invitations.id, id), gt(invitations.expiresAt, this.#now()));
    const [row] = await this.#db.select().from(invitations).where(open);
    return row ?? null;
  }

  /**
   * Admits a user by an open invitation and uses it up. Does not admit a refused user.
   * @returns true if the user is admitted now, by this call or before, such as after a lost response
   */
  async accept(invitationId: string, subject: string, account: unknown): Promise<boolean> {
    const id = await admissionId(subject);
    const now = this.#now();
    const open = sql`invitations.id = ${invitationId} AND invitations.expires_at > ${now}`;
    const isAllowed = sql`EXISTS (SELECT 1 FROM admissions WHERE admissions.id = ${id} AND admissions.verdict = 'allowed')`;
    // `INSERT … SELECT` needs all columns in the order of the table.
    const allowed = sql`SELECT ${id}, 'allowed', ${JSON.stringify(account)}, note, 0, ${now}, NULL, NULL
      FROM invitations WHERE ${open}`;
    const set = {
      verdict: sql`excluded.verdict`,
      account: sql`excluded.account`,
      note: sql`excluded.note`,
      decidedAt: sql`excluded.decided_at`,
    };
    const [, , [row]] = await this.#db.batch([
      this.#db
        .insert(admissions)
        .select(allowed)
        .onConflictDoUpdate({ target: admissions.id, set, setWhere: sql`${admissions.verdict} IS NOT 'refused'` }),
      this.#db.delete(invitations).where(sql`${open} AND ${isAllowed}`),
      this.#db.select({ verdict: admissions.verdict }).from(admissions).where(eq(admissions.id, id)),
    ]);
    this.#forget();
    return row?.verdict === 'allowed';
  }

  /** @returns false if there was no invitation with this ID */
  async withdraw(id: string): Promise<boolean> {
    const { meta } = await this.#db.delete(invitations).where(eq(invitations.id, id));
    return meta.changes > 0;
  }

  async withdrawAllOf(subject: string): Promise<void> {
    await this.#db.delete(invitations).where(eq(invitations.subject, subject));
  }

  async purgeExpired(): Promise<void> {
    const now = this.#now();
    const isOver = and(
      isNull(admissions.verdict),
      isNull(admissions.erasing),
      lte(admissions.endedAt, now - ENDED_KEPT_MS),
    );
    await this.#db.batch([
      this.#db.delete(invitations).where(lte(invitations.expiresAt, now)),
      this.#db.delete(admissions).where(isOver),
    ]);
  }
}

/** Maximum users with a decision that are listed on the owner's page. Only the latest are listed if there are more. */
const DECIDED_SHOWN_MAX = 1_000;
