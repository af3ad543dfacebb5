import { and, asc, count, desc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '#storage/db.ts';
import { people } from '#storage/schema.ts';
import { followPages, follows } from './schema.ts';
import type { FoundPages, RoundResult } from './schema.ts';

export type { FoundPages, PageOutcome, RoundResult } from './schema.ts';

/** Times in ms. */
export type Follow = typeof follows.$inferSelect;
export type NewFollow = Pick<
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

/** Pages of what is followed, by their state. */
export type PageCounts = Record<(typeof followPages.$inferSelect)['state'], number>;

/** Pages that one person, and all together, may follow. */
export type PageBudget = { ofPerson: number; ofAll: number };

/** What people follow. Every question but those of rounds is about one subject. */
export class FollowStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** Newest first. */
  list(subject: string): Promise<Follow[]> {
    return this.#db.select().from(follows).where(eq(follows.subject, subject)).orderBy(desc(follows.createdAt));
  }

  /** Their own, and those that the owner shares; newest first. */
  searchable(subject: string): Promise<Follow[]> {
    const which = or(eq(follows.subject, subject), eq(follows.isShared, true));
    return this.#db.select().from(follows).where(which).orderBy(desc(follows.createdAt));
  }

  async find(subject: string, url: string, scope: Follow['scope']): Promise<Follow | null> {
    const which = and(eq(follows.subject, subject), eq(follows.url, url), eq(follows.scope, scope));
    const [row] = await this.#db.select().from(follows).where(which);
    return row ?? null;
  }

  /** With the account of its person, as they last signed in; `null` when nothing is known of them. */
  async withPerson(id: string): Promise<{ follow: Follow; account: unknown } | null> {
    const [row] = await this.#db
      .select({ follow: follows, account: people.account })
      .from(follows)
      .leftJoin(people, eq(people.subject, follows.subject))
      .where(eq(follows.id, id));
    return row ?? null;
  }

  /** Pages that are set aside: as many as each thing that is followed may have. */
  async pagesTaken(subject: string): Promise<{ ofPerson: number; ofAll: number; follows: number }> {
    const isOwn = sql`${follows.subject} = ${subject}`;
    const [row] = await this.#db
      .select({
        ofPerson: sql<number>`coalesce(sum(CASE WHEN ${isOwn} THEN pages_max END), 0)`,
        ofAll: sql<number>`coalesce(sum(pages_max), 0)`,
        follows: sql<number>`coalesce(sum(${isOwn}), 0)`,
      })
      .from(follows);
    return row ?? { ofPerson: 0, ofAll: 0, follows: 0 };
  }

  /** @returns whether it is there now; not when a budget has no room */
  async add(follow: NewFollow, budget: PageBudget): Promise<boolean> {
    const { id, subject, url, scope, prefix, contains, pagesMax, everyHours, origin, title, createdAt } = follow;
    const taken = (which: SQL) => sql`(SELECT coalesce(sum(pages_max), 0) FROM follows WHERE ${which}) + ${pagesMax}`;
    await this.#db.run(sql`INSERT INTO follows
        (id, subject, url, scope, prefix, contains, pages_max, every_hours, origin, title, created_at, next_at, found, varying)
      SELECT ${id}, ${subject}, ${url}, ${scope}, ${prefix}, ${contains}, ${pagesMax}, ${everyHours}, ${origin}, ${title},
        ${createdAt}, ${createdAt}, '{"ways":[],"leftOut":[]}', '[]'
      WHERE ${taken(sql`subject = ${subject}`)} <= ${budget.ofPerson} AND ${taken(sql`true`)} <= ${budget.ofAll}
      ON CONFLICT DO NOTHING`);
    return (await this.find(subject, url, scope)) !== null;
  }

  async change(id: string, terms: Pick<Follow, 'everyHours' | 'contains'>): Promise<void> {
    const nextAt = sql`CASE WHEN started_at IS NULL THEN next_at ELSE started_at + ${terms.everyHours} * 3600000 END`;
    await this.#db
      .update(follows)
      .set({ ...terms, nextAt })
      .where(eq(follows.id, id));
  }

  async foundPages(id: string, found: FoundPages): Promise<void> {
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

  /** With its pages, changes and feeds. Its documents are ordinary ones from now on. */
  async remove(subject: string, id: string): Promise<void> {
    await this.#db.delete(follows).where(and(eq(follows.subject, subject), eq(follows.id, id)));
  }

  /** The next ones whose round is due, longest due first. */
  due(now: number, limit: number): Promise<Follow[]> {
    return this.#db
      .select()
      .from(follows)
      .where(and(lte(follows.nextAt, now), isNull(follows.run)))
      .orderBy(asc(follows.nextAt))
      .limit(limit);
  }

  /** Those whose round began before this time (ms) and has not ended. */
  underWay(before: number, limit: number): Promise<Follow[]> {
    return this.#db
      .select()
      .from(follows)
      .where(and(sql`${follows.run} IS NOT NULL`, lte(follows.startedAt, before)))
      .orderBy(asc(follows.startedAt))
      .limit(limit);
  }

  /** @returns the number of the round and its run, or `null` when one is under way already */
  async beginRound({ id, round }: Follow, now: number): Promise<{ round: number; run: string } | null> {
    const next = { round: round + 1, run: runOf(id, round + 1) };
    const begun = { ...next, startedAt: now, nextAt: sql`${now} + every_hours * 3600000` };
    await this.#db
      .update(follows)
      .set(begun)
      .where(and(eq(follows.id, id), eq(follows.round, round), isNull(follows.run)));
    const [row] = await this.#db.select({ run: follows.run }).from(follows).where(eq(follows.id, id));
    return row?.run === next.run ? next : null;
  }

  /** A second time, it changes nothing. */
  async endRound(id: string, round: number, result: RoundResult, now: number): Promise<void> {
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
    const counts = new Map(ids.map((id): [string, PageCounts] => [id, { new: 0, kept: 0, gone: 0, closed: 0 }]));
    for (const { follow, state, n } of rows) {
      const own = counts.get(follow);
      if (own !== undefined) own[state] = n;
    }
    return counts;
  }
}

/** Names the workflow instance of a round. */
export function runOf(follow: string, round: number): string {
  return `${follow}-${round}`;
}
