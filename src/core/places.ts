/** A place that is taken, and when (ms since the epoch) it frees itself. */
export type Place = { until: number };

/** The places that are taken, by what they are at. Plain data of one isolate. */
export type Places = Map<string, Place[]>;

export type PlaceRule = {
  /** How many there are at a time. */
  max: number;
  /** How long one is held at most. */
  leaseMs: number;
  /** How soon somebody who waits looks again: twice as late each time, up to the most, since many may wait. */
  pollMs: number;
  pollMsMax: number;
  /** How long one stays taken after the work. */
  restMs: number;
};

export type Clock = { now: () => number; sleep: (ms: number, signal: AbortSignal) => Promise<void> };

/**
 * Works while it holds one of the places at `of`, and waits until one is free. Waiting is by clock and places free
 * themselves, because a Worker must not wait for a promise of another request, and a killed request never gives its place
 * back.
 * @throws the signal's reason when it fires first
 */
export async function withPlace<T>(
  of: string,
  rule: PlaceRule,
  places: Places,
  clock: Clock,
  signal: AbortSignal,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  for (let wait = rule.pollMs; taken(of, places, clock) >= rule.max; wait = Math.min(2 * wait, rule.pollMsMax)) {
    await clock.sleep(wait, signal);
  }
  const place = { until: clock.now() + rule.leaseMs };
  places.set(of, [...(places.get(of) ?? []), place]);
  try {
    return await work(place);
  } finally {
    place.until = clock.now() + rule.restMs;
    taken(of, places, clock);
  }
}

/** How many are taken; those whose time is over are not any more. */
function taken(of: string, places: Places, clock: Clock): number {
  const now = clock.now();
  const left = (places.get(of) ?? []).filter(({ until }) => until > now);
  if (left.length === 0) places.delete(of);
  else places.set(of, left);
  return left.length;
}
