import { SECOND_MS } from '#core/limits.ts';

/**
 * Maximum storage of all sites of a session, as JSON. A row of an object's database holds 2 MB, and the sealed state
 * hardly compresses further.
 */
export const PARKED_STORAGE_BYTES_MAX = 1_000_000;
/** Maximum storage of one site and kind. Sign-in data is far smaller. */
export const PARKED_AREA_BYTES_MAX = 500_000;
/** Maximum size of all cookies as JSON: about 1,000 cookies. */
export const PARKED_COOKIES_BYTES_MAX = 256_000;
/** Maximum frames of one tab whose storage is read. Further frames are advertisements. */
export const PARKED_FRAMES_PER_TAB_MAX = 30;
/** Time to read a page. A page that is busy for longer keeps its earlier stored data. */
export const PARK_READ_MS = 2 * SECOND_MS;
/** Time to load all tabs together. Then the call that wakes the session continues while the tabs keep loading. */
export const RESTORE_LOAD_MS = 8 * SECOND_MS;
