import { SECOND_MS } from '#core/limits.ts';

/**
 * Maximum storage of all sites of a session, as JSON. A database row of a Durable Object holds 2 MB, and some states
 * hardly shrink when they are compressed and sealed.
 */
export const PARKED_STORAGE_BYTES_MAX = 1_000_000;
/** Maximum storage of one site and kind (local or session storage). Sign-in data is far smaller. */
export const PARKED_STORAGE_AREA_BYTES_MAX = 500_000;
/** Maximum size of all cookies of a session as JSON: about 1,000 cookies. */
export const PARKED_COOKIES_BYTES_MAX = 256_000;
/** Maximum frames per tab whose storage is read. Further frames are usually advertisements. */
export const PARKED_FRAMES_PER_TAB_MAX = 30;
/** Time limit for reading a page. If a page is busy for longer, its earlier saved data is kept. */
export const PARK_READ_MS_MAX = 2 * SECOND_MS;
/** Time limit for loading all restored tabs together. Afterwards, the call continues while the tabs keep loading. */
export const RESTORE_LOAD_MS_MAX = 8 * SECOND_MS;
