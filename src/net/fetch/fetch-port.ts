import { NoAnswer, standsFor } from './network-error.ts';
import { discard } from './read-body.ts';

/** `no-store`: Cloudflare keeps what some addresses answer, robots.txt and PDFs among them, and would answer in their place. */
export type FetchInit = {
  headers: Record<string, string>;
  redirect: 'manual';
  cache: 'no-store';
  signal: AbortSignal;
};

export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/**
 * One request, and the answer of the site itself. Where Cloudflare cannot reach a site, it answers in its place: that is
 * thrown, like the exception that another network throws then.
 */
export async function request(
  fetch: Fetch,
  url: string,
  { headers, signal }: Pick<FetchInit, 'headers' | 'signal'>,
): Promise<Response> {
  const response = await fetch(url, { headers, redirect: 'manual', cache: 'no-store', signal });
  const event = standsFor(response.status);
  if (event === null) return response;
  await discard(response.body);
  throw new NoAnswer(event);
}
