import { isPlainTextTarget } from '#browsing/locate/css-target.ts';
import { countWithUnit } from '#core/text/text.ts';
import * as z from 'zod';
import { describeEvents, shortenLongUrl, describeStateChanges, writeResultText } from '#browsing/result-text.ts';
import { quotePageText } from '#browsing/view/words.ts';
import { shortenedSchemas } from '#tools/define-tool.ts';
import { fileAddress } from '#core/document/file-facts.ts';
import type { FileFacts } from '#core/document/file-facts.ts';
import type { SessionState, TabState } from '#browsing/session/replies.ts';
import { VIEW_BEFORE_ACTION_MS_MAX, SECOND_MS } from '#core/limits.ts';
import type { ActionResult } from '#browsing/session/operations/acting.ts';
import type { View } from '#browsing/view/view.ts';

export const sessionInput = z
  .string()
  .default('default')
  .describe('Name of the browser session. Calls with the same name share tabs and sign-ins.');
export const tabInput = z
  .string()
  .optional()
  .describe('Tab id, such as t2. Default: the first tab, or the tab of the ref.');
export const selectorInput = z
  .string()
  .describe('An element: a ref (@e12), role and name (button "Save"), text=Save, a field label, or CSS.');

export const heldKeysInput = z
  .array(z.enum(['Alt', 'Control', 'Meta', 'Shift']))
  .max(4)
  .default([])
  .describe('Keys to hold down during the action.');

export const dialogInput = {
  dialog: z
    .enum(['accept', 'dismiss'])
    .default('dismiss')
    .describe('Answer to alert, confirm and prompt dialogs that open during the call.'),
  dialog_text: z.string().optional().describe('Text to enter in a prompt dialog. Needs dialog "accept".'),
};
export const dialogTextUnusedRule = {
  options: ['dialog_text'],
  when: (input: { dialog: z.output<typeof dialogInput.dialog> }) => input.dialog === 'dismiss',
  because: 'dialogs are dismissed; pass dialog "accept"',
} as const;
export const snapshotInput = z.boolean().default(false).describe('Also return a snapshot of the page after the call.');

/** Options that every tool that acts on a page lists after its own options. */
export const actionInput = { snapshot: snapshotInput, ...dialogInput, session: sessionInput, tab: tabInput };

const tabFields = { id: z.string(), url: z.string(), title: z.string() };

export const stateFields = {
  session: z.string(),
  tab: z.strictObject(tabFields).register(shortenedSchemas, { description: 'One of tabs.' }).optional(),
  /** The session's tabs; absent if `tab` is the only one. */
  tabs: z.array(z.strictObject(tabFields)).optional(),
  restored: z.boolean(),
  notes: z.array(z.string()),
  events: z.array(z.string()),
  next_steps: z.array(z.string()),
};

export const snapshotFields = {
  snapshot: z.string().optional(),
  snapshot_next: z.string().optional(),
};

export const actionFields = {
  ...stateFields,
  ...snapshotFields,
  navigated: z.boolean(),
  changes: z.array(z.string()).optional(),
};

export function toStateOutput(state: SessionState, next: readonly string[], notes: readonly string[] = []) {
  const isAlone = state.tabs.length === 1 && state.tabs[0]?.id === state.tab?.id;
  return {
    session: state.session,
    ...(state.tab === null ? {} : { tab: tabValue(state.tab) }),
    ...(isAlone ? {} : { tabs: state.tabs.map(tabValue) }),
    restored: state.restored !== null,
    notes: [...describeStateChanges(state), ...state.opened.map(({ id }) => `A new tab opened: ${id}`), ...notes],
    events: describeEvents(state.events),
    next_steps: [...next],
  };
}

function tabValue({ id, url, title }: TabState) {
  return { id, url: shortenLongUrl(url), title };
}

/** A snapshot inside another result; `null` if none was requested. `sameFor`: calls for which it has been unchanged. */
type ReadText = Pick<View, 'text' | 'next' | 'sameFor'> | null;

/** Notes that a requested snapshot is omitted because it has not changed since an earlier answer. */
export function noteOmittedSnapshot(snapshot: ReadText): string[] {
  if (snapshot?.sameFor === undefined) return [];
  const { sameFor } = snapshot;
  const since =
    sameFor === 0 ? 'the failed wait' : sameFor === 1 ? 'the previous answer' : `the answer ${sameFor} calls ago`;
  return [`The snapshot is unchanged since ${since}, so it is not repeated. Call browser_snapshot to get it again.`];
}

export function toSnapshotOutput(snapshot: ReadText) {
  if (snapshot === null || snapshot.sameFor !== undefined) return {};
  return { snapshot: snapshot.text, ...(snapshot.next === null ? {} : { snapshot_next: snapshot.next }) };
}

/** Next steps to see more of the page: the next part of the snapshot, or a snapshot if the result has none. */
export function suggestSnapshotSteps(snapshot: ReadText, state: SessionState): string[] {
  if (snapshot === null) return [writeNextCall('browser_snapshot', {}, state)];
  return snapshot.next === null ? [] : [writeNextCall('browser_snapshot', { after: snapshot.next }, state)];
}

export function writeNextCall(
  tool: string,
  args: Record<string, unknown>,
  { session: name, tab: current }: Pick<SessionState, 'session' | 'tab'>,
): string {
  const where = {
    ...(name === 'default' ? {} : { session: name }),
    ...(current === null || current.id === 't1' || 'tab' in args ? {} : { tab: current.id }),
  };
  return `${tool} ${JSON.stringify({ ...args, ...where })}`;
}

const NO_SESSION = { session: 'default', tab: null };
const FILES_SUGGESTED_MAX = 3;

export function suggestNextSteps(state: SessionState): string[] {
  const [opened] = state.opened;
  const files = new Set(
    state.events.flatMap((event) => (event.kind === 'file' && hasText(event.file) ? [event.file.id] : [])),
  );
  const chooser = state.events.some(({ kind }) => kind === 'chooser');
  const dismissed = state.events.some((event) => event.kind === 'dialog' && event.answer === 'dismissed');
  return [
    ...(opened === undefined ? [] : [writeNextCall('browser_snapshot', { tab: opened.id }, state)]),
    ...[...files]
      .slice(0, FILES_SUGGESTED_MAX)
      .map((id) => writeNextCall('open_url', { url: fileAddress(id) }, NO_SESSION)),
    ...(chooser ? [writeNextCall('browser_files', { action: 'put', file: 'f_…' }, state)] : []),
    ...suggestSignInSteps(state),
    ...(dismissed ? ['to accept the dialog, repeat the call that opened it with dialog "accept"'] : []),
  ];
}

/** True for a file that `open_url` can read as text, such as a PDF; false for pictures and recordings. */
function hasText({ mediaType }: FileFacts): boolean {
  return !/^(?:image|audio|video|font)\//u.test(mediaType) || mediaType.startsWith('image/svg');
}

/** Next steps on a sign-in page or CAPTCHA: use a stored secret, or ask the user to take over. */
export function suggestSignInSteps(state: SessionState): string[] {
  const reason = REASONS[state.wall];
  const secrets = state.secrets.slice(0, SECRETS_SUGGESTED_MAX);
  return [
    ...secrets.map((secret) => writeNextCall('browser_fill', { selectors: ['…'], values: [secret] }, state)),
    ...(reason === null ? [] : [writeNextCall('browser_handoff', { reason }, state)]),
  ];
}

const SECRETS_SUGGESTED_MAX = 3;

const REASONS = {
  '': null,
  password: 'Please sign in.',
  code: 'Please enter the code.',
  captcha: 'Please show that you are a person.',
} as const;

export function toCallOptions(input: {
  tab?: string | undefined;
  dialog?: 'accept' | 'dismiss';
  dialog_text?: string | undefined;
}) {
  return {
    tab: input.tab,
    ...(input.dialog === undefined ? {} : { dialog: { accept: input.dialog === 'accept', text: input.dialog_text } }),
  };
}

/**
 * The answer of a tool that acts on a page: the action, the new URL, the changes, and the page itself if requested.
 * @param pageText text of the page that the answer shows besides a snapshot
 * @param ownNext suggested calls, listed before the call for a snapshot
 */
export async function createActionAnswer(
  state: SessionState,
  {
    hasMoved,
    isNewDocument,
    stillLoading,
    isQuiet,
    changes,
    changesInView = 0,
    marks,
    snapshot,
    unknown,
    isEmptied,
  }: ActionResult<object>,
  head: string,
  ownNotes: readonly string[] = [],
  pageText?: string,
  ownNext: readonly string[] = [],
) {
  const seen = suggestViewSteps({ hasMoved, changes, snapshot, unknown, isEmptied }, state);
  const next = [...ownNext, ...seen, ...suggestNextSteps(state)];
  const { enteredIn = [] } = state;
  const notes = [
    ...(enteredIn.length === 0 ? [] : [`Entered in a frame of ${enteredIn.map(shortenLongUrl).join(' and of ')}.`]),
    ...ownNotes,
    ...(state.tab === null && !state.events.some(({ kind }) => kind === 'crash')
      ? ['The tab is closed: the page closed it.']
      : []),
    ...(isNewDocument && state.errorPage === null ? ['A different page is open now.'] : []),
    ...(hasMoved && !isNewDocument ? ['The address changed within the page.'] : []),
    ...(isEmptied === true ? [NOTHING_SHOWN] : []),
    ...noteOmittedSnapshot(snapshot),
    ...(marks === undefined ? [] : [MARKED]),
    ...(unknown === undefined ? [] : [UNKNOWN[unknown]]),
    ...(stillLoading ? ['The page was still loading when this was written.'] : []),
    ...(isQuiet === false && !stillLoading ? ['The page was still changing when this was written.'] : []),
  ];
  const changed = [...(changes?.lines ?? []), ...markLines(marks)];
  const more = countedChanges(changes, changesInView);
  return {
    text: await writeResultText(state, {
      head,
      isPlaceKnown: !hasMoved && state.restored === null,
      body: [pageText, ...changed, ...more, ...(snapshot === null ? [] : [snapshot.text])].filter(Boolean).join('\n'),
      notes,
      next,
    }),
    structured: {
      ...toStateOutput(state, next, notes),
      navigated: hasMoved,
      ...(changes === null || changes === undefined ? {} : { changes: [...changed, ...more] }),
      ...toSnapshotOutput(snapshot),
    },
    url: state.tab?.url,
  };
}

/** Next steps to see the page, unless the answer lists all changes. */
function suggestViewSteps(
  { hasMoved, changes, snapshot, unknown, isEmptied }: SeenAfter,
  state: SessionState,
): string[] {
  if (isEmptied === true) return [writeNextCall('browser_screenshot', {}, state)];
  const { left = 0, lines = [] } = changes ?? {};
  const showsChanges = changes !== null && changes !== undefined && left === 0 && !lines.some(isCount);
  const looks = snapshot !== null || (hasMoved && !showsChanges) || left > 0 || unknown !== undefined;
  return looks ? suggestSnapshotSteps(snapshot, state) : [];
}

type SeenAfter = {
  [Name in 'hasMoved' | 'changes' | 'snapshot' | 'unknown' | 'isEmptied']: ActionResult<object>[Name];
};

function countedChanges(changes: ActionResult<object>['changes'], changesInView: number): string[] {
  const { left = 0, moved = 0 } = changes ?? {};
  const isOrAre = changesInView === 1 ? 'is' : 'are';
  return [
    ...(changesInView > 0 ? [`(${countWithUnit(changesInView, 'line')} of the view ${isOrAre} new or changed)`] : []),
    ...(left > 0 ? [`(${countWithUnit(left, 'more changed line')} left out)`] : []),
    ...(moved > 0 ? [`(${countWithUnit(moved, 'line')} reordered)`] : []),
    ...rebuiltLines(changes),
  ];
}

/** True for the line that counts disappeared lines: what is left of the page is then not known. */
function isCount(line: string): boolean {
  return /^- \(\d+ more lines\)$/u.test(line);
}

export const ONLY_TEXT_TYPED_NOTE =
  'Only text was typed, and no option of the field’s list was chosen. The choose step of browser_do types the text and chooses the option.';

/** Suggests `choose` steps for fields into which text was typed although they offer a list of options. */
export function suggestChooseSteps(
  fields: readonly { target: string | undefined; value: string | undefined }[],
  state: SessionState,
): string[] {
  const steps = fields.flatMap(({ target = '', value = '' }) =>
    target === '' || value.length > CHOSEN_CHARS_MAX || /\n/u.test(value)
      ? []
      : [`choose ${isPlainTextTarget(target) ? `"${target}"` : target} = ${value}`],
  );
  return steps.length === 0 ? [] : [writeNextCall('browser_do', { steps }, state)];
}

const CHOSEN_CHARS_MAX = 80;

const UNKNOWN = {
  before: `It is not known what changed: the page took more than ${VIEW_BEFORE_ACTION_MS_MAX / SECOND_MS} s to be read before the action.`,
  after: 'It is not known what changed: the page could not be read after the action.',
} as const;

const MARKED =
  'Only the styling of the element or its surroundings changed; the page text is the same. browser_screenshot shows how it looks now.';

function markLines(marks: ActionResult<object>['marks']): string[] {
  const { came = [], went = [] } = marks ?? {};
  return [
    ...came.map((mark) => `+ mark ${quotePageText(mark, MARK_CHARS_MAX)}`),
    ...went.map((mark) => `- mark ${quotePageText(mark, MARK_CHARS_MAX)}`),
  ];
}

const MARK_CHARS_MAX = 80;

export const NOTHING_SHOWN = 'The page shows nothing now: no text and no elements.';

/** Reports rebuilt lines, and which of their old refs lead to the new elements: a few by their new refs. */
function rebuiltLines(changes: ActionResult<object>['changes']): string[] {
  const { recreated = 0, renamed = [], voided = [], replaced = [] } = changes ?? {};
  const runs = runsOfRefs(renamed);
  const named =
    runs.length > RUNS_SHOWN_MAX || voided.length > 0
      ? ''
      : runs.map(({ ref, now, length }) => writeRun(ref, now, length)).join(', ');
  if (recreated === 0) return named === '' ? [] : [`(${named})`];
  const lines = `${countWithUnit(recreated, 'line')} rebuilt`;
  if (named !== '') return [`(${lines}: ${named})`];
  const their = recreated === 1 ? 'its' : 'their';
  const old = renamed.length === 0 ? `${their} old refs are void` : voidRefs(renamed, voided, their);
  if (replaced.length === 0) return [`(${lines}; ${old})`];
  return [`(${lines}; ${old}; the new ones:)`, ...replaced.map((line) => `= ${line}`)];
}

function voidRefs(renamed: readonly { ref: string; now: string }[], voided: readonly string[], their: string): string {
  if (voided.length === 0) return `${their} old refs work`;
  const voids = runsOfRefs(voided.map((ref) => ({ ref, now: ref })));
  if (voids.length <= VOID_RUNS_SHOWN_MAX) {
    const refs = voids.map(({ ref, length }) => (length === 1 ? ref : `${ref}–${refAfter(ref, length - 1)}`));
    return `${their} old refs work, except ${refs.join(', ')}`;
  }
  return `${renamed.length} of ${renamed.length + voided.length} old refs work`;
}

/** Maximum ranges of void refs that are listed. */
const VOID_RUNS_SHOWN_MAX = 5;

/** Maximum ranges of new refs that are listed. Old refs work as well, so a longer list would be of no use. */
const RUNS_SHOWN_MAX = 2;

function writeRun(ref: string, now: string, length: number): string {
  if (length === 1) return `${ref} is now ${now}`;
  return `${ref}–${refAfter(ref, length - 1)} are now ${now}–${refAfter(now, length - 1)}`;
}

/** Merges pairs of refs in which both numbers go up by one. */
function runsOfRefs(pairs: readonly { ref: string; now: string }[]): { ref: string; now: string; length: number }[] {
  const runs: { ref: string; now: string; length: number }[] = [];
  for (const { ref, now } of pairs.toSorted((one, other) => refNumber(one.ref) - refNumber(other.ref))) {
    const last = runs.at(-1);
    if (last !== undefined && refAfter(last.ref, last.length) === ref && refAfter(last.now, last.length) === now)
      last.length += 1;
    else runs.push({ ref, now, length: 1 });
  }
  return runs;
}

function refAfter(ref: string, steps: number): string {
  return `@e${refNumber(ref) + steps}`;
}

function refNumber(ref: string): number {
  return Number(ref.slice('@e'.length));
}

/**
 * Returns the first sentence of the answer. It states if nothing on the page changed, because a model would expect an
 * effect.
 * @param sent sentence for that case, which states only that the input was sent, not that the page accepted it
 */
export function writeActionHead(
  done: string,
  { events, opened }: SessionState,
  { changes, changesInView = 0, marks, hasMoved }: ActionResult<object>,
  sent = done,
): string {
  const hasNothing =
    changes?.lines.length === 0 &&
    changesInView === 0 &&
    marks === undefined &&
    !hasMoved &&
    events.length + opened.length === 0;
  return hasNothing ? `${sent} The snapshot of the page did not change.` : done;
}
