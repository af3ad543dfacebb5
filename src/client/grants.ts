import { HOUR_MS } from '#core/limits.ts';

/**
 * Maximum replaced refresh tokens that a grant recognizes. If one is used again, it may be stolen, so the grant ends.
 * Enough for more than two years of daily refreshes. If a client refreshes constantly, the oldest are dropped.
 */
const REPLACED_TOKENS_PER_GRANT_MAX = 1_000;
/**
 * Maximum access tokens whose IDs are stored with their grant, to end them with the grant. The key-value store also
 * lists tokens, but new ones with a delay of up to a minute.
 */
const ISSUED_TOKENS_PER_GRANT_MAX = 1_000;
/**
 * Time for which an ended grant is stored. Far longer than the minute for which the key-value store may still list it.
 */
const GRANT_ENDED_MS = 24 * HOUR_MS;

/** State of a grant when a refresh token is presented. Tokens are named by their SHA-256, in hex. */
export type GrantTokenState = {
  /** The grant as the OAuth library stores it; `null` once the grant has ended. */
  record: string | null;
  /** The current refresh token; `null` once the grant has ended. */
  current: string | null;
  replaced: ReplacedToken | null;
};

export type ReplacedToken = {
  /** The encryption key of the grant's props, which the OAuth library wrapped with this token. */
  wrappedKey: string;
  /**
   * The new tokens that replaced this one, encrypted with this token. Deleted when this token is no longer accepted.
   */
  answer: Uint8Array | null;
  /** True within the grace period after the replacement. */
  isRecent: boolean;
  /** True if the token's successor has not been used yet. */
  isPrevious: boolean;
  /** Stored responses to the tokens that were replaced after this one, each with the SHA-256 of its token. */
  later: { token: string; answer: Uint8Array }[];
};

/** An access token, named by its SHA-256 in hex. */
export type IssuedToken = { id: string; endsAt: number };

type FirstTokens = { record: string; current: string; issued: IssuedToken; endsAt: number };

type Rotation = {
  /** The token that was current when the rotation began, by the stored record; `null` if there was no record. */
  from: string | null;
  presented: string;
  wrappedKey: string;
  next: string;
  record: string;
  answer: Uint8Array;
  issued: IssuedToken;
  /** Time in ms during which the presented token still gets this response. */
  graceMs: number;
  /** Expiry of the grant if it is not used before, as Unix time in ms. */
  endsAt: number;
};

type GrantRow = { record: string | null; current: string | null; previous: string | null };
type TokenRow = { rowid: number; wrapped_key: string; answer: ArrayBuffer | null; recent_until: number };

/**
 * The grants of one subject whose refresh tokens have been rotated. This copy is authoritative, because writes to the
 * key-value store reach other locations late and out of order.
 */
export class RotatedGrants {
  readonly #sql: SqlStorage;
  readonly #sweepAt: (at: number | null) => Promise<void>;

  constructor(sql: SqlStorage, sweepAt: (at: number | null) => Promise<void>) {
    this.#sql = sql;
    this.#sweepAt = sweepAt;
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

  /** @param presented SHA-256 of a refresh token. @returns `null` for an unknown grant */
  held(id: string, presented: string | null): GrantTokenState | null {
    const row = this.#grant(id);
    if (row === null) return null;
    const { record, current } = row;
    return { record, current, replaced: presented === null ? null : this.#replaced(id, presented, row.previous) };
  }

  /**
   * Records a grant when its code is exchanged.
   * @returns false if the code was exchanged before for another token, or if the grant has ended
   */
  async begin(id: string, { record, current, issued, endsAt }: FirstTokens): Promise<boolean> {
    const row = this.#grant(id);
    if (row !== null) return row.current === current;
    this.#sql.exec('INSERT INTO grants VALUES (?, ?, ?, NULL, ?)', id, record, current, endsAt);
    await this.#note(id, issued);
    return true;
  }

  /** Records another access token. @returns false if the grant has ended */
  async issue(id: string, issued: IssuedToken): Promise<boolean> {
    if ((this.#grant(id)?.record ?? null) === null) return false;
    await this.#note(id, issued);
    return true;
  }

  /**
   * Rotates the token, unless another rotation came first.
   * @returns `null` on success, or the stored state that prevented it
   */
  async rotate(id: string, step: Rotation): Promise<GrantTokenState | null> {
    const row = this.#grant(id);
    if (row !== null && row.record !== null && row.current === step.next) return null;
    if (row !== null && (row.record === null || row.current !== step.from)) return this.held(id, step.presented);
    const { record, next, presented, wrappedKey, answer, graceMs, endsAt } = step;
    this.#sql.exec('INSERT OR REPLACE INTO grants VALUES (?, ?, ?, ?, ?)', id, record, next, presented, endsAt);
    this.#sql.exec(
      'INSERT OR REPLACE INTO replaced_tokens VALUES (?, ?, ?, ?, ?, ?)',
      id,
      presented,
      wrappedKey,
      answer,
      Date.now() + graceMs,
      endsAt,
    );
    this.#sql.exec(
      `DELETE FROM replaced_tokens WHERE grant_id = ?1 AND rowid NOT IN
         (SELECT rowid FROM replaced_tokens WHERE grant_id = ?1 ORDER BY rowid DESC LIMIT ?2)`,
      id,
      REPLACED_TOKENS_PER_GRANT_MAX,
    );
    await this.#note(id, step.issued);
    return null;
  }

  /**
   * Ends a grant, so that its refresh tokens stop working even if the key-value store still lists it.
   * @returns the IDs of its access tokens
   */
  async end(id: string): Promise<string[]> {
    const issued = this.#sql.exec<{ id: string }>('DELETE FROM issued_tokens WHERE grant_id = ? RETURNING id', id);
    const ids = issued.toArray().map((row) => row.id);
    this.#sql.exec('DELETE FROM replaced_tokens WHERE grant_id = ?', id);
    this.#sql.exec('INSERT OR REPLACE INTO grants VALUES (?, NULL, NULL, NULL, ?)', id, Date.now() + GRANT_ENDED_MS);
    await this.#sweepAt(this.nextExpiry());
    return ids;
  }

  sweep(now: number): void {
    this.#sql.exec('DELETE FROM grants WHERE ends_at <= ?', now);
    this.#sql.exec('DELETE FROM replaced_tokens WHERE ends_at <= ?', now);
    this.#sql.exec('DELETE FROM issued_tokens WHERE ends_at <= ?', now);
    this.#sql.exec(`UPDATE replaced_tokens SET answer = NULL WHERE ${SPENT} AND recent_until <= ?`, now);
  }

  /** Time at which the next grant or token is deleted, as Unix time in ms; `null` if there is none. */
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

  #note(grant: string, { id, endsAt }: IssuedToken): Promise<void> {
    this.#sql.exec('INSERT OR REPLACE INTO issued_tokens VALUES (?, ?, ?)', grant, id, endsAt);
    this.#sql.exec(
      `DELETE FROM issued_tokens WHERE grant_id = ?1 AND rowid NOT IN
         (SELECT rowid FROM issued_tokens WHERE grant_id = ?1 ORDER BY rowid DESC LIMIT ?2)`,
      grant,
      ISSUED_TOKENS_PER_GRANT_MAX,
    );
    return this.#sweepAt(this.nextExpiry());
  }

  #replaced(id: string, token: string, previous: string | null): ReplacedToken | null {
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
      isRecent: row.recent_until > Date.now(),
      isPrevious: token === previous,
      later: later.toArray().map((one) => ({ token: one.token, answer: new Uint8Array(one.answer) })),
    };
  }
}

const SPENT = `answer IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM grants WHERE grants.id = replaced_tokens.grant_id AND grants.previous = replaced_tokens.token)`;
