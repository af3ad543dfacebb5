/** Lines of one result: some 1,500 tokens. */
export const LOG_LINES_MAX = 40;
