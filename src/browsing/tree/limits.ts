/** The HTML parser stops at 512 levels; scripts do not. Pages stay below 60. */
export const VIEW_DEPTH_MAX = 200;
