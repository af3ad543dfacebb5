import fc from 'fast-check';

/**
 * Number of cases that a property is tried on: a few, or `STORIES` times as many (`STORIES=10 npm test`). A failure
 * prints its seed; `SEED=… STORIES=…` tries the same cases again. In workerd, both are bindings, which its
 * `process.env` repeats.
 */
export function stories(few: number): number {
  return few * Number(process.env['STORIES'] || 1);
}

/** Size of a hostile input: half of the largest allowed, or the largest if `STORIES` asks for more than a few cases. */
export function hostileSize(full: number): number {
  return stories(1) > 1 ? full : full / 2;
}

const seed = process.env['SEED'];
fc.configureGlobal(seed ? { seed: Number(seed) } : {});
