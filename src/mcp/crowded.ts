import type { Failure } from '#core/errors.ts';
import { protocolError } from './run-request.ts';

const TOO_MANY_REQUESTS = 429;

/** The answer to a request that was not let in. Nothing of it was read, so its id is not known. */
export function crowded(failure: Failure): Response {
  const { code, message, data } = protocolError(failure);
  const seconds = 'retryAfterSeconds' in failure ? failure.retryAfterSeconds : undefined;
  const headers = seconds === undefined ? undefined : { 'retry-after': String(seconds) };
  const body = { jsonrpc: '2.0', id: null, error: { code, message, data } };
  return Response.json(body, { status: TOO_MANY_REQUESTS, ...(headers === undefined ? {} : { headers }) });
}
