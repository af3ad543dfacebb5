import { sha256Hex } from './text.ts';

/**
 * A pair of marks around page text that stands outside a viewport. The mark is derived from the text it guards, so
 * results are reproducible, and a page would have to contain 64 bits of its own hash to forge it.
 */
export type Fence = { open: string; close: string };

const MARK_HEX_DIGITS = 16;

export async function fenceFor(seed: string): Promise<Fence> {
  const mark = (await sha256Hex(`periscope fence\n${seed}`)).slice(0, MARK_HEX_DIGITS);
  return { open: `⟦${mark}`, close: `${mark}⟧` };
}
