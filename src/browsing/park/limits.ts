import { SECOND_MS } from '#core/limits.ts';

/**
 * Storage of all sites of a session, as JSON. A row of an object's database holds 2 MB, and the sealed state hardly
 * compresses further.
 */
export const PARKED_STORAGE_BYTES_MAX = 1_000_000;
/** Storage of one site of one kind. Sign-in data is far smaller. */
export const PARKED_AREA_BYTES_MAX = 500_000;
/** Cookies as JSON: about 1,000 of them. */
export const PARKED_COOKIES_BYTES_MAX = 256_000;
/** Frames of one tab whose storage is read. Any more are advertisements. */
export const PARKED_FRAMES_PER_TAB_MAX = 30;
/** Read time of a page. A busier page keeps its earlier stored data. */
export const PARK_READ_MS = 2 * SECOND_MS;
/** Load time of all tabs together. The call that wakes the session does not wait longer, but the tabs keep loading. */
export const RESTORE_LOAD_MS = 8 * SECOND_MS;
