import { and, asc, count, desc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '#storage/db.ts';
import { people } from '#storage/schema.ts';
import { createAddPagesStatements } from './round-pages.ts';
import type { NewRoundPage } from './round-pages.ts';
import { followPages, follows } from './schema.ts';
import type { DiscoveryResult, RoundOutcomeCounts } from './schema.ts';

export type { DiscoveryResult, PageOutcome, RoundOutcomeCounts } from './schema.ts';

/** A followed page or site, as stored. Times in ms. */
export type Follow = typeof follows.$inferSelect;
type NewFollow = Pick<
  Follow,
  | 'id'
  | 'subject'
  | 'url'
  | 'scope'
  | 'prefix'
  | 'contains'
  | 'pagesMax'
  | 'everyHours'
  | 'origin'
  | 'title'
  | 'createdAt'
>;

export type PageCounts = Record<(typeof followPages.$inferSelect)['state'], number>;

/** Limits for pages and for stored UTF-8 bytes, for each user (`ofPerson`) and for all users together (`ofAll`). */
export type FollowBudget = { pages: OfPersonAndAll; bytes: OfPersonAndAll };
type OfPersonAndAll = { ofPerson: number; ofAll: number };

/** Used part of the budget. A site counts as its `pagesMax`. `follows`: number of followed pages and sites. */
export type FollowUse = FollowBudget & { follows: number };

export type FollowLookup = { follow: Follow | null; pages: PageCounts; taken: FollowUse };

/**
 * The followed pages and sites of all users. Each query concerns one user, except the queries of the scheduled rounds.
 */
export class FollowStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  list(subject: string): Promise<Follow[]> {
    return this.#db.select().from(follows).where(eq(follows.subject, subject)).orderBy(desc(follows.createdAt));
  }

  searchable(subject: string): Promise<Follow[]> {
    const which = or(eq(follows.subject, subject), eq(follows.isShared, true));
    return this.#db.select().from(follows).where(which).orderBy(desc(follows.createdAt));
  }

  async find(subject: string, url: string, scope: Follow['scope']): Promise<Follow | null> {
    const which = and(eq(follows.subject, subject), eq(follows.url, url), eq(follows.scope, scope));
    const [row] = await this.#db.select().from(follows).where(which);
    return row ?? null;
  }

  /**
   * A follow with its user's account at the last sign-in (`null` if the user is unknown); `null` if the follow was
   * removed.
   */
  async withPerson(id: string): Promise<{ follow: Follow; account: unknown } | null> {
    const [row] = await this.#db
      .select({ follow: follows, account: people.account })
      .from(follows)
      .leftJoin(people, eq(people.subject, follows.subject))
      .where(eq(follows.id, id));
    return row ?? null;
  }

  async look(subject: string, url: string, scope: Follow['scope']): Promise<FollowLookup> {
    const [found, counted, pages, bytes] = await this.#db.batch(this.#looking(subject, url, scope));
    return lookedAt(found, counted, pages, bytes);
  }

  #looking(subject: string, url: string, scope: Follow['scope']) {
    const db = this.#db;
    const which = and(eq(follows.subject, subject), eq(follows.url, url), eq(follows.scope, scope));
    return [
      db.select().from(follows).where(which),
      db
        .select({ state: followPages.state, n: count() })
        .from(followPages)
        .innerJoin(follows, eq(follows.id, followPages.follow))
        .where(which)
        .groupBy(followPages.state),
      ...this.#taking(subject),
    ] as const;
  }

  #taking(subject: string) {
    const db = this.#db;
    return [
      db
        .select({
          ofPerson: sql<number>`coalesce(sum(CASE WHEN subject = ${subject} THEN pages_max END), 0)`,
          ofAll: sql<number>`coalesce(sum(pages_max), 0)`,
          follows: sql<number>`coalesce(sum(subject = ${subject}), 0)`,
        })
        .from(follows),
      db
        .select({
          ofPerson: sql<number>`coalesce(sum(CASE WHEN own THEN bytes END), 0)`,
          ofAll: sql<number>`coalesce(sum(bytes), 0)`,
        })
        .from(keptDocuments(sql`subject = ${subject}`, sql`true`)),
    ] as const;
  }

  async taken(subject: string): Promise<FollowUse> {
    const [pages, bytes] = await this.#db.batch(this.#taking(subject));
    return takenOf(pages, bytes);
  }

  /** UTF-8 bytes of the documents stored for one user or for all users. */
  async bytesKept(subject?: string): Promise<number> {
    const which = subject === undefined ? sql`true` : sql`subject = ${subject}`;
    const [row] = await this.#db
      .select({ bytes: sql<number>`coalesce(sum(bytes), 0)` })
      .from(keptDocuments(sql`true`, which));
    return row?.bytes ?? 0;
  }

  /**
   * Adds a followed page or site with its first page. Also begins its first round (reading of all pages) if `isBegun`.
   * @returns the resulting state, without the addition if a budget is exhausted
   */
  async add(
    follow: NewFollow,
    first: NewRoundPage,
    { pages, isBegun }: { pages: OfPersonAndAll; isBegun: boolean },
  ): Promise<FollowLookup> {
    const { id, subject, url, scope, prefix, contains, pagesMax, everyHours, origin, title, createdAt } = follow;
    const taken = (which: SQL) => sql`(SELECT coalesce(sum(pages_max), 0) FROM follows WHERE ${which}) + ${pagesMax}`;
    // `INSERT … SELECT` needs all columns in the order of the table.
    const insert = this.#db
      .insert(follows)
      .select(
        sql`SELECT ${id}, ${subject}, ${url}, ${scope}, ${prefix}, ${contains}, ${pagesMax}, ${everyHours}, ${origin}, ${title},
          ${createdAt}, 0, NULL, NULL, NULL, ${createdAt}, '{"ways":[],"leftOut":[]}', NULL, '[]', false, 0
        WHERE ${taken(sql`subject = ${subject}`)} <= ${pages.ofPerson} AND ${taken(sql`true`)} <= ${pages.ofAll}`,
      )
      .onConflictDoNothing();
    const [, , , found, counted, had, bytes] = await this.#db.batch([
      insert,
      createAddPagesStatements(this.#db, id, [first]),
      this.#beginning(id, isBegun ? 0 : -1, createdAt),
      ...this.#looking(subject, url, scope),
    ]);
    return lookedAt(found, counted, had, bytes);
  }

  async change(id: string, terms: Pick<Follow, 'everyHours' | 'contains'>): Promise<void> {
    const nextAt = sql`CASE WHEN started_at IS NULL THEN next_at ELSE started_at + ${terms.everyHours} * 3600000 END`;
    await this.#db
      .update(follows)
      .set({ ...terms, nextAt })
      .where(eq(follows.id, id));
  }

  async foundPages(id: string, found: DiscoveryResult): Promise<void> {
    await this.#db.update(follows).set({ found }).where(eq(follows.id, id));
  }

  async varies(id: string, varying: string[]): Promise<void> {
    await this.#db.update(follows).set({ varying }).where(eq(follows.id, id));
  }

  async share(subject: string, id: string, isShared: boolean): Promise<void> {
    await this.#db
      .update(follows)
      .set({ isShared })
      .where(and(eq(follows.subject, subject), eq(follows.id, id)));
  }

  async remove(subject: string, id: string): Promise<void> {
    await this.#db.delete(follows).where(and(eq(follows.subject, subject), eq(follows.id, id)));
  }

  due(now: number, limit: number): Promise<Follow[]> {
    return this.#db
      .select()
      .from(follows)
      .where(and(lte(follows.nextAt, now), isNull(follows.run)))
      .orderBy(asc(follows.nextAt))
      .limit(limit);
  }

  /** Followed pages and sites whose reading (round) began before this time (ms) and has not ended. */
  underWay(before: number, limit: number): Promise<Follow[]> {
    return this.#db
      .select()
      .from(follows)
      .where(and(sql`${follows.run} IS NOT NULL`, lte(follows.startedAt, before)))
      .orderBy(asc(follows.startedAt))
      .limit(limit);
  }

  /**
   * Begins the next reading (round).
   * @returns its number and workflow instance; `null` if a round is running or the follow was removed
   */
  async beginRound({ id, round }: Follow, now: number): Promise<{ round: number; run: string } | null> {
    const next = { round: round + 1, run: runOf(id, round + 1) };
    const asked = this.#db.select({ run: follows.run }).from(follows).where(eq(follows.id, id));
    const [, [row]] = await this.#db.batch([this.#beginning(id, round, now), asked]);
    return row?.run === next.run ? next : null;
  }

  /** @param after number of rounds begun so far; if another request has since begun one, nothing is changed */
  #beginning(id: string, after: number, now: number) {
    return this.#db
      .update(follows)
      .set({
        round: after + 1,
        run: runOf(id, after + 1),
        startedAt: now,
        nextAt: sql`${now} + every_hours * 3600000`,
      })
      .where(and(eq(follows.id, id), eq(follows.round, after), isNull(follows.run)));
  }

  /** Ends a round. A repeated call changes nothing. */
  async endRound(id: string, round: number, result: RoundOutcomeCounts, now: number): Promise<void> {
    await this.#db
      .update(follows)
      .set({ run: null, endedAt: now, result })
      .where(and(eq(follows.id, id), eq(follows.round, round), eq(follows.run, runOf(id, round))));
  }

  async counts(ids: readonly string[]): Promise<Map<string, PageCounts>> {
    const rows = await this.#db
      .select({ follow: followPages.follow, state: followPages.state, n: count() })
      .from(followPages)
      .where(sql`${followPages.follow} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
      .groupBy(followPages.follow, followPages.state);
    const counts = new Map(ids.map((id): [string, PageCounts] => [id, { ...NO_PAGE_COUNTS }]));
    for (const { follow, state, n } of rows) {
      const own = counts.get(follow);
      if (own !== undefined) own[state] = n;
    }
    return counts;
  }
}

/**
 * Documents of followed pages and of stored changes, each once. The column `own` is 1 if the condition `own` matches
 * one of the document's follows.
 */
function keptDocuments(own: SQL, which: SQL) {
  const kept = (column: string, table: string) =>
    sql.raw(`SELECT ${column} AS id, follow FROM ${table} WHERE ${column} IS NOT NULL`);
  return sql`(SELECT documents.byte_count AS bytes, max(${own}) AS own
    FROM (${kept('document_id', 'follow_pages')} UNION ALL ${kept('before_document', 'follow_changes')}
      UNION ALL ${kept('after_document', 'follow_changes')}) AS kept
    JOIN follows ON follows.id = kept.follow AND ${which}
    JOIN documents ON documents.id = kept.id
    GROUP BY documents.id)`;
}

function lookedAt(
  [follow]: readonly Follow[],
  counted: readonly { state: keyof PageCounts; n: number }[],
  pages: readonly PagesTaken[],
  bytes: readonly OfPersonAndAll[],
): FollowLookup {
  const counts = { ...NO_PAGE_COUNTS };
  for (const { state, n } of counted) counts[state] = n;
  return { follow: follow ?? null, pages: counts, taken: takenOf(pages, bytes) };
}

type PagesTaken = OfPersonAndAll & { follows: number };

function takenOf([pages]: readonly PagesTaken[], [bytes]: readonly OfPersonAndAll[]): FollowUse {
  const { ofPerson = 0, ofAll = 0, follows: number = 0 } = pages ?? {};
  return { pages: { ofPerson, ofAll }, bytes: bytes ?? { ofPerson: 0, ofAll: 0 }, follows: number };
}

export const NO_PAGE_COUNTS: PageCounts = { new: 0, stored: 0, gone: 0, closed: 0, excluded: 0 };

function runOf(follow: string, round: number): string {
  return `${follow}-${round}`;
}
