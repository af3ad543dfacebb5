import { EdgeError, edgeErrorForStatus } from './network-error.ts';
import { cancelBody } from './read-body.ts';

/**
 * Options of a request. `no-store` is needed because Cloudflare caches some responses, such as robots.txt and PDFs, and
 * would return a cached response instead of the site's.
 */
export type FetchInit = {
  headers: Record<string, string>;
  redirect: 'manual';
  cache: 'no-store';
  signal: AbortSignal;
  method?: 'POST';
  body?: string;
};

export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/**
 * Sends one request. If Cloudflare cannot reach a site, its `fetch` returns Cloudflare's own error response. This
 * function throws an `EdgeError` instead, as `fetch` throws on other platforms.
 */
export async function sendRequest(
  fetch: Fetch,
  url: string,
  { headers, signal, body }: Pick<FetchInit, 'headers' | 'signal' | 'body'>,
): Promise<Response> {
  const post = body === undefined ? {} : ({ method: 'POST', body } as const);
  const response = await fetch(url, { headers, redirect: 'manual', cache: 'no-store', signal, ...post });
  const event = edgeErrorForStatus(response.status);
  if (event === null) return response;
  await cancelBody(response.body);
  throw new EdgeError(event);
}
