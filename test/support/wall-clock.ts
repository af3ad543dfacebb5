declare global {
  /** The result of `Date.now` in this runtime: a time that a test has set, or null for the real time. */
  var wallClock: { at: number | null } | undefined;
}

const clock = (globalThis.wallClock ??= installed());

/**
 * Sets the result of `Date.now`. Test files share a runtime, and modules of the product store `Date.now` when they
 * load, in whichever file that happens. So the function is replaced once, before they load, and only its result
 * changes.
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
