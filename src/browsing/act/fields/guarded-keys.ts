import { PAGE_RESPONSE_MS_MAX, SECOND_MS } from '#core/limits.ts';
import { withTimeout } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { GuardedEvents } from '#browsing/in-page/script-types.ts';
import { callOn } from '#browsing/tabs/call-in-page.ts';
import type { PageElement, WrittenField } from '#browsing/tabs/tab.ts';
import { throwElementProblem } from '#browsing/act/reach.ts';
import { guardOtherFrames } from '#browsing/act/other-frames.ts';

export const GUARDED_KEYS = ['keydown', 'keypress', 'beforeinput'];

/** Lifetime of guards that could not be removed from a page. Longer than a long text takes. */
export const TYPING_GUARD_LIFETIME_MS = 60 * SECOND_MS;

/**
 * Sends keys so that the first one reaches the element. If the page has moved the focus meanwhile, the key is blocked.
 * Later keys follow the focus within the document, but press no control, and after the Tab key anywhere.
 * @param written text that the keys write
 * @param send calls the given function before it presses the Tab key
 */
export async function reachingFirst<T>(
  element: PageElement,
  written: string,
  send: (onTab: () => Promise<unknown>) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const arm = callOn(element, pageScripts.armClickGuard, [GUARDED_KEYS, TYPING_GUARD_LIFETIME_MS, written], signal);
  const [sent, guarded] = await sendGuarded(element, arm, send, signal);
  if (guarded !== null && guarded.accepted.length === 0 && guarded.refused.length > 0)
    return throwElementProblem(element, 'unfocusable');
  return sent;
}

/** Sends keys that follow the focus, but press no control to which the page has moved the focus from the field. */
export async function pressingNothingElse<T>(
  { element: field, text }: WrittenField,
  send: (onTab: () => Promise<unknown>) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const arm = callOn(field, pageScripts.armPressGuard, [GUARDED_KEYS, TYPING_GUARD_LIFETIME_MS, text], signal);
  const [sent] = await sendGuarded(field, arm, send, signal);
  return sent;
}

async function sendGuarded<T>(
  element: PageElement,
  arm: Promise<void>,
  send: (onTab: () => Promise<unknown>) => Promise<T>,
  signal: AbortSignal,
): Promise<[sent: T, guarded: GuardedEvents | null]> {
  const [unguard] = await Promise.all([guardOtherFrames(element, GUARDED_KEYS, TYPING_GUARD_LIFETIME_MS, signal), arm]);
  const ended = Promise.withResolvers<GuardedEvents | null>();
  const end = async () => {
    // Also runs after the call was aborted, because a guard left in the page would block all keys.
    const state = withTimeout(PAGE_RESPONSE_MS_MAX, (late) =>
      callOn(element, pageScripts.readClickGuard, [true], late),
    );
    ended.resolve(await state.catch(() => null));
    await unguard();
  };
  const sent = await send(unguard).finally(end);
  const guarded = await ended.promise;
  if (await unguard()) return throwElementProblem(element, 'focus_taken');
  if (guarded?.isPressBlocked === true) return throwElementProblem(element, 'focus_moved');
  return [sent, guarded];
}
