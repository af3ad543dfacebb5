import { HOUR_MS } from '#core/limits.ts';

/**
 * Replaced tokens of a grant that are still recognised, so that a stolen one ends the grant. That is more than three
 * years of daily refreshes; of a client that refreshes all the time, the oldest are dropped first.
 */
const REPLACED_TOKENS_PER_GRANT_MAX = 1_000;
/**
 * Access tokens of a grant that are remembered by name, to end them with it. The key-value store lists older ones; it
 * may take a minute to list new ones.
 */
const ISSUED_TOKENS_PER_GRANT_MAX = 1_000;
/** How long an ended grant is remembered: far longer than the key-value store may still show it, which is a minute. */
const GRANT_ENDED_MS = 24 * HOUR_MS;

/** What is known of a grant when a refresh token is presented for it. Tokens are named by their SHA-256, in hex. */
export type HeldGrant = {
  /** As the OAuth library stores it; `null` once the grant has ended. */
  record: string | null;
  /** The refresh token that is to be used next; `null` once the grant has ended. */
  current: string | null;
  /** The presented token, when another one has replaced it. */
  replaced: ReplacedToken | null;
};

export type ReplacedToken = {
  /** The key of what the grant carries, wrapped for this token by the OAuth library. */
  wrappedKey: string;
  /** What was answered to it, sealed under the token itself. It is dropped when the token is no longer answered. */
  answer: Uint8Array | null;
  /** Whether it was replaced only lately: within the grace period. */
  isRecent: boolean;
  /** Whether its successor has not been used yet. */
  isPrevious: boolean;
  /** What was answered to each token that was replaced after it, as far as that is kept; tokens by their SHA-256. */
  later: { token: string; answer: Uint8Array }[];
};

/** An access token by its SHA-256, in hex. */
export type IssuedToken = { id: string; endsAt: number };

/** A grant after its code was exchanged. */
export type FirstTokens = { record: string; current: string; issued: IssuedToken; endsAt: number };

/** One step of a grant: the presented token is replaced by the next one. */
export type Rotation = {
  /** The current token of the record that the step was made from; `null` when none was held. */
  from: string | null;
  presented: string;
  wrappedKey: string;
  /** The next token. */
  next: string;
  /** The grant after the step. */
  record: string;
  answer: Uint8Array;
  issued: IssuedToken;
  /** How long the presented token still gets this answer, in ms. */
  graceMs: number;
  /** When the grant ends unless it is used (ms). */
  endsAt: number;
};

type GrantRow = { record: string | null; current: string | null; previous: string | null };
type TokenRow = { rowid: number; wrapped_key: string; answer: ArrayBuffer | null; recent_until: number };

/**
 * The grants of one subject whose refresh tokens have been rotated. The copies in the key-value store arrive elsewhere
 * late, and out of order; these decide.
 */
export class Grants {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS grants
        (id TEXT PRIMARY KEY, record TEXT, current TEXT, previous TEXT, ends_at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS replaced_tokens
        (grant_id TEXT NOT NULL, token TEXT NOT NULL, wrapped_key TEXT NOT NULL, answer BLOB,
         recent_until INTEGER NOT NULL, ends_at INTEGER NOT NULL, PRIMARY KEY (grant_id, token));
      CREATE TABLE IF NOT EXISTS issued_tokens
        (grant_id TEXT NOT NULL, id TEXT NOT NULL, ends_at INTEGER NOT NULL, PRIMARY KEY (grant_id, id));
    `);
  }

  /** @returns `null` when nothing is known of the grant */
  held(id: string, presented: string | null, now: number): HeldGrant | null {
    const row = this.#grant(id);
    if (row === null) return null;
    const { record, current } = row;
    return { record, current, replaced: presented === null ? null : this.#replaced(id, presented, row.previous, now) };
  }

  /** Notes a grant after its code was exchanged. @returns whether that was the first exchange */
  begin(id: string, { record, current, issued, endsAt }: FirstTokens): boolean {
    const row = this.#grant(id);
    if (row !== null) return row.current === current;
    this.#sql.exec('INSERT INTO grants VALUES (?, ?, ?, NULL, ?)', id, record, current, endsAt);
    this.#note(id, issued);
    return true;
  }

  /** Notes one more access token. @returns whether the grant is still there */
  issue(id: string, issued: IssuedToken): boolean {
    if ((this.#grant(id)?.record ?? null) === null) return false;
    this.#note(id, issued);
    return true;
  }

  /**
   * Takes a step, if nobody took another one from there.
   * @returns `null` when it is taken, else what is held instead
   */
  rotate(id: string, step: Rotation, now: number): HeldGrant | null {
    const row = this.#grant(id);
    if (row !== null && row.record !== null && row.current === step.next) return null;
    if (row !== null && (row.record === null || row.current !== step.from)) return this.held(id, step.presented, now);
    const { record, next, presented, wrappedKey, answer, graceMs, endsAt } = step;
    this.#sql.exec('INSERT OR REPLACE INTO grants VALUES (?, ?, ?, ?, ?)', id, record, next, presented, endsAt);
    this.#sql.exec(
      'INSERT OR REPLACE INTO replaced_tokens VALUES (?, ?, ?, ?, ?, ?)',
      id,
      presented,
      wrappedKey,
      answer,
      now + graceMs,
      endsAt,
    );
    this.#sql.exec(
      `DELETE FROM replaced_tokens WHERE grant_id = ?1 AND rowid NOT IN
         (SELECT rowid FROM replaced_tokens WHERE grant_id = ?1 ORDER BY rowid DESC LIMIT ?2)`,
      id,
      REPLACED_TOKENS_PER_GRANT_MAX,
    );
    this.#note(id, step.issued);
    return null;
  }

  /**
   * None of its refresh tokens is answered any more, whatever the key-value store still says.
   * @returns the ids of its access tokens
   */
  end(id: string, now: number): string[] {
    const issued = this.#sql.exec<{ id: string }>('DELETE FROM issued_tokens WHERE grant_id = ? RETURNING id', id);
    const ids = issued.toArray().map((row) => row.id);
    this.#sql.exec('DELETE FROM replaced_tokens WHERE grant_id = ?', id);
    this.#sql.exec('INSERT OR REPLACE INTO grants VALUES (?, NULL, NULL, NULL, ?)', id, now + GRANT_ENDED_MS);
    return ids;
  }

  /** Drops grants that are over, and answers that nobody gets any more. */
  sweep(now: number): void {
    this.#sql.exec('DELETE FROM grants WHERE ends_at <= ?', now);
    this.#sql.exec('DELETE FROM replaced_tokens WHERE ends_at <= ?', now);
    this.#sql.exec('DELETE FROM issued_tokens WHERE ends_at <= ?', now);
    this.#sql.exec(`UPDATE replaced_tokens SET answer = NULL WHERE ${SPENT} AND recent_until <= ?`, now);
  }

  /** When there is something to drop next (ms), or `null`. */
  nextExpiry(): number | null {
    const { at } = this.#sql
      .exec<{ at: number | null }>(
        `SELECT min(at) AS at FROM (SELECT min(ends_at) AS at FROM grants
           UNION ALL SELECT min(ends_at) FROM replaced_tokens
           UNION ALL SELECT min(ends_at) FROM issued_tokens
           UNION ALL SELECT min(recent_until) FROM replaced_tokens WHERE ${SPENT})`,
      )
      .one();
    return at;
  }

  #grant(id: string): GrantRow | null {
    const [row] = this.#sql.exec<GrantRow>('SELECT record, current, previous FROM grants WHERE id = ?', id).toArray();
    return row ?? null;
  }

  #note(grant: string, { id, endsAt }: IssuedToken): void {
    this.#sql.exec('INSERT OR REPLACE INTO issued_tokens VALUES (?, ?, ?)', grant, id, endsAt);
    this.#sql.exec(
      `DELETE FROM issued_tokens WHERE grant_id = ?1 AND rowid NOT IN
         (SELECT rowid FROM issued_tokens WHERE grant_id = ?1 ORDER BY rowid DESC LIMIT ?2)`,
      grant,
      ISSUED_TOKENS_PER_GRANT_MAX,
    );
  }

  #replaced(id: string, token: string, previous: string | null, now: number): ReplacedToken | null {
    const [row] = this.#sql
      .exec<TokenRow>(
        'SELECT rowid, wrapped_key, answer, recent_until FROM replaced_tokens WHERE grant_id = ? AND token = ?',
        id,
        token,
      )
      .toArray();
    if (row === undefined) return null;
    const later = this.#sql.exec<{ token: string; answer: ArrayBuffer }>(
      'SELECT token, answer FROM replaced_tokens WHERE grant_id = ? AND rowid > ? AND answer IS NOT NULL',
      id,
      row.rowid,
    );
    return {
      wrappedKey: row.wrapped_key,
      answer: row.answer === null ? null : new Uint8Array(row.answer),
      isRecent: row.recent_until > now,
      isPrevious: token === previous,
      later: later.toArray().map((one) => ({ token: one.token, answer: new Uint8Array(one.answer) })),
    };
  }
}

/** Rows with an answer whose successor was used. */
const SPENT = `answer IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM grants WHERE grants.id = replaced_tokens.grant_id AND grants.previous = replaced_tokens.token)`;
