import { SECOND_MS } from '#core/limits.ts';
import { within } from '#core/flow/abort.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { frameShownBy, wholeDocument } from '#browsing/act/inner-frame.ts';
import type { InvalidField } from '#browsing/act/invalid-fields.ts';
import { guardCopies } from '#browsing/secrets/type-secret.ts';
import { settle } from '#browsing/settle/settle.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn } from '#browsing/tabs/call-in-page.ts';
import type { Purpose } from '#browsing/locate/find-match.ts';
import { resolveTarget } from '#browsing/locate/resolve.ts';
import type { TabsOfCall } from '#browsing/locate/resolve.ts';
import { changesBetween, lookAfter } from '#browsing/view/changes.ts';
import type { Changes } from '#browsing/view/changes.ts';
import { writeWords } from '#browsing/view/view-line.ts';
import { lookAt, viewOf } from '#browsing/view/view.ts';
import type { Look, View } from '#browsing/view/view.ts';
import { DOWNLOAD_REST_MS } from '#browsing/session/limits.ts';
import { requestTabFacts } from '#browsing/session/tab-facts.ts';
import { refuseStopped } from './perform.ts';
import { newText } from './script.ts';
import type { Work } from './perform.ts';

/** How long an action waits for the downloads that it set off; later ones are told by the next call. */
const DOWNLOAD_WAIT_MS = 10 * SECOND_MS;
/** What an action tells of its changes: enough for a dialog or a menu. Beside a view, only what is not in it. */
const CHANGES_CHARS_MAX = 700;
const CHANGES_BESIDE_VIEW_CHARS_MAX = 250;
/** Changes that take no more are told whole: the view that a model would ask for next is longer. */
const CHANGES_WHOLE_CHARS_MAX = 1_600;
/** What comes under a new heading is read as a page is, line by line. */
const CHANGES_OF_VIEW_CHARS_MAX = 3_200;
/** How long a page is looked at before something is done to it: a page that hangs is acted on all the same. */
const LOOK_BEFORE_MS_MAX = 2 * SECOND_MS;

export type ActionResult<T> = T & {
  hasMoved: boolean;
  /** All earlier refs are stale then. */
  isNewDocument: boolean;
  stillLoading: boolean;
  isQuiet?: boolean;
  /** Lines that are new in the view; `null` for another document or one that does not answer. */
  changes?: Changes | null;
  /** Lines that are new or changed and stand in the view beside them, so `changes` leaves them out. */
  changesInView?: number;
  /** How the page has marked the element otherwise, where no line of a view changed: a star that is filled, a row that is chosen. */
  marks?: { came: string[]; went: string[] };
  /** Named as tools call it: answers of objects keep their field names. */
  snapshot: View | null;
};

export function tabsOf(work: Work): TabsOfCall {
  const { tab, active } = work;
  const onDrawnAnew = (ref: string, now: string) => (work.drawnAnew ??= new Map()).set(ref, now);
  return { tab, byId: (id) => active.tabs.byId(id), onDrawnAnew };
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
  const { result, settled: rest } = await done.finally(() => (active.isActing = false));
  await active.downloads.whenIdle(Math.max(restBy - Date.now(), DOWNLOAD_REST_MS), work.signal);
  const seen = await viewAfter(work, { before, shownBefore, withSnapshot, element }, () => own(result));
  return { ...result, ...rest, ...seen };
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
  before: Look | null,
): Promise<ActionResult<T>> {
  const { changes = null, changesInView = 0, isNewDocument, hasMoved } = acted;
  const known = new Set((before?.lines ?? []).map((line) => withoutFocus(writeWords(line))));
  const isOfFocus = (line: string) => line.startsWith('~ ') && known.has(withoutFocus(line.slice(2)));
  const isSilent = changes !== null && changesInView === 0 && changes.left === 0 && changes.lines.every(isOfFocus);
  if (!isSilent || isNewDocument || hasMoved || !tab.isOpen) return acted;
  const marks = await callOn(element, pageScripts.marksSince, [], signal).catch(() => null);
  signal.throwIfAborted();
  return marks === null || marks.came.length + marks.went.length === 0 ? acted : { ...acted, marks };
}

function withoutFocus(words: string): string {
  return words.replace(/ focused(?= |$)/u, '');
}

/** What the page shows before something is done to it; `null` when it does not answer. */
export async function lookBefore(work: Work): Promise<Look | null> {
  return knownLook(work) ?? orNull(within(takeLook(work), LOOK_BEFORE_MS_MAX, work.signal));
}

/** What it showed when it was last looked at; `null` when that was another document. */
export function knownLook({ active, tab }: Work): Look | null {
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
): Promise<Pick<ActionResult<object>, 'hasMoved' | 'isNewDocument' | 'changes' | 'changesInView' | 'snapshot'>> {
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
  const told = {
    own: new Set(own().flatMap((one) => active.refs.refOf(one) ?? [])),
    at: element === null ? null : active.refs.refOf(element),
    wholeCharsMax: withSnapshot ? Infinity : CHANGES_WHOLE_CHARS_MAX,
    viewCharsMax: withSnapshot ? Infinity : CHANGES_OF_VIEW_CHARS_MAX,
    maxChars: withSnapshot ? Infinity : CHANGES_CHARS_MAX,
  };
  const changes = isComparable && shown !== null ? changesBetween(shownBefore, shown, told) : null;
  if (!withSnapshot || shown === null) return { ...moved, changes, snapshot: null };
  const snapshot = viewOf(shown, {});
  return { ...moved, ...(changes === null ? { changes } : besideView(changes, snapshot)), snapshot };
}

/** What of the changes the view does not show: lines that went, and those of parts that are not in it. */
function besideView(changes: Changes, { text }: View): { changes: Changes; changesInView: number } {
  const shown = text.split('\n').map((line) => line.trim());
  const whole = new Set(shown);
  const isShown = (line: string) => {
    const words = line.slice(2).trim();
    if (line.startsWith('- ')) return false;
    return whole.has(words) || (words.endsWith('…') && shown.some((one) => one.startsWith(words.slice(0, -1))));
  };
  const rest = changes.lines.filter((line) => !isShown(line));
  let chars = 0;
  const lines = rest.filter((line, at) => (chars += line.length + 1) <= CHANGES_BESIDE_VIEW_CHARS_MAX || at === 0);
  const left = changes.left + rest.length - lines.length;
  return { changes: { ...changes, lines, left }, changesInView: changes.lines.length - rest.length };
}

export async function takeLook({ tab, active, signal }: Work, partFrom: number | null = null): Promise<Look> {
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
export async function findElement(work: Work, selector: string, purpose?: Purpose): Promise<PageElement> {
  const element = await resolveTarget(selector, tabsOf(work), work.active.refs, work.signal, purpose);
  if (work.isListed === true && element.tab.id !== work.tab.id) return refuseOtherTab();
  work.tab = work.active.tabs.byId(element.tab.id) ?? work.tab;
  return element;
}

function refuseOtherTab(): never {
  const hint = 'Take the steps of each tab in a call of its own.';
  return fail({ code: 'invalid_argument', field: 'selector', problem: 'is in another tab than the first step', hint });
}
