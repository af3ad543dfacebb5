import { DurableObject } from 'cloudflare:workers';
import { admissionFor, stillOpen } from './registry.ts';
import type { Entry, OpenSession, Admission } from './registry.ts';

/**
 * Knows which sessions have a browser. One object, so that limits cannot be exceeded by a race. Called when a session
 * opens, is restored or closes, not on every call.
 */
export class SessionRegistry extends DurableObject {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS open_sessions
        (key TEXT PRIMARY KEY, subject TEXT NOT NULL, name TEXT NOT NULL, since INTEGER NOT NULL, seen_at INTEGER NOT NULL)`,
    );
  }

  /** A session that asks again keeps its slot. */
  open(session: OpenSession, limits: { perSubject: number; total: number }): Admission {
    const now = Date.now();
    const room = admissionFor(session, stillOpen(this.#entries(), now), limits);
    if (room.granted) {
      const { key, subject, name } = session;
      this.#sql.exec(
        `INSERT INTO open_sessions (key, subject, name, since, seen_at) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET subject = excluded.subject, seen_at = excluded.seen_at`,
        key,
        subject,
        name,
        now,
        now,
      );
    }
    return room;
  }

  seen(key: string): void {
    this.#sql.exec('UPDATE open_sessions SET seen_at = ? WHERE key = ?', Date.now(), key);
  }

  closed(key: string): void {
    this.#sql.exec('DELETE FROM open_sessions WHERE key = ?', key);
  }

  /** Nothing of a person is open any more. */
  closedAllOf(subject: string): void {
    this.#sql.exec('DELETE FROM open_sessions WHERE subject = ?', subject);
  }

  list(subject: string | null): Entry[] {
    const now = Date.now();
    const open = stillOpen(this.#entries(), now);
    for (const { key } of this.#entries()) if (!open.some((entry) => entry.key === key)) this.closed(key);
    return open.filter((entry) => subject === null || entry.subject === subject);
  }

  #entries(): Entry[] {
    return this.#sql
      .exec<{ key: string; subject: string; name: string; since: number; seen_at: number }>(
        'SELECT key, subject, name, since, seen_at FROM open_sessions ORDER BY since, key',
      )
      .toArray()
      .map(({ key, subject, name, since, seen_at }) => ({ key, subject, name, since, seenAt: seen_at }));
  }
}
