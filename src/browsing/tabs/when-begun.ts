import { abortable } from '#core/flow/abort.ts';
import type { OpenTab } from './open-tab.ts';

/** Waits for the first document of a new window. Its request may be held until the user approves it. */
export async function waitForFirstDocument(opening: Promise<OpenTab>, signal: AbortSignal): Promise<void> {
  const tab = await abortable(opening, signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  await tab?.whenBegun(signal);
}
