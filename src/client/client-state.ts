import { DurableObject } from 'cloudflare:workers';
import { Cursors } from './cursors.ts';
import type { CursorView, ListBinding, PageBinding } from './cursors.ts';
import type { Move } from './move-viewport.ts';

/**
 * Everything small that one subject owns, in one place where it cannot race. It fetches and extracts nothing: heavy
 * work stays in the stateless Worker. The clock comes from here, so that every cursor of a subject obeys one.
 */
export class ClientState extends DurableObject {
  readonly #cursors: Cursors;
  readonly #storage: DurableObjectStorage;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#cursors = new Cursors(state.storage.sql);
  }

  async mintList(list: ListBinding, ttlMs: number): Promise<string> {
    const cursor = this.#cursors.mintList(list, Date.now(), ttlMs);
    await this.#scheduleSweep();
    return cursor;
  }

  async mintPage(page: PageBinding, viewStart: number, from: string | null, ttlMs: number): Promise<string> {
    const cursor = this.#cursors.mintPage(page, viewStart, from, Date.now(), ttlMs);
    await this.#scheduleSweep();
    return cursor;
  }

  use(cursor: string, move: Move | null, ttlMs: number): CursorView | null {
    return this.#cursors.use(cursor, move, Date.now(), ttlMs);
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
