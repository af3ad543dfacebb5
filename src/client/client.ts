import { ObjectOfParts } from '#core/stored-object.ts';
import type { BudgetLimits, CallCosts, BudgetRefusal } from '#core/budgets.ts';
import { deploymentPart } from '#client/deployment/deployment.ts';
import { parseLeasedToday } from '#client/deployment/deployment-budgets.ts';
import type { BudgetUse } from '#client/deployment/deployment-budgets.ts';
import { SubjectBudgets } from './budgets.ts';
import { Consents } from './consents.ts';
import { Cursors } from './cursors.ts';
import type { PinnedResult, CursorListBinding, ViewportMove, CursorPageBinding, ShownCursor } from './cursors.ts';
import { RecentlyOpenedPages } from './recents.ts';
import { RotatedGrants } from './grants.ts';
import { SubjectSecrets } from './secrets.ts';

/** A list result to open. `loc`: its first line to show; `null` starts at the line of the snippet. */
type ResultToOpen = { resultId: number; loc: number | null; numLines: number };

const BUDGETS_KEY = 'budgets_taken';
const USED_KEY = 'budgets_used';

export type CallPayment = { costs: CallCosts; limits: BudgetLimits };

/** Result of paying for a call and looking up its cursor. */
type PaidUse = {
  /** The exhausted budget, in which case nothing was spent; `null` if the call is paid. */
  refusal: BudgetRefusal | null;
  /** The cursor's content; `null` if a budget is exhausted, and for an unknown cursor. */
  shown: ShownCursor | null;
};

/** Use of a cursor by a call. */
export type CursorRequest = {
  cursor: string;
  /** Move of the cursor's viewport; `null` for none. */
  move: ViewportMove | null;
  /** Result to open from the list that the cursor shows. */
  result?: ResultToOpen;
};

/**
 * The small state of one subject, in one object so that updates cannot race. The object fetches and extracts nothing,
 * because heavy work is done in the stateless Worker. It reads the clock itself, so that all cursors of a subject use
 * one clock.
 */
export class Client extends ObjectOfParts {
  readonly #budgets: SubjectBudgets;
  readonly consents: Consents;
  readonly #cursors: Cursors;
  readonly grants: RotatedGrants;
  readonly recents: RecentlyOpenedPages;
  readonly secrets: SubjectSecrets;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#budgets = new SubjectBudgets({
      now: Date.now,
      load: () => parseLeasedToday(state.storage.kv.get(BUDGETS_KEY)),
      save: (taken) => state.storage.kv.put(BUDGETS_KEY, taken),
      loadUsed: () => parseLeasedToday(state.storage.kv.get(USED_KEY)),
      saveUsed: (used) => void state.storage.put(USED_KEY, used, { allowUnconfirmed: true }),
      lease: (ask, totals) => deploymentPart(env, 'budgets').lease(ask, totals),
    });
    this.consents = new Consents(state.storage.sql);
    this.#cursors = new Cursors(state.storage.sql);
    this.grants = new RotatedGrants(state.storage.sql, (at) => this.#scheduleSweep(at));
    this.recents = new RecentlyOpenedPages(state.storage.sql);
    this.secrets = new SubjectSecrets(state.storage.sql);
  }

  async mintList(list: CursorListBinding, ttlMs: number): Promise<string> {
    const cursor = this.#cursors.mintList(list, Date.now(), ttlMs);
    await this.#scheduleSweep(this.#cursors.nextExpiry());
    return cursor;
  }

  async mintPage(page: CursorPageBinding, viewStart: number, from: string | null, ttlMs: number): Promise<string> {
    const now = Date.now();
    const cursor = this.#cursors.mintPage(page, viewStart, from, now, ttlMs);
    const { snapshot, url, title } = page;
    if (snapshot !== undefined) this.recents.note({ snapshot, url, title, openedAt: now }, cursor);
    await this.#scheduleSweep(this.#cursors.nextExpiry());
    return cursor;
  }

  spend(costs: CallCosts, limits: BudgetLimits): Promise<BudgetRefusal | null> {
    return this.#budgets.spend(costs, limits);
  }

  /**
   * Budget units that were leased in the last 24 hours, and the part of them that was spent (`used`), in slots of 15
   * minutes.
   */
  taken(): BudgetUse {
    return { ...this.#budgets.taken, used: this.#budgets.used };
  }

  use(cursor: string, move: ViewportMove | null, ttlMs: number, moveId: string | null = null): ShownCursor | null {
    return this.#cursors.use(cursor, move, Date.now(), ttlMs, moveId);
  }

  /**
   * Pays for a call and looks up its cursor, in one request.
   * @param maxAgeMs for a result of a list: if the subject has a cursor on its page, fetched within this time, the page
   *   is not fetched again
   */
  async payAndUse(
    { cursor, move, result }: CursorRequest,
    { costs, limits }: CallPayment,
    moveId: string,
    { ttlMs, maxAgeMs }: { ttlMs: number; maxAgeMs: number },
  ): Promise<PaidUse> {
    const refusal = await this.#budgets.spend(costs, limits);
    const shown = refusal === null ? this.use(cursor, move, ttlMs, moveId) : null;
    if (shown === null || result === undefined) return { refusal, shown };
    return { refusal, shown: { ...shown, held: this.#openHeld(shown, result, ttlMs, maxAgeMs) } };
  }

  #openHeld(
    { cursor: from, list }: ShownCursor,
    { resultId, loc, numLines }: ResultToOpen,
    ttlMs: number,
    maxAgeMs: number,
  ): PinnedResult | null {
    const hit = list?.hits[resultId - 1];
    const known = hit === undefined ? null : this.recents.newest(hit.url);
    if (hit === undefined || known === null) return null;
    const now = Date.now();
    const lineOf = (documentId: string) => loc ?? (hit.place?.documentId === documentId ? hit.place.line : 0);
    const wanted = { loc: lineOf, numLines };
    const held = this.#cursors.mintHeld(from, known, wanted, { now, ttlMs, fetchedAfter: now - maxAgeMs });
    if (held === null) return null;
    const { snapshot } = known;
    this.recents.note({ snapshot, url: held.page.url, title: held.page.title, openedAt: now }, held.cursor);
    return held;
  }

  /**
   * Stops the cursors of documents that the subject deleted, so that they show nothing any more.
   * @param snapshots snapshots to fetch again when they are next opened
   */
  forget(documentIds: string[], snapshots: string[]): void {
    this.#cursors.forget(documentIds);
    this.recents.forget(snapshots);
  }

  listed(urls: string[]): string[] {
    return this.#cursors.listed(urls);
  }

  renew(cursor: string, heldUntil: number): void {
    this.#cursors.renew(cursor, heldUntil);
  }

  override async alarm(): Promise<void> {
    this.#cursors.sweep(Date.now());
    this.grants.sweep(Date.now());
    await this.#scheduleSweep(this.#cursors.nextExpiry());
    await this.#scheduleSweep(this.grants.nextExpiry());
  }

  async #scheduleSweep(at: number | null): Promise<void> {
    if (at === null) return;
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > at) await this.ctx.storage.setAlarm(at);
  }
}
