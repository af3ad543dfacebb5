import { STORED_FILE_PIECE_BYTES, MINUTE_MS, HOUR_MS } from '#core/limits.ts';
import type { FileFacts } from '#core/document/file-facts.ts';
import { FILES_PER_SUBJECT_MAX } from '#storage/limits.ts';

/**
 * Lifetime of a file: equal to that of a parked session (saved without its browser), because the session owns the file.
 */
const FILE_LIFETIME_MS = 30 * 24 * HOUR_MS;
/** Time without data after which an upload counts as abandoned. */
const FILE_UNFINISHED_MS = 15 * MINUTE_MS;

/** Maximum bytes of one file (`each`), and of all files of the user (`together`). */
export type FileByteLimits = { each: number; together: number };

/**
 * Reason for not storing a file. `each`, `together`, `count`: the limit that was reached. `gone`: the earlier pieces of
 * the file were deleted.
 */
export type FileNotStoredReason = 'each' | 'together' | 'count' | 'gone';

type Row = { id: string; name: string; media_type: string; sha256: string; bytes: number; taken_at: number };

/**
 * The files of one user, in pieces. Their bytes are in the deployment's bucket, if it has one. A file counts against
 * the limits from its first piece on, and is listed once it is complete. It is deleted with its session, by the user,
 * or after {@link FILE_LIFETIME_MS}. Every method is idempotent.
 */
export class PersonFiles {
  /** Tests replace the clock. */
  clock: () => number = Date.now;
  /** Tests lower the limit. */
  filesMax = FILES_PER_SUBJECT_MAX;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #bucket: BucketPieces | null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    this.#storage = state.storage;
    this.#sql = state.storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS files
        (id TEXT PRIMARY KEY, name TEXT NOT NULL, media_type TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL,
         session TEXT NOT NULL, taken_at INTEGER NOT NULL, is_complete INTEGER NOT NULL)`,
    );
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS pieces
        (file TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (file, number))`,
    );
    const bucket = env.FILES_BUCKET;
    this.#bucket = bucket === undefined ? null : new BucketPieces(bucket, this.#sql, state.id.toString());
  }

  /**
   * Adds a piece of {@link STORED_FILE_PIECE_BYTES}; the last piece may be shorter. The first piece creates the file.
   * If there is no room, the file is deleted.
   * @returns `null` if the piece was stored
   */
  async add(
    id: string,
    session: string,
    number: number,
    piece: Uint8Array,
    limits: FileByteLimits,
  ): Promise<FileNotStoredReason | null> {
    const now = this.clock();
    this.#sweep(now);
    const hasBegun = this.#has(id);
    if (number > 0 && !hasBegun) return 'gone';
    if (!hasBegun && this.#count() >= this.filesMax) return 'count';
    const noRoom = this.#noRoom(id, number * STORED_FILE_PIECE_BYTES + piece.byteLength, limits);
    if (noRoom !== null) {
      await this.#dropAll([id]);
      return noRoom;
    }
    const ownBytes = this.#bucket === null ? piece.slice() : NOTHING;
    this.#storage.transactionSync(() => {
      this.#sql.exec('INSERT OR REPLACE INTO pieces VALUES (?, ?, ?)', id, number, ownBytes.buffer);
      this.#sql.exec(
        `INSERT INTO files VALUES (?, '', '', '', ?, ?, ?, 0) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes, taken_at = ?`,
        id,
        number * STORED_FILE_PIECE_BYTES + piece.byteLength,
        session,
        now,
        now,
      );
    });
    await this.#schedule();
    await this.#bucket?.put(id, number, piece);
    if (this.#has(id)) return null;
    // The file was deleted while the bucket was storing the piece.
    this.#bucket?.note(id, [number]);
    await this.#clear();
    return 'gone';
  }

  /**
   * Completes a file. If the session already has a file with the same name and content, only one is stored.
   * @returns `null` if its pieces were deleted
   */
  async finish(
    id: string,
    session: string,
    what: Pick<FileFacts, 'name' | 'mediaType' | 'sha256'>,
  ): Promise<FileFacts | null> {
    const { name, mediaType, sha256 } = what;
    const [same] = this.#sql
      .exec<{ id: string }>(
        'SELECT id FROM files WHERE is_complete = 1 AND id <> ? AND session = ? AND name = ? AND sha256 = ?',
        id,
        session,
        name,
        sha256,
      )
      .toArray();
    if (same !== undefined) await this.#dropAll([id]);
    const whole = same?.id ?? id;
    this.#sql.exec(
      'UPDATE files SET name = ?, media_type = ?, sha256 = ?, is_complete = 1, taken_at = ? WHERE id = ?',
      name,
      mediaType,
      sha256,
      this.clock(),
      whole,
    );
    return this.facts(whole);
  }

  list(): FileFacts[] {
    return this.#sql.exec<Row>(`${WHOLE} ORDER BY taken_at DESC, id`).toArray().map(factsOf);
  }

  facts(id: string): FileFacts | null {
    const [row] = this.#sql.exec<Row>(`${WHOLE} AND id = ?`, id).toArray();
    return row === undefined ? null : factsOf(row);
  }

  /** One piece of a file; `null` after the last piece. */
  async piece(id: string, number: number): Promise<Uint8Array | null> {
    const [row] = this.#sql
      .exec<{ bytes: ArrayBuffer }>('SELECT bytes FROM pieces WHERE file = ? AND number = ?', id, number)
      .toArray();
    if (row === undefined) return null;
    const isInBucket = this.#bucket !== null && row.bytes.byteLength === 0;
    return isInBucket ? this.#bucket.get(id, number) : new Uint8Array(row.bytes);
  }

  async remove(id: string): Promise<boolean> {
    const existed = this.facts(id) !== null;
    await this.#dropAll([id]);
    return existed;
  }

  /** Deletes the files of a session. @returns their number */
  async removeOf(session: string): Promise<number> {
    const rows = this.#sql.exec<{ id: string }>('SELECT id FROM files WHERE session = ?', session).toArray();
    await this.#dropAll(rows.map(({ id }) => id));
    return rows.length;
  }

  /** Deletes all files, including their bytes in the bucket. If the bucket fails, the alarm retries. */
  async erase(): Promise<void> {
    for (const { id } of this.#sql.exec<{ id: string }>('SELECT id FROM files').toArray()) this.#drop(id);
    await this.#schedule();
    await this.#bucket?.clear();
  }

  async sweep(): Promise<void> {
    this.#sweep(this.clock());
    try {
      await this.#bucket?.clear();
    } finally {
      await this.#schedule();
    }
  }

  #has(id: string): boolean {
    return this.#sql.exec('SELECT 1 FROM files WHERE id = ?', id).toArray().length > 0;
  }

  #count(): number {
    return this.#sql.exec<{ count: number }>('SELECT count(*) AS count FROM files').one().count;
  }

  #noRoom(id: string, bytes: number, { each, together }: FileByteLimits): FileNotStoredReason | null {
    if (bytes > each) return 'each';
    const others = this.#sql
      .exec<{ bytes: number }>('SELECT coalesce(sum(bytes), 0) AS bytes FROM files WHERE id <> ?', id)
      .one().bytes;
    return others + bytes > together ? 'together' : null;
  }

  async #dropAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#drop(id);
    await this.#clear();
  }

  /** Deletes the bytes in the bucket whose deletion is recorded. If the bucket fails, an alarm tries again. */
  async #clear(): Promise<void> {
    await this.#bucket?.clear().catch(() => this.#schedule());
  }

  #drop(id: string): void {
    this.#storage.transactionSync(() => {
      const rows = this.#sql.exec<{ number: number }>('SELECT number FROM pieces WHERE file = ?', id).toArray();
      this.#bucket?.note(
        id,
        rows.map(({ number }) => number),
      );
      this.#sql.exec('DELETE FROM pieces WHERE file = ?', id);
      this.#sql.exec('DELETE FROM files WHERE id = ?', id);
    });
  }

  #sweep(now: number): void {
    const over = this.#sql
      .exec<{ id: string }>(
        'SELECT id FROM files WHERE taken_at <= CASE is_complete WHEN 1 THEN ? ELSE ? END',
        now - FILE_LIFETIME_MS,
        now - FILE_UNFINISHED_MS,
      )
      .toArray();
    for (const { id } of over) this.#drop(id);
  }

  async #schedule(): Promise<void> {
    const { next } = this.#sql
      .exec<{ next: number | null }>(
        'SELECT min(taken_at + CASE is_complete WHEN 1 THEN ? ELSE ? END) AS next FROM files',
        FILE_LIFETIME_MS,
        FILE_UNFINISHED_MS,
      )
      .one();
    const times = [
      ...(next === null ? [] : [next]),
      ...(this.#bucket?.hasDropped === true ? [this.clock() + FILE_UNFINISHED_MS] : []),
    ];
    if (times.length === 0) return;
    const first = Math.min(...times);
    const set = await this.#storage.getAlarm();
    if (set === null || set > first) await this.#storage.setAlarm(first);
  }
}

/** Placeholder for a piece whose bytes are in the bucket. */
const NOTHING = new Uint8Array();
const WHOLE = 'SELECT id, name, media_type, sha256, bytes, taken_at FROM files WHERE is_complete = 1';

function factsOf({ media_type: mediaType, taken_at: takenAt, ...rest }: Row): FileFacts {
  return { ...rest, mediaType, takenAt };
}

declare global {
  // Bindings are declared by extending this namespace of Cloudflare's types.
  namespace Cloudflare {
    interface Env {
      /** Optional bucket for the bytes of users' files. */
      FILES_BUCKET?: R2Bucket;
    }
  }
}

/** Maximum objects per delete call of R2. */
const DELETED_AT_ONCE = 1_000;

/**
 * The bytes of one user's files in a bucket. Deletions are recorded before they run, so that they can be repeated if
 * the bucket is unreachable.
 */
class BucketPieces {
  readonly #bucket: R2Bucket;
  readonly #sql: SqlStorage;
  readonly #folder: string;

  /** @param folder prefix of the user's keys in the bucket */
  constructor(bucket: R2Bucket, sql: SqlStorage, folder: string) {
    this.#bucket = bucket;
    this.#sql = sql;
    this.#folder = folder;
    this.#sql.exec('CREATE TABLE IF NOT EXISTS deletions (key TEXT PRIMARY KEY)');
  }

  async put(file: string, number: number, piece: Uint8Array): Promise<void> {
    await this.#bucket.put(this.#key(file, number), piece);
  }

  async get(file: string, number: number): Promise<Uint8Array | null> {
    const object = await this.#bucket.get(this.#key(file, number));
    return object === null ? null : new Uint8Array(await object.arrayBuffer());
  }

  /** Records the pieces to delete. Must be called in the transaction that deletes the file's rows. */
  note(file: string, numbers: readonly number[]): void {
    for (const number of numbers) this.#sql.exec('INSERT OR IGNORE INTO deletions VALUES (?)', this.#key(file, number));
  }

  get hasDropped(): boolean {
    return this.#dropped().length > 0;
  }

  async clear(): Promise<void> {
    for (let keys = this.#dropped(); keys.length > 0; keys = this.#dropped()) {
      await this.#bucket.delete(keys);
      for (const key of keys) this.#sql.exec('DELETE FROM deletions WHERE key = ?', key);
    }
  }

  #dropped(): string[] {
    const rows = this.#sql.exec<{ key: string }>('SELECT key FROM deletions LIMIT ?', DELETED_AT_ONCE).toArray();
    return rows.map(({ key }) => key);
  }

  #key(file: string, number: number): string {
    return `${this.#folder}/${file}/${number}`;
  }
}
