import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import * as z from 'zod';
import { LINK_CHARS_MAX, KIB, MIB } from '#core/limits.ts';
import { POSTINGS_PER_WORD_MAX } from '#storage/limits.ts';
import type { Db } from '#storage/db.ts';
import { hashOwnerMark, indexToken } from './page-words.ts';
import type { WordKind } from './page-words.ts';
import { IS_IN_MAIN_PART, indexQueuedDocuments } from './search-index.ts';

/**
 * Maximum bytes of queued documents that a search indexes before it runs. After a restored backup, all pages are
 * queued.
 */
const INDEX_PER_SEARCH_BYTES = 1 * MIB;
/** Maximum index rows that one statement scans for common words. */
const POSTINGS_WINDOW_ROWS = 131_072;
/** Maximum such statements for one list of index rows. Older rows are not scanned. */
const POSTINGS_WINDOWS_MAX = 4;
/**
 * Maximum characters read of a stored chunk for a result. Most chunks have about 32 KiB; a chunk with a long line may
 * have more.
 */
const CHUNK_CHARS_READ_MAX = 128 * KIB;

/** A word of a query: its English stem, and its stems in other languages. A row matches if it contains one of them. */
export type QueryWord = { stem: string; foreign: readonly string[] };
export type IndexTerm = QueryWord & { kind: WordKind };

export const EVERY_ROW_TERM: IndexTerm = { kind: 'every', stem: '', foreign: [] };

/** Numbers of matching index rows, newest first. `isWhole`: false if there are older matching rows. */
export type WordPostings = { ids: number[]; isWhole: boolean };

export type IndexedPage = {
  /** Number of the first chunk of the page. */
  id: number;
  /** Number of the last chunk of the page. */
  lastId: number;
  documentId: string;
  url: string;
  title: string | null;
  /** Number of the document's first page, if the document is a later part of a long page. */
  page: number | null;
};

/** The definition of a name. */
type NamedPlace = {
  name: string;
  isSame: boolean;
  /** Line of the definition, if the page has a link target for it. */
  line: number | null;
  /** The `id` of the `IndexedPage`. */
  page: number;
  /** ID of the chunk that contains the definition. */
  chunk: number;
};

export type IndexedChunk = { id: number; firstLine: number; lines: string[] };

/**
 * The searchable documents of one subject: public documents and its own. Every query reads a limited number of the
 * newest rows, however many are stored. SQLite's `bm25()` and `snippet()` are not used, because they scan all matches
 * and cannot be stopped.
 */
export class PageIndex {
  readonly #db: Db;
  readonly #subject: string | null;
  readonly #libraries: string | null;
  #mark: string | undefined;

  /**
   * @param subject the searching user; without one, only public documents are found
   * @param libraries IDs of followed pages and sites, to which the search is limited
   */
  constructor(db: Db, subject: string | null = null, libraries: readonly string[] | null = null) {
    this.#db = db;
    this.#subject = subject;
    this.#libraries = libraries === null ? null : JSON.stringify(libraries);
  }

  /** Limits the index to some followed sites. The caller must check that the user may search these sites. */
  within(libraries: readonly string[]): PageIndex {
    return new PageIndex(this.#db, this.#subject, libraries);
  }

  /** Indexes part of the queued text. @returns true if queued text may be left */
  catchUp(): Promise<boolean> {
    return indexQueuedDocuments(this.#db, INDEX_PER_SEARCH_BYTES);
  }

  async postings(terms: readonly IndexTerm[]): Promise<WordPostings[]> {
    const mark = await this.#ownMark();
    const rows = terms.map((term) => newest(match([term], mark), POSTINGS_PER_WORD_MAX + 1, this.#followed()));
    return (await this.#lists(rows)).map(cut);
  }

  /** Numbers of older rows (below `below`) that contain the term and at least one of the other terms. */
  async together(term: IndexTerm, others: readonly IndexTerm[], below: number): Promise<number[]> {
    const mark = await this.#ownMark();
    const either = others.map((other) => quoted(other, mark)).join(' OR ');
    return this.#inWindows(`${quoted(term, mark)} AND (${either})`, below);
  }

  async all(terms: readonly IndexTerm[]): Promise<WordPostings> {
    return cut(await this.#inWindows(match(terms, await this.#ownMark()), null));
  }

  /** Searchable pages, unordered. @param ids numbers of their first chunks */
  async pages(ids: readonly number[]): Promise<IndexedPage[]> {
    return pageRows.parse(
      await this.#db.all(sql`
        SELECT first.id AS id, documents.id AS documentId, min(snapshots.final_url) AS url,
          substr(documents.title, 1, ${TITLE_CHARS_READ}) AS title,
          nullif(snapshots.meta ->> '$.pages.first', 1) AS page,
          (SELECT max(document_chunks.id) FROM document_chunks
            WHERE document_chunks.document_id = documents.id AND ${IS_IN_MAIN_PART}) AS lastId
        FROM json_each(${JSON.stringify(ids)}) AS wanted
        JOIN document_chunks AS first ON first.id = wanted.value
        JOIN documents ON documents.id = first.document_id AND ${isSearchableBy(this.#subject)}
        JOIN snapshots ON snapshots.document_id = documents.id AND length(snapshots.final_url) <= ${LINK_CHARS_MAX}
        GROUP BY documents.id`),
    );
  }

  /**
   * Definitions of names in the inventories (`objects.inv`) of followed sites: the sites to which the search is
   * limited, otherwise the user's follows and the shared ones. A name matches without its qualifier: `Path.glob` finds
   * `pathlib.Path.glob`. Exact matches come first.
   */
  async named(names: readonly string[]): Promise<NamedPlace[]> {
    if (names.length === 0) return [];
    const mine = sql`follows.subject = ${this.#subject} OR follows.is_shared`;
    const searched = sql`follows.id IN (SELECT value FROM json_each(${this.#libraries}))`;
    const line = sql`(SELECT anchor.value ->> 1 FROM document_anchors, json_each(document_anchors.anchors) AS anchor
      WHERE document_anchors.document_id = follow_pages.document_id AND anchor.value ->> 0 = name.value)`;
    const found = sql`SELECT name.value AS name, name.value = wanted.value AS isSame, follow_pages.document_id AS documentId, ${line} AS line
      FROM follows JOIN follow_pages ON follow_pages.follow = follows.id
      JOIN json_each(${JSON.stringify(names)}) AS wanted ON instr(follow_pages.names, wanted.value || '"') > 0
      JOIN json_each(follow_pages.names) AS name
        ON name.value = wanted.value OR substr(name.value, -1 - length(wanted.value)) = '.' || wanted.value
      WHERE (${this.#libraries === null ? mine : searched}) AND follow_pages.state = 'stored'
      ORDER BY isSame DESC, length(name.value), name.value LIMIT ${NAMED_MAX}`;
    return namedRows.parse(
      await this.#db.all(sql`SELECT found.name AS name, found.isSame AS isSame, found.line AS line,
        (SELECT min(id) FROM document_chunks WHERE document_id = documentId) AS page,
        (SELECT id FROM document_chunks WHERE document_id = documentId AND first_line <= coalesce(line, 0)
          ORDER BY first_line DESC LIMIT 1) AS chunk
        FROM (${found}) AS found WHERE page IS NOT NULL`),
    );
  }

  async chunksWith(
    pages: readonly Pick<IndexedPage, 'id' | 'lastId'>[],
    terms: readonly IndexTerm[],
  ): Promise<number[][]> {
    const mark = await this.#ownMark();
    return this.#lists(
      pages.flatMap(({ id, lastId }) =>
        terms.map((term) => newest(match([term], mark), POSTINGS_PER_WORD_MAX, sql``, { from: id, end: lastId + 1 })),
      ),
    );
  }

  async chunks(ids: readonly number[]): Promise<IndexedChunk[]> {
    const rows = chunkRows.parse(
      await this.#db.all(sql`
        SELECT id, first_line AS firstLine, substr(body, 1, ${CHUNK_CHARS_READ_MAX}) AS body FROM document_chunks
        WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    );
    return rows.map(({ id, firstLine, body }) => ({ id, firstLine, lines: body.split('\n') }));
  }

  /**
   * Runs queries and returns each list of numbers. The database returns each list as one JSON text, because reading it
   * as rows would cost more than the search.
   */
  async #lists(queries: readonly SQL[]): Promise<number[][]> {
    const list = (rows: SQL) => this.#db.select({ ids: sql<string>`json_group_array(id)` }).from(rows);
    const [first, ...others] = queries.map(list);
    if (first === undefined) return [];
    const answers = await this.#db.batch([first, ...others]);
    return answers.map(([row]) => numbers.parse(JSON.parse(row?.ids ?? '[]')));
  }

  /** Finds matching rows, one window of rows per statement, so that other queries run in between. */
  async #inWindows(expression: string, below: number | null): Promise<number[]> {
    let end = below ?? (await this.#lastId()) + 1;
    const found: number[] = [];
    for (
      let window = 0;
      window < POSTINGS_WINDOWS_MAX && end > 0 && found.length <= POSTINGS_PER_WORD_MAX;
      window += 1
    ) {
      const from = end - POSTINGS_WINDOW_ROWS;
      const wanted = POSTINGS_PER_WORD_MAX + 1 - found.length;
      const [ids = []] = await this.#lists([newest(expression, wanted, this.#followed(), { from, end })]);
      found.push(...ids);
      end = from;
    }
    return found;
  }

  /**
   * A condition on index rows: they belong to followed pages, or to newer documents of these pages that calls have
   * stored.
   */
  #followed(): SQL {
    if (this.#libraries === null) return sql``;
    return sql`AND rowid IN (SELECT document_chunks.id FROM follow_pages
      JOIN snapshots ON snapshots.document_id = follow_pages.document_id OR snapshots.url = follow_pages.url
      JOIN document_chunks ON document_chunks.document_id = snapshots.document_id
      WHERE follow_pages.follow IN (SELECT value FROM json_each(${this.#libraries})) AND follow_pages.state = 'stored')`;
  }

  async #ownMark(): Promise<string> {
    this.#mark ??= await hashOwnerMark(this.#subject);
    return this.#mark;
  }

  async #lastId(): Promise<number> {
    const [row] = lastRows.parse(await this.#db.all(sql`SELECT max(id) AS id FROM document_chunks`));
    return row?.id ?? 0;
  }
}

/**
 * Maximum definitions found for all names of one search together. There may be many, such as versions of a library, and
 * names that only end with it.
 */
const NAMED_MAX = 10;

/** Maximum characters read of a title: enough to choose a page. A title may have megabytes. */
const TITLE_CHARS_READ = 1_000;

const lastRows = z.array(z.object({ id: z.number().nullable() }));
const numbers = z.array(z.number());
const pageRows = z.array(
  z.object({
    id: z.number(),
    lastId: z.number(),
    documentId: z.string(),
    url: z.string(),
    title: z.string().nullable(),
    page: z.number().nullable(),
  }),
);
const namedRows = z.array(
  z.object({
    name: z.string(),
    isSame: z.number().transform(Boolean),
    line: z.number().nullable(),
    page: z.number(),
    chunk: z.number(),
  }),
);
const chunkRows = z.array(z.object({ id: z.number(), firstLine: z.number(), body: z.string() }));

function newest(expression: string, limit: number, which: SQL, window?: { from: number; end: number }): SQL {
  const within = window === undefined ? sql`` : sql`AND rowid >= ${window.from} AND rowid < ${window.end}`;
  return sql`(SELECT rowid AS id FROM search_words
    WHERE search_words MATCH ${expression} ${within} ${which} ORDER BY rowid DESC LIMIT ${limit})`;
}

function cut(found: readonly number[]): WordPostings {
  return { ids: found.slice(0, POSTINGS_PER_WORD_MAX), isWhole: found.length <= POSTINGS_PER_WORD_MAX };
}

function match(terms: readonly IndexTerm[], mark: string): string {
  return terms.map((term) => quoted(term, mark)).join(' AND ');
}

/**
 * A term as a quoted FTS5 string. Words consist only of letters, digits and marks, so a query contains no syntax.
 * @param mark {@link hashOwnerMark} of the searching user
 */
function quoted({ kind, stem, foreign }: IndexTerm, mark: string): string {
  const marks = mark === '' ? [''] : ['', mark];
  const tokens = [stem, ...foreign].flatMap((one) => marks.map((owner) => `"${indexToken(kind, one, owner)}"`));
  return tokens.length === 1 ? tokens.join('') : `(${tokens.join(' OR ')})`;
}

/**
 * Writes the full-text index. Each row contains words and has the number of its chunk. The words of the whole page are
 * in the row of its first chunk. Rows are deleted by number only, in the batch that deletes the text.
 */

/** A condition on `documents`: the subject may find them. Every search uses this definition. */
function isSearchableBy(subject: string | null): SQL {
  return sql`(documents.owner IS NULL OR documents.owner = ${subject})`;
}
