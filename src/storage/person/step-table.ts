import { NO_PICTURE_REASONS } from '#core/activity.ts';
import type { SessionStep } from '#core/activity.ts';
import { SECOND_MS } from '#core/limits.ts';
import type { ScriptStep } from '#core/script-steps.ts';
import type { HistoryLimits } from '#storage/limits.ts';
import type { StoredActivity } from './activity-log.ts';

/** A stored step (a call) of a browser session. `done`: its actions; missing if they were not recorded. */
export type StoredStep = SessionStep & { seq: number; done?: readonly ScriptStep[] };
export type SealedScript = { id: string; script: Uint8Array | null };
export type StepPage = { steps: StoredStep[]; next: number | null };

type Row = Omit<StoredStep, 'without' | 'done'> & { without: string | null };
const COLUMNS = 'seq, id, session, at, what, url, title, error, without';

export class StepTable {
  readonly #sql: SqlStorage;
  readonly #limits: () => HistoryLimits;

  constructor(sql: SqlStorage, limits: () => HistoryLimits) {
    this.#sql = sql;
    this.#limits = limits;
    sql.exec(`CREATE TABLE IF NOT EXISTS steps (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL,
      url TEXT, title TEXT, error TEXT, without TEXT, bytes INTEGER NOT NULL)`);
    // Pictures and scripts have their own tables, so that lists of steps do not read them.
    sql.exec(`CREATE TABLE IF NOT EXISTS pictures (id TEXT PRIMARY KEY, jpeg BLOB NOT NULL)`);
    sql.exec(`CREATE TABLE IF NOT EXISTS scripts (id TEXT PRIMARY KEY, script BLOB NOT NULL)`);
    sql.exec(`CREATE INDEX IF NOT EXISTS steps_by_session ON steps (session, seq)`);
  }

  /** Adds a step, unless it is already stored. Its picture follows after encryption. */
  add(step: SessionStep): void {
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
    this.#drop(`seq <= (SELECT max(seq) FROM steps) - ?`, this.#limits().steps);
  }

  addPicture(id: string, picture: Uint8Array): void {
    const bytes = picture.byteLength;
    const there = this.#sql.exec(`UPDATE steps SET bytes = ?, without = NULL WHERE id = ? RETURNING id`, bytes, id);
    if (there.toArray().length === 0) return;
    this.#sql.exec(`INSERT OR IGNORE INTO pictures VALUES (?, ?)`, id, picture.slice().buffer);
    this.#dropPictures();
  }

  addScript(id: string, script: Uint8Array): void {
    this.#sql.exec(`INSERT OR IGNORE INTO scripts VALUES (?, ?)`, id, script.slice().buffer);
  }

  scripts(session: string): SealedScript[] {
    const rows = this.#sql.exec<ScriptRow>(
      `SELECT steps.id, script FROM steps LEFT JOIN scripts USING (id) WHERE session = ? AND error IS NULL ORDER BY seq`,
      session,
    );
    return rows.toArray().map(sealedOf);
  }

  script(id: string): Uint8Array | null {
    const [row] = this.#sql.exec<ScriptRow>(`SELECT id, script FROM scripts WHERE id = ?`, id).toArray();
    return row === undefined ? null : sealedOf(row).script;
  }

  /**
   * Finds the step of a call by session, tool and time; `null` if there is none. A step is recorded right after the
   * response, before the next call of the session begins, with the time of another machine's clock.
   */
  of({ session, tool, at, ms }: StoredActivity): (SealedScript & { seq: number }) | null {
    if (session === null) return null;
    const what = tool.replace(/^browser_/u, '');
    const [row] = this.#sql
      .exec<ScriptRow & { seq: number }>(
        `SELECT steps.id, seq, script FROM steps LEFT JOIN scripts USING (id)
         WHERE session = ? AND what = ? AND at BETWEEN ? AND ? ORDER BY seq LIMIT 1`,
        session,
        STEP_OF_TOOL[what] ?? what,
        at + ms - STEP_CLOCK_MS,
        at + ms + STEP_NOTED_MS,
      )
      .toArray();
    return row === undefined ? null : { ...sealedOf(row), seq: row.seq };
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

  lastPictures(): Map<string, string> {
    const rows = this.#sql
      .exec<{ session: string; id: string }>(
        `SELECT session, id FROM steps WHERE seq IN (SELECT max(seq) FROM steps WHERE bytes > 0 GROUP BY session)`,
      )
      .toArray();
    return new Map(rows.map(({ session, id }) => [session, id]));
  }

  sessions(): { name: string; usedAt: number }[] {
    return this.#sql
      .exec<{ name: string; usedAt: number }>(`SELECT session AS name, max(at) AS usedAt FROM steps GROUP BY session`)
      .toArray();
  }

  picture(id: string): Uint8Array | null {
    const [row] = this.#sql.exec<{ jpeg: ArrayBuffer }>(`SELECT jpeg FROM pictures WHERE id = ?`, id).toArray();
    return row === undefined ? null : new Uint8Array(row.jpeg);
  }

  forget(session: string): void {
    this.#drop(`session = ?`, session);
  }

  dropBefore(time: number): void {
    this.#drop(`at < ?`, time);
  }

  dropPicture(id: string): void {
    this.#sql.exec(`DELETE FROM pictures WHERE id = ?`, id);
    this.#sql.exec(`UPDATE steps SET bytes = 0, without = 'dropped' WHERE id = ?`, id);
  }

  dropAllPictures(): void {
    this.#sql.exec(`DELETE FROM pictures`);
    this.#sql.exec(`UPDATE steps SET bytes = 0, without = 'dropped' WHERE bytes > 0`);
  }

  oldest(): number | null {
    return this.#sql.exec<{ at: number | null }>(`SELECT min(at) AS at FROM steps`).one().at;
  }

  #drop(which: string, value: string | number): void {
    for (const table of ['pictures', 'scripts'])
      this.#sql.exec(`DELETE FROM ${table} WHERE id IN (SELECT id FROM steps WHERE ${which})`, value);
    this.#sql.exec(`DELETE FROM steps WHERE ${which}`, value);
  }

  #dropPictures(): void {
    const over = `SELECT id FROM (SELECT id, bytes, sum(bytes) OVER (ORDER BY seq DESC) AS so_far FROM steps)
      WHERE bytes > 0 AND so_far > ${this.#limits().pictureBytes}`;
    this.#sql.exec(`DELETE FROM pictures WHERE id IN (${over})`);
    this.#sql.exec(`UPDATE steps SET bytes = 0, without = 'dropped' WHERE id IN (${over})`);
  }
}

type ScriptRow = { id: string; script: ArrayBuffer | null };

function sealedOf({ id, script }: ScriptRow): SealedScript {
  return { id, script: script === null ? null : new Uint8Array(script) };
}

const STEP_OF_TOOL: Readonly<Record<string, string>> = { close: 'close_tab', files: 'put_file' };
/** Maximum difference (ms) between the clocks of the machines that record a call and its step. */
const STEP_CLOCK_MS = 250;
/** Maximum delay (ms) until a step is recorded, because its picture is taken first. */
const STEP_NOTED_MS = 2 * SECOND_MS;

function stepOf({ without, ...row }: Row): StoredStep {
  return { ...row, without: NO_PICTURE_REASONS.find((why) => why === without) ?? null };
}
