/**
 * A sliding window, such as 24 hours in slots of 15 minutes. The functions below compute what is left of a limit in it.
 * A slot counts until it is completely older than the window, so no period of `windowMs` exceeds the limit.
 */
export type SlidingWindow = { windowMs: number; slotMs: number };

/** The amount taken in each slot, oldest first. Slot n begins n × `slotMs` after the epoch. */
export type SlotAmounts = readonly (readonly [slot: number, amount: number])[];

export function slotAt(now: number, { slotMs }: SlidingWindow): number {
  return Math.floor(now / slotMs);
}

export function slotEnd(slot: number, { slotMs }: SlidingWindow): number {
  return (slot + 1) * slotMs;
}

/** The amount that can still be taken; 0 if the limit was lowered below the amount already taken. */
export function availableAmount(taken: SlotAmounts, limit: number, now: number, window: SlidingWindow): number {
  return Math.max(0, limit - sum(current(taken, now, window)));
}

/**
 * Time (ms) until `amount` becomes available if nothing else is taken; a whole window if `amount` exceeds the limit.
 */
export function computeRetryAfterMs(
  taken: SlotAmounts,
  limit: number,
  amount: number,
  now: number,
  window: SlidingWindow,
): number {
  const counted = current(taken, now, window);
  let missing = sum(counted) + amount - limit;
  if (missing <= 0) return 0;
  for (const [slot, freed] of counted) {
    missing -= freed;
    if (missing <= 0) return slotEnd(slot, window) + window.windowMs - now;
  }
  return window.windowMs;
}

export function addToSlot(taken: SlotAmounts, slot: number, amount: number, window: SlidingWindow): SlotAmounts {
  const counted = current(taken, slotEnd(slot, window) - 1, window);
  const already = counted.find(([other]) => other === slot)?.[1] ?? 0;
  const others = counted.filter(([other]) => other !== slot);
  return [...others, [slot, already + amount] as const].sort(([a], [b]) => a - b);
}

function current(taken: SlotAmounts, now: number, window: SlidingWindow): SlotAmounts {
  const first = slotAt(now, window) - window.windowMs / window.slotMs;
  return taken.filter(([slot]) => slot >= first);
}

function sum(taken: SlotAmounts): number {
  return taken.reduce((total, [, amount]) => total + amount, 0);
}
