import { WORK_CHARS_PER_PAUSE, CPU_LOCK, CPU_LOCK_TAKEOVER_MS, CPU_LOCK_PER_USER, CPU_PAUSE_MS } from '#core/limits.ts';
import type { LeaseClock, Permits } from './semaphore.ts';
import { withPermit } from './semaphore.ts';

export type Pause = () => Promise<void>;

/** A pause that does nothing, for work that does not make other requests wait. */
export const noPause: Pause = async () => undefined;

/** Long CPU work in steps. Each step yields its cost, counted in characters of the text that is slowest to process. */
export type WorkSteps<T> = Generator<number, T, void>;

export async function runWithPauses<T>(steps: WorkSteps<T>, pause: Pause): Promise<T> {
  let cost = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    cost += step.value;
    if (cost < WORK_CHARS_PER_PAUSE) continue;
    await pause();
    cost = 0;
  }
}

export function runToEnd<T>(steps: WorkSteps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Runs the work while it holds the CPU lock of the isolate. @throws the signal's reason if it fires first */
export type RunWithCpuLock = <T>(signal: AbortSignal, work: (pause: Pause) => Promise<T>) => Promise<T>;

/**
 * A lock for long CPU work in one isolate. Without it, a new request waits for all tasks that are ready, because the
 * event loop runs them before it accepts requests. After each holder, and in every `pause` of a holder, the loop is
 * idle for {@link CPU_PAUSE_MS} and accepts new requests. Only one call of each user waits for the lock, so a user
 * with many calls does not get it more often.
 */
export function createCpuLock(subject: string, turns: Permits, clock: LeaseClock): RunWithCpuLock {
  return (signal, work) =>
    withPermit(`turn of ${subject}`, CPU_LOCK_PER_USER, turns, clock, signal, (own) =>
      withPermit('turn', CPU_LOCK, turns, clock, signal, (turn) =>
        work(async () => {
          // The platform may kill this request during the pause. In that case, the lock expires soon.
          own.until = turn.until = clock.now() + CPU_LOCK_TAKEOVER_MS;
          await clock.sleep(CPU_PAUSE_MS, signal);
          own.until = turn.until = clock.now() + CPU_LOCK.leaseMs;
        }),
      ),
    );
}
