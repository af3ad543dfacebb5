import type { TimerWatch } from './scripts.ts';

/**
 * Runs among the page's own scripts, and notes the timers of up to `msMax` that are set from now on. {@link timersOver}
 * removes all traces, unless a script of the page has wrapped the function meanwhile.
 */
export function watchTimers(msMax: number): TimerWatch {
  const before = { set: Reflect.get(window, 'setTimeout'), clear: Reflect.get(window, 'clearTimeout') };
  const set = window.setTimeout.bind(window);
  const clear = window.clearTimeout.bind(window);
  const pending = new Map<number, number>();
  const ours = Object.assign(
    (handler: TimerHandler, ms = 0, ...args: unknown[]): number => {
      if (typeof handler !== 'function' || !(ms <= msMax)) return set(handler, ms, ...args);
      const id = set(
        (...given: unknown[]) => {
          pending.delete(id);
          Reflect.apply(handler, window, given);
        },
        ms,
        ...args,
      );
      pending.set(id, performance.now() + ms);
      return id;
    },
    { __promisify__: undefined },
  );
  const clears = (id?: number) => {
    if (id !== undefined) pending.delete(id);
    clear(id);
  };
  Reflect.set(window, 'setTimeout', ours);
  Reflect.set(window, 'clearTimeout', clears);
  return {
    dueInMs: () => Math.max(-1, ...[...pending.values()].map((due) => due - performance.now())),
    stop: () => {
      if (Reflect.get(window, 'setTimeout') === ours) Reflect.set(window, 'setTimeout', before.set);
      if (Reflect.get(window, 'clearTimeout') === clears) Reflect.set(window, 'clearTimeout', before.clear);
    },
    wait: (ms) => new Promise((resolve) => set(resolve, ms)),
  };
}

/** Waits until the timers that were noted so far are over. @returns whether there were any */
export async function timersOver(this: TimerWatch): Promise<boolean> {
  this.stop();
  const ms = this.dueInMs();
  if (ms < 0) return false;
  // A timer that is due at the same time as this one runs before it.
  await this.wait(ms + 1);
  return true;
}
