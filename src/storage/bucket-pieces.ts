declare global {
  // Cloudflare's own way to say which bindings there are.
  namespace Cloudflare {
    interface Env {
      /** Holds the bytes of people's files, where the deployment has one. */
      FILES_BUCKET?: R2Bucket;
    }
  }
}

/** How many objects one call deletes at most. */
const DELETED_AT_ONCE = 1_000;

/**
 * The bytes of one person's files in a bucket. What is dropped is noted first and deleted then, so that nothing stays behind
 * when the bucket cannot be reached.
 */
export class BucketPieces {
  readonly #bucket: R2Bucket;
  readonly #sql: SqlStorage;
  readonly #folder: string;

  /** @param folder names the person, and nobody else */
  constructor(bucket: R2Bucket, sql: SqlStorage, folder: string) {
    this.#bucket = bucket;
    this.#sql = sql;
    this.#folder = folder;
    this.#sql.exec('CREATE TABLE IF NOT EXISTS dropped (key TEXT PRIMARY KEY)');
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
    for (const number of numbers) this.#sql.exec('INSERT OR IGNORE INTO dropped VALUES (?)', this.#key(file, number));
  }

  get hasDropped(): boolean {
    return this.#dropped().length > 0;
  }

  /** Deletes what is noted. */
  async clear(): Promise<void> {
    for (let keys = this.#dropped(); keys.length > 0; keys = this.#dropped()) {
      await this.#bucket.delete(keys);
      for (const key of keys) this.#sql.exec('DELETE FROM dropped WHERE key = ?', key);
    }
  }

  #dropped(): string[] {
    const rows = this.#sql.exec<{ key: string }>('SELECT key FROM dropped LIMIT ?', DELETED_AT_ONCE).toArray();
    return rows.map(({ key }) => key);
  }

  #key(file: string, number: number): string {
    return `${this.#folder}/${file}/${number}`;
  }
}
