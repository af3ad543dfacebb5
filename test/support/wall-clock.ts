declare global {
  /** What `Date.now` says in this runtime: a time that a test has set, or null for the time of day. */
  var wallClock: { at: number | null } | undefined;
}

const clock = (globalThis.wallClock ??= installed());

/**
 * Sets what `Date.now` says. Files of tests share a runtime, and modules of the product keep `Date.now` when they are
 * made, in whichever file that happens: so the function is replaced once, before them, and only its answer changes.
 */
export function setTime(at: number): void {
  clock.at = at;
}

export function passTime(ms: number): void {
  clock.at = Date.now() + ms;
}

export function useTimeOfDay(): void {
  clock.at = null;
}

function installed() {
  const wall: { at: number | null } = { at: null };
  const timeOfDay = Date.now;
  Date.now = () => wall.at ?? timeOfDay();
  return wall;
}
