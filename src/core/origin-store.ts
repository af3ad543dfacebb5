import { setBounded } from '#core/flow/remember.ts';

/** Maximum origins cached by an isolate. Only small entries are cached, which take 4 MB together. */
const ORIGINS_IN_MEMORY_MAX = 64;

/** Stored entries by origin (`scheme://host[:port]`), such as a site's robots.txt. `expiresAt`: Unix time in ms. */
export type OriginStore<T extends { expiresAt: number }> = {
  /** True if `get` needs no storage access. */
  isInMemory?: (origin: string) => boolean;
  get(origin: string): Promise<T | null>;
  put(origin: string, entry: T): Promise<void>;
};

/**
 * Adds a cache of small entries in memory, so that a batch of pages of one site reads the store once. A failing store
 * counts as empty: the site is requested again, and no page fails.
 * @param memory plain data that the requests of an isolate share
 */
export function withMemoryCache<T extends { expiresAt: number }>(
  store: OriginStore<T>,
  memory: Map<string, T>,
  isSmall: (entry: T) => boolean,
  now: () => number,
): OriginStore<T> {
  const cache = (origin: string, entry: T) => {
    memory.delete(origin);
    if (!isSmall(entry)) return;
    setBounded(memory, origin, entry, ORIGINS_IN_MEMORY_MAX);
  };
  const inMemory = (origin: string) => {
    const cached = memory.get(origin);
    return cached !== undefined && cached.expiresAt > now() ? cached : null;
  };
  return {
    isInMemory: (origin) => inMemory(origin) !== null,
    async get(origin) {
      const cached = inMemory(origin);
      if (cached !== null) return cached;
      const stored = await store.get(origin).catch(() => null);
      if (stored !== null) cache(origin, stored);
      return stored;
    },
    async put(origin, entry) {
      cache(origin, entry);
      await store.put(origin, entry).catch(() => {});
    },
  };
}

/** Returns a store that writes after the response. Until then, another request may request the site again. */
export function writeAfterResponse<T extends { expiresAt: number }>(
  store: OriginStore<T>,
  behind: (work: Promise<unknown>) => void,
): OriginStore<T> {
  return { ...store, put: async (origin, entry) => behind(store.put(origin, entry)) };
}
