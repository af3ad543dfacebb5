import fc from 'fast-check';

/**
 * On how many cases a property is tried: a few, or `STORIES` times as many (`STORIES=10 npm test`). A failure prints its
 * seed; `SEED=… STORIES=…` tries the same cases again. In workerd, both are bindings, which its `process.env` repeats.
 */
export function stories(few: number): number {
  return few * Number(process.env['STORIES'] || 1);
}

/** Size of a hostile input: half as large as it may come, or in full when `STORIES` asks for more than a few cases. */
export function hostileSize(full: number): number {
  return stories(1) > 1 ? full : full / 2;
}

const seed = process.env['SEED'];
fc.configureGlobal(seed ? { seed: Number(seed) } : {});
