import type { SealedSecret } from '#core/secrets/secret-facts.ts';
import { SECRETS_PER_SUBJECT_MAX } from './limits.ts';

type Row = {
  name: string;
  sites: string;
  has_value: number;
  has_code: number;
  sealed: ArrayBuffer;
  added_at: number;
  used_at: number | null;
};

/** Reason for not storing a secret. `name`: the name is taken. `count`: there are too many. */
export type SecretNotSavedReason = 'name' | 'count';

export class SubjectSecrets {
  readonly #sql: SqlStorage;
  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS secrets (
      name TEXT PRIMARY KEY, sites TEXT NOT NULL, has_value INTEGER NOT NULL, has_code INTEGER NOT NULL,
      sealed BLOB NOT NULL, added_at INTEGER NOT NULL, used_at INTEGER)`);
  }

  list(): SealedSecret[] {
    return this.#sql.exec<Row>('SELECT * FROM secrets ORDER BY name').toArray().map(secretOf);
  }

  /**
   * Stores a secret. Storing the same secret again succeeds, because it may be a retry after a lost response.
   * @param replaces true to overwrite the secret with that name
   */
  keep(
    { name, sites, hasValue, hasCode, sealed, addedAt }: SealedSecret,
    replaces: boolean,
  ): SecretNotSavedReason | null {
    const others = this.list().filter((one) => one.name !== name);
    const before = this.list().find((one) => one.name === name);
    if (before !== undefined && !replaces && before.addedAt !== addedAt) return 'name';
    if (others.length >= SECRETS_PER_SUBJECT_MAX) return 'count';
    this.#sql.exec(
      'INSERT OR REPLACE INTO secrets VALUES (?, ?, ?, ?, ?, ?, NULL)',
      name,
      JSON.stringify(sites),
      Number(hasValue),
      Number(hasCode),
      sealed.slice().buffer,
      addedAt,
    );
    return null;
  }

  /** @returns false if there was no secret with that name */
  remove(name: string): boolean {
    return this.#sql.exec('DELETE FROM secrets WHERE name = ? RETURNING name', name).toArray().length > 0;
  }

  used(name: string, at: number): void {
    this.#sql.exec('UPDATE secrets SET used_at = ? WHERE name = ?', at, name);
  }
}

function secretOf({ sites, has_value, has_code, sealed, added_at, used_at, name }: Row): SealedSecret {
  const listed: unknown = JSON.parse(sites);
  return {
    name,
    sites: Array.isArray(listed) ? listed.map(String) : [],
    hasValue: has_value === 1,
    hasCode: has_code === 1,
    sealed: new Uint8Array(sealed),
    addedAt: added_at,
    usedAt: used_at,
  };
}
