import * as pageScripts from '#generated/page-scripts.js';
import { callIn, isGoneError, nullIfGone } from '#browsing/tabs/call-in-page.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { fail } from '#core/failures/failure.ts';

const SCREENSHOT_COVER_TRIES_MAX = 3;

/**
 * Takes a picture without typed text and secrets. For the time of the picture, documents with typed input, or with a
 * secret in a control, show dots for the values of their fields. All documents show black boxes over secrets.
 * @throws {PeriscopeError} `render_failed` if a text changes too fast to be masked
 */
export async function withTypedTextCovered<T>(tab: Tab, signal: AbortSignal, take: () => Promise<T>): Promise<T> {
  const frames = tab.frames();
  const typed = frames.filter(({ loaderId }) => tab.typedIn.has(loaderId));
  const texts = await Promise.all(frames.map((frame) => isCovered(tab, frame, signal)));
  const shows = await Promise.all(frames.map((frame) => isInControls(tab, frame, signal)));
  const covered = frames.filter((_, at) => texts[at] === true);
  const blank = new Set(frames.filter((_, at) => shows[at] === true));
  const hidden = [...new Set([...typed, ...blank])];
  if (hidden.length + covered.length === 0) return take();
  const hide = (isOn: boolean) =>
    Promise.all(
      hidden.map((frame) => callIn(tab, frame, pageScripts.hideFieldValues, [isOn, blank.has(frame)], signal)),
    );
  try {
    await hide(true);
    return await take();
  } finally {
    // A document that is gone shows nothing, so its errors are ignored.
    await Promise.all([
      hide(false),
      ...covered.map((frame) => callIn(tab, frame, pageScripts.coverTextRanges, [0, []], signal)),
    ]).catch((error: unknown) => {
      if (!isGoneError(error) && !signal.aborted) throw error;
    });
  }
}

export async function doesPageShowSecret(tab: Tab, frame: Frame, signal: AbortSignal): Promise<boolean> {
  if (!frame.session.isMasking) return false;
  const text = await callIn(tab, frame, pageScripts.readAllText, [], signal);
  return frame.session.maskedPlaces(text).length > 0 || isInControls(tab, frame, signal);
}

/**
 * True if fields, buttons, lists or alternative texts of a document show a secret, because no box can be drawn there.
 */
async function isInControls(tab: Tab, frame: Frame, signal: AbortSignal): Promise<boolean> {
  if (!frame.session.isMasking) return false;
  const text = await callIn(tab, frame, pageScripts.readControlTexts, [], signal).catch(nullIfGone);
  return text !== null && frame.session.maskedPlaces(text).length > 0;
}

/**
 * Draws boxes over the secrets in a document.
 * @returns true if there were any
 */
async function isCovered(tab: Tab, frame: Frame, signal: AbortSignal): Promise<boolean> {
  if (!frame.session.isMasking) return false;
  for (let tries = 0; tries < SCREENSHOT_COVER_TRIES_MAX; tries += 1) {
    const text = await callIn(tab, frame, pageScripts.readAllText, [], signal).catch(nullIfGone);
    if (text === null) return false;
    const places = frame.session.maskedPlaces(text);
    if (places.length === 0) return false;
    if (await callIn(tab, frame, pageScripts.coverTextRanges, [text.length, places], signal)) return true;
  }
  return fail({
    code: 'render_failed',
    reason: 'the page shows a secret, in a text that changes too fast to be masked',
  });
}
