import * as z from 'zod';

/** Maximum stored consents. Users connect fewer clients in years. */
const CONSENTS_MAX = 500;

type Consent = {
  scopes: readonly string[];
  /** Time until which the consent page is skipped, as Unix time in ms; 0 to show it every time. */
  quietUntil: number;
};

export type ConsentedClient = { clientId: string; redirectUri: string };

const scopesSchema = z.array(z.string());

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

  /** Saves a user's consent for a client. Older consents beyond the limit are deleted, and the user is asked again. */
  save({ clientId, redirectUri }: ConsentedClient, { scopes, quietUntil }: Consent): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO consents VALUES (?, ?, ?, ?, ?)',
      clientId,
      redirectUri,
      JSON.stringify(scopes),
      quietUntil,
      Date.now(),
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
