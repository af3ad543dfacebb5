import { VIEW_BEFORE_ACTION_MS_MAX, SECOND_MS } from '#core/limits.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import { registrableDomain } from '#net/site.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { findFrameOfElement, findFrameRoot } from '#browsing/act/inner-frame.ts';
import { CoveredError, fenceQuote } from '#browsing/act/reach.ts';
import type { InvalidField } from '#browsing/act/fields/invalid-fields.ts';
import { guardSecretCopies } from '#browsing/secrets/type-secret.ts';
import { actAndSettle } from '#browsing/settle/settle.ts';
import { isBlankUrl } from '#browsing/tabs/tab.ts';
import type { Frame, PageElement } from '#browsing/tabs/tab.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import type { TargetPurpose } from '#browsing/locate/find-target.ts';
import { resolveTarget, takeViewForError } from '#browsing/locate/resolve.ts';
import type { ResolveContext } from '#browsing/locate/resolve.ts';
import { differOnlyByTypedValues } from '#browsing/refs/written.ts';
import { findRenamedRefs, findRefsStillInDocument } from '#browsing/locate/still-there.ts';
import { comparePageScans, addLinesBehindDialog } from '#browsing/view/changes/compare-looks.ts';
import type { ScanComparison } from '#browsing/view/changes/compare-looks.ts';
import { writeReplacedLines, writeViewChanges } from '#browsing/view/changes/write-changes.ts';
import type { WrittenChanges } from '#browsing/view/changes/write-changes.ts';
import { scanPage, paginateView, paginateScanWithLines } from '#browsing/view/view.ts';
import type { PageScan, View } from '#browsing/view/view.ts';
import { foldKnownLines } from '#browsing/view/changes/folded.ts';
import { DOWNLOAD_RESERVE_MS } from '#browsing/session/limits.ts';
import { failIfScriptsStopped, requestTabFacts } from './perform.ts';
import type { OperationWork } from './perform.ts';

/** Maximum characters of a text that serves as proof of a step's success. Longer texts often contain variable parts. */
const OUTCOME_CHARS_MAX = 80;

/** Maximum time an action waits for the downloads that it started. Later downloads appear in the next result. */
const DOWNLOAD_WAIT_MS = 10 * SECOND_MS;
/** Character limits for the changes listed in a result. `maxChars` is enough for a dialog or menu. */
const ROOM = {
  maxChars: 700,
  // Up to this size, all changes are listed, because a model would otherwise request a snapshot, which is longer.
  wholeCharsMax: 1_600,
  // Applies when a new heading shows that the page switched to another view, whose lines a model reads like a page.
  viewCharsMax: 3_200,
};
/** Limits for a result that also contains a view, which already shows the changes inside it. */
const ROOM_BESIDE_VIEW = { maxChars: 250, wholeCharsMax: 250, viewCharsMax: 250 };

/** Time limit for reading a new page ahead. This runs after a response, while the model reads it. */
const LOOK_AHEAD_MS_MAX = 5 * SECOND_MS;

export type ActionResult<T> = T & {
  hasMoved: boolean;
  isNewDocument: boolean;
  stillLoading: boolean;
  isQuiet?: boolean;
  isIdle?: boolean;
  /** Set if changes are unknown because the page could not be read `before` or `after` the action. */
  unknown?: 'before' | 'after';
  /** Changed lines; `null` if the document was replaced, the tab closed, or a view before or after it is missing. */
  changes?: WrittenChanges | null;
  /** Number of changed lines inside the returned view, which `changes` omits. */
  changesInView?: number;
  /** True if nothing changed except the keyboard focus. */
  isOnlyFocus?: boolean;
  /** Set if the page showed something before the action, and shows nothing now. */
  isEmptied?: true;
  /** Changed styling of the element if no text changed, such as the CSS class of a filled star or a selected row. */
  marks?: { came: string[]; went: string[] };
  /** The returned view. Named like the tool's result field, because field names pass through unchanged. */
  snapshot: View | null;
};

export function createResolveContext(work: OperationWork): ResolveContext {
  const { tab, active } = work;
  const onDrawnAnew = (ref: string, now: string) => (work.drawnAnew ??= new Map()).set(ref, now);
  const { written = [] } = work;
  const isOwnChange = (before: string, now: string) =>
    written.length > 0 && differOnlyByTypedValues(written, before, now);
  const isNewInError = (view: string) => active.sent.isNewInError(tab, view);
  const takePage = async () => (await work.takePage?.()) ?? null;
  return { tab, byId: (id) => active.tabs.byId(id), onDrawnAnew, isOwnChange, isNewInError, takePage };
}

/** Notes the origin of a frame that receives text, unless the frame has the page's site. */
export function noteEnteredFrame({ tab, enteredIn }: OperationWork, frame: Frame): void {
  const originOf = (one: Frame) => {
    const { origin } = tab.pageContext(one) ?? { origin: '' };
    return registrableDomain(origin) === null ? (URL.parse(one.url)?.origin ?? '') : origin;
  };
  const origin = originOf(frame);
  const site = registrableDomain(origin);
  if (site !== null && site !== registrableDomain(originOf(tab.main()))) enteredIn?.add(origin);
}

/** Logs validation messages of fields, because the browser draws them outside the page, so no view contains them. */
export function logInvalidFields({ tab }: OperationWork, fields: readonly InvalidField[] = []): void {
  for (const { name, problem } of fields) tab.log.add({ kind: 'invalid_field', name, problem });
}

/**
 * Acts, waits for the effects, and reports what changed on the page.
 * @param own elements whose own change is reported in another part of the result
 */
export async function actAndReport<T extends object>(
  work: OperationWork,
  element: PageElement | null,
  withSnapshot: boolean,
  action: () => Promise<T>,
  own: (result: T) => readonly PageElement[] = () => [],
): Promise<ActionResult<T>> {
  const { tab, active } = work;
  failIfScriptsStopped(tab);
  checkRulesForElement(work, element);
  active.rules.noteAct(tab);
  active.tabs.driver.onAct(tab);
  const before = loadedDocument(work);
  const shownBefore = work.isListed === true ? null : await scanBeforeAction(work);
  const watched = await documentInsideFrame(element, work.signal);
  await guardSecretCopies(tab, work.signal);
  // Only an action may open tabs, not a page that is loading. Moving the pointer counts if the rules allow acting.
  active.isActing = work.effect !== 'pointer' || active.rules.allows(tab, 'act');
  const restBy = Date.now() + DOWNLOAD_WAIT_MS;
  const done = actAndSettle(tab, watched, action, work.signal);
  const { result, settled: rest } = await done
    .catch((error: unknown) => failNamingCover(error, work))
    .finally(() => (active.isActing = false));
  await active.downloads.whenIdle(Math.max(restBy - Date.now(), DOWNLOAD_RESERVE_MS), work.signal);
  const seen = await readChangesAfterAct(work, { before, shownBefore, withSnapshot, element }, () => own(result));
  return { ...result, ...rest, ...seen };
}

/** Adds the ref of the covering element to the error, so that the next call can close the cover. */
async function failNamingCover(error: unknown, { tab, active, signal }: OperationWork): Promise<never> {
  if (!(error instanceof PeriscopeError) || !(error.cause instanceof CoveredError)) throw error;
  const { by, words } = error.cause;
  const refOfCover = () =>
    by.flatMap((one) => active.refs.refOf(one) ?? []).find((ref) => active.refs.current(ref) !== null);
  if (refOfCover() === undefined) await takeViewForError(tab, active.refs, signal);
  const ref = refOfCover();
  if (ref === undefined || error.failure.code !== 'element_not_found') throw error;
  return fail({ ...error.failure, quoted: await fenceQuote(`${ref} ${words}`) }, { cause: error });
}

/**
 * The document inside an iframe element, because actions on the iframe have their effects there. Other elements are
 * returned unchanged.
 */
export async function documentInsideFrame(
  element: PageElement | null,
  signal: AbortSignal,
): Promise<PageElement | null> {
  if (element === null || !FRAME_ROLES.has(element.role)) return element;
  const frame = await findFrameOfElement(element, signal);
  return frame === null ? element : findFrameRoot(element.tab, frame, false, signal);
}

const FRAME_ROLES: ReadonlySet<string> = new Set(['Iframe', 'IframePresentational']);

/** The known view of the page before an action, or a new view; `null` if the page does not respond. */
export async function scanBeforeAction(work: OperationWork): Promise<PageScan | null> {
  return findLastScan(work) ?? orNull(resolveWithin(scanTab(work), VIEW_BEFORE_ACTION_MS_MAX, work.signal));
}

export function findLastScan({ active, tab }: Pick<OperationWork, 'active' | 'tab'>): PageScan | null {
  const known = active.lastLooks.get(tab);
  return known?.loaderId === tab.main().loaderId ? known : null;
}

type Before = {
  before: LoadedDocument;
  shownBefore: PageScan | null;
  withSnapshot: boolean;
  element: PageElement | null;
};

export async function readChangesAfterAct(
  work: OperationWork,
  { before, shownBefore, withSnapshot, element }: Before,
  own: () => readonly PageElement[] = () => [],
): Promise<
  Pick<
    ActionResult<object>,
    'hasMoved' | 'isNewDocument' | 'changes' | 'changesInView' | 'isOnlyFocus' | 'isEmptied' | 'snapshot' | 'unknown'
  >
> {
  const { tab, active } = work;
  const moved = movedSince(before, work);
  const isComparable = tab.isOpen && shownBefore !== null && !moved.isNewDocument;
  const part = moved.isNewDocument ? null : (active.lastLooks.get(tab)?.part?.from ?? null);
  const look = () => {
    work.tabFacts = requestTabFacts(active, tab);
    return scanTab(work, part);
  };
  const asked = withSnapshot && tab.isOpen;
  const shown = asked ? await awaitViewWithinTime(work, look()) : isComparable ? await orNull(look()) : null;
  if (work.script !== undefined && work.isListed !== true)
    work.script.text = findNewText(shownBefore, isComparable ? shown : null);
  const refs = {
    own: own().flatMap((one) => active.refs.refOf(one) ?? []),
    at: element === null ? null : active.refs.refOf(element),
  };
  const comparison = isComparable && shown !== null ? await comparedLooks(work, shownBefore, shown, refs) : null;
  const folded = shown === null || comparison === null ? shown : folding(shown, work);
  const view = withSnapshot && folded !== null ? paginateScanWithLines(folded, {}) : null;
  const unfolded = view === null || shown === null || folded === shown ? undefined : paginateView(shown, {}).text;
  const snapshot = view === null ? null : active.sent.once(tab, view.view, unfolded);
  const emptied = isEmptied(shownBefore, shown) ? { isEmptied: true as const } : {};
  if (comparison === null) {
    const isUnknown = tab.isOpen && (!moved.isNewDocument || (asked && shown === null));
    const unknown = shownBefore === null && !moved.isNewDocument ? ('before' as const) : ('after' as const);
    return { ...moved, changes: null, snapshot, ...emptied, ...(isUnknown ? { unknown } : {}) };
  }
  const { isOnlyFocus } = comparison;
  const room = view === null ? ROOM : ROOM_BESIDE_VIEW;
  const inView = new Set(snapshot?.sameFor === undefined ? view?.lines : []);
  const { changes, changesInView } = writeViewChanges(comparison, room, inView);
  const renamed = view === null ? await findRenamedRefs(comparison.rebuilt, { tab, refs: active.refs }) : [];
  const works = new Set(renamed.map(({ ref }) => ref));
  const voided = view === null ? comparison.rebuilt.filter(({ ref }) => !works.has(ref)) : [];
  const replaced = writeReplacedLines(shown?.lines ?? [], comparison, new Set(voided.map(({ now }) => now)));
  const followed = { renamed, voided: voided.map(({ ref }) => ref), replaced };
  return { ...moved, changes: { ...changes, ...followed }, changesInView, isOnlyFocus, snapshot, ...emptied };
}

function isEmptied(before: PageScan | null, after: PageScan | null): boolean {
  return before !== null && before.lines.length > 0 && after?.lines.length === 0;
}

async function comparedLooks(
  { tab, active }: OperationWork,
  before: PageScan,
  after: PageScan,
  { own, at }: { own: readonly string[]; at: string | null },
): Promise<ScanComparison | null> {
  const still = await findRefsStillInDocument(before, after, { tab, refs: active.refs });
  return comparePageScans(before, after, { own: new Set(own), at, still });
}

function folding(look: PageScan, { active, tab }: OperationWork): PageScan {
  return { ...look, lines: foldKnownLines(look.lines, active.sent.linesOf(tab)) };
}

/**
 * Reads a page that no call has read yet, so that the next action can report its changes. Stops if the page is slow.
 */
export async function scanUnreadPage(
  active: ActiveSession,
  tabId: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const tab = tabId === undefined ? null : active.tabs.byId(tabId);
  if (tab === null || !tab.isOpen || isBlankUrl(tab.main().url) || findLastScan({ active, tab }) !== null) return;
  await orNull(resolveWithin(scanTab({ active, tab, signal }), LOOK_AHEAD_MS_MAX, signal));
}

type Looking = Pick<OperationWork, 'tab' | 'active' | 'signal'>;

export async function scanTab({ tab, active, signal }: Looking, partFrom: number | null = null): Promise<PageScan> {
  const shown = addLinesBehindDialog(
    active.lastLooks.get(tab) ?? null,
    await scanPage(tab, active.refs, null, {}, signal, partFrom),
  );
  active.lastLooks.set(tab, shown);
  return shown;
}

/** Time reserved for the work that a call does after its view. */
const VIEW_REST_MS = 2 * SECOND_MS;

/**
 * The view after an action; `null` if the page is too slow for it, so that the action itself is still reported.
 * @param msMax time limit of the view, if it is shorter than the rest of the call
 */
export async function awaitViewWithinTime<T>(
  { endsAt, signal }: OperationWork,
  view: Promise<T>,
  msMax = VIEW_MS_MAX,
): Promise<T | null> {
  const leftMs = Math.min(Math.max(endsAt - Date.now() - VIEW_REST_MS, 0), msMax);
  return resolveWithin(view, leftMs, signal).catch((error: unknown) => {
    if (!(error instanceof PeriscopeError) || error.failure.code !== 'timeout') throw error;
    return null;
  });
}

/** Maximum time for a view in a call without an end time. No view takes that long. */
const VIEW_MS_MAX = 60 * SECOND_MS;

async function orNull(look: Promise<PageScan | null>): Promise<PageScan | null> {
  try {
    return await look;
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    return null;
  }
}

type LoadedDocument = { loaderId: string; url: string };

export function loadedDocument({ tab }: OperationWork): LoadedDocument {
  const { loaderId, url } = tab.main();
  return { loaderId, url };
}

function movedSince(before: LoadedDocument, work: OperationWork): { hasMoved: boolean; isNewDocument: boolean } {
  const now = loadedDocument(work);
  const isNewDocument = now.loaderId !== before.loaderId;
  return { hasMoved: isNewDocument || now.url !== before.url, isNewDocument };
}

/**
 * Finds an element by ref or locator. A ref may belong to another tab, in which the call then continues. A step of
 * `browser_do` is refused instead.
 */
export async function findTargetElement(
  work: OperationWork,
  target: string,
  purpose?: TargetPurpose,
): Promise<PageElement> {
  const element = await resolveTarget(target, createResolveContext(work), work.active.refs, work.signal, purpose);
  if (work.isListed === true && element.tab.id !== work.tab.id) return refuseOtherTab();
  work.tab = work.active.tabs.byId(element.tab.id) ?? work.tab;
  checkRulesForElement(work, element);
  return element;
}

/**
 * Checks the site rules for an element's frame, and stores the frame for the checks of the following input events.
 * @throws {PeriscopeError} `blocked_by_rule`
 */
export function checkRulesForElement({ active, tab, effect }: OperationWork, element: PageElement | null): void {
  tab.inputFrame = element?.frame.id ?? null;
  active.rules.check(tab, element?.frame ?? null, effect);
}

function refuseOtherTab(): never {
  const hint = 'Pass the steps of each tab in a separate call.';
  return fail({ code: 'invalid_argument', field: 'selector', problem: 'is in another tab than the first step', hint });
}

/** A short text that only the later view has, as visible proof of a step's success; `null` for none. */
function findNewText(before: PageScan | null, after: PageScan | null): string | null {
  if (before === null || after === null) return null;
  const known = new Set(before.lines.flatMap(({ parts }) => parts));
  for (const { kind, parts } of after.lines) {
    const [words, ...more] = parts;
    if (kind !== 'text' || typeof words !== 'string' || more.length > 0 || known.has(words)) continue;
    if (words.length <= OUTCOME_CHARS_MAX && !words.includes('…') && /^\p{L}/u.test(words)) return words;
  }
  return null;
}
