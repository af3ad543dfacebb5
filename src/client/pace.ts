/**
 * Something that may happen `max` times in a row and then once every `windowMs / max`: the generic cell rate algorithm
 * of ATM. Whoever has used it up waits for one step, never for a whole window. Decides purely: what is kept and `now`
 * (ms) in, what is to be kept out.
 */
export type Bucket = { key: string; max: number; windowMs: number };

/** Whether it may happen once more, or how long until it may. */
export type Attempt = { granted: true } | { granted: false; retryAfterMs: number };

type Paced = Pick<Bucket, 'max' | 'windowMs'>;

/** How long until an attempt is free. @param emptyAt (ms) when the bucket will have nothing in it, as it was kept */
export function waitMs({ max, windowMs }: Paced, emptyAt: number, now: number): number {
  return Math.max(0, Math.ceil(Math.max(now, emptyAt) + windowMs / max - windowMs - now));
}

/** When the bucket is empty after one attempt more. */
export function afterAttempt({ max, windowMs }: Paced, emptyAt: number, now: number): number {
  return Math.max(now, emptyAt) + Math.ceil(windowMs / max);
}

/** When it is empty after one attempt less. */
export function withoutAttempt({ max, windowMs }: Paced, emptyAt: number): number {
  return emptyAt - Math.ceil(windowMs / max);
}
