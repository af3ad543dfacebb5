/** Hosts refuse results of 1 MiB, base64 and JSON included. */
export const HOST_RESULT_BYTES_MAX = 1_000_000;
