import { foldText } from '#browsing/in-page/elements/folded-words.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { VIEW_FRAMES_MAX, SECOND_MS } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { abortable, sleep, resolveWithin } from '#core/flow/abort.ts';
import type { WithoutCuts } from '#core/text/page-texts.ts';
import { fenceQuote } from '#browsing/act/reach.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { VisibilityResult as LookedAt } from '#browsing/in-page/script-types.ts';
import { parseRef } from '#browsing/refs/refs.ts';
import type { ElementRefs } from '#browsing/refs/refs.ts';
import { callIn, callOn } from '#browsing/tabs/call-in-page.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import { hasPositionOrContainer, parseCss } from './css-target.ts';
import { convertForeignTarget } from './foreign-syntax.ts';
import type { CssTarget } from './css-target.ts';
import { findBySelector } from './find-target.ts';
import { isSlashRegex, compileTextPattern } from './pattern.ts';
import type { TextPattern } from './pattern.ts';
import { exactLocator, findElementsByName, parseLocator, ambiguousSelectorWords } from './named.ts';
import type { Locator } from './named.ts';
import { takeViewForError, refusePartialAttributeSelector } from './resolve.ts';
import { failStaleRef } from './successors.ts';
import type { ResolveContext } from './resolve.ts';

/** Minimum pause between two reads of a page. After a slow read, the pause is as long as the read. */
const WAIT_POLL_MS = 100;
/** Minimum time for the first read, even in a shorter wait: without any read, the answer would be unknown. */
const WAIT_FIRST_LOOK_MS = 1 * SECOND_MS;
/** Maximum characters reported on each side of a text that does not disappear. */
const WAIT_AROUND_CHARS = 60;
/** Maximum characters read on each side of a text when secrets must be masked: enough for long pages. */
const WAIT_ALL_CHARS = 1_000_000;

/** Maximum characters that a regular expression searches: a long article. This takes as long as reading the page. */
const WAIT_PATTERN_CHARS_MAX = 200_000;

export type WaitCondition = { kind: 'text' | 'selector'; value: string; isGone: boolean };
export type WaitResult = { waitedMs: number; alreadySo: boolean };

type Looked = WithoutCuts<LookedAt>;
/** `busy`: some frames did not answer, and the others leave the condition undecided. */
type Seen = Looked | { state: 'busy'; words: '' };
const BUSY: Seen = { state: 'busy', words: '' };
const MISSING: Seen = { state: 'missing', words: '' };

/**
 * Polls all frames of a tab until the awaited content is visible or, with `isGone`, no longer visible.
 * @throws {PeriscopeError} `timeout` with the content found instead; `invalid_argument` for an invalid selector, and
 * when the tab closes; `stale_ref` for a ref that never existed or, without `isGone`, whose document is gone
 */
export async function waitFor(
  wanted: WaitCondition,
  tabs: ResolveContext,
  refs: ElementRefs,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<WaitResult> {
  const begun = Date.now();
  const look = lookerFor(wanted, tabs, refs);
  let last: Seen = BUSY;
  for (let looks = 1; ; looks += 1) {
    const lookedAt = Date.now();
    const leftMs = Math.max(begun + timeoutMs - lookedAt, looks === 1 ? WAIT_FIRST_LOOK_MS : 0);
    const seen = (await resolveWithin(look(leftMs, signal), leftMs, signal)) ?? BUSY;
    if (seen.state === 'invalid') return refuse(wanted.kind);
    if (seen.state !== 'busy') last = seen;
    if (isAsWanted(seen, wanted)) return { waitedMs: Date.now() - begun, alreadySo: looks === 1 };
    if (tabs.byId(tabs.tab.id) === null) return refuseClosed();
    const pauseMs = Math.max(WAIT_POLL_MS, Date.now() - lookedAt);
    if (Date.now() + pauseMs > begun + timeoutMs) return giveUp(wanted, last, tabs, refs, timeoutMs, signal);
    await sleep(pauseMs, signal);
  }
}

function isAsWanted({ state }: Seen, { isGone }: WaitCondition): boolean {
  return isGone ? state === 'missing' || state === 'hidden' : state === 'seen';
}

type Look = (ms: number, signal: AbortSignal) => Promise<Seen>;

function lookerFor(wanted: WaitCondition, tabs: ResolveContext, refs: ElementRefs): Look {
  const { kind, isGone } = wanted;
  const value = kind === 'text' ? wanted.value : convertForeignTarget(wanted.value);
  const pattern = kind === 'text' ? compileTextPattern(value, 'text') : null;
  if (pattern !== null) {
    return (ms, signal) =>
      lookAtFrames(tabs.tab, ms, signal, (frame) => lookForPattern(pattern, tabs.tab, frame, signal));
  }
  if (kind === 'text') {
    return (ms, signal) => lookAtFrames(tabs.tab, ms, signal, (frame) => lookForText(value, tabs.tab, frame, signal));
  }
  const ref = parseRef(value);
  if (ref !== null) return (_, signal) => lookAtRef(ref, isGone, tabs, refs, signal);
  const named = parseLocator(value);
  if (named?.by === 'text' && named.within === undefined)
    return lookerFor({ kind: 'text', value: named.words, isGone }, tabs, refs);
  if (named !== null) return (_, signal) => lookForNamed(named, tabs.tab, signal);
  const words = ambiguousSelectorWords(value);
  const css = parseCss(value);
  if (hasPositionOrContainer(css)) return (_, signal) => lookForScoped(css, tabs.tab, signal);
  return async (ms, signal) => {
    refusePartialAttributeSelector(value, tabs.tab);
    const labelled = words === null ? MISSING : await lookForNamed(exactLocator(words, 'field'), tabs.tab, signal);
    if (labelled.state === 'seen') return labelled;
    return lookAtFrames(tabs.tab, ms, signal, (frame) =>
      callIn(tabs.tab, frame, pageScripts.findVisibleMatch, [value], signal),
    );
  };
}

/** Searches only text that results may show. Otherwise, waiting for parts of a secret could reveal it. */
async function lookForText(value: string, tab: Tab, frame: Frame, signal: AbortSignal): Promise<Looked> {
  const { isMasking } = frame.session;
  const aroundChars = isMasking ? WAIT_ALL_CHARS : WAIT_AROUND_CHARS;
  const looked = await callIn(tab, frame, pageScripts.findVisibleText, [value, aroundChars], signal);
  if (!isMasking || looked.state === 'invalid') return looked;
  const wanted = foldText(value);
  const at = looked.words.indexOf(wanted);
  if (at === -1) return { state: 'missing', words: '' };
  const words = looked.words.slice(Math.max(0, at - WAIT_AROUND_CHARS), at + wanted.length + WAIT_AROUND_CHARS);
  return { state: 'seen', words: words.trim() };
}

/**
 * Searches for a regular expression.
 * @throws {PeriscopeError} `invalid_argument` on a page with too much text to match repeatedly
 */
async function lookForPattern(pattern: TextPattern, tab: Tab, frame: Frame, signal: AbortSignal): Promise<Looked> {
  const { words, isAll } = await callIn(tab, frame, pageScripts.readVisibleText, [WAIT_PATTERN_CHARS_MAX], signal);
  if (!isAll) {
    const problem = `is a regular expression, and the page shows more than ${WAIT_PATTERN_CHARS_MAX} characters`;
    fail({ code: 'invalid_argument', field: 'text', problem, hint: 'Pass plain text, or wait for an element.' });
  }
  const found = pattern(words);
  return found === null ? { state: 'missing', words: '' } : { state: 'seen', words: oneLine(found, WAIT_AROUND_CHARS) };
}

/** Looks for elements by name in the accessibility tree, which excludes hidden elements. */
async function lookForNamed(named: Locator, tab: Tab, signal: AbortSignal): Promise<Seen> {
  try {
    const wanted = { frameId: tab.main().id, from: null, within: null, named: named.words };
    const found = findElementsByName(await readTabPage(tab, wanted, signal), named, tab.lastClicked);
    return found.length >= (named.nth ?? 1) ? { state: 'seen', words: '' } : MISSING;
  } catch (error) {
    if (error instanceof PeriscopeError) return BUSY;
    throw error;
  }
}

/** Looks for the matches of a selector in a row, or for one of several. */
async function lookForScoped(css: CssTarget, tab: Tab, signal: AbortSignal): Promise<Seen> {
  refusePartialAttributeSelector(css.selector, tab);
  try {
    const match = await findBySelector(css, tab, SCOPED_LOOKED_AT_MAX, signal);
    if (match.kind === 'invalid') return { state: 'invalid', words: '' };
    const found = match.kind === 'one' ? [match.element] : match.kind === 'many' ? match.found : [];
    const looks = await Promise.all(found.map((one) => lookAtNode(tab, one.frame, one.backendNodeId, signal)));
    return looks.find(({ state }) => state === 'seen') ?? looks[0] ?? MISSING;
  } catch (error) {
    if (error instanceof PeriscopeError || error instanceof CdpError) return BUSY;
    throw error;
  }
}

/** Maximum matches in one row that are tested for being visible. */
const SCOPED_LOOKED_AT_MAX = 20;

async function lookAtFrames(
  tab: Tab,
  ms: number,
  signal: AbortSignal,
  lookIn: (frame: Frame) => Promise<Looked>,
): Promise<Seen> {
  const frames = tab.frames().slice(0, VIEW_FRAMES_MAX);
  const { promise, resolve } = Promise.withResolvers<Seen>();
  const looks = frames.map(async (frame) => {
    const seen = await resolveWithin(lookInFrame(tab, frame, lookIn, signal), ms, signal);
    if (seen !== null && (seen.state === 'seen' || seen.state === 'invalid')) resolve(seen);
    return seen ?? BUSY;
  });
  return abortable(Promise.race([promise, Promise.all(looks).then(allTogether)]), signal);
}

/** Looks in one frame. `busy` if its document is just being replaced, so that the next poll asks again. */
async function lookInFrame(
  tab: Tab,
  frame: Frame,
  lookIn: (frame: Frame) => Promise<Looked>,
  signal: AbortSignal,
): Promise<Seen> {
  try {
    const seen = await lookIn(frame);
    if (seen.state !== 'seen' || (await isFrameSeen(tab, frame, signal))) return seen;
    return { state: 'hidden', words: '' };
  } catch (error) {
    if (error instanceof BrowserGone || signal.aborted || error instanceof TypeError) throw error;
    if (error instanceof PeriscopeError && error.failure.code === 'invalid_argument') throw error;
    return tab.frame(frame.id) === null ? MISSING : BUSY;
  }
}

/**
 * False if the frame, or a frame around it, is hidden. Tested from outside, because a document cannot detect that its
 * own frame is hidden.
 */
async function isFrameSeen(tab: Tab, frame: Frame, signal: AbortSignal): Promise<boolean> {
  const outer = frame.parentId === null ? null : tab.frame(frame.parentId);
  if (outer === null) return frame.parentId === null;
  const { backendNodeId } = await outer.session.send('DOM.getFrameOwner', { frameId: frame.id });
  const { state } = await lookAtNode(tab, outer, backendNodeId, signal);
  return state === 'seen' && isFrameSeen(tab, outer, signal);
}

async function lookAtNode(tab: Tab, frame: Frame, backendNodeId: number, signal: AbortSignal): Promise<Looked> {
  const executionContextId = await tab.world(frame);
  const { object } = await frame.session.send('DOM.resolveNode', { backendNodeId, executionContextId });
  const { objectId } = object;
  if (objectId === undefined) return { state: 'missing', words: '' };
  return callOn({ frame, objectId, role: 'element' }, pageScripts.checkElementVisibility, [], signal);
}

/**
 * A wait for a ref's element to disappear ends when the element or its document was removed. A ref that never existed
 * is an error. So is a wait for a ref to appear whose document is gone.
 */
async function lookAtRef(
  ref: string,
  isGone: boolean,
  { tab: named, byId }: ResolveContext,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<Seen> {
  const target = refs.current(ref) ?? refs.former(ref);
  const tab = target === null ? null : byId(target.tabId);
  const frame = target === null ? null : (tab?.frame(target.frameId) ?? null);
  if (target === null || tab === null || frame === null || frame.loaderId !== target.loaderId) {
    if (isGone && refs.wasGiven(ref)) return MISSING;
    return failStaleRef(ref, 'gone', target, tab ?? named, refs, signal);
  }
  try {
    const seen = await lookAtNode(tab, frame, target.backendNodeId, signal);
    return seen.state === 'seen' && !(await isFrameSeen(tab, frame, signal)) ? { state: 'hidden', words: '' } : seen;
  } catch (error) {
    if (error instanceof BrowserGone || signal.aborted || error instanceof TypeError) throw error;
    return MISSING;
  }
}

function allTogether(looks: readonly Seen[]): Seen {
  return looks.find(({ state }) => state === 'busy') ?? looks.find(({ state }) => state === 'hidden') ?? MISSING;
}

async function giveUp(
  { kind, value, isGone }: WaitCondition,
  { state, words }: Seen,
  { tab, isNewInError }: ResolveContext,
  refs: ElementRefs,
  afterMs: number,
  signal: AbortSignal,
): Promise<never> {
  const snapshot = await takeViewForError(tab, refs, signal, isNewInError);
  const what = `The ${kind === 'text' ? 'text' : 'element'} did not ${isGone ? 'go away' : 'appear'}`;
  const isUnmatched = kind === 'text' && state === 'missing' && isSlashRegex(value);
  const problem = isUnmatched ? 'no visible text of the page matches it' : PROBLEMS[state];
  const view = snapshot === null ? { isShown: true as const } : { snapshot };
  const instead = { problem, ...view, quoted: words === '' ? undefined : await fenceQuote(words) };
  return fail({ code: 'timeout', what, afterMs, instead });
}

const PROBLEMS: Record<Seen['state'], string> = {
  invalid: 'it cannot be looked for',
  seen: 'it is still there',
  hidden: 'it is on the page, but not visible',
  missing: 'it is not on the page',
  busy: 'the page was loading or too busy to be checked',
};

function refuse(kind: WaitCondition['kind']): never {
  const isText = kind === 'text';
  return fail({
    code: 'invalid_argument',
    field: kind,
    problem: isText
      ? 'has no visible character'
      : 'is neither a ref such as @e12, nor a role with a name such as button "Save", nor a valid CSS selector',
    hint: isText
      ? 'Pass words that the page will show.'
      : 'Call browser_snapshot and pass one of its refs, or wait for a text.',
  });
}

function refuseClosed(): never {
  return fail({
    code: 'invalid_argument',
    field: 'tab',
    problem: 'was closed during the wait',
    hint: 'Call browser_snapshot to see which tabs are open.',
  });
}
