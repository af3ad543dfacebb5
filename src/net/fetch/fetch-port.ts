import { EdgeError, edgeErrorOf } from './network-error.ts';
import { discard } from './read-body.ts';

/** `no-store`: Cloudflare keeps what some addresses answer, robots.txt and PDFs among them, and would answer in their place. */
export type FetchInit = {
  headers: Record<string, string>;
  redirect: 'manual';
  cache: 'no-store';
  signal: AbortSignal;
  /** With a body the request is a POST. */
  method?: 'POST';
  body?: string;
};

export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/**
 * One request. Where Cloudflare cannot reach a site, it answers in the site's place; that becomes an exception, as on
 * other networks.
 */
export async function request(
  fetch: Fetch,
  url: string,
  { headers, signal, body }: Pick<FetchInit, 'headers' | 'signal' | 'body'>,
): Promise<Response> {
  const post = body === undefined ? {} : ({ method: 'POST', body } as const);
  const response = await fetch(url, { headers, redirect: 'manual', cache: 'no-store', signal, ...post });
  const event = edgeErrorOf(response.status);
  if (event === null) return response;
  await discard(response.body);
  throw new EdgeError(event);
}
