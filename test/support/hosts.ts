/** Hosts refuse results of 1 MiB, including base64 and JSON. */
export const HOST_RESULT_BYTES_MAX = 1_000_000;
