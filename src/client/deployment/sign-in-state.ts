import * as z from 'zod';
import { UNUSED_OAUTH_CLIENTS_MAX } from '#client/limits.ts';
import { SECOND_MS, UNUSED_CLIENT_TTL_SECONDS } from '#core/limits.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { takeTokensFromFullAt, msUntilTokens } from '#core/flow/rate-limits.ts';
import type { TokenBucketRate } from '#core/flow/rate-limits.ts';

/** A rate limit: `max` attempts in a burst, then one every `windowMs / max`. */
export type AttemptRateLimit = { key: string; max: number; windowMs: number };

type Attempt = { granted: true } | { granted: false; retryAfterMs: number };

export type StoredDeploymentIdentity = {
  /** Secret that signs sessions and forms: 256 random bits as base64url. */
  secret: string;
  /** Opaque subject of the owner, which reveals neither passphrase, name nor address. */
  ownerSubject: string;
};

const identitySchema = z.object({ secret: z.string(), ownerSubject: z.string() });

export const DEPLOYMENT_IDENTITY_KEY = 'identity';
const SECRET_BYTES = 32;
const SUBJECT_BYTES = 16;

/**
 * Durable and exact state for sign-in. Each attempt is counted before the passphrase is checked, in one place and one
 * at a time, so that parallel guesses count like sequential ones.
 */
export class SignInState {
  readonly #values: SyncKvStorage;
  readonly #sql: SqlStorage;

  constructor({ kv, sql }: Pick<DurableObjectStorage, 'kv' | 'sql'>) {
    this.#values = kv;
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS rate_limits (key TEXT PRIMARY KEY, full_at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS upstream_sign_ins (key TEXT PRIMARY KEY, record TEXT NOT NULL, ends_at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS unused_clients (id TEXT PRIMARY KEY, registered_at INTEGER NOT NULL);
    `);
  }

  identity(): StoredDeploymentIdentity {
    const kept = identitySchema.safeParse(this.#values.get(DEPLOYMENT_IDENTITY_KEY));
    if (kept.success) return kept.data;
    const made: StoredDeploymentIdentity = {
      secret: randomBase64Url(SECRET_BYTES),
      ownerSubject: `o_${randomBase64Url(SUBJECT_BYTES)}`,
    };
    this.#values.put(DEPLOYMENT_IDENTITY_KEY, made);
    return made;
  }

  /** Counts an attempt in every bucket, or in none. */
  takeAttempt(buckets: readonly AttemptRateLimit[]): Attempt {
    const now = Date.now();
    this.#sql.exec('DELETE FROM rate_limits WHERE full_at <= ?', now);
    const retryAfterMs = Math.max(0, ...buckets.map((one) => msUntilTokens(rateOf(one), this.#fullAt(one), now)));
    if (retryAfterMs > 0) return { granted: false, retryAfterMs };
    for (const one of buckets) this.#save(one, takeTokensFromFullAt(rateOf(one), this.#fullAt(one), now));
    return { granted: true };
  }

  /** Refunds an attempt that turned out harmless, such as a correct passphrase. */
  returnAttempt(buckets: readonly AttemptRateLimit[]): void {
    for (const one of buckets) this.#save(one, this.#fullAt(one) - rateOf(one).everyMs);
  }

  #fullAt({ key }: AttemptRateLimit): number {
    const [row] = this.#sql.exec('SELECT full_at FROM rate_limits WHERE key = ?', key).toArray();
    return Number(row?.['full_at'] ?? 0);
  }

  #save({ key }: AttemptRateLimit, fullAt: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO rate_limits VALUES (?, ?)', key, fullAt);
  }

  /**
   * Records a newly registered client as unused.
   * @returns the oldest clients beyond the limit, which may be deleted if they are still unused
   */
  noteClient(id: string): string[] {
    const now = Date.now();
    this.#sql.exec('DELETE FROM unused_clients WHERE registered_at <= ?', now - UNUSED_CLIENT_TTL_SECONDS * SECOND_MS);
    this.#sql.exec('INSERT OR REPLACE INTO unused_clients VALUES (?, ?)', id, now);
    const [{ count } = { count: 0 }] = this.#sql.exec('SELECT count(*) AS count FROM unused_clients').toArray();
    const gone = this.#sql
      .exec<{ id: string }>(
        'DELETE FROM unused_clients WHERE id IN (SELECT id FROM unused_clients ORDER BY registered_at, rowid LIMIT ?) RETURNING id',
        Math.max(0, Number(count) - UNUSED_OAUTH_CLIENTS_MAX),
      )
      .toArray();
    return gone.map((row) => row.id);
  }

  /** Stores the state of a sign-in until the user returns from the identity provider. @param forMs lifetime */
  saveUpstream(key: string, record: string, forMs: number): void {
    const now = Date.now();
    this.#sql.exec('DELETE FROM upstream_sign_ins WHERE ends_at <= ?', now);
    this.#sql.exec('INSERT OR REPLACE INTO upstream_sign_ins VALUES (?, ?, ?)', key, record, now + forMs);
  }

  /**
   * Returns the state stored by {@link saveUpstream}, but only once: a second or late caller gets `null`.
   * @param by identifies the caller, who gets the state again after a lost response
   */
  takeUpstream(key: string, by: string = crypto.randomUUID()): string | null {
    const taken = `${key} taken by ${by}`;
    this.#sql.exec('UPDATE OR IGNORE upstream_sign_ins SET key = ? WHERE key = ?', taken, key);
    const [row] = this.#sql.exec('SELECT record, ends_at FROM upstream_sign_ins WHERE key = ?', taken).toArray();
    const record = row?.['record'];
    return typeof record === 'string' && Number(row?.['ends_at']) > Date.now() ? record : null;
  }
}

function rateOf({ max, windowMs }: AttemptRateLimit): TokenBucketRate {
  return { burst: max, everyMs: Math.ceil(windowMs / max) };
}
