import type { Activity, SessionStep } from '#core/activity.ts';
import { StepTable } from './step-table.ts';
import type { SealedScript, StepPage } from './step-table.ts';
import { scriptedCallSchema } from '#core/script-steps.ts';
import type { ScriptedCall } from '#core/script-steps.ts';
import { parseConfig } from '#core/config/config.ts';
import { unsealBytes, unsealJson, sealBytes, readSealingSecret, sealJson } from '#core/secrets/sealed.ts';
import type { SealContext } from '#core/secrets/sealed.ts';
import { ActivityLog } from './activity-log.ts';
import type {
  CallsOfDay,
  ActivityFilter,
  ActivityPage,
  StoredActivity,
  CallsOfTool,
  UsedClient,
  UsedSession,
} from './activity-log.ts';
import { HISTORY_LIMITS, STEP_LIFETIME_MS, STEP_PICTURE_BYTES_MAX } from '#storage/limits.ts';
import type { HistoryLimits } from '#storage/limits.ts';
import { HOUR_MS, KIB } from '#core/limits.ts';

type HistorySettings = { activity: boolean; pictures: boolean };

/** Maximum bytes of the encrypted record of a step's actions. Even a long form needs far less. */
const STEP_SCRIPT_BYTES_MAX = 64 * KIB;

export type UsedSessionWithPicture = UsedSession & { picture: string | null; hasSteps: boolean };

const SETTINGS_KEY = 'settings';
const RETENTION_KEY = 'retention_ms';

/**
 * The calls of a user's models, with pictures of their browser sessions. Calls are recorded after the response, and
 * shown in the user's console. Every method is idempotent.
 */
export class PersonHistory {
  /** Tests replace the clock. */
  clock: () => number = Date.now;
  /** Tests lower the limits. */
  limits: HistoryLimits = HISTORY_LIMITS;
  /** ID of the user's object. Encrypted values are bound to this ID. */
  readonly #owner: string;
  readonly #storage: DurableObjectStorage;
  readonly #deeds: ActivityLog;
  readonly #steps: StepTable;
  /** Encryption key; `null` if not configured. */
  readonly #secret: string | null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    this.#owner = state.id.toString();
    this.#storage = state.storage;
    this.#deeds = new ActivityLog(state.storage.sql, () => this.limits);
    this.#steps = new StepTable(state.storage.sql, () => this.limits);
    this.#secret = readSealingSecret(parseConfig({ ...env }));
  }

  /**
   * Records calls, unless the user has disabled activity. The console always lists clients and sessions.
   * @param keptMs lifetime of entries; 0 stores none
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

  /** Sets the lifetime of entries and deletes older ones immediately. @param keptMs the deployment's current setting */
  keepFor(keptMs: number): void {
    if (this.#keptMs !== keptMs) this.#storage.kv.put(RETENTION_KEY, keptMs);
    this.#sweep();
  }

  async deeds(filter: ActivityFilter, before: number | null, limit: number): Promise<ActivityPage> {
    this.#sweep();
    const { deeds, next } = this.#deeds.page(filter, before, limit);
    return { deeds: await Promise.all(deeds.map((deed) => this.#withStep(deed))), next };
  }

  async #withStep(deed: StoredActivity): Promise<StoredActivity> {
    const step = this.#steps.of(deed);
    return step === null
      ? deed
      : { ...deed, step: { seq: step.seq, done: (await this.#openScript(step))?.steps ?? [] } };
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

  use(since: number): { tools: CallsOfTool[]; days: CallsOfDay[] } {
    this.#sweep();
    return this.#deeds.use(since);
  }

  clients(): UsedClient[] {
    return this.#deeds.clients();
  }

  nameClients(names: readonly (readonly [id: string, name: string])[]): void {
    this.#deeds.nameClients(names);
  }

  forgetDeeds(): void {
    this.#deeds.dropBefore(Number.MAX_SAFE_INTEGER);
  }

  wish(): HistorySettings {
    const wish = this.#storage.kv.get(SETTINGS_KEY);
    const has = (name: keyof HistorySettings) =>
      typeof wish !== 'object' || wish === null || Reflect.get(wish, name) !== false;
    return { activity: has('activity'), pictures: has('pictures') };
  }

  /** Changes the user's settings, and immediately deletes the data of features that are now disabled. */
  setWish(change: Partial<HistorySettings>): void {
    const wish = { ...this.wish(), ...change };
    this.#storage.kv.put(SETTINGS_KEY, wish);
    if (!wish.activity) this.forgetDeeds();
    if (!wish.pictures) this.#steps.dropAllPictures();
  }

  /** Stores a step (a call) of a browser session. @returns false if the user has disabled pictures */
  async keepStep(step: SessionStep, jpeg: Uint8Array | null, done: ScriptedCall | null = null): Promise<boolean> {
    const { pictures } = this.wish();
    this.#steps.add(pictures ? step : { ...step, without: 'off' });
    await this.#keepScript(step.id, done);
    const fits = pictures && jpeg !== null && jpeg.byteLength <= STEP_PICTURE_BYTES_MAX;
    const picture = fits ? await this.#sealed(step.id, jpeg) : null;
    // Checked again, because the user may have disabled pictures meanwhile.
    if (picture !== null && this.wish().pictures) this.#steps.addPicture(step.id, picture);
    this.#sweep();
    await this.#schedule();
    return pictures;
  }

  async #sealed(id: string, jpeg: Uint8Array): Promise<Uint8Array> {
    return this.#secret === null ? jpeg : sealBytes(this.#secret, this.#as(id), jpeg);
  }

  /** Binds a picture to this user and step, so that it cannot be decrypted as another step's picture. */
  #as(id: string): SealContext {
    return { what: 'picture of a step', owner: `${this.#owner} ${id}` };
  }

  /** Stores the script (recorded actions) of a step. Requires an encryption key, because scripts contain form input. */
  async #keepScript(id: string, done: ScriptedCall | null): Promise<void> {
    if (done === null || this.#secret === null) return;
    const sealed = await sealJson(this.#secret, this.#asScript(id), done);
    if (sealed.byteLength <= STEP_SCRIPT_BYTES_MAX) this.#steps.addScript(id, sealed);
  }

  #asScript(id: string): SealContext {
    return { what: 'script of a step', owner: `${this.#owner} ${id}` };
  }

  /**
   * The scripts (recorded actions) of a session's successful steps, oldest first; `null` for steps without a script.
   */
  async script(session: string): Promise<(ScriptedCall | null)[]> {
    this.#sweep();
    return Promise.all(this.#steps.scripts(session).map((one) => this.#openScript(one)));
  }

  async #openScript({ id, script }: SealedScript): Promise<ScriptedCall | null> {
    if (script === null || this.#secret === null) return null;
    return scriptedCallSchema.safeParse(await unsealJson(this.#secret, this.#asScript(id), script)).data ?? null;
  }

  /** Steps (calls) of a browser session. `done`: each step's actions, if stored. */
  async steps(session: string, before: number | null, limit: number): Promise<StepPage> {
    this.#sweep();
    const { steps, next } = this.#steps.page(session, before, limit);
    const told = steps.map(async (step) => {
      const script = await this.#openScript({ id: step.id, script: this.#steps.script(step.id) });
      return { ...step, done: script?.steps ?? [] };
    });
    return { steps: await Promise.all(told), next };
  }

  /** The picture of a step, a JPEG. A picture encrypted with an earlier secret is deleted. */
  async picture(id: string): Promise<Uint8Array | null> {
    this.#sweep();
    const picture = this.#steps.picture(id);
    if (picture === null || isJpeg(picture)) return picture;
    const jpeg = this.#secret === null ? null : await unsealBytes(this.#secret, this.#as(id), picture);
    if (jpeg === null) this.#steps.dropPicture(id);
    return jpeg;
  }

  sessions(): UsedSessionWithPicture[] {
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

  /** Every session that may have stored data, including sessions that {@link sessions} does not list. */
  sessionNames(): string[] {
    return [...new Set([...this.#deeds.sessionNames(), ...this.#steps.sessions().map(({ name }) => name)])];
  }

  /** Removes a session from the list. Its steps stay until they expire. */
  sessionEnded(name: string): void {
    this.#deeds.forgetSession(name);
  }

  /** Deletes the steps of a session, with their pictures. */
  forgetSteps(session: string): void {
    this.#steps.forget(session);
  }

  async sweep(): Promise<void> {
    this.#sweep();
    await this.#schedule();
  }

  #sweep(): void {
    const now = this.clock();
    this.#steps.dropBefore(now - STEP_LIFETIME_MS);
    this.#deeds.dropBefore(now - this.#keptMs);
  }

  /** Lifetime of entries, as last set by {@link keepFor}. */
  get #keptMs(): number {
    const storedMs = this.#storage.kv.get(RETENTION_KEY);
    return typeof storedMs === 'number' ? storedMs : 0;
  }

  async #schedule(): Promise<void> {
    const [deed, step] = [this.#deeds.oldest(), this.#steps.oldest()];
    const ends = [...(deed === null ? [] : [deed + this.#keptMs]), ...(step === null ? [] : [step + STEP_LIFETIME_MS])];
    if (ends.length === 0) return;
    const set = await this.#storage.getAlarm();
    // The alarm is at least an hour ahead, so that it deletes many entries at a time. Expired entries are not shown
    // meanwhile.
    const first = Math.max(Math.min(...ends), this.clock() + HOUR_MS);
    if (set === null || set > first) await this.#storage.setAlarm(first);
  }
}

/** True for an unencrypted picture, as stored by a deployment without a secret. */
function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8;
}
