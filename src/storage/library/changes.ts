import { and, asc, desc, eq, getTableColumns, gt, lt, not, sql, lte } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '#storage/db.ts';
import { people } from '#storage/schema.ts';
import { followChanges, followFeeds, follows, changeReports } from './schema.ts';
import type { ChangedBlock } from './schema.ts';

/** A change of a followed page. `library`: the URL that the user follows (the page, or its site). Times in ms. */
export type FollowedChange = typeof followChanges.$inferSelect & { library: string };

/**
 * A change without its text, for lists. `blocks`: number of changed blocks. `first`: the first changed block, if it is
 * short.
 */
export type ListedChange = Pick<
  FollowedChange,
  'follow' | 'key' | 'round' | 'kind' | 'url' | 'movedTo' | 'title' | 'problem' | 'at' | 'library'
> & { origin: string; blocks: number; first: ChangedBlock | null };

const FIRST_BLOCK_CHARS_MAX = 4_000;

const { before: BEFORE, after: AFTER, blocks: BLOCKS, ...SHORT_COLUMNS } = getTableColumns(followChanges);
const DOCUMENTS = { before: BEFORE, after: AFTER };

const LISTED_CHANGE_COLUMNS = {
  ...SHORT_COLUMNS,
  library: follows.url,
  origin: follows.origin,
  blocks: sql<number>`json_array_length(${BLOCKS})`,
  first: sql`CASE WHEN length(${BLOCKS} -> '$[0]') <= ${FIRST_BLOCK_CHARS_MAX} THEN ${BLOCKS} -> '$[0]' END`.mapWith(
    (text: string): ChangedBlock => JSON.parse(text),
  ),
} as const;

/** A user's feed of changes. `library`: URL of the followed page or site; `null` for a feed of all of them. */
type PersonsFeed = typeof followFeeds.$inferSelect & { account: unknown; library: string | null };

/**
 * Condition: another follow of the user found the same change of the same page. A page can belong to several follows,
 * such as a site and a page of it. Compares documents first, because they have an index. A page that changes back and
 * forth repeats its documents: a change that is followed by another change of the page is an earlier one. The `+`
 * makes SQLite look up the changes of this page by the primary key, instead of all later changes of the follow by time.
 * @param isTold condition on the other change (`other`) and its follow (`other_follow`)
 */
function isFoundTwice(isTold: SQL): SQL {
  const found = (documents: SQL) => sql`EXISTS (SELECT 1 FROM follow_changes AS other
    JOIN follows AS other_follow ON other_follow.id = other.follow
    WHERE ${documents} AND other.key = follow_changes.key AND other.kind = follow_changes.kind
      AND other.moved_to IS follow_changes.moved_to AND other.follow <> follow_changes.follow
      AND json_array_length(other.blocks) >= json_array_length(follow_changes.blocks)
      AND other_follow.subject = follows.subject AND ${isTold}
      AND NOT EXISTS (SELECT 1 FROM follow_changes AS between_them WHERE between_them.follow = follow_changes.follow
        AND between_them.key = follow_changes.key AND between_them.round < follow_changes.round
        AND +between_them.at >= other.at))`;
  const same = sql`other.after_document = follow_changes.after_document
    AND other.before_document IS follow_changes.before_document`;
  const gone = sql`follow_changes.after_document IS NULL AND other.after_document IS NULL
    AND other.before_document = follow_changes.before_document`;
  return sql`(${found(same)} OR ${found(gone)})`;
}

/** Condition: the change is the first of its kind in the list of everything that the user follows. */
const IS_FIRST = not(isFoundTwice(sql`(other.at, other.follow) < (follow_changes.at, follow_changes.follow)`));

export class ChangeStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Changes later than `after` (ms), oldest first.
   * @param follow ID of one followed page or site. By default all of them; a change that several found is listed once.
   */
  since(subject: string, after: number, limit: number, follow?: string): Promise<FollowedChange[]> {
    const which = and(eq(follows.subject, subject), ofFollow(follow));
    return this.#select()
      .where(and(which, gt(followChanges.at, after)))
      .orderBy(asc(followChanges.at), asc(followChanges.follow), asc(followChanges.key))
      .limit(limit);
  }

  /** Changes, newest first. @param follow as for {@link since} */
  latest(subject: string, limit: number, follow?: string): Promise<FollowedChange[]> {
    return this.#select()
      .where(and(eq(follows.subject, subject), ofFollow(follow)))
      .orderBy(desc(followChanges.at), asc(followChanges.follow), asc(followChanges.key))
      .limit(limit);
  }

  /**
   * Changes, newest first.
   * @param follow as for {@link since}
   * @param after the last change of the previous page
   */
  list(
    subject: string,
    { follow, after, limit }: { follow?: string | undefined; after: ChangePlace | null; limit: number },
  ): Promise<ListedChange[]> {
    const which = and(eq(follows.subject, subject), ofFollow(follow));
    return this.#listed(and(which, after === null ? undefined : isBehind(after, true)))
      .orderBy(desc(followChanges.at), asc(followChanges.follow), asc(followChanges.key))
      .limit(limit);
  }

  async neighbours(
    subject: string,
    of: ChangePlace,
  ): Promise<{ newer: ListedChange | null; older: ListedChange | null }> {
    const own = and(eq(follows.subject, subject), IS_FIRST);
    // Not a batch, because D1 returns the rows of a batch by column name, and two columns have the name `url`.
    const [[newer], [older]] = await Promise.all([
      this.#listed(and(own, isBehind(of, false)))
        .orderBy(asc(followChanges.at), desc(followChanges.follow), desc(followChanges.key))
        .limit(1),
      this.#listed(and(own, isBehind(of, true)))
        .orderBy(desc(followChanges.at), asc(followChanges.follow), asc(followChanges.key))
        .limit(1),
    ]);
    return { newer: newer ?? null, older: older ?? null };
  }

  #listed(which: SQL | undefined) {
    return this.#db
      .select(LISTED_CHANGE_COLUMNS)
      .from(followChanges)
      .innerJoin(follows, eq(follows.id, followChanges.follow))
      .where(which);
  }

  async find(subject: string, follow: string, key: string, round: number): Promise<FollowedChange | null> {
    const which = and(eq(followChanges.follow, follow), eq(followChanges.key, key), eq(followChanges.round, round));
    const [row] = await this.#select().where(and(eq(follows.subject, subject), which));
    return row ?? null;
  }

  /** Deletes changes before this time (ms). @returns number of deleted changes */
  async purge(before: number): Promise<number> {
    const { meta } = await this.#db.delete(followChanges).where(lt(followChanges.at, before));
    return meta.changes;
  }

  feeds(subject: string): Promise<(typeof followFeeds.$inferSelect)[]> {
    return this.#db
      .select()
      .from(followFeeds)
      .where(eq(followFeeds.subject, subject))
      .orderBy(asc(followFeeds.createdAt));
  }

  /**
   * A feed of changes, with the URL of the followed page or site and the user's account at the last sign-in (`null` if
   * the user is unknown). Returns `null` if no feed has this token.
   * @param hash SHA-256 of the token in the feed's link
   */
  async feed(hash: string): Promise<PersonsFeed | null> {
    const [row] = await this.#db
      .select({ ...getTableColumns(followFeeds), account: people.account, library: follows.url })
      .from(followFeeds)
      .leftJoin(people, eq(people.subject, followFeeds.subject))
      .leftJoin(follows, eq(follows.id, followFeeds.follow))
      .where(eq(followFeeds.hash, hash));
    return row ?? null;
  }

  async addFeed(feed: typeof followFeeds.$inferSelect): Promise<void> {
    await this.#db.insert(followFeeds).values(feed).onConflictDoNothing();
  }

  /** Deletes a feed, so that its link no longer works. */
  async removeFeed(subject: string, hash: string): Promise<void> {
    await this.#db.delete(followFeeds).where(and(eq(followFeeds.subject, subject), eq(followFeeds.hash, hash)));
  }

  #select() {
    return this.#db
      .select({ ...getTableColumns(followChanges), library: follows.url })
      .from(followChanges)
      .innerJoin(follows, eq(follows.id, followChanges.follow));
  }
}

function ofFollow(follow: string | undefined): SQL {
  return follow === undefined ? IS_FIRST : eq(follows.id, follow);
}

/** Position in a list of changes, which is sorted by time, then by follow, then by page. */
type ChangePlace = Pick<FollowedChange, 'at' | 'follow' | 'key'>;

function isBehind({ at, follow, key }: ChangePlace, isOlder: boolean): SQL {
  const later = sql`(${followChanges.follow}, ${followChanges.key})`;
  return isOlder
    ? sql`(${followChanges.at} < ${at} OR (${followChanges.at} = ${at} AND ${later} > (${follow}, ${key})))`
    : sql`(${followChanges.at} > ${at} OR (${followChanges.at} = ${at} AND ${later} < (${follow}, ${key})))`;
}

/** A user's webhook for changes. Times in ms. */
export type ChangeReport = typeof changeReports.$inferSelect;

type ReportNote = Partial<Pick<ChangeReport, 'outcome' | 'failures' | 'nextAt' | 'sentAt'>>;

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

  /**
   * Reserves the user's changes for one sender until a time in ms.
   * @returns the webhook as it is now; `null` if nothing is due
   */
  async claim(subject: string, now: number, until: number): Promise<ChangeReport | null> {
    const isDue = and(eq(changeReports.subject, subject), lte(changeReports.nextAt, now));
    const [report] = await this.#db.update(changeReports).set({ nextAt: until }).where(isDue).returning();
    return report ?? null;
  }

  async reported(follow: string, round: number): Promise<void> {
    const reportedRound = sql`max(reported_round, ${round})`;
    await this.#db.update(follows).set({ reportedRound }).where(eq(follows.id, follow));
  }

  /** Ends a claim, unless the user has replaced the webhook since. */
  async noted({ subject, nextAt: until }: ChangeReport, note: ReportNote): Promise<void> {
    const isClaimed = and(eq(changeReports.subject, subject), eq(changeReports.nextAt, until));
    await this.#db.update(changeReports).set(note).where(isClaimed);
  }
}

/**
 * A change to report. `before` and `after`: IDs of its documents. `isReported`: true if another follow of the user found
 * and reported the same change.
 */
export type PendingChange = ListedChange & { before: string | null; after: string | null; isReported: boolean };

const IS_REPORTED = isFoundTwice(sql`other.round <= other_follow.reported_round`).mapWith(Boolean);

const ENDED_ROUND = sql<number>`CASE WHEN follows.run IS NULL THEN follows.round ELSE follows.round - 1 END`;
