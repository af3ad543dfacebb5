import { hasSecret } from '#core/secrets/secret-addresses.ts';

/** How many origins an isolate remembers, with entries up to the sizes below: 4 MB together. */
const ORIGINS_IN_MEMORY_MAX = 64;

/** Keyed by origin (`scheme://host[:port]`); `expiresAt` in ms since the epoch. */
export type OriginStore<T extends { expiresAt: number }> = {
  get(origin: string): Promise<T | null>;
  put(origin: string, entry: T): Promise<void>;
};

/**
 * Small entries are also kept in memory, so that a batch of pages of one site reads the store once. A failing store
 * counts as empty: the site is asked again, and no page is lost.
 * @param memory plain data, shared by the requests of an isolate
 */
export function withMemoryCache<T extends { expiresAt: number }>(
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
      const cached = memory.get(origin);
      if (cached !== undefined && cached.expiresAt > now()) return cached;
      const stored = await store.get(origin).catch(() => null);
      if (stored !== null) remember(origin, stored);
      return stored;
    },
    async put(origin, entry) {
      remember(origin, entry);
      await store.put(origin, entry).catch(() => {});
    },
  };
}

/**
 * Raise it whenever the rule below makes more pages private: pages stored under an older rule are then checked again.
 */
export const PRIVACY_RULE_VERSION = 1;

/**
 * A secret address led to the page, or the server sent it to one person. Such a page is stored for its opener alone.
 */
export function isPrivatePage(addresses: readonly string[], headers: Pick<Headers, 'get'>): boolean {
  return addresses.some(hasSecret) || isSentPrivately(headers);
}

/**
 * `Cache-Control: private` or `no-store`, even for single fields, or `Vary: *` (RFC 9111 §5.2.2, RFC 9110 §12.5.5). A
 * cookie proves nothing, because none is ever sent back.
 */
function isSentPrivately(headers: Pick<Headers, 'get'>): boolean {
  const directives = (headers.get('cache-control') ?? '').toLowerCase().replace(QUOTED, '').split(',');
  if (directives.some((directive) => PRIVATE.has(directive.replace(/=.*/s, '').trim()))) return true;
  return (headers.get('vary') ?? '').split(',').some((field) => field.trim() === '*');
}

const QUOTED = /"[^"]*"/g;
const PRIVATE = new Set(['private', 'no-store']);
