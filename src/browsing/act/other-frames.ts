import { SECOND_MS } from '#core/limits.ts';
import { resolveWithin, withTimeout } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn, ifGone, nullIfGone } from '#browsing/tabs/call-in-page.ts';
import type { Frame, PageElement } from '#browsing/tabs/tab.ts';

/** Maximum wait for one frame's answer. A busier frame handles its guard before the input that is sent after it. */
const FRAME_ANSWER_MS_MAX = SECOND_MS;

/**
 * Blocks trusted events of these kinds in all documents of the tab except the element's own, until the returned
 * function is called. A frame that takes the focus or comes under the pointer at the last moment therefore receives no
 * input that is meant for the element.
 * @returns ends the block; resolves to true if it has kept an event from a frame
 */
export async function guardOtherFrames(
  { tab, frame }: PageElement,
  kinds: readonly string[],
  lifeMs: number,
  signal: AbortSignal,
): Promise<() => Promise<boolean>> {
  const others = tab.frames().filter(({ id }) => id !== frame.id);
  const arm = (other: Frame) => callIn(tab, other, pageScripts.armOuterClickGuard, [kinds, lifeMs], signal);
  await Promise.all(
    others.map((other) => resolveWithin(arm(other).catch(ifGone(undefined)), FRAME_ANSWER_MS_MAX, signal)),
  );
  let ended: Promise<boolean> | null = null;
  return () => {
    // Also runs after the call was aborted, because a guard left in a frame would block all input there.
    ended ??= Promise.all(others.map((other) => endGuard(other))).then((refused) => refused.some(Boolean));
    return ended;
  };

  async function endGuard(other: Frame): Promise<boolean> {
    if (tab.frame(other.id)?.loaderId !== other.loaderId) return false;
    const guarded = await withTimeout(FRAME_ANSWER_MS_MAX, (late) =>
      callIn(tab, other, pageScripts.readClickGuard, [true], late).catch(nullIfGone),
    ).catch(() => null);
    return guarded !== null && guarded.refused.length > 0;
  }
}
