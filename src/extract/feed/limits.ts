/** Feeds hold 10 to 100 entries; archives more. */
export const FEED_ENTRIES_MAX = 300;
