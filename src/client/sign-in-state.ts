import { DurableObject } from 'cloudflare:workers';
import * as z from 'zod';
import { CONSENT_MEMORIES_MAX } from '#core/limits.ts';
import { toBase64Url } from '#core/text.ts';

/** A count of something that may happen so often in a window that starts with the first time. */
export type Bucket = { key: string; max: number; windowMs: number };

/** Whether it may happen once more, or how long until it may. */
export type Turn = { granted: true } | { granted: false; retryAfterMs: number };

/** What a deployment makes up once and keeps. */
export type Identity = {
  /** Signs sessions and forms; 256 random bits, base64url. */
  secret: string;
  /** The owner, opaque: says nothing of passphrase, name or address. */
  ownerSubject: string;
};

/** What a person decided for one client at one address to return to. */
export type ConsentMemory = {
  granted: readonly string[];
  /** Until when the person need not be asked again, in ms; 0 for always ask. */
  quietUntil: number;
};

const identitySchema = z.object({ secret: z.string(), ownerSubject: z.string() });
const memorySchema = z.object({ granted: z.array(z.string()), quietUntil: z.number() });

const IDENTITY_KEY = 'identity';
const SECRET_BYTES = 32;
const SUBJECT_BYTES = 16;

/**
 * One per deployment: what sign-in must not lose and must count exactly. Turns are taken before a passphrase is looked
 * at, in one place and one at a time, so that guesses sent at once are counted like guesses sent one by one.
 */
export class SignInState extends DurableObject {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS turns (key TEXT PRIMARY KEY, taken INTEGER NOT NULL, ends_at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS upstream_sign_ins (key TEXT PRIMARY KEY, record TEXT NOT NULL, ends_at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS consents (key TEXT PRIMARY KEY, memory TEXT NOT NULL, decided_at INTEGER NOT NULL);
    `);
  }

  identity(): Identity {
    const kept = identitySchema.safeParse(this.ctx.storage.kv.get(IDENTITY_KEY));
    if (kept.success) return kept.data;
    const made: Identity = { secret: random(SECRET_BYTES), ownerSubject: `o_${random(SUBJECT_BYTES)}` };
    this.ctx.storage.kv.put(IDENTITY_KEY, made);
    return made;
  }

  /** Takes a turn from every bucket, or from none. */
  takeTurn(buckets: readonly Bucket[]): Turn {
    const now = Date.now();
    this.#sql.exec('DELETE FROM turns WHERE ends_at <= ?', now);
    const waits = buckets.map(({ key, max }) => {
      const [row] = this.#sql.exec('SELECT taken, ends_at FROM turns WHERE key = ?', key).toArray();
      return row !== undefined && Number(row['taken']) >= max ? Number(row['ends_at']) - now : 0;
    });
    const retryAfterMs = Math.max(0, ...waits);
    if (retryAfterMs > 0) return { granted: false, retryAfterMs };
    for (const { key, windowMs } of buckets) {
      this.#sql.exec(
        'INSERT INTO turns VALUES (?, 1, ?) ON CONFLICT (key) DO UPDATE SET taken = taken + 1',
        key,
        now + windowMs,
      );
    }
    return { granted: true };
  }

  /** Gives back what a turn took that turned out harmless. */
  giveBack(keys: readonly string[]): void {
    for (const key of keys) this.#sql.exec('UPDATE turns SET taken = taken - 1 WHERE key = ? AND taken > 0', key);
  }

  /** Keeps what a person who was sent to a provider will need on the way back. @param forMs how long */
  keepUpstream(key: string, record: string, forMs: number): void {
    const now = Date.now();
    this.#sql.exec('DELETE FROM upstream_sign_ins WHERE ends_at <= ?', now);
    this.#sql.exec('INSERT OR REPLACE INTO upstream_sign_ins VALUES (?, ?, ?)', key, record, now + forMs);
  }

  /** What was kept, once: whoever comes second gets `null`, as does whoever comes too late. */
  takeUpstream(key: string): string | null {
    const [row] = this.#sql
      .exec('DELETE FROM upstream_sign_ins WHERE key = ? RETURNING record, ends_at', key)
      .toArray();
    const record = row?.['record'];
    return typeof record === 'string' && Number(row?.['ends_at']) > Date.now() ? record : null;
  }

  consent(key: string): ConsentMemory | null {
    const [row] = this.#sql.exec('SELECT memory FROM consents WHERE key = ?', key).toArray();
    const memory = row?.['memory'];
    return typeof memory === 'string' ? memorySchema.parse(JSON.parse(memory)) : null;
  }

  /** The oldest decisions go when there are too many: the person is then asked again. */
  rememberConsent(key: string, memory: ConsentMemory): void {
    this.#sql.exec('INSERT OR REPLACE INTO consents VALUES (?, ?, ?)', key, JSON.stringify(memory), Date.now());
    this.#sql.exec(
      'DELETE FROM consents WHERE key NOT IN (SELECT key FROM consents ORDER BY decided_at DESC, key LIMIT ?)',
      CONSENT_MEMORIES_MAX,
    );
  }
}

function random(bytes: number): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}
