import type { Clock } from '#core/flow/semaphore.ts';

/** A clock that a test moves, starting at 0. */
export type ManualClock = Clock & {
  /** Moves the clock, and lets everything happen that is due until then. */
  run: (ms: number) => Promise<void>;
  /** Simulates a busy thread: time passes, and sleepers that are due meanwhile wake afterwards, in order. */
  stall: (ms: number) => void;
  /** Current sleepers never wake, as if the platform had killed them. */
  loseSleepers: () => void;
};

export function manualClock(): ManualClock {
  let now = 0;
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const refuse = () => reject(signal.reason);
        if (signal.aborted) refuse();
        else signal.addEventListener('abort', refuse, { once: true });
        sleepers.push({ at: now + ms, wake: resolve });
      }),
    run: async (ms) => {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = Math.min(...sleepers.map(({ at }) => at));
        if (next > end) break;
        now = Math.max(now, next);
        const due = sleepers.filter(({ at }) => at <= next);
        sleepers = sleepers.filter(({ at }) => at > next);
        for (const { wake } of due) wake();
        await settle();
      }
      now = Math.max(now, end);
    },
    stall: (ms) => void (now += ms),
    loseSleepers: () => void (sleepers = []),
  };
}

/** Waits until all settled promises have run their callbacks. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
