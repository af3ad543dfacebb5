import { QUEUE_GONE_MS } from '#core/limits.ts';
import { abortable } from './abort.ts';

/** One of the permits that are held, and when (ms since the epoch) it frees itself. */
export type Permit = { until: number };

/** The permits that are held, by what they are for. Plain data of one isolate. */
export type Permits = Map<string, Permit[]>;

export type PermitRule = {
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
 * A semaphore among requests: works while it holds a permit for `of`, and waits until one is free, first come, first served.
 * Waiting is by clock and permits free themselves, because a Worker must not wait for a promise of another request, and a
 * killed request never gives its permit back, nor its place in the queue.
 * @param work may release its permit before it ends, so that it does not hold up others while it waits for something else
 * @throws the signal's reason when it fires first
 */
export async function withPermit<T>(
  of: string,
  rule: PermitRule,
  permits: Permits,
  clock: Clock,
  signal: AbortSignal,
  work: (permit: Permit, release: () => void) => Promise<T>,
): Promise<T> {
  const permit = await take(of, rule, permits, clock, signal);
  const stopBeating = beating(permit, rule, clock);
  const release = () => {
    stopBeating();
    permit.until = clock.now() + rule.restMs;
    held(of, permits, clock);
  };
  try {
    return await work(permit, release);
  } finally {
    release();
  }
}

/** A permit, once there is one for everybody who was there before, and one more. */
async function take(
  of: string,
  rule: PermitRule,
  permits: Permits,
  clock: Clock,
  signal: AbortSignal,
): Promise<Permit> {
  const queue = `queue for ${of}`;
  const own: Permit = { until: Infinity };
  add(queue, own, permits);
  try {
    while (true) {
      const before = held(queue, permits, clock).indexOf(own);
      if (before < 0) {
        // The thread was busy for so long that the others took us for gone.
        add(queue, own, permits);
        continue;
      }
      if (held(of, permits, clock).length + before < rule.max) {
        const permit = { until: clock.now() + rule.leaseMs };
        add(of, permit, permits);
        return permit;
      }
      const pauseMs = Math.min(rule.pollMs * (1 + Math.floor(before / rule.max)), rule.pollMsMax);
      // A caller that does not look again in time is gone.
      own.until = clock.now() + pauseMs + QUEUE_GONE_MS;
      await clock.sleep(pauseMs, signal);
      own.until = Infinity;
    }
  } finally {
    own.until = 0;
    held(queue, permits, clock);
  }
}

/** Extends the permit again and again while it is needed. @returns what ends that */
export function beating(
  permit: Permit,
  { beatMs, leaseMs }: Pick<PermitRule, 'beatMs' | 'leaseMs'>,
  clock: Clock,
): () => void {
  if (beatMs === undefined) return () => undefined;
  const timer = setInterval(() => (permit.until = clock.now() + leaseMs), beatMs);
  return () => clearInterval(timer);
}

function add(of: string, permit: Permit, permits: Permits): void {
  permits.set(of, [...(permits.get(of) ?? []), permit]);
}

/** Those whose time is not over. */
function held(of: string, permits: Permits, clock: Clock): Permit[] {
  const now = clock.now();
  const left = (permits.get(of) ?? []).filter(({ until }) => until > now);
  if (left.length === 0) permits.delete(of);
  else permits.set(of, left);
  return left;
}

/** A semaphore within one Durable Object, where promises may be waited for: first come, first served. */
export class Semaphore {
  readonly #max: number;
  #held = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get isIdle(): boolean {
    return this.#held === 0;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whoever has waited must `release`. @throws `late(place in the queue)` when the signal fires first, else its reason */
  async acquire(signal: AbortSignal, late?: (place: number) => unknown): Promise<void> {
    if (this.#held < this.#max) {
      this.#held += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    try {
      await abortable(promise, signal);
    } catch (error) {
      const at = this.#waiting.indexOf(resolve);
      if (at >= 0) this.#waiting.splice(at, 1);
      // It was let through at the same moment: the next one takes its place.
      else this.release();
      throw late === undefined ? error : late(at + 1);
    }
  }

  /** The permit goes to the next one without a gap, so whoever comes in between goes to the end of the queue. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#held -= 1;
    else next();
  }
}
