/** Items that are not yet written. They are plain data, because another request may write them. */
export type Pending<T> = {
  items: T[];
  /** Time (ms) by which the current writer should be done; 0 without a writer. */
  writtenBy: number;
};

export type Together<T> = {
  /** Time in ms for which one request collects the items of other requests. */
  everyMs: number;
  /** Number of collected items from which they are written immediately. */
  most: number;
  now: () => number;
  wait: (ms: number) => Promise<void>;
  write: (items: readonly T[]) => Promise<void>;
};

/**
 * One request writes the items of all others for a while. If the platform ends this request, the next request after its
 * deadline takes over.
 * @throws the error of `write`
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
