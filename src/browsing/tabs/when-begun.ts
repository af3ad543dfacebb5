import { abortable } from '#core/flow/abort.ts';
import type { OpenTab } from './open-tab.ts';

/** Waits for the first page of a window. The window opens only when this page may load, which may wait for a person. */
export async function whenBegun(opening: Promise<OpenTab>, signal: AbortSignal): Promise<void> {
  const tab = await abortable(opening, signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  await tab?.whenBegun(signal);
}
