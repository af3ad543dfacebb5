import { SECOND_MS } from '#core/units.ts';

/** Storage of all sites of a session, as JSON: an object's row holds 2 MB, and packed text does not compress. */
export const PARKED_STORAGE_BYTES_MAX = 1_000_000;
/** Of one site in one kind of storage; what signs a person in is far smaller. */
export const PARKED_AREA_BYTES_MAX = 500_000;
/** Cookies as JSON: some 1,000. */
export const PARKED_COOKIES_BYTES_MAX = 256_000;
/** Frames of one tab whose storage is read; more are advertisements. */
export const PARKED_FRAMES_PER_TAB_MAX = 30;
/** A page that is too busy to answer by then is kept as it was kept before. */
export const PARK_READ_MS = 2 * SECOND_MS;
/** For a blank document of ours, which comes from no network. */
export const RESTORE_PLANT_MS = 3 * SECOND_MS;
export const RESTORE_POLL_MS = 10;
/** All tabs load at once; one that takes longer goes on loading while the call that woke the session goes on. */
export const RESTORE_LOAD_MS = 8 * SECOND_MS;
/** A page that fills itself after it has loaded gets this long to become as tall as it was. */
export const RESTORE_SCROLL_MS = 1 * SECOND_MS;
export const RESTORE_SCROLL_POLL_MS = 100;
