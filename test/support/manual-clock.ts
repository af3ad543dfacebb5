import type { Clock } from '#core/places.ts';

/** A clock that a test moves, from 0. */
export type ManualClock = Clock & {
  /** Lets so many ms pass, one by one, and everything happen that they bring. */
  run: (ms: number) => Promise<void>;
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
      await settle();
      for (const end = now + ms; now < end;) {
        now += 1;
        for (const { wake } of sleepers.filter(({ at }) => at <= now)) wake();
        sleepers = sleepers.filter(({ at }) => at > now);
        await settle();
      }
    },
    loseSleepers: () => void (sleepers = []),
  };
}

/** Until every promise that is ready has been followed. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
