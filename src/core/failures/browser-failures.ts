import { declare, freshSnapshot, quoted } from './declare.ts';
import type { Extra } from './declare.ts';

/**
 * Why a ref is refused. `gone`: its element or document is gone, or the ref no longer belongs to this session. In the
 * other cases the element still exists.
 */
export type Staleness = 'gone' | 'renamed' | 'surroundings';

/** Why a pixel of a tab's last picture is refused. `changed`: something else lies there, or the words around it changed. */
export type PictureStaleness = 'none' | 'document' | 'scrolled' | 'resized' | 'changed';

/**
 * Why a secret is not typed. `site`, `around`: the page, or one around it, is of another site; `opaque`: of none; `form`:
 * what it is typed into is sent elsewhere; `script`: a script of the caller runs in the page; `place`: no field is named;
 * `sealed`: it cannot be opened any more.
 */
export type SecretProblem = 'site' | 'around' | 'opaque' | 'field' | 'form' | 'full' | 'script' | 'place' | 'sealed';

/** Why an existing element cannot be acted on. */
export type ElementProblem = 'covered' | 'hidden' | 'disabled' | 'readonly' | 'moved' | 'replaced' | 'unfocusable';

/** Sessions, elements, secrets and scripts of the browser. */
export const BROWSER_FAILURES = {
  /** `null`: what was given is no id of a file. */
  unknown_file: declare<{ file: string | null }>({
    message: (failure) => (failure.file === null ? 'This is no id of a file.' : `There is no file ${failure.file}.`),
    advice: (failure) => [
      'Call browser_files with {"action": "list"} and use an id from it. Files go with the session that downloaded them.',
      failure.file === null ? {} : { file: failure.file },
    ],
    texts: { file: 'page' },
  }),
  unknown_session: declare<{ session: string }>({
    message: (failure) => `There is no browser session named "${failure.session}".`,
    advice: (failure) => ['Call browser_launch or browser_navigate to start it.', { session: failure.session }],
    texts: { session: 'ours' },
  }),
  session_limit: declare<{ limit: number; scope: 'subject' | 'deployment'; open: readonly string[] }>({
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
  session_busy: declare<{ session: string; place: number; afterMs: number }>({
    message: (failure) =>
      `The session "${failure.session}" was still busy after ${failure.afterMs} ms (place ${failure.place} in the queue).`,
    advice: (failure) => [
      'Wait for the earlier call to end, or use another session name.',
      { session: failure.session, place: failure.place },
    ],
    texts: { session: 'ours' },
  }),
  /** A person drives it now. */
  handed_over: declare<{ session: string; forSeconds: number }>({
    message: (failure) =>
      `A person has been driving the session "${failure.session}" for ${failure.forSeconds} s. Nothing was done.`,
    advice: (failure) => [
      `Call browser_handoff ${JSON.stringify({ reason: 'Please give the browser back when you are done.', session: failure.session })} to wait until they give it back. browser_snapshot, browser_screenshot, browser_read and browser_wait work meanwhile.`,
      { session: failure.session, for_seconds: failure.forSeconds },
    ],
    texts: { session: 'ours' },
  }),
  /**
   * `alike`: what has the same role and name now, or with `ofRole` the same role only; inside a fence.
   */
  stale_ref: declare<{
    ref: string;
    reason: Staleness;
    alike?: string | undefined;
    ofRole?: true | undefined;
    snapshot?: string | undefined;
  }>({
    message: (failure) => `${failure.ref} ${STALE[failure.reason]}. Nothing was done with it.`,
    advice: (failure) => [refHint(failure), { ref: failure.ref, reason: failure.reason, ...freshWords(failure) }],
    texts: { ref: 'ours', reason: 'ours', alike: 'page', snapshot: 'page' },
  }),
  /** With a reason when the element exists but cannot be acted on; `quoted` as above. */
  element_not_found: declare<{
    target: string;
    reason?: ElementProblem | undefined;
    /** On which side of the window a hidden one lies. */
    where?: 'left' | 'right' | 'above' | 'below' | undefined;
    quoted?: string | undefined;
    alike?: string | undefined;
    snapshot?: string | undefined;
  }>({
    message: (failure) => {
      if (failure.reason === undefined) return `No element matches ${failure.target}.`;
      return failure.where === undefined ? UNUSABLE[failure.reason] : outside(failure.where);
    },
    advice: (failure) =>
      failure.reason === undefined
        ? [refHint(failure), { target: failure.target, ...freshWords(failure) }]
        : [
            failure.where === undefined ? ELEMENT_HINTS[failure.reason] : OUTSIDE_HINT,
            {
              target: failure.target,
              reason: failure.reason,
              ...(failure.where === undefined ? {} : { where: failure.where }),
              ...quoted(failure.quoted),
            },
          ],
    texts: {
      target: 'page',
      reason: 'ours',
      where: 'ours',
      quoted: 'page',
      alike: 'page',
      snapshot: 'page',
    },
  }),
  stale_picture: declare<{ reason: PictureStaleness }>({
    message: (failure) => `${STALE_PICTURE[failure.reason]} Nothing was done.`,
    advice: (failure) => [
      'Call browser_screenshot and use the pixels of its picture, or pass a selector, which finds its element by itself.',
      { reason: failure.reason },
    ],
    texts: { reason: 'ours' },
  }),
  /** `known`: what the caller can type on this site instead. `page`: where a person keeps secrets, as doors add it. */
  unknown_secret: declare<{ name: string; site: string; known: readonly string[]; page?: string | undefined }>({
    message: (failure) =>
      `The person has no secret "${failure.name}". Nothing was typed. ${othersKnown(failure.known)}`,
    advice: (failure) => [
      `${failure.known.length === 0 ? '' : 'Use one of these. '}The person adds secrets at ${failure.page ?? SECRETS_PAGE}, or signs in themselves: browser_handoff.`,
      { name: failure.name, site: failure.site, secrets: failure.known },
    ],
    texts: { name: 'ours', site: 'page', known: 'ours', page: 'ours' },
  }),
  secret_refused: declare<{
    name: string;
    reason: SecretProblem;
    sites: readonly string[];
    /** The call whose script `reason` is about. */
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
  /** `hint` where no other script would do. */
  script_blocked: declare<{ reason: string; hint?: string | undefined }>({
    message: (failure) => `The script was refused: ${failure.reason}.`,
    advice: (failure) => [failure.hint ?? 'Rewrite it without the named construct.'],
    texts: { reason: 'ours', hint: 'ours' },
  }),
  script_failed: declare<{ reason: string; quoted?: string | undefined }>({
    message: (failure) => `The script did not finish: ${failure.reason}.`,
    advice: (failure) => ['Correct the script, or make it do less, and run it again.', quoted(failure.quoted)],
    texts: { reason: 'ours', quoted: 'page' },
  }),
};

type Shown = { alike?: string | undefined; ofRole?: true | undefined; snapshot?: string | undefined };

function refHint({ alike, ofRole, snapshot }: Shown): string {
  if (ofRole === true)
    return 'Nothing is called so now. What has its role is in this answer: use a ref of it if you see the one you mean, or look for it with browser_snapshot and find.';
  if (alike !== undefined) return 'What is called so now is in this answer: use its ref if it is the one you mean.';
  return snapshot === undefined ? USE_SNAPSHOT : 'Use a ref from the new snapshot in this answer.';
}

function freshWords({ alike, snapshot }: Shown): Extra {
  return alike === undefined ? freshSnapshot(snapshot) : { alike };
}

function othersKnown(known: readonly string[]): string {
  return known.length === 0
    ? 'The person has none for this page.'
    : `For this page the person has ${known.join(', ')}.`;
}

function secretProblem(reason: SecretProblem, by = 'a script of the caller'): string {
  if (reason !== 'script') return SECRET_PROBLEMS[reason];
  return `${by} has run in this session, on this site or in a window that opened this one or was opened by it, and what a script left behind could read it`;
}

const SECRET_PROBLEMS: Record<Exclude<SecretProblem, 'script'>, string> = {
  site: 'the page with the field is not one of its sites',
  around: 'a page of another site has put the field in a frame',
  opaque: 'the page with the field has no site of its own (a sandboxed frame, about:, data: or blob:)',
  field: 'this is not a field for passwords, text, e-mail, telephone numbers or numbers',
  form: 'its form is sent to another site',
  full: 'the field does not keep all of it: it takes fewer characters, or the page shortened it, took out signs, or replaced, locked or left the field half-way. What was typed was taken out again',
  place: 'no field was named',
  sealed: 'it was stored under another secret of this server and cannot be opened any more',
};

const SECRETS_PAGE = '/console/secrets on this server';

const USE_SNAPSHOT = 'Call browser_snapshot and use a ref from it.';

const SECRET_HINTS: Record<SecretProblem, string> = {
  site: 'Its sites are SITES. Open the page there. If the site is right, the person adds it at PAGE.',
  around:
    'Open the page of the field by itself. Its sites are SITES; the person adds the outer one at PAGE if it is right.',
  opaque: 'Open the page of the field by itself, at one of SITES.',
  field:
    'Pass the field itself. Search boxes, addresses and rich text are not taken, as pages show and send what is in them.',
  form: 'Its sites are SITES. If the form may be sent there, the person adds that site at PAGE.',
  full: 'Pass the field that takes all of it, or the first of the boxes for a code. If browser_type was cut off, browser_fill types it at once. Else the person signs in: browser_handoff.',
  script:
    'Sign in in another session, and do not use browser_evaluate on this site there. Or end this one with browser_close and begin again.',
  place: 'Pass the field as selector: a secret is never typed at whatever has the focus.',
  sealed: 'The person replaces it at PAGE.',
};

const STALE: Record<Staleness, string> = {
  gone: 'no longer names an element of this page',
  renamed: 'named an element whose role, name or address has changed',
  surroundings:
    'named an element in a row, pane or section whose text has changed, so it may now be about something else (if that text changes all the time, pass a CSS selector)',
};

const STALE_PICTURE: Record<PictureStaleness, string> = {
  none: 'There is no picture of this tab yet, so x and y name no place in it.',
  document: 'The tab has opened another page since its last picture was taken.',
  scrolled: 'The page has scrolled since the last picture of the tab was taken.',
  resized: 'The page has been zoomed or resized since the last picture of the tab was taken.',
  changed: 'What lies at this point is not what the last picture of the tab shows there: the page has changed.',
};

function outside(where: keyof typeof SIDES): string {
  return `The element lies ${SIDES[where]} the window, where nobody can scroll to, as in a drawer that is closed. Nothing was done with it.`;
}

const SIDES = { left: 'left of', right: 'right of', above: 'above', below: 'below' } as const;

const UNUSABLE: Record<ElementProblem, string> = {
  covered: 'The element is covered by another one, so the action would not reach it. Nothing was done with it.',
  hidden: 'The element is on the page, but not visible. Nothing was done with it.',
  disabled: 'The element is disabled. Nothing was done with it.',
  readonly: 'The field is read-only. Nothing was done with it.',
  moved: 'The element kept moving, so nothing was done with it.',
  replaced: 'The page replaced the element in the meantime, so nothing was done with it.',
  unfocusable: 'The element cannot be typed into: the page moved the focus to another element or to none.',
};

const OUTSIDE_HINT =
  'Bring it in: click the button of its menu or drawer, or an arrow of its carousel, then try again. Some pages show it in a wider window only: browser_launch with width.';

const ELEMENT_HINTS: Record<ElementProblem, string> = {
  covered: 'Close or complete what covers it (a dialog, a banner, a menu), then try again.',
  hidden: 'Open the menu, tab or section that holds it, then call browser_snapshot.',
  disabled: 'Fill in what the page still asks for; that may enable it.',
  readonly: 'Use the control on the page that sets this field.',
  moved: 'Wait until the page has settled, call browser_snapshot, then try again.',
  replaced: USE_SNAPSHOT,
  unfocusable: 'Click the field first, call browser_snapshot, then use the ref of the field that appears.',
};
