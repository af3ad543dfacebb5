import type { ElementProblem, Failure, FailureReport, Instead, PictureStaleness, Staleness, Words } from './failure.ts';
import { quoted, words } from './failure.ts';

export type Timeout = Extract<Failure, { code: 'timeout' }>;
type BrowserFailure = Extract<
  Failure,
  {
    code:
      | 'unknown_session'
      | 'session_limit'
      | 'session_busy'
      | 'handed_over'
      | 'stale_ref'
      | 'element_not_found'
      | 'stale_picture'
      | 'script_blocked'
      | 'script_failed';
  }
>;

/** The words for what can go wrong in a browser session. */
export function browserWords(failure: BrowserFailure): Words {
  switch (failure.code) {
    case 'unknown_session':
      return words(
        `There is no browser session named "${failure.session}".`,
        'Call browser_launch or browser_navigate to start it.',
        { session: failure.session },
      );
    case 'session_limit':
      return words(
        failure.scope === 'subject'
          ? `You already have ${failure.limit} browser sessions open.`
          : `This server already has ${failure.limit} browser sessions open.`,
        failure.open.length === 0
          ? 'Try again later.'
          : `Close one of yours with browser_close, such as {"session": ${JSON.stringify(failure.open[0])}}, then try again.`,
        { limit: failure.limit, scope: failure.scope, open_sessions: failure.open },
      );
    case 'session_busy':
      return words(
        `The session "${failure.session}" was still busy after ${failure.afterMs} ms (place ${failure.place} in the queue).`,
        'Wait for the earlier call to end, or use another session name.',
        { session: failure.session, place: failure.place },
      );
    case 'handed_over':
      return words(
        `A person has been driving the session "${failure.session}" for ${failure.forSeconds} s. Nothing was done.`,
        `Call browser_handoff ${JSON.stringify({ reason: 'Please give the browser back when you are done.', session: failure.session })} to wait until they give it back. browser_snapshot, browser_screenshot, browser_read and browser_wait work meanwhile.`,
        { session: failure.session, for_seconds: failure.forSeconds },
      );
    case 'stale_ref':
      return words(
        `${failure.ref} ${STALE_WORDS[failure.reason]}. Nothing was done with it.`,
        failure.snapshot === undefined
          ? 'Call browser_snapshot and use a ref from it.'
          : 'Use a ref from the new snapshot in this answer.',
        { ref: failure.ref, reason: failure.reason, ...freshSnapshot(failure.snapshot) },
      );
    case 'element_not_found':
      return failure.reason === undefined
        ? words(
            `No element matches ${failure.target}.`,
            failure.snapshot === undefined
              ? 'Call browser_snapshot and use a ref from it.'
              : 'Use a ref from the new snapshot in this answer.',
            { target: failure.target, ...freshSnapshot(failure.snapshot) },
          )
        : words(...ELEMENT_WORDS[failure.reason], {
            target: failure.target,
            reason: failure.reason,
            ...quoted(failure.quoted),
          });
    case 'stale_picture':
      return words(
        `${PICTURE_WORDS[failure.reason]} Nothing was done.`,
        'Call browser_screenshot and use the pixels of its picture, or pass a selector, which finds its element by itself.',
        { reason: failure.reason },
      );
    case 'script_blocked':
      return words(
        `The script was refused: ${failure.reason}.`,
        failure.hint ?? 'Rewrite it without the named construct.',
      );
    case 'script_failed':
      return words(
        `The script did not finish: ${failure.reason}.`,
        'Correct the script, or make it do less, and run it again.',
        quoted(failure.quoted),
      );
  }
}

export function waitedInVain({ what, afterMs }: Timeout, { problem, quoted: found, snapshot }: Instead): Words {
  return words(
    `${what} within ${afterMs} ms: ${problem}.`,
    snapshot === undefined
      ? 'Call browser_snapshot to see what the page shows instead.'
      : 'The snapshot in this answer is what the page shows instead: go on from there, or wait again if the page is still at work.',
    { after_ms: afterMs, ...quoted(found), ...freshSnapshot(snapshot) },
  );
}

const STALE_WORDS: Record<Staleness, string> = {
  gone: 'no longer names an element of this page',
  renamed: 'named an element whose role, name or address has changed',
  surroundings:
    'named an element in a row, pane or section whose text has changed, so it may now be about something else (if that text changes all the time, pass a CSS selector)',
};

const PICTURE_WORDS: Record<PictureStaleness, string> = {
  none: 'There is no picture of this tab yet, so x and y name no place in it.',
  document: 'The tab has opened another page since its last picture was taken.',
  scrolled: 'The page has scrolled since the last picture of the tab was taken.',
  resized: 'The page has been zoomed or resized since the last picture of the tab was taken.',
  changed: 'What lies at this point is not what the last picture of the tab shows there: the page has changed.',
};

const ELEMENT_WORDS: Record<ElementProblem, [message: string, hint: string]> = {
  covered: [
    'The element is covered by another one, so the action would not reach it. Nothing was done with it.',
    'Close or complete what covers it (a dialog, a banner, a menu), then try again.',
  ],
  hidden: [
    'The element is on the page, but not visible. Nothing was done with it.',
    'Open the menu, tab or section that holds it, then call browser_snapshot.',
  ],
  disabled: [
    'The element is disabled. Nothing was done with it.',
    'Fill in what the page still asks for; that may enable it.',
  ],
  readonly: ['The field is read-only. Nothing was done with it.', 'Use the control on the page that sets this field.'],
  moved: [
    'The element kept moving, so nothing was done with it.',
    'Wait until the page has settled, call browser_snapshot, then try again.',
  ],
  replaced: [
    'The page replaced the element in the meantime, so nothing was done with it.',
    'Call browser_snapshot and use a ref from it.',
  ],
  unfocusable: [
    'The element cannot be typed into: the page moved the focus to another element or to none.',
    'Click the field first, call browser_snapshot, then use the ref of the field that appears.',
  ],
};

function freshSnapshot(text: string | undefined): FailureReport['extra'] {
  return text === undefined ? {} : { snapshot: text };
}
