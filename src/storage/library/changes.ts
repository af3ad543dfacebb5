import { and, asc, desc, eq, getTableColumns, gt, lt } from 'drizzle-orm';
import type { Db } from '#storage/db.ts';
import { people } from '#storage/schema.ts';
import { followChanges, followFeeds, follows } from './schema.ts';

/** `library`: the address of what is followed. Times in ms. */
export type FollowedChange = typeof followChanges.$inferSelect & { library: string };

/** `library`: the address of what is followed; `null` for a feed of all. */
export type PersonsFeed = typeof followFeeds.$inferSelect & { account: unknown; library: string | null };

/** What changed in what one person follows, and the links to feeds of it. */
export class ChangeStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** Oldest first. @param after ms, exclusive. @param follow one of the things that are followed; all without it */
  since(subject: string, after: number, limit: number, follow?: string): Promise<FollowedChange[]> {
    const which = and(eq(follows.subject, subject), follow === undefined ? undefined : eq(follows.id, follow));
    return this.#select()
      .where(and(which, gt(followChanges.at, after)))
      .orderBy(asc(followChanges.at), asc(followChanges.follow), asc(followChanges.key))
      .limit(limit);
  }

  /** Newest first. @param follow one of the things that are followed; all without it */
  latest(subject: string, limit: number, follow?: string): Promise<FollowedChange[]> {
    const which = follow === undefined ? undefined : eq(follows.id, follow);
    return this.#select()
      .where(and(eq(follows.subject, subject), which))
      .orderBy(desc(followChanges.at), asc(followChanges.follow), asc(followChanges.key))
      .limit(limit);
  }

  async find(subject: string, follow: string, key: string, round: number): Promise<FollowedChange | null> {
    const which = and(eq(followChanges.follow, follow), eq(followChanges.key, key), eq(followChanges.round, round));
    const [row] = await this.#select().where(and(eq(follows.subject, subject), which));
    return row ?? null;
  }

  /** Changes before this time (ms) are told no more. @returns how many went */
  async purge(before: number): Promise<number> {
    const { meta } = await this.#db.delete(followChanges).where(lt(followChanges.at, before));
    return meta.changes;
  }

  /** The links to feeds that a person has, oldest first. */
  feeds(subject: string): Promise<(typeof followFeeds.$inferSelect)[]> {
    return this.#db
      .select()
      .from(followFeeds)
      .where(eq(followFeeds.subject, subject))
      .orderBy(asc(followFeeds.createdAt));
  }

  /** The owner of the feed, with what they were signed in as last, and the address that it is about. @param hash of the token in its link */
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

  /** Its link leads nowhere from now on. */
  async removeFeed(subject: string, hash: string): Promise<void> {
    await this.#db.delete(followFeeds).where(and(eq(followFeeds.subject, subject), eq(followFeeds.hash, hash)));
  }

  #select() {
    const { follow, key, round, kind, url, movedTo, title, problem, before, after, blocks, at } = followChanges;
    return this.#db
      .select({
        follow,
        key,
        round,
        kind,
        url,
        movedTo,
        title,
        problem,
        before,
        after,
        blocks,
        at,
        library: follows.url,
      })
      .from(followChanges)
      .innerJoin(follows, eq(follows.id, followChanges.follow));
  }
}
