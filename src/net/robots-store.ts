import { ROBOTS_MEMORY_BODY_BYTES_MAX, ROBOTS_MEMORY_ENTRIES_MAX } from '#core/limits.ts';

/** What is known of one origin's robots.txt. */
export type RobotsEntry = {
  /** `rules`: judge by `body`. `open`: there is none (4xx). `closed`: the server failed (5xx). */
  outcome: 'rules' | 'open' | 'closed';
  /** The file as received, cut at 500 KiB; empty unless `outcome` is `rules`. */
  body: Uint8Array;
  /** ms since the epoch. */
  expiresAt: number;
};

/**
 * Keeps entries between requests; `origin` is `scheme://host[:port]`. A port that storage implements. `get` may return
 * an expired entry.
 */
export type RobotsStore = {
  get(origin: string): Promise<RobotsEntry | null>;
  put(origin: string, entry: RobotsEntry): Promise<void>;
};

/**
 * A small map before the store, so that a batch of pages of one site asks it once. Files over 32 KiB pass through.
 * A store that fails is one that knows nothing: robots.txt is then asked again, and no page is lost for it.
 */
export function inMemoryFirst(store: RobotsStore, memory: Map<string, RobotsEntry>, now: () => number): RobotsStore {
  return {
    async get(origin) {
      const near = memory.get(origin);
      if (near !== undefined && near.expiresAt > now()) return near;
      const far = await store.get(origin).catch(() => null);
      if (far !== null) remember(memory, origin, far);
      return far;
    },
    async put(origin, entry) {
      remember(memory, origin, entry);
      await store.put(origin, entry).catch(() => {});
    },
  };
}

function remember(memory: Map<string, RobotsEntry>, origin: string, entry: RobotsEntry): void {
  memory.delete(origin);
  if (entry.body.byteLength > ROBOTS_MEMORY_BODY_BYTES_MAX) return;
  const oldest = memory.keys().next();
  if (memory.size >= ROBOTS_MEMORY_ENTRIES_MAX && oldest.done !== true) memory.delete(oldest.value);
  memory.set(origin, entry);
}
