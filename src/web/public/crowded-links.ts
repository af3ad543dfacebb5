import { CROWD_KEPT_MS, CROWD_LINKS_MAX, CROWD_VIEWS } from '#web/limits.ts';

type Moment<T> = { since: number; views: number; read: { found: T } | null };

/**
 * Caches the content of links that very many people open at a time, such as a link in a newspaper. For such a link, an
 * isolate queries the database `CROWD_VIEWS` times, and then not again until `CROWD_KEPT_MS` are over. Any other link
 * is queried each time.
 */
export class CrowdedLinks<T> {
  readonly #now: () => number;
  readonly #moments = new Map<string, Moment<T>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async find(id: string, ask: () => Promise<T>): Promise<T> {
    const moment = this.#momentOf(id);
    moment.views += 1;
    if (moment.views > CROWD_VIEWS && moment.read !== null) return moment.read.found;
    const found = await ask();
    moment.read = { found };
    return found;
  }

  #momentOf(id: string): Moment<T> {
    const now = this.#now();
    const known = this.#moments.get(id);
    if (known !== undefined && now - known.since < CROWD_KEPT_MS) return known;
    const moment: Moment<T> = { since: now, views: 0, read: null };
    this.#moments.delete(id);
    this.#makeRoom();
    this.#moments.set(id, moment);
    return moment;
  }

  /** Makes room without evicting the link that a crowd opens, because anyone can invent URLs. */
  #makeRoom(): void {
    if (this.#moments.size < CROWD_LINKS_MAX) return;
    for (const [id, { views }] of this.#moments) if (views <= CROWD_VIEWS) this.#moments.delete(id);
    const [oldest] = this.#moments.keys();
    if (this.#moments.size >= CROWD_LINKS_MAX && oldest !== undefined) this.#moments.delete(oldest);
  }
}
