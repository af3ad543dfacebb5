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
 * Everything small that one subject owns, in one place where it cannot race. It fetches and extracts nothing: heavy
 * work stays in the stateless Worker. The clock comes from here, so that every cursor of a subject obeys one.
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

  /** Spends all of it, or nothing and says what has no room. */
  spend(costs: Costs, limits: BudgetLimits): Promise<Refusal | null> {
    return this.#budgets.spend(costs, limits);
  }

  /**
   * What was taken of the budgets, in blocks, in the last 24 hours, and what was used out of them: slots of a quarter of an
   * hour with their amounts.
   */
  taken(): BudgetUse {
    return { ...this.#budgets.taken, used: this.#budgets.used };
  }

  /**
   * @param payment what the call costs that uses the cursor; the answer then says whether it was paid
   * @param result of the list that the cursor shows: its page is opened from what the subject holds, if it was fetched within
   *   `maxAgeMs`
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
   * What the subject has deleted. Cursors on their private documents show nothing any more.
   * @param snapshots whose pages are fetched again when they are opened
   */
  forget(documentIds: string[], snapshots: string[]): void {
    this.#cursors.forget(documentIds);
    this.#recents.forget(snapshots);
  }

  /** Those of the addresses, without fragments, to which a search has led lately. */
  listed(urls: string[]): string[] {
    return this.#cursors.listed(urls);
  }

  renew(cursor: string, heldUntil: number): void {
    this.#cursors.renew(cursor, heldUntil);
  }

  /** Pages opened lately, newest first. */
  recents(after: number | null, limit: number): RecentsPage {
    return this.#recents.page(after, limit);
  }

  /** Whether a page was opened from this snapshot lately. */
  hasOpened(snapshot: string): boolean {
    return this.#recents.has(snapshot);
  }

  /** Pages opened lately that `text` may mean. */
  recentsMatching(text: string, limit: number): Recent[] {
    return this.#recents.matching(text, limit);
  }

  /** By name; sealed. */
  secrets(): SealedSecret[] {
    return this.#secrets.list();
  }

  keepSecret(secret: SealedSecret, replaces: boolean): SecretNotSaved | null {
    return this.#secrets.keep(secret, replaces);
  }

  /** @returns whether there was one of that name */
  removeSecret(name: string): boolean {
    return this.#secrets.remove(name);
  }

  usedSecret(name: string, at: number): void {
    this.#secrets.used(name, at);
  }

  /** @param presented SHA-256 of a refresh token. @returns `null` when nothing is known of the grant */
  heldGrant(grant: string, presented: string | null): HeldGrant | null {
    return this.#grants.held(grant, presented, Date.now());
  }

  /** Notes a grant after its code was exchanged. @returns whether that was the first exchange */
  async beginGrant(grant: string, first: FirstTokens): Promise<boolean> {
    const isFirst = this.#grants.begin(grant, first);
    await this.#scheduleSweep(this.#grants.nextExpiry());
    return isFirst;
  }

  /** Replaces a refresh token. @returns `null` when that is done, else what is held instead */
  async rotateGrant(grant: string, step: Rotation): Promise<HeldGrant | null> {
    const held = this.#grants.rotate(grant, step, Date.now());
    await this.#scheduleSweep(this.#grants.nextExpiry());
    return held;
  }

  /** Notes one more access token of a grant. @returns whether the grant is still there */
  async issueToken(grant: string, issued: IssuedToken): Promise<boolean> {
    const isHeld = this.#grants.issue(grant, issued);
    await this.#scheduleSweep(this.#grants.nextExpiry());
    return isHeld;
  }

  /** None of its refresh tokens is answered any more. @returns the ids of its access tokens */
  async endGrant(grant: string): Promise<string[]> {
    const tokens = this.#grants.end(grant, Date.now());
    await this.#scheduleSweep(this.#grants.nextExpiry());
    return tokens;
  }

  /** The subject's decision about a client. */
  consent(client: ConsentedClient): Consent | null {
    return this.#consents.find(client);
  }

  saveConsent(client: ConsentedClient, consent: Consent): void {
    this.#consents.save(client, consent, Date.now());
  }

  /** Deletes the subject's decisions about a client, for each of its redirect URIs. */
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
