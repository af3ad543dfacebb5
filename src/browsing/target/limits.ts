/** Beside a failure: enough to find the element again. */
export const VIEW_FAILURE_BYTES_MAX = 8_000;
/** Elements shown when a selector matches more than one. */
export const SELECTOR_MATCHES_SHOWN_MAX = 10;
