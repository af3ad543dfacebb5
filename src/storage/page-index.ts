import { sql } from 'drizzle-orm';
import * as z from 'zod';
import type { SearchHit } from '#core/document.ts';
import type { Db } from './db.ts';

const bestRows = z.array(z.object({ id: z.number(), url: z.string(), title: z.string().nullable() }));
const snippetRows = z.array(z.object({ id: z.number(), snippet: z.string() }));
const countRows = z.array(z.object({ pages: z.number() }));

/** Full-text queries over the public documents opened so far: SQLite FTS5 with BM25. */
export class PageIndex {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** How many pages can be found at all. */
  async size(): Promise<number> {
    const [row] = countRows.parse(
      await this.#db.all(sql`SELECT count(DISTINCT document_id) AS pages FROM snapshots
        JOIN documents ON documents.id = snapshots.document_id WHERE documents.indexed = 1`),
    );
    return row?.pages ?? 0;
  }

  /**
   * The best passage of each page that matches, best first; ties are broken by URL, so the order is stable. Pages with a
   * passage that matches `all` come before those that do not.
   * @param match an FTS5 expression (see `search/match-expression.ts`)
   * @param skip pages left out at the beginning
   * @param all a narrower FTS5 expression with the same terms
   */
  async find(match: string, limit: number, skip = 0, all = match): Promise<SearchHit[]> {
    const best = bestRows.parse(
      await this.#db.all(sql`
        WITH full AS MATERIALIZED (
          SELECT rowid AS id FROM search_index WHERE search_index MATCH ${all}
        ), matches AS MATERIALIZED (
          SELECT rowid AS id, bm25(search_index, ${TITLE_WEIGHT}, 1.0) AS score FROM search_index WHERE search_index MATCH ${match}
        ), pages AS (
          SELECT document_chunks.document_id AS document_id, matches.id AS id,
            min(matches.score + iif(matches.id IN full, 0, ${PARTIAL_PENALTY})) AS score
          FROM matches JOIN document_chunks ON document_chunks.id = matches.id GROUP BY document_chunks.document_id
        )
        SELECT pages.id AS id, min(snapshots.final_url) AS url, documents.title AS title
        FROM pages JOIN snapshots ON snapshots.document_id = pages.document_id
        JOIN documents ON documents.id = pages.document_id
        GROUP BY pages.document_id ORDER BY pages.score, url LIMIT ${limit} OFFSET ${skip}`),
    );
    const snippets = await this.#snippets(
      match,
      best.map((row) => row.id),
    );
    return best.map((row) => ({ title: row.title ?? row.url, url: row.url, snippet: snippets.get(row.id) ?? '' }));
  }

  async #snippets(match: string, ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const list = sql.join(
      ids.map((id) => sql`${id}`),
      sql`, `,
    );
    const rows = snippetRows.parse(
      await this.#db.all(sql`
        SELECT rowid AS id, snippet(search_index, 1, '', '', ' … ', ${SNIPPET_TOKENS}) AS snippet
        FROM search_index WHERE search_index MATCH ${match} AND rowid IN (${list})`),
    );
    return new Map(rows.map((row) => [row.id, row.snippet]));
  }
}

/** More than any BM25 score: it only parts the pages with all words from the others. */
const PARTIAL_PENALTY = 1_000_000;
/** A word in the title says more about a page than one in its text. */
const TITLE_WEIGHT = 4;
/** FTS5 allows 64 at most; this is two to three sentences. */
const SNIPPET_TOKENS = 40;
