/** The parser of HTML stops at 512 levels, scripts do not; pages keep below 60. */
export const VIEW_DEPTH_MAX = 200;
