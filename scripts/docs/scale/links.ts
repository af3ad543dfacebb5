import { CROWD_KEPT_MS, CROWD_VIEWS } from '#web/limits.ts';
import { ASSUMED } from './load.ts';

export type LinkTrips = { views: number; isolates: number; before: number; now: number };

/** D1 trips in a second for a public link that so many open in it: when each view asked, and as it is now. */
export function linkTrips(views: number): LinkTrips {
  const isolates = Math.ceil(views / ASSUMED.viewsOfIsolate);
  const most = (isolates * CROWD_VIEWS * 1_000) / CROWD_KEPT_MS;
  return { views, isolates, before: views, now: Math.min(views, most) };
}
