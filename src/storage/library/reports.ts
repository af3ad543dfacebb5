import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Db } from '#storage/db.ts';
import { people } from '#storage/schema.ts';
import type { ListedChange } from './changes.ts';
import { isFoundTwice, LISTED_CHANGE_COLUMNS } from './changes.ts';
import { changeReports, followChanges, follows } from './schema.ts';

/** A user's webhook for changes. Times in ms. */
export type ChangeReport = typeof changeReports.$inferSelect;

export class ReportStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * The user's webhook, with the user's account at the last sign-in (`null` if the user is unknown); `null` if there is
   * none.
   */
  async find(subject: string): Promise<(ChangeReport & { account: unknown }) | null> {
    const [row] = await this.#db
      .select({ report: changeReports, account: people.account })
      .from(changeReports)
      .leftJoin(people, eq(people.subject, changeReports.subject))
      .where(eq(changeReports.subject, subject));
    return row === undefined ? null : { ...row.report, account: row.account };
  }

  /** Replaces the user's webhook. Rounds that have already ended are not reported to it. */
  async save(report: Pick<ChangeReport, 'subject' | 'target' | 'every' | 'createdAt'>): Promise<void> {
    const { subject, createdAt } = report;
    const fresh = { ...report, nextAt: createdAt, failures: 0, outcome: null, sentAt: null };
    await this.#db.batch([
      this.#db.insert(changeReports).values(fresh).onConflictDoUpdate({ target: changeReports.subject, set: fresh }),
      this.#db.update(follows).set({ reportedRound: ENDED_ROUND }).where(eq(follows.subject, subject)),
    ]);
  }

  async remove(subject: string): Promise<void> {
    await this.#db.delete(changeReports).where(eq(changeReports.subject, subject));
  }

  async due(now: number, limit: number): Promise<string[]> {
    const rows = await this.#db
      .select({ subject: changeReports.subject })
      .from(changeReports)
      .where(lte(changeReports.nextAt, now))
      .orderBy(asc(changeReports.nextAt))
      .limit(limit);
    return rows.map(({ subject }) => subject);
  }

  /** Changes of ended rounds that are not reported, each round's together. */
  pending(subject: string, limit: number): Promise<PendingChange[]> {
    const isPending = sql`${followChanges.round} > ${follows.reportedRound} AND ${followChanges.round} <= ${ENDED_ROUND}`;
    return this.#db
      .select({ ...LISTED_CHANGE_COLUMNS, ...DOCUMENTS, isReported: IS_REPORTED })
      .from(followChanges)
      .innerJoin(follows, eq(follows.id, followChanges.follow))
      .where(and(eq(follows.subject, subject), isPending))
      .orderBy(asc(followChanges.follow), asc(followChanges.round), asc(followChanges.key))
      .limit(limit);
  }

  /** Reserves the user's changes for one sender until a time in ms. @returns false if they are not due */
  async claim(subject: string, now: number, until: number): Promise<boolean> {
    const isDue = and(eq(changeReports.subject, subject), lte(changeReports.nextAt, now));
    const { meta } = await this.#db.update(changeReports).set({ nextAt: until }).where(isDue);
    return meta.changes > 0;
  }

  async reported(follow: string, round: number): Promise<void> {
    const reportedRound = sql`max(reported_round, ${round})`;
    await this.#db.update(follows).set({ reportedRound }).where(eq(follows.id, follow));
  }

  async noted(subject: string, note: Pick<ChangeReport, 'outcome' | 'failures' | 'nextAt' | 'sentAt'>): Promise<void> {
    const { outcome, failures, nextAt, sentAt } = note;
    const set = { outcome, failures, nextAt, sentAt };
    await this.#db.update(changeReports).set(set).where(eq(changeReports.subject, subject));
  }
}

/**
 * A change to report. `before` and `after`: IDs of its documents. `isReported`: true if another follow of the user found
 * and reported the same change.
 */
export type PendingChange = ListedChange & { before: string | null; after: string | null; isReported: boolean };

const DOCUMENTS = { before: followChanges.before, after: followChanges.after };
const IS_REPORTED = isFoundTwice(sql`other.round <= other_follow.reported_round`).mapWith(Boolean);

const ENDED_ROUND = sql<number>`CASE WHEN follows.run IS NULL THEN follows.round ELSE follows.round - 1 END`;
