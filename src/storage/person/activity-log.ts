import { ACTIVITY_KINDS } from '#core/activity.ts';
import type { Activity, ActivityKind } from '#core/activity.ts';
import type { ScriptStep } from '#core/script-steps.ts';
import { DAY_MS, MINUTE_MS } from '#core/limits.ts';
import { SESSION_NAME_LIFETIME_MS } from '#storage/limits.ts';
import type { HistoryLimits } from '#storage/limits.ts';

/** Maximum stored session names, which take 1 MB. */
const SESSION_NAMES_MAX = 10_000;

/** Filters for activity. An entry must match all that are given. */
export type ActivityFilter = {
  kind?: ActivityKind | undefined;
  client?: string | undefined;
  /** Day in UTC, such as `2026-11-23`. */
  day?: string | undefined;
  /** Text that an entry's title, URL, query, session name and tool must contain when joined by spaces, in any case. */
  text?: string | undefined;
};

export type StoredActivity = Activity & {
  /** Number of the entry. */
  seq: number;
  /** The browser step of the call; `null` or missing if none was stored. */
  step?: CallStep | null;
};

/** A stored browser step of a call. */
type CallStep = {
  /** Number of the step. */
  seq: number;
  /** The actions of the step; empty if none were stored. */
  done: readonly ScriptStep[];
};

/** A client. `name`: the name under which the console last showed it. */
export type UsedClient = { id: string; usedAt: number; name: string | null };

/** Entries, newest first. `next`: passed as `before` to get older entries; `null` at the end. */
export type ActivityPage = { deeds: StoredActivity[]; next: number | null };

/** Calls and failures of one tool or day. `p50`, `p95`: percentiles of the latency in ms. */
export type CallsOfTool = { tool: string; calls: number; errors: number; p50: number; p95: number };
export type CallsOfDay = { day: string; calls: number; errors: number };

export type UsedSession = { name: string; usedAt: number; url: string | null; title: string | null };

type Row = {
  seq: number;
  id: string;
  at: number;
  is_call: number;
  client: string;
  tool: string;
  kind: string;
  url: string | null;
  title: string | null;
  words: string | null;
  cursor: string | null;
  document_id: string | null;
  first_line: number | null;
  last_line: number | null;
  session: string | null;
  ms: number;
  error: string | null;
  reason: string | null;
  hint: string | null;
};

export class ActivityLog {
  readonly #sql: SqlStorage;
  readonly #limits: () => HistoryLimits;

  constructor(sql: SqlStorage, limits: () => HistoryLimits) {
    this.#sql = sql;
    this.#limits = limits;
    sql.exec(`CREATE TABLE IF NOT EXISTS activity (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, is_call INTEGER NOT NULL,
      client TEXT NOT NULL, tool TEXT NOT NULL, kind TEXT NOT NULL, url TEXT, title TEXT, words TEXT, cursor TEXT,
      document_id TEXT, first_line INTEGER, last_line INTEGER, session TEXT, ms INTEGER NOT NULL, error TEXT,
      reason TEXT, hint TEXT)`);
    sql.exec(`CREATE INDEX IF NOT EXISTS activity_by_time ON activity (at)`);
    sql.exec(`CREATE INDEX IF NOT EXISTS activity_by_cursor ON activity (cursor)`);
    sql.exec(`CREATE TABLE IF NOT EXISTS clients (id TEXT PRIMARY KEY, used_at INTEGER NOT NULL, name TEXT)`);
    sql.exec(
      `CREATE TABLE IF NOT EXISTS sessions (name TEXT PRIMARY KEY, used_at INTEGER NOT NULL, url TEXT, title TEXT)`,
    );
  }

  add(deeds: readonly Activity[]): void {
    for (const deed of deeds) this.#insert(deed);
    this.#sql.exec(`DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - ?`, this.#limits().lines);
  }

  /**
   * Records a client's last use, even if activity is disabled. At most one write a minute, because each write is
   * billed.
   */
  noteClient(id: string, at: number): void {
    this.#sql.exec(
      `INSERT INTO clients (id, used_at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at
       WHERE excluded.used_at >= used_at + ${MINUTE_MS}`,
      id,
      at,
    );
    this.#cutClients();
  }

  noteSession({ session, at, url, title }: Activity): void {
    if (session === null) return;
    this.#sql.exec(
      `INSERT INTO sessions VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name) DO UPDATE SET
         used_at = max(used_at, ?2), url = coalesce(?3, url), title = iif(?3 IS NULL, title, ?4)`,
      session,
      at,
      url,
      title,
    );
    this.#cutSessions(at);
  }

  page(filter: ActivityFilter, before: number | null, limit: number): ActivityPage {
    const since = filter.day === undefined ? null : Date.parse(`${filter.day}T00:00:00Z`);
    const newestFirst = this.#sql.exec<Row>(
      `SELECT * FROM activity WHERE (?1 IS NULL OR seq < ?1) AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR client = ?3)
         AND (?4 IS NULL OR (at >= ?4 AND at < ?4 + ${DAY_MS})) ORDER BY seq DESC`,
      before,
      filter.kind ?? null,
      filter.client ?? null,
      since,
    );
    const text = filter.text?.toLowerCase() ?? '';
    const rows: Row[] = [];
    for (const row of newestFirst) {
      if (searchedText(row).includes(text)) rows.push(row);
      if (rows.length > limit) break;
    }
    const shown = rows.slice(0, limit);
    return { deeds: shown.map(deedOf), next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null };
  }

  find(seq: number): StoredActivity | null {
    const [row] = this.#sql.exec<Row>(`SELECT * FROM activity WHERE seq = ?`, seq).toArray();
    return row === undefined ? null : deedOf(row);
  }

  /** The document that a cursor first showed. */
  documentOf(cursor: string): string | null {
    const [row] = this.#sql
      .exec<{ id: string }>(
        `SELECT document_id AS id FROM activity WHERE cursor = ? AND document_id IS NOT NULL LIMIT 1`,
        cursor,
      )
      .toArray();
    return row?.id ?? null;
  }

  choices(): { clients: string[]; days: string[] } {
    const clients = this.#sql
      .exec<{ client: string }>(`SELECT DISTINCT client FROM activity ORDER BY client`)
      .toArray();
    const days = this.#sql
      .exec<{ day: string }>(`SELECT DISTINCT ${DAY} AS day FROM activity ORDER BY day DESC`)
      .toArray();
    return { clients: clients.map(({ client }) => client), days: days.map(({ day }) => day) };
  }

  use(since: number): { tools: CallsOfTool[]; days: CallsOfDay[] } {
    const rows = this.#sql
      .exec<{ tool: string; ms: number; error: string | null }>(
        `SELECT tool, ms, error FROM activity WHERE is_call = 1 AND at >= ? ORDER BY ms`,
        since,
      )
      .toArray();
    const tools = [...Map.groupBy(rows, ({ tool }) => tool)].map(([tool, calls]) => ({
      tool,
      calls: calls.length,
      errors: calls.filter(({ error }) => error !== null).length,
      p50: calls[Math.ceil(calls.length * 0.5) - 1]?.ms ?? 0,
      p95: calls[Math.ceil(calls.length * 0.95) - 1]?.ms ?? 0,
    }));
    const days = this.#sql
      .exec<CallsOfDay>(
        `SELECT ${DAY} AS day, count(*) AS calls, sum(error IS NOT NULL) AS errors FROM activity
         WHERE is_call = 1 AND at >= ? GROUP BY day ORDER BY day`,
        since,
      )
      .toArray();
    return { tools: tools.sort((one, other) => other.calls - one.calls), days };
  }

  clients(): UsedClient[] {
    return this.#sql.exec<UsedClient>(`SELECT id, used_at AS usedAt, name FROM clients`).toArray();
  }

  nameClients(names: readonly (readonly [id: string, name: string])[]): void {
    for (const [id, name] of names) this.#sql.exec(`UPDATE clients SET name = ? WHERE id = ?`, name, id);
  }

  /** Names of all sessions that may have stored data, including those that {@link sessions} does not list. */
  sessionNames(): string[] {
    const rows = this.#sql.exec<{ name: string }>(`SELECT name FROM sessions`).toArray();
    return rows.map(({ name }) => name);
  }

  sessions(): UsedSession[] {
    return this.#sql
      .exec<UsedSession>(
        `SELECT name, used_at AS usedAt, url, title FROM sessions ORDER BY used_at DESC, name LIMIT ?`,
        this.#limits().names,
      )
      .toArray();
  }

  forgetSession(name: string): void {
    this.#sql.exec(`DELETE FROM sessions WHERE name = ?`, name);
  }

  dropBefore(time: number): void {
    this.#sql.exec(`DELETE FROM activity WHERE at < ?`, time);
  }

  /** Unix time in ms of the oldest entry; `null` without entries. */
  oldest(): number | null {
    return this.#sql.exec<{ at: number | null }>(`SELECT min(at) AS at FROM activity`).one().at;
  }

  #insert(deed: Activity): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO activity (id, at, is_call, client, tool, kind, url, title, words, cursor, document_id, first_line,
         last_line, session, ms, error, reason, hint) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      deed.id,
      deed.at,
      deed.isCall ? 1 : 0,
      deed.client,
      deed.tool,
      deed.kind,
      deed.url,
      deed.title,
      deed.words,
      deed.cursor,
      deed.documentId,
      deed.lines?.start ?? null,
      deed.lines?.end ?? null,
      deed.session,
      Math.round(deed.ms),
      deed.error,
      deed.reason ?? null,
      deed.hint ?? null,
    );
  }

  #cutClients(): void {
    this.#sql.exec(
      `DELETE FROM clients WHERE id NOT IN (SELECT id FROM clients ORDER BY used_at DESC, id LIMIT ?)`,
      this.#limits().names,
    );
  }

  /**
   * Drops old session names. A name that is no longer listed stays while data may be stored under it, because the name
   * is needed to find the data. Beyond {@link SESSION_NAMES_MAX} names, it is dropped in any case.
   */
  #cutSessions(now: number): void {
    const newest = `SELECT name FROM sessions ORDER BY used_at DESC, name LIMIT`;
    this.#sql.exec(
      `DELETE FROM sessions WHERE name NOT IN (${newest} ?1) AND (used_at < ?2 OR name NOT IN (${newest} ?3))`,
      this.#limits().names,
      now - SESSION_NAME_LIFETIME_MS,
      SESSION_NAMES_MAX,
    );
  }
}

/** In lower case. SQLite's `lower` changes only ASCII letters. */
function searchedText({ title, url, words, session, tool }: Row): string {
  return [title, url, words, session, tool]
    .map((field) => field ?? '')
    .join(' ')
    .toLowerCase();
}

const DAY = `date(at / 1000, 'unixepoch')`;

function deedOf(row: Row): StoredActivity {
  const { kind, is_call: isCall, document_id: documentId, first_line: start, last_line: end, ...rest } = row;
  return {
    ...rest,
    isCall: isCall === 1,
    kind: ACTIVITY_KINDS.find((one) => one === kind) ?? 'read',
    documentId,
    lines: start === null || end === null ? null : { start, end },
  };
}
