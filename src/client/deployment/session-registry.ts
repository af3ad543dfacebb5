import { MINUTE_MS } from '#core/limits.ts';

/**
 * Time without renewal after which a session has no browser, because the platform closes browsers that get no commands.
 */
export const SESSION_SILENCE_MS_MAX = 5 * MINUTE_MS;

export const OPEN_SESSIONS_TABLE = 'open_sessions';

/** A session that has a browser, or is about to get one. */
export type OpenSession = {
  key: string;
  /** The user who started the session or restored it last. The session counts against this user's limit. */
  subject: string;
  name: string;
};

export type OpenSessionEntry = OpenSession & { since: number; renewedAt: number };

type Admission = { granted: true } | { granted: false; scope: 'subject' | 'deployment'; limit: number; open: string[] };

export function filterUnexpiredSessions(entries: readonly OpenSessionEntry[], now: number): OpenSessionEntry[] {
  return entries.filter(({ renewedAt }) => now - renewedAt < SESSION_SILENCE_MS_MAX);
}

export function decideSessionAdmission(
  { key, subject }: OpenSession,
  entries: readonly OpenSessionEntry[],
  { perSubject, total }: { perSubject: number; total: number },
): Admission {
  const others = entries.filter((entry) => entry.key !== key);
  const own = others.filter((entry) => entry.subject === subject);
  const open = own.map(({ name }) => name);
  if (own.length >= perSubject) return { granted: false, scope: 'subject', limit: perSubject, open };
  if (others.length >= total) return { granted: false, scope: 'deployment', limit: total, open };
  return { granted: true };
}

/**
 * The sessions that have a browser, recorded in one place so that limits can be enforced. Called when a session opens,
 * is restored or closes, and at intervals while its browser is open, but not for every call.
 */
export class SessionRegistry {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS ${OPEN_SESSIONS_TABLE}
        (key TEXT PRIMARY KEY, subject TEXT NOT NULL, name TEXT NOT NULL, since INTEGER NOT NULL, renewed_at INTEGER NOT NULL)`,
    );
  }

  /** Opens a session if the limits allow it. A session that is already open keeps its slot. */
  open(session: OpenSession, limits: { perSubject: number; total: number }): Admission {
    const now = Date.now();
    const room = decideSessionAdmission(session, filterUnexpiredSessions(this.#entries(), now), limits);
    if (room.granted) {
      const { key, subject, name } = session;
      this.#sql.exec(
        `INSERT INTO open_sessions (key, subject, name, since, renewed_at) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET subject = excluded.subject, renewed_at = excluded.renewed_at`,
        key,
        subject,
        name,
        now,
        now,
      );
    }
    return room;
  }

  renew(key: string): void {
    this.#sql.exec('UPDATE open_sessions SET renewed_at = ? WHERE key = ?', Date.now(), key);
  }

  closed(key: string): void {
    this.#sql.exec('DELETE FROM open_sessions WHERE key = ?', key);
  }

  closedAllOf(subject: string): void {
    this.#sql.exec('DELETE FROM open_sessions WHERE subject = ?', subject);
  }

  list(subject: string | null): OpenSessionEntry[] {
    const now = Date.now();
    const open = filterUnexpiredSessions(this.#entries(), now);
    for (const { key } of this.#entries()) if (!open.some((entry) => entry.key === key)) this.closed(key);
    return open.filter((entry) => subject === null || entry.subject === subject);
  }

  #entries(): OpenSessionEntry[] {
    return this.#sql
      .exec<{ key: string; subject: string; name: string; since: number; renewed_at: number }>(
        'SELECT key, subject, name, since, renewed_at FROM open_sessions ORDER BY since, key',
      )
      .toArray()
      .map(({ key, subject, name, since, renewed_at }) => ({ key, subject, name, since, renewedAt: renewed_at }));
  }
}
