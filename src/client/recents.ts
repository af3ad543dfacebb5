import { RECENT_PAGES_PER_SUBJECT_MAX } from './limits.ts';

export type RecentlyOpenedPage = { snapshot: string; url: string; title: string | null; openedAt: number };

type Opened = { snapshot: string; cursor: string };

/** Recent pages, newest first. `next`: value of `after` for the next page; `null` at the end. */
type RecentsPage = { entries: RecentlyOpenedPage[]; next: number | null };

type Row = { seq: number; snapshot: string; url: string; title: string | null; opened_at: number };

/**
 * Recently opened pages of one subject, in the SQLite of the subject's Durable Object. Each snapshot is listed once, at
 * its latest opening. Sequence numbers grow with time, so paging neither repeats nor skips a page, unless it is opened
 * again meanwhile.
 */
export class RecentlyOpenedPages {
  readonly #sql: SqlStorage;
  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS recents (
      seq INTEGER PRIMARY KEY, snapshot TEXT NOT NULL UNIQUE, url TEXT NOT NULL, title TEXT,
      opened_at INTEGER NOT NULL, cursor TEXT)`);
  }

  note({ snapshot, url, title, openedAt }: RecentlyOpenedPage, cursor: string): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO recents (snapshot, url, title, opened_at, cursor) VALUES (?, ?, ?, ?, ?)`,
      snapshot,
      url,
      title,
      openedAt,
      cursor,
    );
    this.#sql.exec(
      `DELETE FROM recents WHERE seq <= (SELECT seq FROM recents ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
      RECENT_PAGES_PER_SUBJECT_MAX,
    );
  }

  /** @param after `next` of the previous page; `null` for the first page */
  page(after: number | null, limit: number): RecentsPage {
    const rows = this.#sql
      .exec<Row>(
        `SELECT seq, snapshot, url, title, opened_at FROM recents WHERE ?1 IS NULL OR seq < ?1
         ORDER BY seq DESC LIMIT ?2`,
        after,
        limit + 1,
      )
      .toArray();
    const shown = rows.slice(0, limit);
    return { entries: shown.map(recentOf), next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null };
  }

  /** @returns the latest opening of this URL; `null` if there is none, or if the user has deleted the page */
  newest(url: string): Opened | null {
    const [row] = this.#sql
      .exec<{ snapshot: string; cursor: string | null }>(
        `SELECT snapshot, cursor FROM recents WHERE url = ? ORDER BY seq DESC LIMIT 1`,
        url,
      )
      .toArray();
    return row === undefined || row.cursor === null ? null : { snapshot: row.snapshot, cursor: row.cursor };
  }

  /** Makes {@link newest} ignore these snapshots, because the user has deleted them. */
  forget(snapshots: readonly string[]): void {
    this.#sql.exec(
      `UPDATE recents SET cursor = NULL WHERE snapshot IN (SELECT value FROM json_each(?))`,
      JSON.stringify(snapshots),
    );
  }

  has(snapshot: string): boolean {
    return this.#sql.exec(`SELECT 1 FROM recents WHERE snapshot = ?`, snapshot).toArray().length > 0;
  }

  /** Finds pages whose snapshot ID begins with `text`, or whose URL or title contains it; newest first. */
  matching(text: string, limit: number): RecentlyOpenedPage[] {
    const wanted = text.toLowerCase();
    // Filtered in code, because SQLite ignores case only for ASCII letters, and there are few rows.
    return this.page(null, RECENT_PAGES_PER_SUBJECT_MAX)
      .entries.filter(({ snapshot, url, title }) => {
        const isNamed = [url, title ?? ''].some((name) => name.toLowerCase().includes(wanted));
        return isNamed || snapshot.startsWith(wanted);
      })
      .slice(0, limit);
  }
}

function recentOf({ snapshot, url, title, opened_at: openedAt }: Row): RecentlyOpenedPage {
  return { snapshot, url, title, openedAt };
}
