import { DurableObject } from 'cloudflare:workers';
import type { Activity, KeepingWish, Step } from '#core/activity.ts';
import { parseConfig } from '#core/config.ts';
import { openBytes, sealBytes, sealingSecret } from '#core/secrets/sealed.ts';
import type { SealedAs } from '#core/secrets/sealed.ts';
import { ActivityLog } from './activity-log.ts';
import type { DayUse, ActivityFilter, ActivityPage, StoredActivity, ToolUse, UsedSession } from './activity-log.ts';
import { STEPS_MAX, STEP_KEPT_MS, STEP_PICTURES_BYTES_MAX, STEP_PICTURE_BYTES_MAX } from '#storage/limits.ts';
import { HOUR_MS } from '#core/limits.ts';
import { STEP_WITHOUT } from '#core/activity.ts';

/** A session that a person's models used, with its newest picture, and whether there are steps of it. */
export type SessionUse = UsedSession & { picture: string | null; hasSteps: boolean };

const WISH = 'wish';
const KEPT_FOR = 'kept for';

/**
 * What the models of one person did, and what their browser sessions looked like: nobody else's calls reach this object. It
 * is written behind the answers of calls, and read by the person's console. Every call may be made twice.
 */
export class PersonHistory extends DurableObject {
  /** Tests move it. */
  clock: () => number = Date.now;
  readonly #storage: DurableObjectStorage;
  readonly #deeds: ActivityLog;
  readonly #steps: Steps;
  /** What pictures are sealed with; `null` where the deployment has nothing for that. */
  readonly #secret: string | null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#deeds = new ActivityLog(state.storage.sql);
    this.#steps = new Steps(state.storage.sql);
    this.#secret = sealingSecret(parseConfig({ ...env }));
  }

  /**
   * Keeps what a call did, unless the person does not want that. Which client called and which session it used is known in
   * any case: the console lists both. @param keptMs how long lines are kept; 0 for not at all
   */
  async note(deeds: readonly Activity[], keptMs: number): Promise<void> {
    for (const deed of deeds) {
      this.#deeds.noteClient(deed.client, deed.at);
      this.#deeds.noteSession(deed);
    }
    if (keptMs > 0 && this.wish().activity) this.#deeds.add(deeds);
    this.keepFor(keptMs);
    await this.#schedule();
  }

  /** What is older goes at once. @param keptMs as the deployment wants it now */
  keepFor(keptMs: number): void {
    if (this.#keptMs !== keptMs) this.#storage.kv.put(KEPT_FOR, keptMs);
    this.#sweep();
  }

  deeds(filter: ActivityFilter, before: number | null, limit: number): ActivityPage {
    this.#sweep();
    return this.#deeds.page(filter, before, limit);
  }

  deed(seq: number): StoredActivity | null {
    this.#sweep();
    return this.#deeds.find(seq);
  }

  documentOf(cursor: string): string | null {
    return this.#deeds.documentOf(cursor);
  }

  choices(): { clients: string[]; days: string[] } {
    this.#sweep();
    return this.#deeds.choices();
  }

  use(since: number): { tools: ToolUse[]; days: DayUse[] } {
    this.#sweep();
    return this.#deeds.use(since);
  }

  clients(): { id: string; usedAt: number }[] {
    return this.#deeds.clients();
  }

  /** Forgets all lines of activity. */
  forgetDeeds(): void {
    this.#deeds.dropBefore(Number.MAX_SAFE_INTEGER);
  }

  wish(): KeepingWish {
    const wish = this.#storage.kv.get(WISH);
    const has = (name: keyof KeepingWish) =>
      typeof wish !== 'object' || wish === null || Reflect.get(wish, name) !== false;
    return { activity: has('activity'), pictures: has('pictures') };
  }

  /** What is not wanted any more goes at once. */
  setWish(change: Partial<KeepingWish>): void {
    const wish = { ...this.wish(), ...change };
    this.#storage.kv.put(WISH, wish);
    if (!wish.activity) this.forgetDeeds();
    if (!wish.pictures) this.#steps.dropAllPictures();
  }

  /** Keeps a step. @returns whether pictures are wanted */
  async keepStep(step: Step, jpeg: Uint8Array | null): Promise<boolean> {
    const { pictures } = this.wish();
    this.#steps.add(pictures ? step : { ...step, without: 'off' });
    const fits = pictures && jpeg !== null && jpeg.byteLength <= STEP_PICTURE_BYTES_MAX;
    const picture = fits ? await this.#sealed(step.id, jpeg) : null;
    // Meanwhile the person may have switched them off.
    if (picture !== null && this.wish().pictures) this.#steps.addPicture(step.id, picture);
    this.#sweep();
    await this.#schedule();
    return pictures;
  }

  async #sealed(id: string, jpeg: Uint8Array): Promise<Uint8Array> {
    return this.#secret === null ? jpeg : sealBytes(this.#secret, this.#as(id), jpeg);
  }

  /** As one picture of this person: it opens nowhere else. */
  #as(id: string): SealedAs {
    return { what: 'picture of a step', owner: `${this.ctx.id.toString()} ${id}` };
  }

  steps(session: string, before: number | null, limit: number): StepPage {
    this.#sweep();
    return this.#steps.page(session, before, limit);
  }

  /** A JPEG. One that was sealed with a secret that the deployment has no more goes. */
  async picture(id: string): Promise<Uint8Array | null> {
    this.#sweep();
    const kept = this.#steps.picture(id);
    if (kept === null || isJpeg(kept)) return kept;
    const jpeg = this.#secret === null ? null : await openBytes(this.#secret, this.#as(id), kept);
    if (jpeg === null) this.#steps.dropPicture(id);
    return jpeg;
  }

  /** The last used first. */
  sessions(): SessionUse[] {
    this.#sweep();
    const pictures = this.#steps.lastPictures();
    const used = this.#deeds.sessions();
    const stepped = this.#steps.sessions();
    const withSteps = new Set(stepped.map(({ name }) => name));
    const names = new Set(used.map(({ name }) => name));
    const others = stepped.filter(({ name }) => !names.has(name));
    return [...used, ...others.map((one) => ({ ...one, url: null, title: null }))]
      .map((one) => ({ ...one, picture: pictures.get(one.name) ?? null, hasSteps: withSteps.has(one.name) }))
      .sort((one, other) => other.usedAt - one.usedAt);
  }

  /** Takes a session off the list; its steps stay for their time. */
  sessionEnded(name: string): void {
    this.#deeds.forgetSession(name);
  }

  /** Forgets the steps of a session, pictures included. */
  forgetSteps(session: string): void {
    this.#steps.forget(session);
  }

  override async alarm(): Promise<void> {
    this.#sweep();
    await this.#schedule();
  }

  #sweep(): void {
    const now = this.clock();
    this.#steps.dropBefore(now - STEP_KEPT_MS);
    this.#deeds.dropBefore(now - this.#keptMs);
  }

  /** How long the deployment keeps activity, as the last call said. */
  get #keptMs(): number {
    const kept = this.#storage.kv.get(KEPT_FOR);
    return typeof kept === 'number' ? kept : 0;
  }

  async #schedule(): Promise<void> {
    const [deed, step] = [this.#deeds.oldest(), this.#steps.oldest()];
    const ends = [...(deed === null ? [] : [deed + this.#keptMs]), ...(step === null ? [] : [step + STEP_KEPT_MS])];
    if (ends.length === 0) return;
    const set = await this.#storage.getAlarm();
    // Together with others that end soon after it: nothing that is over is shown.
    const first = Math.max(Math.min(...ends), this.clock() + HOUR_MS);
    if (set === null || set > first) await this.#storage.setAlarm(first);
  }
}

/** As it was kept before pictures were sealed, and as it is where there is nothing to seal with. */
function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8;
}

/** A step with its number, and newest first; `next` asks for older ones. */
type KeptStep = Step & { seq: number };
type StepPage = { steps: KeptStep[]; next: number | null };

type Row = Omit<KeptStep, 'without'> & { without: string | null };
const COLUMNS = 'seq, id, session, at, what, url, title, error, without';

/** The steps of one person's browser sessions, with small pictures, in the SQLite of their object. */
class Steps {
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
