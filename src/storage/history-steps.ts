import { STEP_WITHOUT } from '#core/deeds.ts';
import type { Step } from '#core/deeds.ts';
import { STEP_PICTURES_BYTES_MAX, STEPS_MAX } from './limits.ts';

/** A step with its number, and newest first; `next` asks for older ones. */
export type KeptStep = Step & { seq: number };
export type StepPage = { steps: KeptStep[]; next: number | null };

type Row = Omit<KeptStep, 'without'> & { without: string | null };
const COLUMNS = 'seq, id, session, at, what, url, title, error, without';

/** The steps of one person's browser sessions, with small pictures, in the SQLite of their object. */
export class Steps {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS steps (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL,
      url TEXT, title TEXT, error TEXT, without TEXT, bytes INTEGER NOT NULL)`);
    // Apart, so that lists of steps read no pictures.
    sql.exec(`CREATE TABLE IF NOT EXISTS pictures (id TEXT PRIMARY KEY, jpeg BLOB NOT NULL)`);
    sql.exec(`CREATE INDEX IF NOT EXISTS steps_by_session ON steps (session, seq)`);
  }

  /** One that is here already is not added again. Its picture comes when it is sealed. */
  add(step: Step): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO steps (id, session, at, what, url, title, error, without, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)`,
      step.id,
      step.session,
      step.at,
      step.what,
      step.url,
      step.title,
      step.error,
      step.without ?? 'dropped',
    );
    this.#drop(`seq <= (SELECT max(seq) FROM steps) - ?`, STEPS_MAX);
  }

  /** Adds the picture of a step, unless the step is gone by now. */
  addPicture(id: string, picture: Uint8Array): void {
    const bytes = picture.byteLength;
    const there = this.#sql.exec(`UPDATE steps SET bytes = ?, without = NULL WHERE id = ? RETURNING id`, bytes, id);
    if (there.toArray().length === 0) return;
    this.#sql.exec(`INSERT OR IGNORE INTO pictures VALUES (?, ?)`, id, picture.slice().buffer);
    this.#dropPictures();
  }

  page(session: string, before: number | null, limit: number): StepPage {
    const rows = this.#sql
      .exec<Row>(
        `SELECT ${COLUMNS} FROM steps WHERE session = ?1 AND (?2 IS NULL OR seq < ?2) ORDER BY seq DESC LIMIT ?3`,
        session,
        before,
        limit + 1,
      )
      .toArray();
    const shown = rows.slice(0, limit);
    return { steps: shown.map(stepOf), next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null };
  }

  /** Of each session, the newest step that has a picture. */
  lastPictures(): Map<string, string> {
    const rows = this.#sql
      .exec<{ session: string; id: string }>(
        `SELECT session, id FROM steps WHERE seq IN (SELECT max(seq) FROM steps WHERE bytes > 0 GROUP BY session)`,
      )
      .toArray();
    return new Map(rows.map(({ session, id }) => [session, id]));
  }

  /** Sessions that there are steps of, with the time of the last one. */
  sessions(): { name: string; usedAt: number }[] {
    return this.#sql
      .exec<{ name: string; usedAt: number }>(`SELECT session AS name, max(at) AS usedAt FROM steps GROUP BY session`)
      .toArray();
  }

  picture(id: string): Uint8Array | null {
    const [row] = this.#sql.exec<{ jpeg: ArrayBuffer }>(`SELECT jpeg FROM pictures WHERE id = ?`, id).toArray();
    return row === undefined ? null : new Uint8Array(row.jpeg);
  }

  /** Forgets the steps of one session. */
  forget(session: string): void {
    this.#drop(`session = ?`, session);
  }

  dropBefore(time: number): void {
    this.#drop(`at < ?`, time);
  }

  /** Takes one picture away; its step stays. */
  dropPicture(id: string): void {
    this.#sql.exec(`DELETE FROM pictures WHERE id = ?`, id);
    this.#sql.exec(`UPDATE steps SET bytes = 0, without = 'dropped' WHERE id = ?`, id);
  }

  /** Takes the pictures away; the steps stay. */
  dropAllPictures(): void {
    this.#sql.exec(`DELETE FROM pictures`);
    this.#sql.exec(`UPDATE steps SET bytes = 0, without = 'dropped' WHERE bytes > 0`);
  }

  oldest(): number | null {
    return this.#sql.exec<{ at: number | null }>(`SELECT min(at) AS at FROM steps`).one().at;
  }

  #drop(which: string, value: string | number): void {
    this.#sql.exec(`DELETE FROM pictures WHERE id IN (SELECT id FROM steps WHERE ${which})`, value);
    this.#sql.exec(`DELETE FROM steps WHERE ${which}`, value);
  }

  /** Keeps the newest pictures that have room together. */
  #dropPictures(): void {
    const over = `SELECT id FROM (SELECT id, bytes, sum(bytes) OVER (ORDER BY seq DESC) AS so_far FROM steps)
      WHERE bytes > 0 AND so_far > ${STEP_PICTURES_BYTES_MAX}`;
    this.#sql.exec(`DELETE FROM pictures WHERE id IN (${over})`);
    this.#sql.exec(`UPDATE steps SET bytes = 0, without = 'dropped' WHERE id IN (${over})`);
  }
}

function stepOf({ without, ...row }: Row): KeptStep {
  return { ...row, without: STEP_WITHOUT.find((why) => why === without) ?? null };
}
