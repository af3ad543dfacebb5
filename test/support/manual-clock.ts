import type { Clock } from '#core/flow/semaphore.ts';

/** A clock that a test moves, from 0. */
export type ManualClock = Clock & {
  /** Lets so many ms pass, and everything happen that they bring. */
  run: (ms: number) => Promise<void>;
  /** The thread is busy for so many ms: time passes, and whoever should wake meanwhile does so later, in order. */
  stall: (ms: number) => void;
  /** Whoever sleeps now never wakes: the platform has killed them. */
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

/** Until every promise that is ready has been followed. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
