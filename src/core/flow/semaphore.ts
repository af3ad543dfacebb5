import { QUEUE_GONE_MS } from '#core/limits.ts';

/** A place that is taken, and when (ms since the epoch) it frees itself. */
export type Slot = { until: number };

/** The places that are taken, by what they are at. Plain data of one isolate. */
export type Slots = Map<string, Slot[]>;

export type SlotRule = {
  /** How many there are at a time. */
  max: number;
  /** How long one is held at most; with `beatMs`, since it was last said that it is still needed. */
  leaseMs: number;
  /** How often that is said while there is work: a killed request says nothing. */
  beatMs?: number;
  /** How soon a waiting caller looks again: those who are next, and those who are far behind. */
  pollMs: number;
  pollMsMax: number;
  /** How long one stays taken after the work. */
  restMs: number;
};

export type Clock = { now: () => number; sleep: (ms: number, signal: AbortSignal) => Promise<void> };

/**
 * Works while it holds one of the places at `of`, and waits until one is free: first come, first served. Waiting is by clock
 * and places free themselves, because a Worker must not wait for a promise of another request, and a killed request never
 * gives its place back, nor its place in the queue.
 * @param work may leave its place before it ends, so that it does not hold up others while it waits for something else
 * @throws the signal's reason when it fires first
 */
export async function withSlot<T>(
  of: string,
  rule: SlotRule,
  places: Slots,
  clock: Clock,
  signal: AbortSignal,
  work: (place: Slot, leave: () => void) => Promise<T>,
): Promise<T> {
  const place = await take(of, rule, places, clock, signal);
  const stopBeating = beating(place, rule, clock);
  const leave = () => {
    stopBeating();
    place.until = clock.now() + rule.restMs;
    held(of, places, clock);
  };
  try {
    return await work(place, leave);
  } finally {
    leave();
  }
}

/** A place, once there is one for everybody who was there before, and one more. */
async function take(of: string, rule: SlotRule, places: Slots, clock: Clock, signal: AbortSignal): Promise<Slot> {
  const queue = `queue for ${of}`;
  const own: Slot = { until: Infinity };
  add(queue, own, places);
  try {
    while (true) {
      const before = held(queue, places, clock).indexOf(own);
      if (before < 0) {
        // The thread was busy for so long that the others took us for gone.
        add(queue, own, places);
        continue;
      }
      if (held(of, places, clock).length + before < rule.max) {
        const place = { until: clock.now() + rule.leaseMs };
        add(of, place, places);
        return place;
      }
      const pauseMs = Math.min(rule.pollMs * (1 + Math.floor(before / rule.max)), rule.pollMsMax);
      // A caller that does not look again in time is gone.
      own.until = clock.now() + pauseMs + QUEUE_GONE_MS;
      await clock.sleep(pauseMs, signal);
      own.until = Infinity;
    }
  } finally {
    own.until = 0;
    held(queue, places, clock);
  }
}

/** Says again and again that the place is still needed. @returns what ends that */
function beating(place: Slot, { beatMs, leaseMs }: SlotRule, clock: Clock): () => void {
  if (beatMs === undefined) return () => undefined;
  const timer = setInterval(() => (place.until = clock.now() + leaseMs), beatMs);
  return () => clearInterval(timer);
}

function add(of: string, place: Slot, places: Slots): void {
  places.set(of, [...(places.get(of) ?? []), place]);
}

/** Those whose time is not over. */
function held(of: string, places: Slots, clock: Clock): Slot[] {
  const now = clock.now();
  const left = (places.get(of) ?? []).filter(({ until }) => until > now);
  if (left.length === 0) places.delete(of);
  else places.set(of, left);
  return left;
}
