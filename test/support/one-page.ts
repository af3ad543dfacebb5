import { loadPage } from '#net/fetch/load.ts';
import { failureOf, world } from './net-world.ts';
import type { Route } from './net-world.ts';

export const URL_A = 'https://site.com/a';
export const WORDS = '<p>Some words to read.</p>';

/** Loads one page of a site that answers with `route`. */
export function load(route: Route, options: Parameters<typeof world>[1] = {}) {
  const net = world({ [URL_A]: route }, { env: { RESPECT_ROBOTS: 'false' }, ...options });
  return { net, result: loadPage({ requestedUrl: URL_A }, net) };
}

export async function failure(route: Route, options: Parameters<typeof world>[1] = {}) {
  return failureOf(load(route, options).result);
}
