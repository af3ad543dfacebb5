import { fail } from '#core/failures/failure.ts';
import {
  TASK_MEMORY_BYTES_MAX,
  SMALL_PAGES_RESERVED_BYTES,
  MEMORY_SHARE_TIMES,
  SMALL_PAGE_MEMORY_BYTES,
  USER_MEMORY_BYTES_MAX,
  OVERLOADED_RETRY_SECONDS,
} from '#core/limits.ts';
import type { LeaseClock } from './semaphore.ts';
import { keepRenewing } from './semaphore.ts';

/** Bytes of an isolate's memory that a task needs. */
export type MemoryNeed = {
  /** Bytes for the bodies, texts and lines that the task stores. */
  held: number;
  /** Additional bytes for parsing one body. Only one task parses at a time (`turns.ts`). */
  work: number;
};

/**
 * Part of the memory that a task has or wants. `waitsFor`: what the wanted memory is for: a body that has begun to
 * arrive, or a page that a browser will load. `until`: expiry (ms) unless the task renews the share.
 */
type Share = {
  subject: string;
  has: MemoryNeed;
  wants: MemoryNeed | null;
  waitsFor: 'body' | 'browser';
  until: number;
};

/**
 * All shares of one isolate, in order of arrival. They are plain data, because a Worker cannot await another request's
 * promise.
 */
export type MemoryShares = Share[];

/**
 * Functions with which a task changes its share. Each need replaces the previous one. A smaller need is always granted.
 */
export type MemoryShare = {
  tryTake: (need: MemoryNeed) => boolean;
  /** @throws {PeriscopeError} `overloaded` if no memory is free in time; the signal's reason if it fires first */
  take: (need: MemoryNeed, signal: AbortSignal, waitsFor?: Share['waitsFor']) => Promise<void>;
};

/** Timing: a share expires unless it is renewed every `beatMs`. A waiter polls, and fails after `waitMs`. */
type MemoryTimes = { leaseMs: number; beatMs: number; pollMs: number; waitMs: number };

export type RunWithMemory = <T>(work: (share: MemoryShare) => Promise<T>) => Promise<T>;

const NOTHING: MemoryNeed = { held: 0, work: 0 };

/**
 * A semaphore whose permits are bytes: divides an isolate's memory among users. A need is granted if the sum of all
 * `held` and the largest `work` stay within {@link TASK_MEMORY_BYTES_MAX}. Among waiting tasks, the user who holds least comes
 * first, then the order of arrival. Some memory is reserved for small needs, so that small pages do not wait behind
 * large ones. The pages of one user take at most half, unless one page alone needs more.
 *
 * No task waits forever: the oldest task that holds memory is granted any need, so it ends, and the next task becomes
 * the oldest. Therefore a task must not wait for memory while it holds a host permit or the CPU lock, which others wait
 * for.
 * @param giveWay called with the free bytes after each change, so that a cache can shrink to them
 */
export function createMemoryRunner(
  subject: string,
  memory: MemoryShares,
  clock: LeaseClock,
  giveWay: (freeBytes: number) => void = () => undefined,
  times: MemoryTimes = MEMORY_SHARE_TIMES,
): RunWithMemory {
  return async (work) => {
    const share: Share = { subject, has: NOTHING, wants: null, waitsFor: 'body', until: clock.now() + times.leaseMs };
    memory.push(share);
    const stopBeating = keepRenewing(share, times, clock);
    const tryTake = (need: MemoryNeed): boolean => {
      if (!mayTake(share, need, memory, clock.now())) return false;
      share.has = need;
      giveWay(freeBytes(memory, clock.now()));
      return true;
    };
    let patienceMs = times.waitMs;
    const take: MemoryShare['take'] = async (need, signal, waitsFor = 'body') => {
      Object.assign(share, { wants: need, waitsFor });
      try {
        while (!tryTake(need)) {
          if (patienceMs <= 0) {
            const of = isWithinHalf(share, need, memory) ? 'memory' : 'own pages';
            fail({ code: 'overloaded', retryAfterSeconds: OVERLOADED_RETRY_SECONDS, of });
          }
          patienceMs -= times.pollMs;
          await clock.sleep(times.pollMs, signal);
        }
      } finally {
        share.wants = null;
      }
    };
    try {
      return await work({ tryTake, take });
    } finally {
      stopBeating();
      memory.splice(memory.indexOf(share), 1);
      giveWay(freeBytes(memory, clock.now()));
    }
  };
}

function freeBytes(memory: MemoryShares, now: number): number {
  const alive = memory.filter(({ until }) => until > now).map(({ has }) => has);
  const held = alive.reduce((sum, has) => sum + has.held, 0);
  return TASK_MEMORY_BYTES_MAX - held - Math.max(0, ...alive.map(({ work }) => work));
}

function mayTake(share: Share, need: MemoryNeed, memory: MemoryShares, now: number): boolean {
  if (need.held <= share.has.held && need.work <= share.has.work) return true;
  const alive = memory.filter((one) => one === share || one.until > now);
  const oldest = alive.find(({ has }) => has.held > 0);
  if (oldest === share) return true;
  if (begins(share) && isSmall(need) && hasLargeWaiting(share.subject, alive)) return false;
  if (alive.some((other) => other !== share && comesBefore(other, share, need, alive))) return false;
  // If no task holds memory, any need is granted, even one larger than all memory.
  return oldest === undefined || fits(share, need, alive);
}

function begins({ has }: Share): boolean {
  return has.held === 0;
}

/**
 * True if a large body of the user is waiting for memory. The user's other pages then also wait, so that no responses
 * pile up.
 */
function hasLargeWaiting(subject: string, alive: MemoryShares): boolean {
  return alive.some(
    ({ subject: whose, wants, waitsFor }) =>
      whose === subject && waitsFor === 'body' && wants !== null && !isSmall(wants),
  );
}

/** True if the pages of the user stay within the user's part, or the user has only this page. */
function isWithinHalf(share: Share, need: MemoryNeed, alive: MemoryShares): boolean {
  const own = heldBy(
    share.subject,
    alive.filter((one) => one !== share),
  );
  return own === 0 || own + need.held <= USER_MEMORY_BYTES_MAX;
}

function comesBefore(other: Share, share: Share, need: MemoryNeed, alive: MemoryShares): boolean {
  if (other.wants === null || isSmall(need) !== isSmall(other.wants)) return false;
  if (begins(other) && isSmall(other.wants) && hasLargeWaiting(other.subject, alive)) return false;
  if (!isWithinHalf(other, other.wants, alive)) return false;
  const lead = heldBy(other.subject, alive) - heldBy(share.subject, alive);
  return lead === 0 ? alive.indexOf(other) < alive.indexOf(share) : lead < 0;
}

function fits(share: Share, need: MemoryNeed, alive: MemoryShares): boolean {
  const others = alive.filter((one) => one !== share);
  const held = others.reduce((sum, { has }) => sum + has.held, need.held);
  const work = others.reduce((most, { has }) => Math.max(most, has.work), need.work);
  if (!isWithinHalf(share, need, alive)) return false;
  if (!isSmall(need)) return held + work <= TASK_MEMORY_BYTES_MAX - SMALL_PAGES_RESERVED_BYTES;
  const own = heldBy(share.subject, others);
  // The oldest task may have been granted more than fits, so the reserve is counted by itself for a user without pages.
  const reserved = others.map(({ has }) => (isSmall(has) ? has.held + has.work : 0)).reduce((sum, one) => sum + one, 0);
  if (own === 0 && reserved + need.held + need.work <= SMALL_PAGES_RESERVED_BYTES) return true;
  return held + work <= TASK_MEMORY_BYTES_MAX;
}

function heldBy(subject: string, alive: MemoryShares): number {
  return alive.reduce((sum, one) => (one.subject === subject ? sum + one.has.held : sum), 0);
}

function isSmall({ held, work }: MemoryNeed): boolean {
  return held + work <= SMALL_PAGE_MEMORY_BYTES;
}
