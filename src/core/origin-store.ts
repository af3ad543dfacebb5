import { ORIGINS_IN_MEMORY_MAX } from './limits.ts';

/** What is known of origins (`scheme://host[:port]`), each entry until `expiresAt`, in ms since the epoch. */
export type OriginStore<T extends { expiresAt: number }> = {
  /** An expired entry may come, too. */
  get(origin: string): Promise<T | null>;
  put(origin: string, entry: T): Promise<void>;
};

/**
 * A small map before the store, so that a batch of pages of one site asks it once. Entries that are not small pass
 * through. A store that fails is one that knows nothing: the site is then asked again, and no page is lost for it.
 * @param memory plain data, shared by the requests of an isolate
 */
export function inMemoryFirst<T extends { expiresAt: number }>(
  store: OriginStore<T>,
  memory: Map<string, T>,
  isSmall: (entry: T) => boolean,
  now: () => number,
): OriginStore<T> {
  const remember = (origin: string, entry: T) => {
    memory.delete(origin);
    if (!isSmall(entry)) return;
    const oldest = memory.keys().next();
    if (memory.size >= ORIGINS_IN_MEMORY_MAX && oldest.done !== true) memory.delete(oldest.value);
    memory.set(origin, entry);
  };
  return {
    async get(origin) {
      const near = memory.get(origin);
      if (near !== undefined && near.expiresAt > now()) return near;
      const far = await store.get(origin).catch(() => null);
      if (far !== null) remember(origin, far);
      return far;
    },
    async put(origin, entry) {
      remember(origin, entry);
      await store.put(origin, entry).catch(() => {});
    },
  };
}
