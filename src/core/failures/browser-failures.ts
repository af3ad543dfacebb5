import { declareFailure, pageQuoteField } from './declare.ts';
import type { FailureResultFields } from './declare.ts';

/**
 * Reason for refusing a ref such as `@e12`. `gone`: its element or document no longer exists, or the ref is of an
 * earlier session. `renamed`, `surroundings`: the element exists, but its name or the text around it changed.
 */
export type RefStaleness = 'gone' | 'renamed' | 'surroundings';

/**
 * Reason for refusing pixels of a tab's last screenshot. `none`: there is no screenshot. `changed`: another element is
 * at the point, or the words around it changed.
 */
export type ScreenshotStaleness = 'none' | 'document' | 'scrolled' | 'resized' | 'changed' | 'redrawn';

/**
 * Reason for not typing a secret. `site`, `around`: the page, or one that embeds it, is not of the secret's site.
 * `opaque`: the page has no site. `field`: not a field for secrets. `form`: the form submits to another site. `full`:
 * the field cut the value. `frame`: a frame took the focus. `script`: a client's script runs in the page. `place`: no
 * field is named. `sealed`: it cannot be decrypted.
 */
export type SecretProblem =
  | 'site'
  | 'around'
  | 'opaque'
  | 'field'
  | 'form'
  | 'full'
  | 'frame'
  | 'script'
  | 'place'
  | 'sealed';

export type ElementProblem =
  | 'behind'
  | 'covered'
  | 'hidden'
  | 'disabled'
  | 'readonly'
  | 'moved'
  | 'replaced'
  | 'focus_taken'
  | 'focus_moved'
  | 'unfocusable';

export const BROWSER_FAILURES = {
  /** `file`: `null` if the given text is not a file ID. */
  unknown_file: declareFailure<{ file: string | null }>({
    message: (failure) =>
      failure.file === null ? 'This is not the id of a file.' : `There is no file ${failure.file}.`,
    advice: (failure) => [
      'Call browser_files with {"action": "list"} and use an id from it. The files of a session are deleted with it.',
      failure.file === null ? {} : { file: failure.file },
    ],
    texts: { file: 'page' },
  }),
  unknown_session: declareFailure<{ session: string }>({
    message: (failure) => `There is no browser session named "${failure.session}".`,
    advice: (failure) => ['Call browser_launch or browser_navigate to start it.', { session: failure.session }],
    texts: { session: 'ours' },
  }),
  session_limit: declareFailure<{ limit: number; scope: 'subject' | 'deployment'; open: readonly string[] }>({
    message: (failure) =>
      failure.scope === 'subject'
        ? `You already have ${failure.limit} browser sessions open.`
        : `This server already has ${failure.limit} browser sessions open.`,
    advice: (failure) => [
      failure.open.length === 0
        ? 'Try again later.'
        : `Close one of yours with browser_close, such as {"session": ${JSON.stringify(failure.open[0])}}, then try again.`,
      { limit: failure.limit, scope: failure.scope, open_sessions: failure.open },
    ],
    texts: { scope: 'ours', open: 'ours' },
  }),
  session_busy: declareFailure<{ session: string; place: number; afterMs: number }>({
    message: (failure) =>
      `The session "${failure.session}" was still busy after ${failure.afterMs} ms (place ${failure.place} in the queue).`,
    advice: (failure) => [
      'Wait for the earlier call to end, or use another session name.',
      { session: failure.session, place: failure.place },
    ],
    texts: { session: 'ours' },
  }),
  handed_over: declareFailure<{ session: string; forSeconds: number }>({
    message: (failure) =>
      `A person has been driving the session "${failure.session}" for ${failure.forSeconds} s. Nothing was done.`,
    advice: (failure) => [
      `Call browser_handoff ${JSON.stringify({ reason: 'Please give the browser back when you are done.', session: failure.session })} to wait until they give it back. browser_snapshot, browser_screenshot, browser_read and browser_wait work in the meantime.`,
      { session: failure.session, for_seconds: failure.forSeconds },
    ],
    texts: { session: 'ours' },
  }),
  /** `alike`: lines of elements with the ref's role and name, or with `ofRole` only its role; marked as page text. */
  stale_ref: declareFailure<{
    ref: string;
    reason: RefStaleness;
    alike?: string | undefined;
    ofRole?: true | undefined;
  }>({
    message: (failure) => `${failure.ref} ${STALE[failure.reason]}. No action was performed.`,
    advice: (failure) => [
      alikeHint(failure) ?? USE_SNAPSHOT,
      { ref: failure.ref, reason: failure.reason, ...listed('alike', failure.alike) },
    ],
    texts: { ref: 'ours', reason: 'ours', alike: 'page' },
  }),
  /** `reason`: set if the element exists but cannot be used. `quoted`: words of the page, marked as page text. */
  element_not_found: declareFailure<{
    target: string;
    reason?: ElementProblem | undefined;
    /** Position, relative to the window, of an element that cannot be scrolled into view. */
    where?: 'left' | 'right' | 'above' | 'below' | undefined;
    /** True if a larger window does not bring this element into view, or the window is already as large. */
    isOutOfReach?: boolean | undefined;
    quoted?: string | undefined;
    alike?: string | undefined;
    /** Number of elements that match without `nth`, if `nth` is larger. `alike` lists the first of these elements. */
    matches?: number | undefined;
    /** Lines of the page that contain some of the words of `target`, marked as page text. */
    near?: string | undefined;
    /**
     * Number of lines with some of the words of `target`, including lines that are not listed; missing if the page was
     * not searched.
     */
    count?: number | undefined;
    /** The word of `target` that is rarest on the page. The hint suggests a search for this word. */
    word?: string | undefined;
  }>({
    message: (failure) => {
      if (failure.reason === undefined)
        return `No element matches ${failure.target}${failure.matches === undefined ? '.' : `: only ${failure.matches} ${failure.matches === 1 ? 'matches' : 'match'} without nth.`}`;
      return failure.where === undefined ? UNUSABLE[failure.reason] : outside(failure.where);
    },
    advice: (failure) =>
      failure.reason === undefined
        ? [
            matchesHint(failure) ?? alikeHint(failure) ?? nearHint(failure),
            { target: failure.target, ...listed('alike', failure.alike), ...listed('near', failure.near) },
          ]
        : [
            failure.where === undefined
              ? ELEMENT_HINTS[failure.reason]
              : failure.isOutOfReach === true
                ? `${OPEN_FIRST} ${OUT_OF_REACH}`
                : OUTSIDE_HINTS[failure.where],
            {
              target: failure.target,
              reason: failure.reason,
              ...(failure.where === undefined ? {} : { where: failure.where }),
              ...pageQuoteField(failure.quoted),
            },
          ],
    texts: {
      target: 'page',
      reason: 'ours',
      where: 'ours',
      quoted: 'page',
      alike: 'page',
      near: 'page',
      word: 'page',
    },
  }),
  stale_picture: declareFailure<{ reason: ScreenshotStaleness }>({
    message: (failure) => `${STALE_PICTURE[failure.reason]} Nothing was done.`,
    advice: (failure) => [
      'Call browser_screenshot and use pixels of its picture, or pass a selector.',
      { reason: failure.reason },
    ],
    texts: { reason: 'ours' },
  }),
  /**
   * `known`: names of the user's secrets for this site. `page`: where users manage secrets, added by the HTTP layer.
   */
  unknown_secret: declareFailure<{ name: string; site: string; known: readonly string[]; page?: string | undefined }>({
    message: (failure) => `The user has no secret "${failure.name}". Nothing was typed. ${othersKnown(failure.known)}`,
    advice: (failure) => [
      `${failure.known.length === 0 ? '' : 'Use one of these. '}The user adds secrets at ${failure.page ?? SECRETS_PAGE}, or signs in by hand: call browser_handoff.`,
      { name: failure.name, site: failure.site, secrets: failure.known },
    ],
    texts: { name: 'ours', site: 'page', known: 'ours', page: 'ours' },
  }),
  secret_refused: declareFailure<{
    name: string;
    reason: SecretProblem;
    sites: readonly string[];
    /** For the reason `script`: the tool call that started the script. */
    by?: string | undefined;
    page?: string | undefined;
  }>({
    message: (failure) => `The secret "${failure.name}" was not typed: ${secretProblem(failure.reason, failure.by)}.`,
    advice: (failure) => [
      SECRET_HINTS[failure.reason]
        .replace('SITES', failure.sites.join(', '))
        .replace('PAGE', failure.page ?? SECRETS_PAGE),
      { name: failure.name, reason: failure.reason, sites: failure.sites },
    ],
    texts: { name: 'ours', reason: 'ours', sites: 'ours', by: 'ours', page: 'ours' },
  }),
  /** `hint`: set if rewriting the script would not help. */
  script_blocked: declareFailure<{ reason: string; hint?: string | undefined }>({
    message: (failure) => `The script was refused: ${failure.reason}.`,
    advice: (failure) => [failure.hint ?? 'Rewrite it without the named construct.'],
    texts: { reason: 'ours', hint: 'ours' },
  }),
  script_failed: declareFailure<{ reason: string; quoted?: string | undefined }>({
    message: (failure) => `The script did not finish: ${failure.reason}.`,
    advice: (failure) => ['Correct the script, or make it do less, and run it again.', pageQuoteField(failure.quoted)],
    texts: { reason: 'ours', quoted: 'page' },
  }),
};

const HAS_REF = /@e\d/u;

type Alike = { alike?: string | undefined; ofRole?: true | undefined };

function alikeHint({ alike, ofRole }: Alike): string | null {
  if (ofRole === true)
    return 'No element has this name any more. Elements with the same role are listed below. Use the ref of the element you need, or call browser_snapshot with find.';
  return alike === undefined
    ? null
    : 'The elements that now have this name are listed below. Use the ref of the element you need.';
}

function matchesHint({ matches, alike }: Alike & { matches?: number | undefined }): string | null {
  if (matches === undefined) return null;
  return alike === undefined
    ? `nth counts from 1. ${USE_SNAPSHOT}`
    : 'nth counts from 1. The matches are listed below. Use the ref of the element you need.';
}

type Near = { near?: string | undefined; count?: number | undefined; word?: string | undefined };

function nearHint({ near, count, word = '' }: Near): string {
  if (count === undefined) return USE_SNAPSHOT;
  if (near === undefined) return `The page shows none of these words. ${USE_SNAPSHOT}`;
  const call = `call browser_snapshot ${JSON.stringify({ find: word })}`;
  const next = HAS_REF.test(near) ? `Use the ref of the line you mean, or ${call}` : `They have no refs: ${call}`;
  return `The lines that contain some of the words are listed below. ${next} to see lines with their rows.`;
}

/** Adds lines of the page to the fields of a failure. They are already marked as page text. */
function listed(field: 'alike' | 'near', lines: string | undefined): FailureResultFields {
  return lines === undefined ? {} : { [field]: lines };
}

function othersKnown(known: readonly string[]): string {
  return known.length === 0
    ? 'The user has no secret for this page.'
    : `For this page the user has ${known.join(', ')}.`;
}

function secretProblem(reason: SecretProblem, by = 'a script of the caller'): string {
  if (reason !== 'script') return SECRET_PROBLEMS[reason];
  return `${by} ran in this session on this site, or in a window that opened this one or was opened by it, and could read the secret`;
}

const SECRET_PROBLEMS: Record<Exclude<SecretProblem, 'script'>, string> = {
  site: 'the secret is not for the site of this page',
  around: 'the field is in a frame of a page of another site',
  opaque: 'the page with the field has no site of its own (a sandboxed frame, about:, data: or blob:)',
  field: 'this is not a field for passwords, text, e-mail, telephone numbers or numbers',
  form: 'its form is sent to another site',
  full: 'the field did not keep the full value: it accepts fewer characters, or the page shortened, changed, replaced or locked the field. What was typed was removed again',
  frame:
    'a frame in the page took the keyboard focus from the field. The frame received nothing, and what was typed was removed again',
  place: 'no field was named',
  sealed: 'it was encrypted with another key of this server and cannot be decrypted any more',
};

const SECRETS_PAGE = '/console/secrets on this server';

const USE_SNAPSHOT = 'Call browser_snapshot and use a ref from it.';

const SECRET_HINTS: Record<SecretProblem, string> = {
  site: 'The secret is for SITES only. Open the page there. If this site is right, the user can add it at PAGE.',
  around:
    'Open the page of the field in its own tab, at SITES. If the outer site is right, the user can add it at PAGE.',
  opaque: 'Open the page of the field in its own tab, at one of SITES.',
  field:
    'Pass the field itself. Search boxes, address fields and rich text editors are refused, because pages show and send their content.',
  form: 'The secret is for SITES only. If the destination of the form is right, the user can add that site at PAGE.',
  full: 'Target a field that accepts the full value, or the first box of a split code. If browser_type was cut off, use browser_fill. Otherwise the user can sign in: call browser_handoff.',
  script:
    'Sign in in another session, without browser_evaluate on this site. Or close this session with browser_close and start again.',
  frame: 'Close the frame or wait until the page has settled, then call browser_fill, which types the secret at once.',
  place: 'Pass the field as selector. A secret is never typed into the focused element.',
  sealed: 'Ask the user to replace it at PAGE.',
};

const STALE: Record<RefStaleness, string> = {
  gone: 'no longer names an element of this page',
  renamed: 'named an element whose role, name or address has changed',
  surroundings:
    'named an element in a row, dialog, pane or section whose text has changed, so it may now be about something else (if that text changes all the time, pass a CSS selector)',
};

const STALE_PICTURE: Record<ScreenshotStaleness, string> = {
  none: 'This tab has no screenshot yet, so x and y cannot be resolved.',
  document: 'The tab has opened another page since its last screenshot.',
  scrolled: 'The page has scrolled since the last screenshot of the tab.',
  resized: 'The page has been zoomed or resized since the last screenshot of the tab.',
  changed: 'The element at this point is not the one in the last screenshot of the tab: the page has changed.',
  redrawn: 'The picture at this point has changed since the last screenshot of the tab.',
};

function outside(where: keyof typeof SIDES): string {
  return `The element is ${SIDES[where]} the window and cannot be scrolled into view, as in a closed drawer. No action was performed.`;
}

const SIDES = { left: 'left of', right: 'right of', above: 'above', below: 'below' } as const;

const UNUSABLE: Record<ElementProblem, string> = {
  behind: 'The element is behind an open dialog, which blocks the page behind it. No action was performed.',
  covered: 'The element is covered by another one, so the action would not reach it. No action was performed.',
  hidden: 'The element is on the page, but not visible. No action was performed.',
  disabled: 'The element is disabled. No action was performed.',
  readonly: 'The field is read-only. No action was performed.',
  moved: 'The element kept moving, so no action was performed.',
  replaced: 'The page replaced the element in the meantime, so no action was performed.',
  focus_taken:
    'A frame of the page, such as an advertisement, took the keyboard focus. It received no text, and the field has at most a part of it.',
  focus_moved:
    'The page moved the keyboard focus to a button, link, box or another form. The rest of the text and of the keys was not sent, because a space or Enter would have pressed or submitted it.',
  unfocusable: 'The element cannot be typed into: the page moved the focus to another element or to none.',
};

/** Window sizes in pixels that the hints suggest for an element outside the window. */
export const LARGER_WINDOW = { width: 1_920, height: 1_600 } as const;

const OPEN_FIRST =
  'Bring the element into the window: open its menu or drawer, or click an arrow of its carousel, then try again.';
const OUT_OF_REACH =
  'A larger window does not help. For an option of a list, call browser_type with the field as selector and key "ArrowDown" until the option is selected, then key "Enter". Otherwise, if you have the tool browser_evaluate, call it with this selector and script "e => e.click()".';

function suggestLarger(side: keyof typeof LARGER_WINDOW): string {
  return `${OPEN_FIRST} If it is in no closed part, the window is too small: call browser_launch {"${side}": ${LARGER_WINDOW[side]}}.`;
}

const OUTSIDE_HINTS: Record<keyof typeof SIDES, string> = {
  left: suggestLarger('width'),
  right: suggestLarger('width'),
  above: OPEN_FIRST,
  below: suggestLarger('height'),
};

const ELEMENT_HINTS: Record<ElementProblem, string> = {
  behind:
    'Close or complete the dialog, then try again. To act on the dialog itself, call browser_snapshot and pass one of its refs.',
  covered: 'Close or complete the dialog, banner or menu that covers the element, then try again.',
  hidden: 'Open the menu, tab or section that holds it, then call browser_snapshot.',
  disabled: 'Fill in the fields that the page still requires. That may enable the element.',
  readonly: 'Use the control on the page that sets this field.',
  moved: 'Wait until the page has settled, call browser_snapshot, then try again.',
  replaced: USE_SNAPSHOT,
  focus_taken:
    'Close the frame or wait until the page has settled, then call browser_fill, which replaces the text of the field.',
  focus_moved:
    'Call browser_snapshot to see what the fields have. To press the button, link or box, call browser_click. To type on, pass the field as selector again.',
  unfocusable: 'Click the field first, call browser_snapshot, then use the ref of the field that appears.',
};
