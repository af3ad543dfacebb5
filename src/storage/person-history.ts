import { DurableObject } from 'cloudflare:workers';
import type { Deed, KeepingWish, Step } from '#core/deeds.ts';
import { parseConfig } from '#core/config.ts';
import { openBytes, sealBytes } from '#core/sealed.ts';
import type { SealedAs } from '#core/sealed.ts';
import { sealingSecret } from '#core/sealing-secret.ts';
import { Deeds } from './history-deeds.ts';
import type { DayUse, DeedFilter, DeedPage, KeptDeed, ToolUse, UsedSession } from './history-deeds.ts';
import { Steps } from './history-steps.ts';
import type { StepPage } from './history-steps.ts';
import { STEP_KEPT_MS, STEP_PICTURE_BYTES_MAX } from './limits.ts';
import { HOUR_MS } from '#core/units.ts';

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
  readonly #deeds: Deeds;
  readonly #steps: Steps;
  /** What pictures are sealed with; `null` where the deployment has nothing for that. */
  readonly #secret: string | null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#deeds = new Deeds(state.storage.sql);
    this.#steps = new Steps(state.storage.sql);
    this.#secret = sealingSecret(parseConfig({ ...env }));
  }

  /**
   * Keeps what a call did, unless the person does not want that. Which client called and which session it used is known in
   * any case: the console lists both. @param keptMs how long lines are kept; 0 for not at all
   */
  async note(deeds: readonly Deed[], keptMs: number): Promise<void> {
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

  deeds(filter: DeedFilter, before: number | null, limit: number): DeedPage {
    this.#sweep();
    return this.#deeds.page(filter, before, limit);
  }

  deed(seq: number): KeptDeed | null {
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
