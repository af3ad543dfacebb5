import { LOOK_BEFORE_MS_MAX, SECOND_MS } from '#core/limits.ts';
import { within } from '#core/flow/abort.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { frameShownBy, wholeDocument } from '#browsing/act/inner-frame.ts';
import { Covered, quote } from '#browsing/act/reach.ts';
import type { InvalidField } from '#browsing/act/invalid-fields.ts';
import { guardCopies } from '#browsing/secrets/type-secret.ts';
import { settle } from '#browsing/settle/settle.ts';
import { isBlank } from '#browsing/tabs/tab.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn } from '#browsing/tabs/call-in-page.ts';
import type { Purpose } from '#browsing/locate/find-match.ts';
import { resolveTarget, viewForFailure } from '#browsing/locate/resolve.ts';
import type { TabsOfCall } from '#browsing/locate/resolve.ts';
import { differOnlyBy } from '#browsing/refs/written.ts';
import { compareLooks, lookAfter, writeChanges } from '#browsing/view/changes.ts';
import type { Changes } from '#browsing/view/changes.ts';
import { lookAt, viewWithLines } from '#browsing/view/view.ts';
import type { Look, View } from '#browsing/view/view.ts';
import { DOWNLOAD_REST_MS } from '#browsing/session/limits.ts';
import { requestTabFacts } from '#browsing/session/tab-facts.ts';
import { refuseStopped } from './perform.ts';
import { newText } from '#browsing/session/history/script.ts';
import type { Work } from './perform.ts';

/** How long an action waits for the downloads that it set off; later ones are told by the next call. */
const DOWNLOAD_WAIT_MS = 10 * SECOND_MS;
/** Characters of changes that a result shows: enough for a dialog or a menu. */
const ROOM = {
  maxChars: 700,
  // Shorter than the view that a model would ask for next.
  wholeCharsMax: 1_600,
  // The lines under a new heading are read like a page.
  viewCharsMax: 3_200,
};
/** With a view, a result shows only changes that are not in it. */
const ROOM_BESIDE_VIEW = { maxChars: 250, wholeCharsMax: 250, viewCharsMax: 250 };

/** The same between two calls, while the model reads the answer to the first. */
const LOOK_AHEAD_MS_MAX = 5 * SECOND_MS;

export type ActionResult<T> = T & {
  hasMoved: boolean;
  /** All earlier refs are stale then. */
  isNewDocument: boolean;
  stillLoading: boolean;
  isQuiet?: boolean;
  /** Nothing at all began or changed. */
  isIdle?: boolean;
  /** Why nobody knows what changed: the page could not be read before the action, or not after it. */
  unknown?: 'before' | 'after';
  /** Lines that are new in the view; `null` for another document or one that does not answer. */
  changes?: Changes | null;
  /** Lines that are new or changed and stand in the view beside them, so `changes` leaves them out. */
  changesInView?: number;
  /** The lines that changed differ in where the focus is only, or none changed. */
  isOnlyFocus?: boolean;
  /** How the page has marked the element otherwise, where no line of a view changed: a star that is filled, a row that is chosen. */
  marks?: { came: string[]; went: string[] };
  /** Named as tools call it: answers of objects keep their field names. */
  snapshot: View | null;
};

export function tabsOf(work: Work): TabsOfCall {
  const { tab, active } = work;
  const onDrawnAnew = (ref: string, now: string) => (work.drawnAnew ??= new Map()).set(ref, now);
  const { written = [] } = work;
  const isOwnChange = (before: string, now: string) => written.length > 0 && differOnlyBy(written, before, now);
  return { tab, byId: (id) => active.tabs.byId(id), onDrawnAnew, isOwnChange };
}

/** Validation messages are drawn by the browser and are in no view. */
export function logInvalidFields({ tab }: Work, fields: readonly InvalidField[] = []): void {
  for (const { name, problem } of fields) tab.log.add({ kind: 'invalid_field', name, problem });
}

/**
 * Acts, waits for the effects, and reports what is new on the page.
 * @param own elements whose own change the result reports elsewhere
 */
export async function act<T extends object>(
  work: Work,
  element: PageElement | null,
  withSnapshot: boolean,
  action: () => Promise<T>,
  own: (result: T) => readonly PageElement[] = () => [],
): Promise<ActionResult<T>> {
  const { tab, active } = work;
  refuseStopped(tab);
  const before = loadedDocument(work);
  const shownBefore = work.isListed === true ? null : await lookBefore(work);
  const watched = await insideFrame(element, work.signal);
  await guardCopies(tab, work.signal);
  // Only a click or key may open tabs; a page that is merely loading may not.
  active.isActing = true;
  const restBy = Date.now() + DOWNLOAD_WAIT_MS;
  const done = settle(tab, watched, action, work.signal);
  const { result, settled: rest } = await done
    .catch((error: unknown) => failNamingCover(error, work))
    .finally(() => (active.isActing = false));
  await active.downloads.whenIdle(Math.max(restBy - Date.now(), DOWNLOAD_REST_MS), work.signal);
  const seen = await viewAfter(work, { before, shownBefore, withSnapshot, element }, () => own(result));
  return { ...result, ...rest, ...seen };
}

/** Adds the ref of what covers an element, so that the next call can close it. */
async function failNamingCover(error: unknown, { tab, active, signal }: Work): Promise<never> {
  if (!(error instanceof PeriscopeError) || !(error.cause instanceof Covered)) throw error;
  const { by, words } = error.cause;
  const refOfCover = () =>
    by.flatMap((one) => active.refs.refOf(one) ?? []).find((ref) => active.refs.current(ref) !== null);
  if (refOfCover() === undefined) await viewForFailure(tab, active.refs, signal);
  const ref = refOfCover();
  if (ref === undefined || error.failure.code !== 'element_not_found') throw error;
  return fail({ ...error.failure, quoted: await quote(`${ref} ${words}`) }, { cause: error });
}

/** The document of a frame, where an action on the frame has its effects; any other element itself. */
export async function insideFrame(element: PageElement | null, signal: AbortSignal): Promise<PageElement | null> {
  if (element === null || !FRAME_ROLES.has(element.role)) return element;
  const frame = await frameShownBy(element, signal);
  return frame === null ? element : wholeDocument(element.tab, frame, false, signal);
}

const FRAME_ROLES: ReadonlySet<string> = new Set(['Iframe', 'IframePresentational']);

/** Adds what a click has changed that no line of a view tells. */
export async function withMarks<T>(
  { tab, signal }: Work,
  element: PageElement,
  acted: ActionResult<T>,
): Promise<ActionResult<T>> {
  const { changesInView = 0, isOnlyFocus = false, isNewDocument, hasMoved } = acted;
  if (!isOnlyFocus || changesInView > 0 || isNewDocument || hasMoved || !tab.isOpen) return acted;
  const marks = await callOn(element, pageScripts.marksSince, [], signal).catch(() => null);
  signal.throwIfAborted();
  return marks === null || marks.came.length + marks.went.length === 0 ? acted : { ...acted, marks };
}

/** What the page shows before something is done to it; `null` when it does not answer. */
export async function lookBefore(work: Work): Promise<Look | null> {
  return knownLook(work) ?? orNull(within(takeLook(work), LOOK_BEFORE_MS_MAX, work.signal));
}

/** What it showed when it was last looked at; `null` when that was another document. */
export function knownLook({ active, tab }: Pick<Work, 'active' | 'tab'>): Look | null {
  const known = active.lastLooks.get(tab);
  return known?.loaderId === tab.main().loaderId ? known : null;
}

type Before = {
  before: LoadedDocument;
  shownBefore: Look | null;
  withSnapshot: boolean;
  /** What was acted on; `null` for nothing in particular. */
  element: PageElement | null;
};

export async function viewAfter(
  work: Work,
  { before, shownBefore, withSnapshot, element }: Before,
  own: () => readonly PageElement[] = () => [],
): Promise<
  Pick<
    ActionResult<object>,
    'hasMoved' | 'isNewDocument' | 'changes' | 'changesInView' | 'isOnlyFocus' | 'snapshot' | 'unknown'
  >
> {
  const { tab, active } = work;
  const moved = movedSince(before, work);
  const isComparable = tab.isOpen && shownBefore !== null && !moved.isNewDocument;
  const part = moved.isNewDocument ? null : (active.lastLooks.get(tab)?.part?.from ?? null);
  const look = () => {
    work.tabFacts = requestTabFacts(active, tab);
    return takeLook(work, part);
  };
  const shown = withSnapshot && tab.isOpen ? await look() : isComparable ? await orNull(look()) : null;
  if (work.script !== undefined && work.isListed !== true)
    work.script.text = newText(shownBefore, isComparable ? shown : null);
  const compared = {
    own: new Set(own().flatMap((one) => active.refs.refOf(one) ?? [])),
    at: element === null ? null : active.refs.refOf(element),
  };
  const comparison = isComparable && shown !== null ? compareLooks(shownBefore, shown, compared) : null;
  const view = withSnapshot && shown !== null ? viewWithLines(shown, {}) : null;
  const snapshot = view?.view ?? null;
  if (comparison === null) {
    const isUnknown = tab.isOpen && !moved.isNewDocument;
    const unknown = shownBefore === null ? ('before' as const) : ('after' as const);
    return { ...moved, changes: null, snapshot, ...(isUnknown ? { unknown } : {}) };
  }
  const { isOnlyFocus } = comparison;
  const room = view === null ? ROOM : ROOM_BESIDE_VIEW;
  return { ...moved, ...writeChanges(comparison, room, new Set(view?.lines)), isOnlyFocus, snapshot };
}

/**
 * Looks at a page of which no call has seen anything, so that the next act can tell what it has changed. A page that does not
 * answer soon is left alone.
 */
export async function lookAhead(active: ActiveSession, tabId: string | undefined, signal: AbortSignal): Promise<void> {
  const tab = tabId === undefined ? null : active.tabs.byId(tabId);
  if (tab === null || !tab.isOpen || isBlank(tab.main().url) || knownLook({ active, tab }) !== null) return;
  await orNull(within(takeLook({ active, tab, signal }), LOOK_AHEAD_MS_MAX, signal));
}

type Looking = Pick<Work, 'tab' | 'active' | 'signal'>;

export async function takeLook({ tab, active, signal }: Looking, partFrom: number | null = null): Promise<Look> {
  const shown = lookAfter(
    active.lastLooks.get(tab) ?? null,
    await lookAt(tab, active.refs, null, {}, signal, partFrom),
  );
  active.lastLooks.set(tab, shown);
  return shown;
}

/** A page that does not answer must not fail the call. */
async function orNull(look: Promise<Look | null>): Promise<Look | null> {
  try {
    return await look;
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    return null;
  }
}

type LoadedDocument = { loaderId: string; url: string };

export function loadedDocument({ tab }: Work): LoadedDocument {
  const { loaderId, url } = tab.main();
  return { loaderId, url };
}

function movedSince(before: LoadedDocument, work: Work): { hasMoved: boolean; isNewDocument: boolean } {
  const now = loadedDocument(work);
  const isNewDocument = now.loaderId !== before.loaderId;
  return { hasMoved: isNewDocument || now.url !== before.url, isNewDocument };
}

/** A ref may belong to another tab than the one the call names; the call continues there. */
export async function findElement(work: Work, target: string, purpose?: Purpose): Promise<PageElement> {
  const element = await resolveTarget(target, tabsOf(work), work.active.refs, work.signal, purpose);
  if (work.isListed === true && element.tab.id !== work.tab.id) return refuseOtherTab();
  work.tab = work.active.tabs.byId(element.tab.id) ?? work.tab;
  return element;
}

function refuseOtherTab(): never {
  const hint = 'Pass the steps of each tab in a separate call.';
  return fail({ code: 'invalid_argument', field: 'selector', problem: 'is in another tab than the first step', hint });
}
