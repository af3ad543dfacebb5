import { ORIGINS_IN_MEMORY_MAX } from './limits.ts';
import { hasSecret } from '#core/secrets/secret-addresses.ts';

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

/** Raised whenever the rule below tells more pages: those that were stored under an older one are judged anew. */
export const PRIVACY_RULE = 1;

/**
 * Whether a page is for whoever opened it alone: one of the addresses that led to it is a secret, or it was sent to one
 * person. Such a page is stored for its opener and shown to nobody else.
 */
export function isPrivatePage(addresses: readonly string[], headers: Pick<Headers, 'get'>): boolean {
  return addresses.some(hasSecret) || isSentPrivately(headers);
}

/**
 * Whether a server says that an answer is for one person: `Cache-Control: private` or `no-store`, also when it names
 * fields only, or `Vary: *` (RFC 9111 §5.2.2, RFC 9110 §12.5.5). A cookie says nothing: none is ever sent back.
 */
function isSentPrivately(headers: Pick<Headers, 'get'>): boolean {
  const directives = (headers.get('cache-control') ?? '').toLowerCase().replace(QUOTED, '').split(',');
  if (directives.some((directive) => PRIVATE.has(directive.replace(/=.*/s, '').trim()))) return true;
  return (headers.get('vary') ?? '').split(',').some((field) => field.trim() === '*');
}

const QUOTED = /"[^"]*"/g;
const PRIVATE = new Set(['private', 'no-store']);
