import type { ObjectCalls } from '#core/objects.ts';
import { fail } from '#core/errors.ts';
import { SESSION_TICK_MS } from './limits.ts';
import type { OpenSession } from './registry.ts';
import type { SessionRegistry } from './registry-object.ts';

const OWED = 'place to give back';

/** The place of one session among those that have a browser: taken before it opens one, given back when it has none. */
export class Place {
  readonly #storage: DurableObjectStorage;
  readonly #registry: () => ObjectCalls<SessionRegistry>;
  readonly #report: (error: unknown) => void;

  /** @param report takes why a place could not be given back */
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
        // It may have been given, and only the answer been lost.
        await this.giveBack(key);
        throw error;
      });
    if (!room.granted) fail({ code: 'session_limit', limit: room.limit, scope: room.scope, open: room.open });
  }

  async seen(key: string): Promise<void> {
    await this.#registry().seen(key);
  }

  /** One that cannot be given back now is with the next alarm. */
  async giveBack(key: string): Promise<void> {
    try {
      await this.#registry().closed(key);
    } catch (error) {
      this.#report(error);
      await this.#storage.put(OWED, key);
      await this.#storage.setAlarm(Date.now() + SESSION_TICK_MS);
    }
  }

  /** For the alarm of a session that is not there any more. */
  async giveBackOwed(): Promise<void> {
    const key = await this.#storage.get(OWED);
    if (typeof key !== 'string') return;
    await this.#storage.delete(OWED);
    await this.giveBack(key);
  }
}
