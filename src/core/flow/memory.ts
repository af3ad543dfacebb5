import { fail } from '#core/failures/failure.ts';
import {
  MEMORY_BYTES,
  MEMORY_FOR_SMALL_BYTES,
  MEMORY_SHARE,
  MEMORY_SMALL_BYTES,
  MEMORY_SMALL_OF_PERSON_BYTES,
  OVERLOADED_RETRY_SECONDS,
} from '#core/limits.ts';
import type { LeaseClock } from './lease-clock.ts';
import { beating } from './semaphore.ts';

/**
 * What a piece of work needs of the memory of an isolate, in bytes. `held`: the bodies, texts and lines that it keeps.
 * `work`: what reading one of them takes on top of that, which only one piece of work does at a time (`turns.ts`).
 */
export type Need = { held: number; work: number };

/** `has`: granted; `wants`: waited for. `until`: when (ms) it ends unless its holder says again that it is there. */
type Share = { subject: string; has: Need; wants: Need | null; until: number };

/** All shares of one isolate, in the order in which they came. Plain data: promises must not cross requests. */
export type Memory = Share[];

/** The share of one piece of work. Each need replaces the one before; a smaller one is always granted. */
export type MemoryShare = {
  /** Takes it if there is room now. */
  tryTake: (need: Need) => boolean;
  /** @throws {PeriscopeError} `overloaded` when there is no room in time; the signal's reason when it fires first */
  take: (need: Need, signal: AbortSignal) => Promise<void>;
};

/** Times of a share: a killed request does not say again that it is there, and who waits looks again and again. */
export type MemoryTimes = { leaseMs: number; beatMs: number; pollMs: number; waitMs: number };

/** Works with a share of the memory, which ends with the work, however it ends. */
export type InMemory = <T>(work: (share: MemoryShare) => Promise<T>) => Promise<T>;

const NOTHING: Need = { held: 0, work: 0 };

/**
 * A semaphore whose permits are bytes: shares the memory of an isolate among people. A need is granted when everything that is held, and the largest work, stay
 * within {@link MEMORY_BYTES}; among those who wait, to the person who holds least, then to who came first. Small needs do
 * not wait behind large ones: some memory is kept for them.
 *
 * Nobody waits for ever: the oldest of those who hold something is granted whatever it asks for. So it ends, and then
 * another one is the oldest. For this to be true, nobody may wait for memory while others wait for what they hold: a place
 * at a host or the turn at the processor. A killed request does not end; its share frees itself by time.
 * @param giveWay hears how much is free after each change: what is only kept because it may be asked for again, may take that
 */
export function memoryFor(
  subject: string,
  memory: Memory,
  clock: LeaseClock,
  giveWay: (freeBytes: number) => void = () => undefined,
  times: MemoryTimes = MEMORY_SHARE,
): InMemory {
  return async (work) => {
    const share: Share = { subject, has: NOTHING, wants: null, until: clock.now() + times.leaseMs };
    memory.push(share);
    const stopBeating = beating(share, times, clock);
    const tryTake = (need: Need): boolean => {
      if (!mayTake(share, need, memory, clock.now())) return false;
      share.has = need;
      giveWay(freeBytes(memory, clock.now()));
      return true;
    };
    let patienceMs = times.waitMs;
    const take = async (need: Need, signal: AbortSignal): Promise<void> => {
      share.wants = need;
      try {
        while (!tryTake(need)) {
          if (patienceMs <= 0) fail({ code: 'overloaded', retryAfterSeconds: OVERLOADED_RETRY_SECONDS, of: 'memory' });
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

/** What no work needs now. */
function freeBytes(memory: Memory, now: number): number {
  const alive = memory.filter(({ until }) => until > now).map(({ has }) => has);
  const held = alive.reduce((sum, has) => sum + has.held, 0);
  return MEMORY_BYTES - held - Math.max(0, ...alive.map(({ work }) => work));
}

function mayTake(share: Share, need: Need, memory: Memory, now: number): boolean {
  if (need.held <= share.has.held && need.work <= share.has.work) return true;
  const alive = memory.filter((one) => one === share || one.until > now);
  const oldest = alive.find(({ has }) => has.held > 0);
  if (oldest === share) return true;
  if (begins(share) && isSmall(need) && hasLargeWaiting(share.subject, alive)) return false;
  if (alive.some((other) => other !== share && comesBefore(other, share, need, alive))) return false;
  // What is larger than all of the memory is taken alone.
  return oldest === undefined || fits(share, need, alive);
}

function begins({ has }: Share): boolean {
  return has.held === 0;
}

/** Such a person begins no other page: responses that nobody reads must not pile up. */
function hasLargeWaiting(subject: string, alive: Memory): boolean {
  return alive.some(({ subject: whose, wants }) => whose === subject && wants !== null && !isSmall(wants));
}

/** Whether another one that waits for as much is to have it first. */
function comesBefore(other: Share, share: Share, need: Need, alive: Memory): boolean {
  if (other.wants === null || isSmall(need) !== isSmall(other.wants)) return false;
  if (begins(other) && isSmall(other.wants) && hasLargeWaiting(other.subject, alive)) return false;
  const lead = heldBy(other.subject, alive) - heldBy(share.subject, alive);
  return lead === 0 ? alive.indexOf(other) < alive.indexOf(share) : lead < 0;
}

function fits(share: Share, need: Need, alive: Memory): boolean {
  const others = alive.filter((one) => one !== share);
  const held = others.reduce((sum, { has }) => sum + has.held, need.held);
  const work = others.reduce((most, { has }) => Math.max(most, has.work), need.work);
  if (!isSmall(need)) return held + work <= MEMORY_BYTES - MEMORY_FOR_SMALL_BYTES;
  const own = heldBy(share.subject, others) + need.held;
  return held + work <= MEMORY_BYTES && own <= MEMORY_SMALL_OF_PERSON_BYTES;
}

function heldBy(subject: string, alive: Memory): number {
  return alive.reduce((sum, one) => (one.subject === subject ? sum + one.has.held : sum), 0);
}

function isSmall({ held, work }: Need): boolean {
  return held + work <= MEMORY_SMALL_BYTES;
}
