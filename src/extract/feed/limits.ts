/** Feeds hold 10 to 100 entries; archives hold more. */
export const FEED_ENTRIES_MAX = 300;
