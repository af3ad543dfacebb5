import type { PageRange, SearchHit } from '#core/document/document.ts';
import { CURSORS_PER_SUBJECT_MAX } from './limits.ts';
import { DOCUMENT_PIN_EXTRA_MS } from '#core/limits.ts';
import * as z from 'zod';

export type CursorPageBinding = {
  documentId: string;
  url: string;
  title: string | null;
  lineCount: number;
  /** First line of the rest of the page (menus, comments, related links), if it has any. */
  restStart: number | null;
  /** The snapshot from which the document was opened, for the list of recently opened pages. */
  snapshot?: string | undefined;
  /** Time at which the page was fetched, as Unix time in ms. */
  fetchedAt: number;
  isLive?: boolean | undefined;
  /** True if a script of the page may have set `url`; missing for a cursor created from a stored document alone. */
  urlByScript?: boolean | undefined;
  pages?: PageRange | undefined;
};

/** The result list of a cursor: the results, numbered from 1, and the rendered lines for `scroll` and `find`. */
export type CursorListBinding = { hits: SearchHit[]; lines: string[] };

/**
 * A cursor on a page, on a result list, or on both. With both, the cursor shows a page that was opened from the list.
 */
export type ShownCursor = {
  cursor: string;
  page: CursorPageBinding | null;
  list: CursorListBinding | null;
  view: MovedViewport;
  /**
   * Time (ms) until which the store must now pin the shown document; `null` if it is already pinned long enough, or if
   * no document is shown. The cursor is extended only by `renew`, which is called after the pinning, because a cursor
   * must not outlive its document.
   */
  renewHoldUntil: number | null;
  isForgotten?: boolean;
  /**
   * A new cursor on the requested result; `null` if no cursor of the subject can be reused for the result's page (see
   * {@link Cursors.mintHeld}).
   */
  held?: PinnedResult | null;
};

export type PinnedResult = Pick<ShownCursor, 'cursor' | 'view' | 'renewHoldUntil'> & {
  page: CursorPageBinding & { snapshot: string };
};

type CursorRow = {
  id: string;
  list_id: string | null;
  document_id: string | null;
  url: string | null;
  title: string | null;
  line_count: number;
  rest_start: number | null;
  view_start: number;
  moved_by: string | null;
  moved_from: number | null;
  fetched_at: number | null;
  is_live: number | null;
  url_by_script: number | null;
  pages: string | null;
  is_forgotten: number | null;
  held_until: number;
  expires_at: number;
};

const storedHits: z.ZodType<SearchHit[]> = z.array(
  z.object({
    title: z.string(),
    url: z.string(),
    snippet: z.string(),
    place: z.object({ documentId: z.string(), line: z.number() }).optional(),
  }),
);

const storedPages: z.ZodType<PageRange> = z.object({
  first: z.number(),
  last: z.number(),
  total: z.number(),
  isCut: z.boolean().optional(),
});

/**
 * The cursors of one subject, in the SQLite of the subject's Durable Object. A cursor's binding is written once; only
 * its viewport, its times and the mark of {@link forget} change.
 */
export class Cursors {
  readonly #sql: SqlStorage;
  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS lists (id TEXT PRIMARY KEY, hits TEXT NOT NULL, lines TEXT NOT NULL)`);
    sql.exec(`CREATE TABLE IF NOT EXISTS cursors (
      id TEXT PRIMARY KEY, list_id TEXT, document_id TEXT, url TEXT, title TEXT, line_count INTEGER NOT NULL,
      rest_start INTEGER, view_start INTEGER NOT NULL, moved_by TEXT, moved_from INTEGER, fetched_at INTEGER,
      is_live INTEGER, url_by_script INTEGER, pages TEXT, is_forgotten INTEGER, held_until INTEGER NOT NULL,
      used_at INTEGER NOT NULL, expires_at INTEGER NOT NULL)`);
    sql.exec(`CREATE INDEX IF NOT EXISTS cursors_by_expiry ON cursors (expires_at)`);
    sql.exec(`CREATE INDEX IF NOT EXISTS cursors_by_use ON cursors (used_at)`);
    sql.exec(`CREATE INDEX IF NOT EXISTS cursors_by_list ON cursors (list_id)`);
  }

  mintList(list: CursorListBinding, now: number, ttlMs: number): string {
    const listId = newId('l_');
    this.#sql.exec(
      `INSERT INTO lists (id, hits, lines) VALUES (?, ?, ?)`,
      listId,
      JSON.stringify(list.hits),
      list.lines.join('\n'),
    );
    return this.#insert({ listId, page: null, lineCount: list.lines.length, viewStart: 0, heldUntil: 0 }, now, ttlMs);
  }

  /**
   * Creates a cursor on a page. It inherits the result list of the cursor `from`, if there is one. The caller must
   * first store the document and pin it until `now + ttlMs` plus {@link DOCUMENT_PIN_EXTRA_MS}.
   */
  mintPage(page: CursorPageBinding, viewStart: number, from: string | null, now: number, ttlMs: number): string {
    const [origin] = from === null ? [] : this.#rows(from, now);
    const heldUntil = now + ttlMs + DOCUMENT_PIN_EXTRA_MS;
    const listId = origin?.list_id ?? null;
    return this.#insert({ listId, page, lineCount: page.lineCount, viewStart, heldUntil }, now, ttlMs);
  }

  /**
   * Looks a cursor up and, on request, moves its viewport. Also extends its lifetime, unless its document must first be
   * pinned longer (`renewHoldUntil`). Returns `null` if the cursor is unknown or has expired.
   * @param moveId ID of the call, so that a call repeated after a lost response does not move twice
   */
  use(
    cursor: string,
    move: ViewportMove | null,
    now: number,
    ttlMs: number,
    moveId: string | null = null,
  ): ShownCursor | null {
    const [row] = this.#rows(cursor, now);
    if (row === undefined) return null;
    const isRepeated = moveId !== null && row.moved_by === moveId;
    const from = isRepeated ? (row.moved_from ?? row.view_start) : row.view_start;
    const view: MovedViewport =
      move === null ? { start: from, clamped: null } : moveViewport(from, extentOf(row), move);
    const promised = now + ttlMs;
    const renews = row.document_id !== null && row.held_until < promised;
    this.#sql.exec(
      `UPDATE cursors SET view_start = ?, moved_by = ?, moved_from = ?, used_at = ?, expires_at = ? WHERE id = ?`,
      view.start,
      move === null ? row.moved_by : moveId,
      move === null ? row.moved_from : from,
      now,
      renews ? row.expires_at : promised,
      cursor,
    );
    return {
      cursor,
      page: pageOf(row),
      list: row.list_id === null ? null : this.#list(row.list_id),
      view,
      renewHoldUntil: renews ? promised + DOCUMENT_PIN_EXTRA_MS : null,
      ...(row.is_forgotten === 1 ? { isForgotten: true } : {}),
    };
  }

  /**
   * Creates a cursor on a page that another unexpired cursor of the subject shows, with the result list of `from`.
   * @returns `null` if the page was fetched before `fetchedAfter` (ms), was deleted, has no cursor, or is of a browser
   *   session
   */
  mintHeld(
    from: string,
    known: { cursor: string; snapshot: string },
    { loc, numLines }: { loc: (documentId: string) => number; numLines: number },
    { now, ttlMs, fetchedAfter }: { now: number; ttlMs: number; fetchedAfter: number },
  ): PinnedResult | null {
    const [row] = this.#rows(known.cursor, now);
    const page = row === undefined ? null : pageOf(row);
    if (row === undefined || page === null || row.is_forgotten === 1 || page.isLive === true) return null;
    if (page.fetchedAt <= fetchedAfter) return null;
    const promised = now + ttlMs;
    const renews = row.held_until < promised;
    const wanted = loc(page.documentId);
    const view = moveViewport(0, page, { loc: wanted, delta: 0, numLines });
    const [list] = this.#rows(from, now);
    const bound = { listId: list?.list_id ?? null, page, lineCount: page.lineCount, viewStart: view.start };
    const livesMs = renews ? row.expires_at - now : ttlMs;
    const cursor = this.#insert({ ...bound, heldUntil: row.held_until }, now, livesMs);
    const renewHoldUntil = renews ? promised + DOCUMENT_PIN_EXTRA_MS : null;
    return { cursor, page: { ...page, snapshot: known.snapshot }, view, renewHoldUntil };
  }

  /** Marks cursors so that they do not show these documents, even if a memory cache still has them. */
  forget(documentIds: readonly string[]): void {
    this.#sql.exec(
      `UPDATE cursors SET is_forgotten = 1 WHERE document_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(documentIds),
    );
  }

  /** Extends the cursor's lifetime after the store has pinned the shown document until `heldUntil` (ms). */
  renew(cursor: string, heldUntil: number): void {
    this.#sql.exec(
      `UPDATE cursors SET held_until = max(held_until, ?1), expires_at = max(expires_at, ?2) WHERE id = ?3`,
      heldUntil,
      heldUntil - DOCUMENT_PIN_EXTRA_MS,
      cursor,
    );
  }

  /** Returns the URLs, of those given, that are in the result list of a stored cursor. Fragments are ignored. */
  listed(urls: readonly string[]): string[] {
    const rows = this.#sql.exec<{ url: string }>(
      `SELECT DISTINCT value AS url FROM json_each(?1) WHERE value IN (
         SELECT substr(url, 1, instr(url || '#', '#') - 1)
         FROM (SELECT json_extract(hit.value, '$.url') AS url FROM lists, json_each(lists.hits) AS hit))`,
      JSON.stringify(urls),
    );
    return rows.toArray().map(({ url }) => url);
  }

  sweep(now: number): void {
    this.#sql.exec(`DELETE FROM cursors WHERE expires_at <= ?`, now);
    this.#dropOrphanLists();
  }

  /** Expiry of the next cursor, as Unix time in ms; `null` if there is none. */
  nextExpiry(): number | null {
    const { at } = this.#sql.exec<{ at: number | null }>(`SELECT min(expires_at) AS at FROM cursors`).one();
    return at;
  }

  #insert(
    bound: {
      listId: string | null;
      page: CursorPageBinding | null;
      lineCount: number;
      viewStart: number;
      heldUntil: number;
    },
    now: number,
    ttlMs: number,
  ): string {
    this.#makeRoom();
    const id = newId('c_');
    this.#sql.exec(
      `INSERT INTO cursors
       (id, list_id, document_id, url, title, line_count, rest_start, fetched_at, is_live, url_by_script, pages, view_start,
        held_until, used_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      bound.listId,
      bound.page?.documentId ?? null,
      bound.page?.url ?? null,
      bound.page?.title ?? null,
      bound.lineCount,
      bound.page?.restStart ?? null,
      bound.page?.fetchedAt ?? null,
      bound.page?.isLive === true ? 1 : null,
      bound.page?.urlByScript === undefined ? null : Number(bound.page.urlByScript),
      bound.page?.pages === undefined ? null : JSON.stringify(bound.page.pages),
      bound.viewStart,
      bound.heldUntil,
      now,
      now + ttlMs,
    );
    return id;
  }

  #rows(cursor: string, now: number): CursorRow[] {
    return this.#sql
      .exec<CursorRow>(
        `SELECT id, list_id, document_id, url, title, line_count, rest_start, view_start, moved_by, moved_from, fetched_at,
                is_live, url_by_script, pages, is_forgotten, held_until, expires_at
         FROM cursors WHERE id = ? AND expires_at > ?`,
        cursor,
        now,
      )
      .toArray();
  }

  #list(id: string): CursorListBinding | null {
    const [row] = this.#sql
      .exec<{ hits: string; lines: string }>(`SELECT hits, lines FROM lists WHERE id = ?`, id)
      .toArray();
    if (row === undefined) return null;
    return { hits: storedHits.parse(JSON.parse(row.hits)), lines: row.lines.split('\n') };
  }

  /** Deletes the least recently used cursors, so that one more cursor stays within the subject's limit. */
  #makeRoom(): void {
    const { total } = this.#sql.exec<{ total: number }>(`SELECT count(*) AS total FROM cursors`).one();
    if (total < CURSORS_PER_SUBJECT_MAX) return;
    this.#sql.exec(
      `DELETE FROM cursors WHERE id IN (SELECT id FROM cursors ORDER BY used_at, id LIMIT ?)`,
      total - CURSORS_PER_SUBJECT_MAX + 1,
    );
    this.#dropOrphanLists();
  }

  #dropOrphanLists(): void {
    this.#sql.exec(`DELETE FROM lists WHERE id NOT IN (SELECT list_id FROM cursors WHERE list_id IS NOT NULL)`);
  }
}

function pageOf(row: CursorRow): CursorPageBinding | null {
  const { document_id: documentId, url, title, fetched_at: fetchedAt, is_live: isLive, url_by_script: byScript } = row;
  if (documentId === null || url === null || fetchedAt === null) return null;
  const read = {
    fetchedAt,
    ...(byScript === null ? {} : { urlByScript: byScript === 1 }),
    ...(isLive === 1 ? { isLive: true } : {}),
    ...(row.pages === null ? {} : { pages: storedPages.parse(JSON.parse(row.pages)) }),
  };
  return { documentId, url, title, ...extentOf(row), ...read };
}

function extentOf(row: CursorRow): TextExtent {
  return { lineCount: row.line_count, restStart: row.rest_start };
}

const ID_ALPHABET = 'abcdefghjkmnpqrstvwxyz0123456789';
/** Symbols of an ID, at 5 bits each. 80 bits cannot be guessed, and a model can copy the ID without mistakes. */
const ID_SYMBOLS = 16;

function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_SYMBOLS));
  return prefix + Array.from(bytes, (byte) => ID_ALPHABET.charAt(byte % ID_ALPHABET.length)).join('');
}

/** The move that `scroll` requests: to a line, or by a number of lines. `numLines`: height of the viewport. */
export type ViewportMove = { loc: number | null; delta: number; numLines: number };

/** Length of a text. `restStart`: first line of the rest of the page (menus, comments); `null` without a rest. */
export type TextExtent = { lineCount: number; restStart: number | null };

/** The new viewport, and the boundary that stopped the move: an end of the text, or the start of the rest (menus). */
export type MovedViewport = { start: number; clamped: 'start' | 'end' | 'rest' | null };

/**
 * Moves a viewport. An absolute `loc` takes precedence over `delta`. A move past the end shows the last full viewport,
 * and a positive `delta` never moves backwards. A move before the start shows the first line. No viewport shows both
 * the main part and the rest (menus, comments), so a `delta` that leaves the main part stops where the rest begins.
 */
export function moveViewport(from: number, { lineCount, restStart }: TextExtent, move: ViewportMove): MovedViewport {
  const wanted = move.loc ?? from + move.delta;
  if (wanted < 0) return { start: 0, clamped: 'start' };
  const leavesMain = restStart !== null && from < restStart && wanted > restStart;
  if (leavesMain && move.loc === null) return { start: restStart, clamped: 'rest' };
  if (wanted < lineCount) return { start: wanted, clamped: null };
  const lastFull = Math.max(0, lineCount - move.numLines, restStart ?? 0);
  return { start: move.loc === null ? Math.max(from, lastFull) : lastFull, clamped: 'end' };
}
