import { DurableObject } from 'cloudflare:workers';
import { Cursors } from './cursors.ts';
import type { CursorView, ListBinding, PageBinding } from './cursors.ts';
import type { Move } from './move-viewport.ts';
import { Recents } from './recents.ts';
import type { Recent, RecentsPage } from './recents.ts';

/**
 * Everything small that one subject owns, in one place where it cannot race. It fetches and extracts nothing: heavy
 * work stays in the stateless Worker. The clock comes from here, so that every cursor of a subject obeys one.
 */
export class ClientState extends DurableObject {
  readonly #cursors: Cursors;
  readonly #recents: Recents;
  readonly #storage: DurableObjectStorage;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#cursors = new Cursors(state.storage.sql);
    this.#recents = new Recents(state.storage.sql);
  }

  async mintList(list: ListBinding, ttlMs: number): Promise<string> {
    const cursor = this.#cursors.mintList(list, Date.now(), ttlMs);
    await this.#scheduleSweep();
    return cursor;
  }

  async mintPage(page: PageBinding, viewStart: number, from: string | null, ttlMs: number): Promise<string> {
    const now = Date.now();
    const cursor = this.#cursors.mintPage(page, viewStart, from, now, ttlMs);
    const { snapshot, url, title } = page;
    if (snapshot !== undefined) this.#recents.note({ snapshot, url, title, openedAt: now });
    await this.#scheduleSweep();
    return cursor;
  }

  use(cursor: string, move: Move | null, ttlMs: number): CursorView | null {
    return this.#cursors.use(cursor, move, Date.now(), ttlMs);
  }

  renew(cursor: string, heldUntil: number): void {
    this.#cursors.renew(cursor, heldUntil);
  }

  /** Pages opened lately, newest first. */
  recents(after: number | null, limit: number): RecentsPage {
    return this.#recents.page(after, limit);
  }

  /** Pages opened lately that `text` may mean. */
  recentsMatching(text: string, limit: number): Recent[] {
    return this.#recents.matching(text, limit);
  }

  override async alarm(): Promise<void> {
    this.#cursors.sweep(Date.now());
    await this.#scheduleSweep();
  }

  async #scheduleSweep(): Promise<void> {
    const next = this.#cursors.nextExpiry();
    if (next !== null && (await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(next);
  }
}
