import { env } from 'cloudflare:workers';
import fc from 'fast-check';

/**
 * On how many cases a property is tried: a few, or `STORIES` times as many (`STORIES=10 npm test`). A failure prints its
 * seed; `SEED=… STORIES=…` tries the same cases again.
 */
export function stories(few: number): number {
  return few * Number(env.STORIES);
}

fc.configureGlobal(env.SEED === '' ? {} : { seed: Number(env.SEED) });
