import { WAITER_EXPIRY_MS } from '#core/limits.ts';
import { abortable } from './abort.ts';

/** A held permit, or a place in the queue for one. `until`: its expiry (ms, by the clock of the semaphore). */
export type Permit = { until: number };

/** The held permits and queues of one isolate, by resource. Plain data, because promises must not cross requests. */
export type Permits = Map<string, Permit[]>;

type PermitRule = {
  max: number;
  /** Time after which a permit expires. Each renewal (see `beatMs`) starts it again. */
  leaseMs: number;
  /** Interval for renewing a permit while the work runs. A killed request does not renew its permit, so it expires. */
  beatMs?: number;
  /** Poll interval of the first waiters. Waiters further back poll less often, up to every `pollMsMax`. */
  pollMs: number;
  pollMsMax: number;
  restMs: number;
};

export type Clock = { now: () => number; sleep: (ms: number, signal: AbortSignal) => Promise<void> };

/**
 * A semaphore across requests: runs the work while it holds one of `rule.max` permits for `of`. Waiters are served in
 * order of arrival. They poll, and permits expire, because a Worker must not wait for another request's promise, and a
 * killed request neither returns its permit nor leaves the queue.
 * @param work may call `release` to return its permit before the work ends
 * @throws the signal's reason if it fires first
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
  const stopBeating = keepRenewing(permit, rule, clock);
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

/** Waits until there are more free permits than earlier waiters in the queue, then takes a permit. */
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
        // The thread was blocked for so long that other waiters considered this waiter gone and removed it from the
        // queue.
        add(queue, own, permits);
        continue;
      }
      if (held(of, permits, clock).length + before < rule.max) {
        const permit = { until: clock.now() + rule.leaseMs };
        add(of, permit, permits);
        return permit;
      }
      const pauseMs = Math.min(rule.pollMs * (1 + Math.floor(before / rule.max)), rule.pollMsMax);
      // A waiter that has not polled again by this time was probably killed, and is removed from the queue.
      own.until = clock.now() + pauseMs + WAITER_EXPIRY_MS;
      await clock.sleep(pauseMs, signal);
      own.until = Infinity;
    }
  } finally {
    own.until = 0;
    held(queue, permits, clock);
  }
}

/** Renews the permit at intervals. @returns a function that stops the renewal */
export function keepRenewing(
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

function held(of: string, permits: Permits, clock: Clock): Permit[] {
  const now = clock.now();
  const left = (permits.get(of) ?? []).filter(({ until }) => until > now);
  if (left.length === 0) permits.delete(of);
  else permits.set(of, left);
  return left;
}

/** A semaphore inside one Durable Object, where one request may await another's promise. First come, first served. */
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

  /**
   * Waits for a permit, which the caller must `release`.
   * @throws if the signal fires first: `late(position in the queue)`, or the signal's reason without `late`
   */
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
      // `release` had already granted the permit to this caller, which no longer wants it. It is passed to the next
      // waiter.
      else this.release();
      throw late === undefined ? error : late(at + 1);
    }
  }

  /** Passes the permit directly to the next waiter. Later callers join the end of the queue. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#held -= 1;
    else next();
  }
}

/** A {@link Semaphore} of whose permits one person holds only some, so that the work of one person leaves some to others. */
export class SharedSemaphore {
  readonly #all: Semaphore;
  readonly #personMax: number;
  readonly #ofPersons = new Map<string, Semaphore>();

  constructor(max: number, personMax: number) {
    this.#all = new Semaphore(max);
    this.#personMax = personMax;
  }

  /**
   * Runs the work with a permit.
   * @throws the signal's reason if it fires before there is one
   */
  async withPermit<T>(person: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const own = this.#ofPersons.get(person) ?? new Semaphore(this.#personMax);
    this.#ofPersons.set(person, own);
    try {
      await own.acquire(signal);
      try {
        await this.#all.acquire(signal);
        try {
          return await work();
        } finally {
          this.#all.release();
        }
      } finally {
        own.release();
      }
    } finally {
      if (own.isIdle) this.#ofPersons.delete(person);
    }
  }
}

/** Maximum ms that one reading adds to a {@link LeaseClock}. Waiters read more often, unless the thread is blocked. */
const LOOK_COUNTS_MS_MAX = 100;

/**
 * Clock for leases that hardly advances while the thread is blocked: by at most {@link LOOK_COUNTS_MS_MAX} from one
 * reading to the next. After a block, waiters may run before the holder can renew its lease. By wall-clock time, the
 * lease would then have expired, and two callers would hold the same permit.
 */
export class LeaseClock implements Clock {
  readonly #clock: Clock;
  #lookedAt: number;
  #passed: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lookedAt = this.#passed = clock.now();
  }

  now(): number {
    const now = this.#clock.now();
    this.#passed += Math.max(0, Math.min(now - this.#lookedAt, LOOK_COUNTS_MS_MAX));
    this.#lookedAt = now;
    return this.#passed;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }
}
