import type { ObjectCalls } from '#core/objects.ts';
import { fail } from '#core/errors.ts';
import { SESSION_TICK_MS } from './limits.ts';
import type { OpenSession } from './registry.ts';
import type { SessionRegistry } from './registry-object.ts';

const OWED = 'place to give back';

/**
 * A session's place among those that have a browser. It is taken before a browser is opened, and given back afterwards.
 */
export class Place {
  readonly #storage: DurableObjectStorage;
  readonly #registry: () => ObjectCalls<SessionRegistry>;
  readonly #report: (error: unknown) => void;

  /** @param report takes the reason why a place could not be given back */
  constructor(
    storage: DurableObjectStorage,
    registry: () => ObjectCalls<SessionRegistry>,
    report: (error: unknown) => void,
  ) {
    this.#storage = storage;
    this.#registry = registry;
    this.#report = report;
  }

  /** @throws {PeriscopeError} `session_limit` */
  async take({ key, subject, name }: OpenSession, limits: { perSubject: number; total: number }): Promise<void> {
    const room = await this.#registry()
      .open({ key, subject, name }, limits)
      .catch(async (error: unknown) => {
        // The place may have been granted, and only the answer been lost.
        await this.giveBack(key);
        throw error;
      });
    if (!room.granted) fail({ code: 'session_limit', limit: room.limit, scope: room.scope, open: room.open });
  }

  async seen(key: string): Promise<void> {
    await this.#registry().seen(key);
  }

  /** If it cannot be given back now, the next alarm tries again. */
  async giveBack(key: string): Promise<void> {
    try {
      await this.#registry().closed(key);
    } catch (error) {
      this.#report(error);
      await this.#storage.put(OWED, key);
      await this.#storage.setAlarm(Date.now() + SESSION_TICK_MS);
    }
  }

  /** For the alarm of a session that no longer exists. */
  async giveBackOwed(): Promise<void> {
    const key = await this.#storage.get(OWED);
    if (typeof key !== 'string') return;
    await this.#storage.delete(OWED);
    await this.giveBack(key);
  }
}
