/** What is not yet written. Plain data, because another request may write it. */
export type Pending<T> = {
  items: T[];
  /** Time (ms) by which the current writer should be done; 0 when nobody is writing. */
  writtenBy: number;
};

export type Together<T> = {
  /** How long (ms) one request collects what others have to write. */
  everyMs: number;
  /** So many are written at once, whenever the next writing is. */
  most: number;
  now: () => number;
  wait: (ms: number) => Promise<void>;
  write: (items: readonly T[]) => Promise<void>;
};

/**
 * One request writes what all others have to write, for a while. If the platform ends it, the next one after its time
 * takes over.
 * @throws what `write` throws
 */
export async function writeTogether<T>(
  items: readonly T[],
  pending: Pending<T>,
  { everyMs, most, now, wait, write }: Together<T>,
): Promise<void> {
  pending.items.push(...items);
  const isLeft = now() < pending.writtenBy;
  if (isLeft && pending.items.length < most) return;
  if (!isLeft) {
    pending.writtenBy = now() + 2 * everyMs;
    await wait(everyMs);
    pending.writtenBy = 0;
  }
  const written = pending.items.splice(0);
  if (written.length > 0) await write(written);
}
