import * as z from 'zod';

/** More clients than a person connects in years. */
const CONSENTS_MAX = 500;

/** A person's decision about one client at one redirect URI. */
export type Consent = {
  scopes: readonly string[];
  /** Time (ms) until which the person is not asked again; 0 to ask each time. */
  quietUntil: number;
};

/** A client, as a person consents to it. */
export type ConsentedClient = { clientId: string; redirectUri: string };

const scopesSchema = z.array(z.string());

/** The subject's decisions on the consent page. */
export class Consents {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS consents
        (client_id TEXT NOT NULL, redirect_uri TEXT NOT NULL, scopes TEXT NOT NULL, quiet_until INTEGER NOT NULL,
         decided_at INTEGER NOT NULL, PRIMARY KEY (client_id, redirect_uri))`,
    );
  }

  find({ clientId, redirectUri }: ConsentedClient): Consent | null {
    const [row] = this.#sql
      .exec<{ scopes: string; quiet_until: number }>(
        'SELECT scopes, quiet_until FROM consents WHERE client_id = ? AND redirect_uri = ?',
        clientId,
        redirectUri,
      )
      .toArray();
    if (row === undefined) return null;
    return { scopes: scopesSchema.parse(JSON.parse(row.scopes)), quietUntil: row.quiet_until };
  }

  /** Deletes the oldest decisions when there are too many: the person is then asked again. */
  save({ clientId, redirectUri }: ConsentedClient, { scopes, quietUntil }: Consent, now: number): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO consents VALUES (?, ?, ?, ?, ?)',
      clientId,
      redirectUri,
      JSON.stringify(scopes),
      quietUntil,
      now,
    );
    this.#sql.exec(
      'DELETE FROM consents WHERE rowid NOT IN (SELECT rowid FROM consents ORDER BY decided_at DESC, rowid DESC LIMIT ?)',
      CONSENTS_MAX,
    );
  }

  remove(clientId: string): void {
    this.#sql.exec('DELETE FROM consents WHERE client_id = ?', clientId);
  }
}
