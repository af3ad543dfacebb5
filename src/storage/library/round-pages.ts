import { and, asc, between, count, eq, getTableColumns, gt, ne, or, sql } from 'drizzle-orm';
import type { Db } from '#storage/db.ts';
import { documents } from '#storage/schema.ts';
import { followChanges, followPages } from './schema.ts';
import type { ChangedBlock } from './schema.ts';

export type { ChangedBlock } from './schema.ts';
export type FollowedPage = typeof followPages.$inferSelect;
export type NewRoundPage = { key: string; url: string; via: string; names?: readonly string[] | undefined };

export type RoundPageUpdate = Pick<
  FollowedPage,
  'state' | 'documentId' | 'finalUrl' | 'title' | 'problem' | 'missing' | 'outcome'
>;

export type NewChange = {
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

export class RoundPages {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Adds pages that were found on a followed site. Pages over the site's limit are recorded as excluded, up to twice
   * the limit.
   * @returns number of added pages, without excluded ones
   */
  async add(follow: string, found: readonly NewRoundPage[]): Promise<number> {
    if (found.length === 0) return 0;
    const counted = this.#db
      .select({ n: count() })
      .from(followPages)
      .where(and(eq(followPages.follow, follow), ne(followPages.state, 'excluded')));
    const [[before], , [after]] = await this.#db.batch([
      counted,
      createAddPagesStatements(this.#db, follow, found),
      counted,
    ]);
    return (after?.n ?? 0) - (before?.n ?? 0);
  }

  /** The next pages of a round, in the order of discovery. @param isWhole true to include pages that are gone */
  next(follow: string, isWhole: boolean, after: number, limit: number): Promise<Pick<FollowedPage, 'key' | 'place'>[]> {
    return this.#db
      .select({ key: followPages.key, place: followPages.place })
      .from(followPages)
      .where(ahead(follow, isWhole, after))
      .orderBy(asc(followPages.place))
      .limit(limit);
  }

  async ahead(follow: string, isWhole: boolean, after: number): Promise<number> {
    return this.#db.$count(followPages, ahead(follow, isWhole, after));
  }

  /**
   * Stored pages that are read again to find text that varies with every fetch. Pages without validators come first.
   */
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

  /**
   * Candidates for the former URL of a renamed page: pages that the site reported as missing when they were last
   * checked, or that became `gone` in this round, and whose last document has a similar length. Pages with the same
   * title come first.
   */
  async missing(
    follow: string,
    round: number,
    { title, lineCount }: { title: string | null; lineCount: number },
  ): Promise<FollowedPage[]> {
    const isAbsent = or(
      and(eq(followPages.state, 'stored'), gt(followPages.missing, 0)),
      and(eq(followPages.state, 'gone'), eq(followPages.writtenRound, round)),
    );
    const isAsLong = between(documents.lineCount, Math.floor(lineCount / ALIKE_MAX), Math.ceil(lineCount * ALIKE_MAX));
    const rows = await this.#db
      .select(getTableColumns(followPages))
      .from(followPages)
      .innerJoin(documents, eq(documents.id, followPages.documentId))
      .where(and(eq(followPages.follow, follow), isAbsent, isAsLong))
      .orderBy(sql`${followPages.title} IS NOT ${title}`, asc(followPages.place))
      .limit(RENAMED_MAX);
    return rows;
  }

  /** The first page that this round reported as moved to `url`. */
  async movedTo(follow: string, round: number, url: string): Promise<FollowedPage | null> {
    const { follow: whose, key, round: when, kind, movedTo } = followChanges;
    const [row] = await this.#db
      .select(getTableColumns(followPages))
      .from(followPages)
      .innerJoin(followChanges, and(eq(whose, followPages.follow), eq(key, followPages.key)))
      .where(and(eq(whose, follow), eq(when, round), eq(kind, 'moved'), eq(movedTo, url)))
      .orderBy(asc(followPages.place))
      .limit(1);
    return row ?? null;
  }

  async find(follow: string, key: string): Promise<FollowedPage | null> {
    const [row] = await this.#db
      .select()
      .from(followPages)
      .where(and(eq(followPages.follow, follow), eq(followPages.key, key), ne(followPages.state, 'excluded')));
    return row ?? null;
  }

  /**
   * Writes a page and its change in one transaction. A repeated call for a round adds no second change.
   * @param renamed the page under its former URL; it becomes `gone`, but only the move is reported as a change
   */
  async write(
    page: FollowedPage,
    round: number,
    written: RoundPageUpdate,
    told: NewChange | null,
    renamed: FollowedPage | null = null,
  ): Promise<void> {
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
    // If the user no longer follows the site, the query finds no row, and no change is stored.
    const insert = db
      .insert(followChanges)
      .select(
        sql`SELECT id, ${key}, ${round}, ${kind}, ${url}, ${movedTo}, ${title}, ${problem}, ${before}, ${after},
          ${JSON.stringify(blocks)}, ${at} FROM follows WHERE id = ${follow}`,
      )
      .onConflictDoNothing();
    await db.batch([update, insert, ...(renamed === null ? [] : this.#renaming(renamed, round))]);
  }

  #renaming({ follow, key }: FollowedPage, round: number) {
    const ofPage = and(eq(followPages.follow, follow), eq(followPages.key, key));
    const { follow: whose, key: which, round: when } = followChanges;
    return [
      this.#db.update(followPages).set({ state: 'gone', writtenRound: round, outcome: 'gone' }).where(ofPage),
      this.#db.delete(followChanges).where(and(eq(whose, follow), eq(which, key), eq(when, round))),
    ];
  }
}

const RENAMED_MAX = 5;
/** Maximum ratio of line counts between a page and its renamed version. */
const ALIKE_MAX = 1.4;

function ahead(follow: string, isWhole: boolean, after: number) {
  return and(
    eq(followPages.follow, follow),
    gt(followPages.place, after),
    ne(followPages.state, 'excluded'),
    isWhole ? undefined : ne(followPages.state, 'gone'),
  );
}

/** Statements that add pages. Pages over the limit are stored as `excluded`. The total is at most twice the limit. */
export function createAddPagesStatements(db: Db, follow: string, found: readonly NewRoundPage[]) {
  // `INSERT … SELECT` needs all columns in the order of the table.
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
