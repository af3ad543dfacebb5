import { and, asc, count, eq, gt, ne, sql } from 'drizzle-orm';
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
   * Adds pages that are not there, as far as there is room for them. Of the others, as many are noted as left out.
   * @returns how many were added
   */
  async add(follow: string, found: readonly FoundPage[]): Promise<number> {
    if (found.length === 0) return 0;
    const counted = this.#db
      .select({ n: count() })
      .from(followPages)
      .where(and(eq(followPages.follow, follow), ne(followPages.state, 'excluded')));
    const [[before], , [after]] = await this.#db.batch([counted, addingPages(this.#db, follow, found), counted]);
    return (after?.n ?? 0) - (before?.n ?? 0);
  }

  /** The next pages that a round looks at, in the order in which they were found. @param isWhole also those that are gone */
  next(follow: string, isWhole: boolean, after: number, limit: number): Promise<Pick<FollowedPage, 'key' | 'place'>[]> {
    return this.#db
      .select({ key: followPages.key, place: followPages.place })
      .from(followPages)
      .where(ahead(follow, isWhole, after))
      .orderBy(asc(followPages.place))
      .limit(limit);
  }

  /** How many pages a round has still to look at. */
  async ahead(follow: string, isWhole: boolean, after: number): Promise<number> {
    return this.#db.$count(followPages, ahead(follow, isWhole, after));
  }

  /** Pages that tell most of what varies with every fetch: those first whose site does not say when they changed. */
  telling(follow: string, limit: number): Promise<Pick<FollowedPage, 'key' | 'place'>[]> {
    const hasValidator = sql`EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = ${followPages.documentId}
      AND (etag IS NOT NULL OR last_modified IS NOT NULL))`;
    return this.#db
      .select({ key: followPages.key, place: followPages.place })
      .from(followPages)
      .where(and(eq(followPages.follow, follow), eq(followPages.state, 'stored')))
      .orderBy(hasValidator, asc(followPages.place))
      .limit(limit);
  }

  async find(follow: string, key: string): Promise<FollowedPage | null> {
    const [row] = await this.#db
      .select()
      .from(followPages)
      .where(and(eq(followPages.follow, follow), eq(followPages.key, key), ne(followPages.state, 'excluded')));
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
}

function ahead(follow: string, isWhole: boolean, after: number) {
  return and(
    eq(followPages.follow, follow),
    gt(followPages.place, after),
    ne(followPages.state, 'excluded'),
    isWhole ? undefined : ne(followPages.state, 'gone'),
  );
}

/** Pages over the limit are noted as `excluded`, up to the limit again; more are not counted. */
export function addingPages(db: Db, follow: string, found: readonly FoundPage[]) {
  // All columns, in their order.
  const added = sql`SELECT id, key, most + place, url, via, names, NULL, NULL, NULL,
      CASE WHEN there + place <= pages_max THEN 'new' ELSE 'excluded' END, NULL, 0, 0, NULL
    FROM (SELECT follows.id AS id, follows.pages_max AS pages_max, found.value ->> '$.key' AS key,
        (SELECT coalesce(max(place), 0) FROM follow_pages WHERE follow = follows.id) AS most,
        (SELECT count(*) FROM follow_pages WHERE follow = follows.id) AS there,
        row_number() OVER (ORDER BY found.key) AS place,
        found.value ->> '$.url' AS url, found.value ->> '$.via' AS via, found.value -> '$.names' AS names
      FROM follows, json_each(${JSON.stringify(found)}) AS found
      WHERE follows.id = ${follow} AND NOT EXISTS
        (SELECT 1 FROM follow_pages WHERE follow = follows.id AND follow_pages.key = found.value ->> '$.key'))
    WHERE there + place <= 2 * pages_max`;
  return db.insert(followPages).select(added).onConflictDoNothing();
}
