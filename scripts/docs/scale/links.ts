import { BUSY_LINK_CACHE_MS, BUSY_LINK_VIEWS_MIN } from '#web/limits.ts';
import { ASSUMED } from './load.ts';

export type LinkTrips = { views: number; isolates: number; before: number; now: number };

/** D1 trips per second for this many views of a public link: with one trip per view, and with the current code. */
export function linkTrips(views: number): LinkTrips {
  const isolates = Math.ceil(views / ASSUMED.viewsOfIsolate);
  const most = (isolates * BUSY_LINK_VIEWS_MIN * 1_000) / BUSY_LINK_CACHE_MS;
  return { views, isolates, before: views, now: Math.min(views, most) };
}
