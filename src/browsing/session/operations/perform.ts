import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { PAGE_RESPONSE_MS_MAX, TAB_OPEN_MS_MAX, TITLE_CHARS_MAX } from '#core/limits.ts';
import { truncateUrl, oneLine } from '#core/text/text.ts';
import { abortable, withTimeout, resolveWithin } from '#core/flow/abort.ts';
import type { CallEffect } from '#browsing/rules/page-rules.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { describePageLoop } from '#browsing/tabs/page-record.ts';
import type { PageEvent, PageLoop } from '#browsing/tabs/page-record.ts';
import type { ScriptedCall } from '#core/script-steps.ts';
import type { TextOrigins } from '#core/text/page-texts.ts';
import { mapPageTexts } from '#core/text/page-texts.ts';
import { SESSION_STATE_TEXT_ORIGINS } from '#browsing/session/replies.ts';
import type { OperationResult, SessionState, TabState } from '#browsing/session/replies.ts';
import { DOWNLOAD_RESERVE_MS, LEAVE_MS_MAX } from '#browsing/session/limits.ts';
import { findTab } from '#browsing/session/active-session.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import type { ErrorPage } from '#core/failures/declare.ts';
import { ignoreTargetGone, CdpError } from '#browsing/cdp/connection.ts';
import { isBlankUrl } from '#browsing/tabs/tab.ts';
import type { Page } from '#browsing/view/page/page.ts';
import type { Failure } from '#core/failures/failure.ts';
import { detectHumanCheck } from '#browsing/session/handover.ts';

/**
 * Time for cleanup after a cancelled call: install the click guard in the page, release the mouse button, remove the
 * guard.
 */
const CLEAN_UP_MS = 3 * PAGE_RESPONSE_MS_MAX;

export type OperationWork = {
  active: ActiveSession;
  tab: OpenTab;
  signal: AbortSignal;
  /** Effect of the call on the page, which the site rules check. In `browser_do`, the effect of the current step. */
  effect: CallEffect;
  /** End of the call as Unix time in ms. */
  endsAt: number;
  tabFacts?: PendingTabFacts;
  /** True for a step of `browser_do`, which reports the changes of all steps together and stays in one tab. */
  isListed?: boolean;
  watchesEffect?: boolean;
  /** True once a press of the call's click may have reached the page, so that the click must not be repeated. */
  hasPressed?: boolean;
  /** Values entered by earlier steps of `browser_do`. Rows that differ only in these values count as the same row. */
  written?: readonly string[];
  drawnAnew?: Map<string, string>;
  /** Origins of the frames of other sites into which the call entered text. */
  enteredIn?: Set<string>;
  /** In `browser_do`, the page as it was read after the step before; `null` if it has changed since. */
  takePage?: () => Promise<Page | null>;
  script?: ScriptedCall;
};

type WorkToBegin = Omit<OperationWork, 'signal' | 'endsAt'>;

export type TabAndDialogOptions = {
  /** Id of the tab, such as `t2`; defaults to the session's first tab. */
  tab?: string | undefined;
  dialog?: { accept: boolean; text?: string | undefined } | undefined;
};

/**
 * Runs an operation in a tab.
 * @param isLook true for a read-only operation: titles and sign-in steps are then requested at the same time
 * @throws {PeriscopeError} errors of the operation; `timeout` after `callMs`; `cancelled`
 */
export async function runInTab<T>(
  session: string,
  active: ActiveSession,
  choice: TabAndDialogOptions,
  restored: SessionState['restored'],
  { effect, isLook, callMs, texts, script, cancelled }: Bounds<T>,
  operation: (work: OperationWork) => Promise<T>,
): Promise<OperationResult<T>> {
  const tab = await chooseTab(active, choice.tab);
  checkTab(active, tab, effect, choice);
  // Includes all tabs, because a ref may belong to another tab than the call names.
  const before = new Map(active.tabs.all().map((open) => [open, open.log.mark]));
  // The answer to dialogs stays valid until the next call, because a timer may open a dialog after the response.
  for (const open of before.keys()) open.dialogAnswer = choice.dialog ?? { accept: false };
  const scripted = script === undefined ? {} : { script };
  const enteredIn = new Set<string>();
  const work: WorkToBegin = {
    active,
    tab,
    effect,
    enteredIn,
    ...scripted,
    ...(isLook ? { tabFacts: requestTabFacts(active, tab) } : {}),
  };
  active.sent.beginCall();
  const result = await inTime(operation, work, callMs, cancelled).catch(async (error: unknown) => {
    const crash = work.tab.loops.stoppedFor === null ? await findCrashBehindError(error, work.tab) : null;
    // Errors cannot contain the page's events, so the next result reports them.
    for (const [open, mark] of before) {
      if (cancelled?.aborted === true) open.dialogAnswer = { accept: false };
      open.unreportedFrom ??= mark;
      if (!open.isOpen) active.tabs.addUnreported(unreported(open, mark));
    }
    throw crash === null ? await addErrorPage(error, session, work.tab) : new PeriscopeError(crash, { cause: error });
  });
  active.sent.endCall();
  // Checked again after the operation, because a rule may have been added, or going back may show a page that only a
  // person may open.
  if (effect !== 'none') active.rules.check(work.tab, null, 'look');
  await withTimeout(TAB_OPEN_MS_MAX, (late) => active.tabs.ready(late));
  await active.downloads.whenIdle(DOWNLOAD_RESERVE_MS);
  const events = [...active.tabs.takeUnreported(), ...unreported(work.tab, before.get(work.tab) ?? 0)];
  const { titles, wall: found } = await resolveTabFacts(active, work.tab, work.tabFacts);
  const wall = newWall(work.tab, found);
  const secrets = await active.secrets.fittingWall(wall, work.tab.main().url);
  const drawnAnew = [...(work.drawnAnew ?? [])].map(([ref, now]) => ({ ref, now }));
  const shown = stateOf(session, active, work.tab, restored, events, before, titles);
  const errorPage = await findErrorPage(session, work.tab);
  const state = {
    ...shown,
    errorPage,
    handedBack: null,
    wall,
    secrets,
    drawnAnew,
    enteredIn: [...enteredIn],
    held: [],
  };
  const { mask } = active.secrets;
  if (mask === null) return { state, result };
  return {
    state: mapPageTexts(state, SESSION_STATE_TEXT_ORIGINS, mask.from),
    result: mapPageTexts<T>(result, texts, mask.from),
  };
}

/** @throws {PeriscopeError} `blocked_by_rule` */
function checkTab({ rules }: ActiveSession, tab: OpenTab, effect: CallEffect, { dialog }: TabAndDialogOptions): void {
  tab.inputFrame = null;
  rules.check(tab, null, effect);
  if (dialog?.accept === true && effect !== 'none' && effect !== 'leave') rules.check(tab, null, 'act');
}

type Bounds<T> = {
  effect: CallEffect;
  isLook: boolean;
  callMs: number;
  texts: TextOrigins<T>;
  script?: ScriptedCall;
  cancelled?: AbortSignal;
};

/** The sign-in page or CAPTCHA in a tab; `''` for none, or if it was already reported for this document. */
function newWall(tab: OpenTab, wall: TabFacts['wall']): TabFacts['wall'] {
  if (!tab.isOpen) return '';
  const reported = `${tab.main().loaderId} ${wall}`;
  const isNew = tab.reportedWall !== reported;
  tab.reportedWall = reported;
  return isNew ? wall : '';
}

/** Events to report: those of this call, of failed calls before it, and important ones from between the calls. */
function unreported(tab: OpenTab, mark: number): PageEvent[] {
  const { log, reportedMark, unreportedFrom } = tab;
  const from = unreportedFrom ?? mark;
  const late = log.since(reportedMark, from).filter(mattersLate);
  tab.reportedMark = log.mark;
  tab.unreportedFrom = null;
  return [...late, ...log.since(from)];
}

/**
 * True for events that are reported even if they occurred between two calls, such as a refused document, which leaves
 * its tab empty.
 */
function mattersLate(event: PageEvent): boolean {
  return MATTERS_LATE.has(event.kind) || (event.kind === 'refused' && event.isDocument);
}

const MATTERS_LATE: ReadonlySet<PageEvent['kind']> = new Set(['chooser', 'dialog', 'download', 'file', 'popup']);

async function chooseTab(active: ActiveSession, id: string | undefined): Promise<OpenTab> {
  const tab = findTab(active, id);
  if (tab !== null) return tab;
  if (id === undefined) return active.tabs.open(active.contextId);
  const open = active.tabs.all().map((other) => other.id);
  return fail({
    code: 'invalid_argument',
    field: 'tab',
    problem: `is not an open tab; the open tabs are ${open.length === 0 ? 'none' : open.join(', ')}`,
    hint: 'Leave it out for the first tab, or pass one of these.',
  });
}

async function inTime<T>(
  operation: (work: OperationWork) => Promise<T>,
  at: WorkToBegin,
  callMs: number,
  cancelled: AbortSignal | undefined,
): Promise<T> {
  cancelled?.throwIfAborted();
  const endsAt = Date.now() + callMs;
  const ended = new AbortController();
  at.active.tabs.onLoopEnded = (tab, loop, how) => ended.abort(inLoop(tab, loop, how));
  at.active.onHeld = (failure) => ended.abort(new PeriscopeError(failure));
  return withTimeout(callMs, async (late) => {
    const signal = AbortSignal.any([late, ended.signal, ...(cancelled === undefined ? [] : [cancelled])]);
    const work = operation(Object.assign(at, { signal, endsAt }));
    try {
      return await abortable(work, signal);
    } catch (error) {
      if (cancelled?.aborted === true) await resolveWithin(Promise.allSettled([work]), CLEAN_UP_MS);
      if (ended.signal.aborted) throw ended.signal.reason;
      if (!late.aborted || error !== late.reason) throw error;
      return fail({ code: 'timeout', what: 'The page', afterMs: callMs });
    } finally {
      at.active.tabs.onLoopEnded = null;
      at.active.onHeld = null;
    }
  });
}

function inLoop({ id }: OpenTab, loop: PageLoop, page: 'stopped' | 'closed'): PeriscopeError {
  const looped = `page of tab ${id} ${describePageLoop(loop)}`;
  const reason =
    page === 'closed'
      ? `${looped} and could not be stopped, so the tab was closed`
      : `${looped}, so its scripts were stopped`;
  return new PeriscopeError({ code: 'render_failed', page, reason });
}

/** @throws {PeriscopeError} `render_failed` if the tab's scripts were stopped, so that actions would have no effect */
export function failIfScriptsStopped({ id, loops: { stoppedFor } }: OpenTab): void {
  if (stoppedFor === null) return;
  const reason = `page of tab ${id} ${describePageLoop(stoppedFor)}, so its scripts are stopped. Nothing was done`;
  fail({ code: 'render_failed', page: 'stopped', reason });
}

function stateOf(
  session: string,
  active: ActiveSession,
  tab: OpenTab,
  restored: SessionState['restored'],
  events: SessionState['events'],
  before: ReadonlyMap<OpenTab, number>,
  titles: ReadonlyMap<string, string>,
): Omit<SessionState, 'errorPage' | 'handedBack' | 'wall' | 'secrets' | 'drawnAnew' | 'held'> {
  const titleOf = (of: OpenTab) =>
    active.rules.isBlocked(of) ? '' : oneLine(of.session.masked(titles.get(of.targetId) ?? ''), TITLE_CHARS_MAX);
  const state = (of: OpenTab): TabState => ({
    id: of.id,
    url: active.rules.isBlocked(of) ? originOf(of.main().url) : truncateUrl(of.session.masked(of.main().url)),
    title: titleOf(of),
  });
  const all = active.tabs.all();
  const title = titleOf(tab);
  const isTitleNew = title !== tab.reportedTitle;
  tab.reportedTitle = title;
  return {
    session,
    tab: tab.isOpen ? state(tab) : null,
    isTitleNew,
    tabs: all.map(state),
    restored,
    stopped: tab.isOpen ? tab.loops.stoppedFor : null,
    events,
    opened: all.filter((other) => !before.has(other) && other !== tab).map(state),
  };
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? '';
}

/** The browser's error page in a tab; `null` if the tab shows another page or is closed. */
async function findErrorPage(session: string, tab: OpenTab): Promise<ErrorPage | null> {
  if (!tab.isOpen || tab.main().isError !== true) return null;
  const history = await resolveWithin(
    tab.session.send('Page.getNavigationHistory').catch(ignoreTargetGone),
    LEAVE_MS_MAX,
  );
  const before = history?.entries[history.currentIndex - 1]?.url ?? '';
  return { session, tab: tab.id, canGoBack: !isBlankUrl(before) };
}

/**
 * Adds the error page of the tab to a failure, because a failure has no session state in which it could be reported.
 */
async function addErrorPage(error: unknown, session: string, tab: OpenTab): Promise<unknown> {
  if (!(error instanceof PeriscopeError)) return error;
  const errorPage = await findErrorPage(session, tab);
  return errorPage === null ? error : new PeriscopeError({ ...error.failure, errorPage }, { cause: error });
}

/**
 * True if the tab has crashed. Sends a command first and waits for the answer, because Chromium may report errors that a
 * crash causes before it reports the crash.
 */
async function hasCrashed(tab: OpenTab): Promise<boolean> {
  if (!tab.isOpen) return tab.hasCrashed;
  await resolveWithin(
    tab.session.send('Runtime.evaluate', { expression: '0' }).catch(ignoreTargetGone),
    PAGE_RESPONSE_MS_MAX,
  );
  return tab.hasCrashed;
}

export function crashFailure({ id }: OpenTab): Failure {
  return { code: 'render_failed', page: 'crashed', reason: `page of tab ${id} crashed, and the tab is closed` };
}

/**
 * The crash behind an error; `null` if the tab has not crashed. A crash may surface as a failed command, a failed load
 * or a vanished element.
 */
export async function findCrashBehindError(error: unknown, tab: OpenTab): Promise<Failure | null> {
  const failure = error instanceof PeriscopeError ? error.failure : null;
  const mayBe =
    (error instanceof CdpError && error.isGone) ||
    (failure?.code === 'render_failed' && failure.page === undefined) ||
    (failure?.code === 'element_not_found' && failure.reason === 'replaced');
  return mayBe && (await hasCrashed(tab)) ? crashFailure(tab) : null;
}

type TabFacts = { titles: ReadonlyMap<string, string>; wall: Awaited<ReturnType<typeof detectHumanCheck>> };

type PendingTabFacts = { tab: OpenTab; places: string; answer: Promise<TabFacts> };

export function requestTabFacts(active: ActiveSession, tab: OpenTab): PendingTabFacts {
  const wall = tab.isOpen ? detectHumanCheck(tab) : Promise.resolve('' as const);
  const answer = Promise.all([titlesOf(active), wall]).then(([titles, found]) => ({ titles, wall: found }));
  answer.catch(() => undefined);
  return { tab, places: loadedDocuments(active), answer };
}

/** Uses facts that were requested early, unless they belong to another tab or a tab has navigated since. */
function resolveTabFacts(active: ActiveSession, tab: OpenTab, early: PendingTabFacts | undefined): Promise<TabFacts> {
  const isFresh = early?.tab === tab && early.places === loadedDocuments(active);
  return isFresh ? early.answer : requestTabFacts(active, tab).answer;
}

function loadedDocuments({ tabs }: ActiveSession): string {
  return tabs
    .all()
    .map((tab) => `${tab.targetId} ${tab.main().loaderId} ${tab.main().url}`)
    .join('\n');
}

/** Reads titles from the browser process, which answers even if a page is busy. */
async function titlesOf(active: ActiveSession): Promise<Map<string, string>> {
  const { targetInfos } = await active.browser.connection.browser.send('Target.getTargets');
  return new Map(targetInfos.map(({ targetId, title }) => [targetId, title]));
}
