import { FILE_PIECE_BYTES, MINUTE_MS } from '#core/limits.ts';
import type { FileFacts } from '#core/document/file-facts.ts';
import { FILE_KEPT_MS, FILES_MAX } from '#storage/limits.ts';

/** A file of which nothing more came for this long has lost whoever brought it. */
const FILE_UNFINISHED_MS = 15 * MINUTE_MS;

/** Bytes that a file may have, and all files of the person together. */
export type FileLimits = { each: number; together: number };

/** `each`, `together`, `count`: a limit is reached. Otherwise, the earlier pieces are gone. */
export type NotStoredReason = 'each' | 'together' | 'count' | 'gone';

type Row = { id: string; name: string; media_type: string; sha256: string; bytes: number; taken_at: number };

/**
 * The files of one person, in pieces. Their bytes are in the bucket of the deployment, if it has one. A file counts from its first piece on, and is shown when it is whole. It goes with the session that brought
 * it, when the person deletes it, or after {@link FILE_KEPT_MS}. Every call may be made twice.
 */
export class PersonFiles {
  /** Tests move it. */
  clock: () => number = Date.now;
  /** Tests lower it. */
  filesMax = FILES_MAX;
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

  /** Adds a piece of {@link FILE_PIECE_BYTES}, the last one shorter; the first begins the file, which goes when there is no room. */
  async add(
    id: string,
    session: string,
    number: number,
    piece: Uint8Array,
    limits: FileLimits,
  ): Promise<NotStoredReason | null> {
    const now = this.clock();
    this.#sweep(now);
    const hasBegun = this.#has(id);
    if (number > 0 && !hasBegun) return 'gone';
    if (!hasBegun && this.#count() >= this.filesMax) return 'count';
    const noRoom = this.#noRoom(id, number * FILE_PIECE_BYTES + piece.byteLength, limits);
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
        number * FILE_PIECE_BYTES + piece.byteLength,
        session,
        now,
        now,
      );
    });
    await this.#schedule();
    await this.#bucket?.put(id, number, piece);
    if (this.#has(id)) return null;
    // It was dropped in the meantime.
    this.#bucket?.note(id, [number]);
    await this.#clear();
    return 'gone';
  }

  /**
   * Says what the file is, now that all of it is here. One that the person has already, from the same session and of the
   * same name, is kept once.
   * @returns `null` when its pieces are gone
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

  /** The newest first. */
  list(): FileFacts[] {
    return this.#sql.exec<Row>(`${WHOLE} ORDER BY taken_at DESC, id`).toArray().map(factsOf);
  }

  facts(id: string): FileFacts | null {
    const [row] = this.#sql.exec<Row>(`${WHOLE} AND id = ?`, id).toArray();
    return row === undefined ? null : factsOf(row);
  }

  /** One piece of a file; `null` behind its end. */
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

  /** @returns how many files were deleted */
  async removeOf(session: string): Promise<number> {
    const rows = this.#sql.exec<{ id: string }>('SELECT id FROM files WHERE session = ?', session).toArray();
    await this.#dropAll(rows.map(({ id }) => id));
    return rows.length;
  }

  /** Includes bytes in the bucket; when the bucket does not answer, the alarm tries again. */
  async erase(): Promise<void> {
    for (const { id } of this.#sql.exec<{ id: string }>('SELECT id FROM files').toArray()) this.#drop(id);
    await this.#schedule();
    await this.#bucket?.clear();
  }

  /** Deletes files whose time is over, and sets the alarm for the next ones. */
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

  #noRoom(id: string, bytes: number, { each, together }: FileLimits): NotStoredReason | null {
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

  /** The alarm deletes what cannot be deleted now, and fails if it cannot. */
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
        now - FILE_KEPT_MS,
        now - FILE_UNFINISHED_MS,
      )
      .toArray();
    for (const { id } of over) this.#drop(id);
  }

  async #schedule(): Promise<void> {
    const { next } = this.#sql
      .exec<{ next: number | null }>(
        'SELECT min(taken_at + CASE is_complete WHEN 1 THEN ? ELSE ? END) AS next FROM files',
        FILE_KEPT_MS,
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

/** Stands for a piece whose bytes are in the bucket. */
const NOTHING = new Uint8Array();
const WHOLE = 'SELECT id, name, media_type, sha256, bytes, taken_at FROM files WHERE is_complete = 1';

function factsOf({ media_type: mediaType, taken_at: takenAt, ...rest }: Row): FileFacts {
  return { ...rest, mediaType, takenAt };
}

declare global {
  // Cloudflare's own way to say which bindings there are.
  namespace Cloudflare {
    interface Env {
      /** Holds the bytes of people's files, where the deployment has one. */
      FILES_BUCKET?: R2Bucket;
    }
  }
}

/** Objects per delete call of R2. */
const DELETED_AT_ONCE = 1_000;

/**
 * The bytes of one person's files in a bucket. What is dropped is noted first and deleted then, so that nothing stays behind
 * when the bucket cannot be reached.
 */
class BucketPieces {
  readonly #bucket: R2Bucket;
  readonly #sql: SqlStorage;
  readonly #folder: string;

  /** @param folder names the person, and nobody else */
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

  /** In the transaction in which the file is forgotten. */
  note(file: string, numbers: readonly number[]): void {
    for (const number of numbers) this.#sql.exec('INSERT OR IGNORE INTO deletions VALUES (?)', this.#key(file, number));
  }

  get hasDropped(): boolean {
    return this.#dropped().length > 0;
  }

  /** Deletes what is noted. */
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
