import { and, asc, eq, gt, ne, sql } from 'drizzle-orm';
import type { Db } from '#storage/db.ts';
import { followChanges, followPages } from './schema.ts';
import type { ChangedBlock } from './schema.ts';

export type { ChangedBlock } from './schema.ts';
export type FollowedPage = typeof followPages.$inferSelect;
export type FoundPage = { key: string; url: string; via: string; names?: readonly string[] | undefined };

/** What a round writes of a page. */
export type WrittenPage = Pick<
  FollowedPage,
  'state' | 'documentId' | 'finalUrl' | 'title' | 'problem' | 'missing' | 'outcome'
>;

export type ToldChange = {
  kind: 'new' | 'changed' | 'moved' | 'gone' | 'closed';
  url: string;
  movedTo: string | null;
  title: string | null;
  problem: string | null;
  before: string | null;
  after: string | null;
  blocks: readonly ChangedBlock[];
  at: number;
};

/** The pages of what is followed, as rounds read and write them. */
export class RoundPages {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Adds pages that are not there, as far as there is room for them.
   * @returns how many were added
   */
  async add(follow: string, found: readonly FoundPage[]): Promise<number> {
    if (found.length === 0) return 0;
    const before = await this.#count(follow);
    await this.#db.run(sql`INSERT INTO follow_pages (follow, key, place, url, via, names, state)
      SELECT follows.id, found.value ->> '$.key',
        (SELECT coalesce(max(place), 0) FROM follow_pages WHERE follow = follows.id) + row_number() OVER (ORDER BY found.key),
        found.value ->> '$.url', found.value ->> '$.via', found.value -> '$.names', 'new'
      FROM follows, json_each(${JSON.stringify(found)}) AS found
      WHERE follows.id = ${follow} AND NOT EXISTS
        (SELECT 1 FROM follow_pages WHERE follow = follows.id AND follow_pages.key = found.value ->> '$.key')
      LIMIT (SELECT max(0, pages_max - (SELECT count(*) FROM follow_pages WHERE follow = ${follow})) FROM follows WHERE id = ${follow})
      ON CONFLICT DO NOTHING`);
    return (await this.#count(follow)) - before;
  }

  /** The next pages that a round looks at, in the order in which they were found. @param isWhole also those that are gone */
  next(follow: string, isWhole: boolean, after: number, limit: number): Promise<Pick<FollowedPage, 'key' | 'place'>[]> {
    return this.#db
      .select({ key: followPages.key, place: followPages.place })
      .from(followPages)
      .where(
        and(
          eq(followPages.follow, follow),
          gt(followPages.place, after),
          isWhole ? undefined : ne(followPages.state, 'gone'),
        ),
      )
      .orderBy(asc(followPages.place))
      .limit(limit);
  }

  /** Pages that tell most of what varies with every fetch: those first whose site does not say when they changed. */
  telling(follow: string, limit: number): Promise<Pick<FollowedPage, 'key' | 'place'>[]> {
    const hasValidator = sql`EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = ${followPages.documentId}
      AND (etag IS NOT NULL OR last_modified IS NOT NULL))`;
    return this.#db
      .select({ key: followPages.key, place: followPages.place })
      .from(followPages)
      .where(and(eq(followPages.follow, follow), eq(followPages.state, 'kept')))
      .orderBy(hasValidator, asc(followPages.place))
      .limit(limit);
  }

  async find(follow: string, key: string): Promise<FollowedPage | null> {
    const [row] = await this.#db
      .select()
      .from(followPages)
      .where(and(eq(followPages.follow, follow), eq(followPages.key, key)));
    return row ?? null;
  }

  /** Writes a page and what is told of it, both or neither. A second time for one round, nothing is told anew. */
  async write(page: FollowedPage, round: number, written: WrittenPage, told: ToldChange | null): Promise<void> {
    const db = this.#db;
    const { follow, key } = page;
    const update = db
      .update(followPages)
      .set({ ...written, writtenRound: round })
      .where(and(eq(followPages.follow, follow), eq(followPages.key, key)));
    if (told === null) {
      await update;
      return;
    }
    const { kind, url, movedTo, title, problem, before, after, blocks, at } = told;
    // The person may have ended it in the meantime: then there is nothing to tell.
    const insert = db
      .insert(followChanges)
      .select(
        sql`SELECT id, ${key}, ${round}, ${kind}, ${url}, ${movedTo}, ${title}, ${problem}, ${before}, ${after},
          ${JSON.stringify(blocks)}, ${at} FROM follows WHERE id = ${follow}`,
      )
      .onConflictDoNothing();
    await db.batch([update, insert]);
  }

  async #count(follow: string): Promise<number> {
    return this.#db.$count(followPages, eq(followPages.follow, follow));
  }
}
