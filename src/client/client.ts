import { StoredObject } from '#core/stored-object.ts';
import type { BudgetLimits, Costs, Refusal } from '#core/budgets.ts';
import type { SealedSecret } from '#core/secrets/secret-facts.ts';
import { deploymentPart } from '#client/deployment/deployment.ts';
import { readDayTaken } from '#client/deployment/deployment-budgets.ts';
import type { BudgetUse } from '#client/deployment/deployment-budgets.ts';
import { SubjectBudgets } from './budgets.ts';
import { Consents } from './consents.ts';
import type { Consent, ConsentedClient } from './consents.ts';
import { Cursors } from './cursors.ts';
import type { HeldResult, ListBinding, Move, PageBinding, ShownCursor, WantedResult } from './cursors.ts';
import { Recents } from './recents.ts';
import type { Recent, RecentsPage } from './recents.ts';
import type { PaidUse, Payment } from './paid-use.ts';
import { Grants } from './grants.ts';
import type { FirstTokens, HeldGrant, IssuedToken, Rotation } from './grants.ts';
import { Secrets } from './secrets.ts';
import type { SecretNotSaved } from './secrets.ts';

const BUDGETS_KEY = 'budgets_taken';
const USED_KEY = 'budgets_used';

/**
 * The small state of one subject, in one object so that updates cannot race. The object fetches and extracts nothing:
 * heavy work stays in the stateless Worker. It reads the clock itself, so that all cursors of a subject use one clock.
 */
export class Client extends StoredObject {
  readonly #budgets: SubjectBudgets;
  readonly #consents: Consents;
  readonly #cursors: Cursors;
  readonly #grants: Grants;
  readonly #recents: Recents;
  readonly #secrets: Secrets;
  readonly #storage: DurableObjectStorage;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#budgets = new SubjectBudgets({
      now: Date.now,
      load: () => readDayTaken(state.storage.kv.get(BUDGETS_KEY)),
      save: (taken) => state.storage.kv.put(BUDGETS_KEY, taken),
      loadUsed: () => readDayTaken(state.storage.kv.get(USED_KEY)),
      saveUsed: (used) => void state.storage.put(USED_KEY, used, { allowUnconfirmed: true }),
      lease: (ask, totals) => deploymentPart(env, 'budgets').lease(ask, totals),
    });
    this.#consents = new Consents(state.storage.sql);
    this.#cursors = new Cursors(state.storage.sql);
    this.#grants = new Grants(state.storage.sql);
    this.#recents = new Recents(state.storage.sql);
    this.#secrets = new Secrets(state.storage.sql);
  }

  async mintList(list: ListBinding, ttlMs: number): Promise<string> {
    const cursor = this.#cursors.mintList(list, Date.now(), ttlMs);
    await this.#scheduleSweep(this.#cursors.nextExpiry());
    return cursor;
  }

  async mintPage(page: PageBinding, viewStart: number, from: string | null, ttlMs: number): Promise<string> {
    const now = Date.now();
    const cursor = this.#cursors.mintPage(page, viewStart, from, now, ttlMs);
    const { snapshot, url, title } = page;
    if (snapshot !== undefined) this.#recents.note({ snapshot, url, title, openedAt: now }, cursor);
    await this.#scheduleSweep(this.#cursors.nextExpiry());
    return cursor;
  }

  spend(costs: Costs, limits: BudgetLimits): Promise<Refusal | null> {
    return this.#budgets.spend(costs, limits);
  }

  /** Amounts leased in blocks in the last 24 hours, and amounts spent from them, in slots of a quarter of an hour. */
  taken(): BudgetUse {
    return { ...this.#budgets.taken, used: this.#budgets.used };
  }

  /**
   * @param payment cost of the call that uses the cursor; with it, the return value includes any refusal
   * @param result of the cursor's list: its page is opened from the subject's cursors if it was fetched within
   * `maxAgeMs`
   */
  use(
    cursor: string,
    move: Move | null,
    ttlMs: number,
    moveId: string | null = null,
    payment: Payment | null = null,
    result: (WantedResult & { maxAgeMs: number }) | null = null,
  ): ShownCursor | null | Promise<PaidUse> {
    const use = () => this.#cursors.use(cursor, move, Date.now(), ttlMs, moveId);
    if (payment === null) return use();
    return this.#pay(payment, () => {
      const shown = use();
      return shown === null || result === null ? shown : { ...shown, held: this.#openHeld(shown, result, ttlMs) };
    });
  }

  #openHeld(
    { cursor: from, list }: ShownCursor,
    { resultId, loc, numLines, maxAgeMs }: WantedResult & { maxAgeMs: number },
    ttlMs: number,
  ): HeldResult | null {
    const hit = list?.hits[resultId - 1];
    const known = hit === undefined ? null : this.#recents.newest(hit.url);
    if (hit === undefined || known === null) return null;
    const now = Date.now();
    const lineOf = (documentId: string) => loc ?? (hit.place?.documentId === documentId ? hit.place.line : 0);
    const wanted = { loc: lineOf, numLines };
    const held = this.#cursors.mintHeld(from, known, wanted, { now, ttlMs, fetchedAfter: now - maxAgeMs });
    if (held === null) return null;
    const { snapshot } = known;
    this.#recents.note({ snapshot, url: held.page.url, title: held.page.title, openedAt: now }, held.cursor);
    return held;
  }

  async #pay({ costs, limits }: Payment, use: () => ShownCursor | null): Promise<PaidUse> {
    const refusal = await this.#budgets.spend(costs, limits);
    return { refusal, shown: refusal === null ? use() : null };
  }

  /**
   * Stops the cursors of documents that the subject deleted: they show nothing any more.
   * @param snapshots to fetch again when they are next opened
   */
  forget(documentIds: string[], snapshots: string[]): void {
    this.#cursors.forget(documentIds);
    this.#recents.forget(snapshots);
  }

  listed(urls: string[]): string[] {
    return this.#cursors.listed(urls);
  }

  renew(cursor: string, heldUntil: number): void {
    this.#cursors.renew(cursor, heldUntil);
  }

  recents(after: number | null, limit: number): RecentsPage {
    return this.#recents.page(after, limit);
  }

  hasOpened(snapshot: string): boolean {
    return this.#recents.has(snapshot);
  }

  recentsMatching(text: string, limit: number): Recent[] {
    return this.#recents.matching(text, limit);
  }

  secrets(): SealedSecret[] {
    return this.#secrets.list();
  }

  keepSecret(secret: SealedSecret, replaces: boolean): SecretNotSaved | null {
    return this.#secrets.keep(secret, replaces);
  }

  /** @returns false if there was no secret with that name */
  removeSecret(name: string): boolean {
    return this.#secrets.remove(name);
  }

  usedSecret(name: string, at: number): void {
    this.#secrets.used(name, at);
  }

  /** @param presented SHA-256 of a refresh token. @returns `null` for an unknown grant */
  heldGrant(grant: string, presented: string | null): HeldGrant | null {
    return this.#grants.held(grant, presented, Date.now());
  }

  async beginGrant(grant: string, first: FirstTokens): Promise<boolean> {
    const isFirst = this.#grants.begin(grant, first);
    await this.#scheduleSweep(this.#grants.nextExpiry());
    return isFirst;
  }

  async rotateGrant(grant: string, step: Rotation): Promise<HeldGrant | null> {
    const held = this.#grants.rotate(grant, step, Date.now());
    await this.#scheduleSweep(this.#grants.nextExpiry());
    return held;
  }

  async issueToken(grant: string, issued: IssuedToken): Promise<boolean> {
    const isHeld = this.#grants.issue(grant, issued);
    await this.#scheduleSweep(this.#grants.nextExpiry());
    return isHeld;
  }

  async endGrant(grant: string): Promise<string[]> {
    const tokens = this.#grants.end(grant, Date.now());
    await this.#scheduleSweep(this.#grants.nextExpiry());
    return tokens;
  }

  consent(client: ConsentedClient): Consent | null {
    return this.#consents.find(client);
  }

  saveConsent(client: ConsentedClient, consent: Consent): void {
    this.#consents.save(client, consent, Date.now());
  }

  removeConsents(clientId: string): void {
    this.#consents.remove(clientId);
  }

  override async alarm(): Promise<void> {
    this.#cursors.sweep(Date.now());
    this.#grants.sweep(Date.now());
    await this.#scheduleSweep(this.#cursors.nextExpiry());
    await this.#scheduleSweep(this.#grants.nextExpiry());
  }

  async #scheduleSweep(at: number | null): Promise<void> {
    if (at === null) return;
    const set = await this.#storage.getAlarm();
    if (set === null || set > at) await this.#storage.setAlarm(at);
  }
}
