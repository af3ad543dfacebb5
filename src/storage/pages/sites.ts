import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { KIB } from '#core/limits.ts';
import type { OriginStore } from '#core/origin-store.ts';
import type { Db } from '#storage/db.ts';
import { robots, searchCache, siteFacts } from '#storage/schema.ts';

type StoredRobots = { outcome: 'rules' | 'open' | 'closed'; body: Uint8Array; expiresAt: number };
export type SiteFacts = { llmsTxt: string | null; markdownPages: string[]; expiresAt: number };

/**
 * The cached robots.txt and llms.txt of sites, for one call. A single query reads both files. With
 * `SnapshotStore.findToOpen`, the same query also reads the page.
 */
export class SiteStore {
  readonly #db: Db;
  readonly #robotsRead = new Map<string, StoredRobots | null>();
  readonly #factsRead = new Map<string, SiteFacts | null>();
  readonly robots: OriginStore<StoredRobots>;
  readonly facts: OriginStore<SiteFacts>;

  constructor(db: Db) {
    this.#db = db;
    this.robots = { get: (origin) => this.#robots(origin), put: (origin, entry) => this.#putRobots(origin, entry) };
    this.facts = { get: (origin) => this.#facts(origin), put: (origin, entry) => this.#putFacts(origin, entry) };
  }

  took(origin: string, [robotsRow]: readonly RobotsRow[], [factsRow]: readonly SiteFacts[]): void {
    this.#factsRead.set(origin, factsRow ?? null);
    if (robotsRow === undefined) this.#robotsRead.set(origin, null);
    else if (robotsRow.body !== null) this.#robotsRead.set(origin, robotsOf(robotsRow, robotsRow.body));
  }

  async #robots(origin: string): Promise<StoredRobots | null> {
    const read = this.#robotsRead.get(origin);
    if (read !== undefined) return read;
    const [[row], [facts]] = await this.#db.batch([
      this.#db.select().from(robots).where(eq(robots.origin, origin)),
      this.#db.select().from(siteFacts).where(eq(siteFacts.origin, origin)),
    ]);
    this.#factsRead.set(origin, facts ?? null);
    return row === undefined ? null : robotsOf(row, row.body);
  }

  async #putRobots(origin: string, entry: StoredRobots): Promise<void> {
    const row = { ...entry, origin };
    this.#robotsRead.set(origin, entry);
    await this.#db.insert(robots).values(row).onConflictDoUpdate({ target: robots.origin, set: row });
  }

  async #facts(origin: string): Promise<SiteFacts | null> {
    const read = this.#factsRead.get(origin);
    if (read !== undefined) return read;
    const [row] = await this.#db.select().from(siteFacts).where(eq(siteFacts.origin, origin));
    return row ?? null;
  }

  async #putFacts(origin: string, entry: SiteFacts): Promise<void> {
    const row = { ...entry, origin };
    this.#factsRead.set(origin, entry);
    await this.#db.insert(siteFacts).values(row).onConflictDoUpdate({ target: siteFacts.origin, set: row });
  }

  /** @returns number of deleted robots.txt files */
  async purgeExpired(now: number): Promise<number> {
    const [{ meta }] = await this.#db.batch([
      this.#db.delete(robots).where(lte(robots.expiresAt, now)),
      this.#db.delete(siteFacts).where(lte(siteFacts.expiresAt, now)),
    ]);
    return meta.changes;
  }
}

/** Maximum bytes of a robots.txt that is read together with a page. A larger one is read only when needed. */
const ROBOTS_BESIDE_PAGE_BYTES_MAX = 32 * KIB;

type Bytes = (typeof robots.$inferSelect)['body'];
type RobotsRow = { outcome: StoredRobots['outcome']; body: Bytes | null; expiresAt: number };

function robotsOf({ outcome, expiresAt }: Omit<RobotsRow, 'body'>, body: Bytes): StoredRobots {
  return { outcome, expiresAt, body: new Uint8Array(body) };
}

/** Queries for a site's cached files, to be batched with others. @param origin `null` to read nothing */
export function siteCacheQueries(db: Db, origin: string | null) {
  const { outcome, expiresAt } = robots;
  const body = sql<Bytes | null>`CASE WHEN length(${robots.body}) <= ${ROBOTS_BESIDE_PAGE_BYTES_MAX}
    THEN ${robots.body} END`.mapWith(robots.body);
  return [
    db
      .select({ outcome, expiresAt, body })
      .from(robots)
      .where(eq(robots.origin, origin ?? '')),
    db
      .select()
      .from(siteFacts)
      .where(eq(siteFacts.origin, origin ?? '')),
  ] as const;
}

/** Cached responses of search providers, by a hash of providers and parameters. Times in ms. */
export class SearchCache {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  async get(key: string, now: number): Promise<string | null> {
    const [row] = await this.#db
      .select({ body: searchCache.body })
      .from(searchCache)
      .where(and(eq(searchCache.key, key), gt(searchCache.expiresAt, now)));
    return row?.body ?? null;
  }

  async put(key: string, body: string, expiresAt: number): Promise<void> {
    const row = { key, body, expiresAt };
    await this.#db.insert(searchCache).values(row).onConflictDoUpdate({ target: searchCache.key, set: row });
  }

  async purgeExpired(now: number): Promise<void> {
    await this.#db.delete(searchCache).where(lte(searchCache.expiresAt, now));
  }
}
