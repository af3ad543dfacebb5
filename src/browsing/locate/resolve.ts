import { takeView } from '#browsing/view/view.ts';
import type { Tab, PageElement } from '#browsing/tabs/tab.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { oneLine } from '#core/text/text.ts';
import { failStaleRef } from './successors.ts';
import { describeElementsWithName, describeFoundNodes, fenceText, findByRef, findReplacementNode } from './find.ts';
import { resolveNodeHandle } from './node-identity.ts';
import type { SelectorMatch } from './find.ts';
import { findByNameOrCss } from './find-target.ts';
import type { TargetPurpose } from './find-target.ts';
import { findNearMisses } from './near-misses.ts';
import { convertForeignTarget, hintForInvalidTarget } from './foreign-syntax.ts';
import { parseCss } from './css-target.ts';
import { parseLocator, ambiguousSelectorWords } from './named.ts';
import type { Locator } from './named.ts';
import { parseRef, isRebuiltElement } from '#browsing/refs/refs.ts';
import type { ElementRefs, RefTarget } from '#browsing/refs/refs.ts';
import type { Page } from '#browsing/view/page/page.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { fenceQuote } from '#browsing/act/reach.ts';
import { callIn, callOn, nullIfGone, sanitizeRole } from '#browsing/tabs/call-in-page.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import { SECOND_MS, VIEW_FRAMES_MAX } from '#core/limits.ts';

/** Maximum size of a view in an error: enough to find the element again. */
const VIEW_FAILURE_BYTES_MAX = 8_000;
const SELECTOR_MATCHES_SHOWN_MAX = 10;

export type ResolveContext = {
  tab: Tab;
  byId: (id: string) => Tab | null;
  /** Called when a ref led to an element that replaced the ref's element. `now`: ref of the new element. */
  onDrawnAnew?: (ref: string, now: string) => void;
  /** True if the context words of a ref differ only in text that the caller typed. */
  isOwnChange?: (before: string, now: string) => boolean;
  /** Called with a view for an error. Returns false if the last answer already contained this whole long view. */
  isNewInError?: (view: string) => boolean;
  /** The page as it was read a moment ago; `null` if there is none, or if the page has changed since. */
  takePage?: () => Promise<Page | null>;
};

const TARGET_CHARS_SHOWN = 120;

/**
 * Resolves a ref, a role with a name, a text or a CSS selector to one element. A selector is searched in the tab's own
 * document with its open shadow trees, then in its frames. A selector does not find elements in closed shadow
 * trees.
 * @param purpose decides whether ambiguous words such as `title` are a label or a selector
 * @throws {PeriscopeError} `stale_ref` or `element_not_found`, both with candidate elements if there are any;
 * `invalid_argument` for an invalid selector or one that matches several elements
 */
export async function resolveTarget(
  target: string,
  tabs: ResolveContext,
  refs: ElementRefs,
  signal: AbortSignal,
  purpose: TargetPurpose = 'part',
): Promise<PageElement> {
  signal.throwIfAborted();
  const ref = parseRef(target);
  return ref === null
    ? byNameOrCss(convertForeignTarget(target).trim(), purpose, tabs, refs, signal)
    : byRef(ref, tabs, refs, signal);
}

async function byRef(ref: string, tabs: ResolveContext, refs: ElementRefs, signal: AbortSignal): Promise<PageElement> {
  const { tab, byId } = tabs;
  const minted = refs.current(ref) ?? refs.former(ref);
  const itsTab = minted === null ? null : byId(minted.tabId);
  if (minted === null || itsTab === null) return failStaleRef(ref, 'gone', minted, itsTab ?? tab, refs, signal);
  // An old ref becomes valid again if its element has its old text again, which a new view notices.
  if (refs.current(ref) === null) await takeViewForError(itsTab, refs, signal);
  const now = refs.current(ref);
  const found = await findByRef(now ?? minted, itsTab, tabs.isOwnChange);
  if (now !== null && typeof found !== 'string') return found;
  const anew = now === null || found !== 'gone' ? null : await drawnAnew(now, itsTab, refs, signal);
  if (anew !== null) {
    tabs.onDrawnAnew?.(ref, anew.ref);
    return anew.element;
  }
  await refuseRefBehind(minted, itsTab, signal);
  const reason = typeof found === 'string' ? found : 'surroundings';
  return failStaleRef(ref, reason, minted, itsTab, refs, signal);
}

/** Takes a view, which gives the new element a ref and shows whether its text is unique. */
async function drawnAnew(
  target: RefTarget,
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<DrawnAnew | null> {
  const isReplaced = target.alone !== null && (await findReplacementNode(target, tab)) !== null;
  if (!isReplaced || (await takeViewForError(tab, refs, signal)) === undefined) return null;
  return findRebuiltElement(target, tab, refs);
}

type DrawnAnew = { ref: string; element: PageElement };

/** The element that replaced a removed one, if the last view shows exactly one element with the same text. */
export async function findRebuiltElement(target: RefTarget, tab: Tab, refs: ElementRefs): Promise<DrawnAnew | null> {
  const backendNodeId = target.alone === null ? null : await findReplacementNode(target, tab);
  const frame = tab.frame(target.frameId);
  if (backendNodeId === null || frame === null) return null;
  const ref = refs.refOf({ tab, frame, backendNodeId });
  const now = ref === null ? null : refs.current(ref);
  if (ref === null || now === null || !isRebuiltElement(target, now)) return null;
  const element = await findByRef(now, tab);
  return typeof element === 'string' ? null : { ref, element };
}

/** Lines for the elements that now have this name, each with its row or section; `undefined` for none or too many. */
async function linesAlike(
  named: Locator,
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const lines = await describeElementsWithName(named, tab, refs, SELECTOR_MATCHES_SHOWN_MAX, signal);
    return lines.length === 0 ? undefined : await fenceText(lines.join('\n'));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PeriscopeError)) throw error;
    return undefined;
  }
}

async function byNameOrCss(
  target: string,
  purpose: TargetPurpose,
  { tab, takePage }: ResolveContext,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<PageElement> {
  const named = parseLocator(target);
  if (named === null) refusePartialAttributeSelector(parseCss(target).selector, tab);
  const match = await findByNameOrCss(target, purpose, tab, SELECTOR_MATCHES_SHOWN_MAX, signal, takePage);
  switch (match.kind) {
    case 'one':
      return match.element;
    case 'none': {
      const words = named === null || named.words === '' ? null : named.words;
      // Checked first, so that no control of the dialog with similar words is suggested. It might confirm the dialog.
      const behind = words ?? ambiguousSelectorWords(target);
      if (behind !== null)
        await refuseBehindDialog({ ...named, words: behind }, oneLine(target, TARGET_CHARS_SHOWN), tab, signal);
      const text = words === null ? null : { by: 'label' as const, role: '', words, nth: null, place: null };
      const alike = text === null ? undefined : await linesAlike(text, tab, refs, signal);
      if (alike !== undefined)
        return fail({ code: 'element_not_found', target: oneLine(target, TARGET_CHARS_SHOWN), alike });
      const near = await findNearMisses(target, named, tab, refs, signal);
      return fail({ code: 'element_not_found', target: oneLine(target, TARGET_CHARS_SHOWN), ...near });
    }
    case 'beyond':
      return failBeyond(target, named, match, tab, refs, signal);
    case 'invalid':
      return fail({
        code: 'invalid_argument',
        field: 'selector',
        problem:
          'is neither a ref such as @e12, nor a role with a name such as button "Save", nor a valid CSS selector',
        hint: hintForInvalidTarget(target),
      });
    case 'vague':
      return fail({
        code: 'invalid_argument',
        field: 'selector',
        problem: 'matches too many elements of this very large page',
        hint: 'Call browser_snapshot with find and pass a ref, or pass a longer text or a CSS selector.',
      });
    case 'many':
      return failMany(match, tab, refs, signal);
  }
}

async function failMany(
  { count, behind = 0, isAll, found }: Extract<SelectorMatch, { kind: 'many' }>,
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<never> {
  const lines = await describeFoundNodes(found, tab, refs, signal);
  return fail({
    code: 'invalid_argument',
    field: 'selector',
    problem: `matches ${isAll ? '' : 'at least '}${count} elements${behindOf(behind)}, but must match exactly one`,
    hint: `Pass the ref of one of them${shownOf(lines.length, found.length, count)}, or a narrower selector, such as one with in "words of its row".`,
    quoted: await fenceText(lines.join('\n')),
  });
}

/**
 * Fails with a list of the elements that match without `nth`. Elements behind an open dialog are not listed, because
 * they cannot be used.
 */
async function failBeyond(
  target: string,
  named: Locator | null,
  { count, behind, found }: Extract<SelectorMatch, { kind: 'beyond' }>,
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<never> {
  const shown = oneLine(target, TARGET_CHARS_SHOWN);
  if (named !== null && named.words !== '' && behind > 0) await refuseBehindDialog(named, shown, tab, signal);
  const lines = await describeFoundNodes(found, tab, refs, signal);
  const alike = lines.length === 0 ? undefined : await fenceText(lines.join('\n'));
  return fail({ code: 'element_not_found', target: shown, matches: count, alike });
}

function behindOf(behind: number): string {
  return behind === 0
    ? ''
    : ` in the dialog that is open (and ${behind} behind it, which cannot be used until it is closed)`;
}

function shownOf(shown: number, listed: number, count: number): string {
  if (shown === count) return '';
  if (shown === 0) return ' (none of them is visible)';
  return listed < count ? ` (the first ${shown} are shown)` : ` (${shown} of them are visible)`;
}

/**
 * Takes a view for an error, which also renews the refs.
 * @returns the fenced view; `null` if the caller already has all of it, `undefined` if the page cannot be read
 */
export async function takeViewForError(
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
  isNew: ResolveContext['isNewInError'] = () => true,
): Promise<string | null | undefined> {
  try {
    const { view } = await takeView(tab, refs, null, { maxBytes: VIEW_FAILURE_BYTES_MAX }, signal);
    const { text, shown, total } = view;
    if (!isNew(text)) return null;
    return (await fenceText(text)) + (shown < total ? `\n(${shown} of ${total} lines)` : '');
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/**
 * Refuses CSS selectors that compare a part of an attribute, such as `[value^=a]`. With many such selectors, a caller
 * could find out, letter by letter, a field's value or text that the page derived from a secret.
 * @throws {PeriscopeError} `invalid_argument` if a person typed, or a secret was filled in, on the page
 */
export function refusePartialAttributeSelector(selector: string, tab: Tab): void {
  if (!comparesPartOfAttribute(selector)) return;
  if (!tab.session.isMasking && !tab.frames().some(({ loaderId }) => tab.typedIn.has(loaderId))) return;
  fail({
    code: 'invalid_argument',
    field: 'selector',
    problem: 'compares a part of an attribute, which could reveal text that a person or a secret typed into this page',
    hint: 'Call browser_snapshot and pass one of its refs, or a selector with whole attributes.',
  });
}

const OPERATOR = /[~|^$*]/g;

/**
 * True if a CSS selector compares a part of an attribute (`[href^=…]`). CSS allows white space and comments between the
 * two characters of the operator. Looking ahead from each sign is cheap, because a target has at most
 * `TARGET_CHARS_MAX` characters.
 */
export function comparesPartOfAttribute(selector: string): boolean {
  return [...selector.matchAll(OPERATOR)].some(({ index }) => selector[skipBlank(selector, index + 1)] === '=');
}

function skipBlank(selector: string, from: number): number {
  let at = from;
  while (at < selector.length) {
    if (/\s/.test(selector.charAt(at))) at += 1;
    else if (selector.startsWith('/*', at)) at = endOfComment(selector, at);
    else break;
  }
  return at;
}

function endOfComment(selector: string, at: number): number {
  const end = selector.indexOf('*/', at + 2);
  return end < 0 ? selector.length : end + 2;
}

/** Maximum time to search one frame. A frame that hangs must not use up the time of the call. */
const BEHIND_MS_MAX = 4 * SECOND_MS;

/** @throws {PeriscopeError} `element_not_found` if an element with these words is behind an open modal dialog */
export async function refuseBehindDialog(
  { words, within: around = '' }: Pick<Locator, 'words' | 'within'>,
  target: string,
  tab: Tab,
  signal: AbortSignal,
): Promise<void> {
  const dialogs = await Promise.all(
    tab
      .frames()
      .slice(0, VIEW_FRAMES_MAX)
      .map((frame) => {
        const dialog = callIn(tab, frame, pageScripts.findDialogInFront, [words, around], signal).catch(nullIfGone);
        return resolveWithin(dialog, BEHIND_MS_MAX, signal);
      }),
  );
  const dialog = dialogs.find((name) => name !== null && name !== '') ?? null;
  if (dialog !== null) await refuseBehind(target, dialog);
}

/** @throws {PeriscopeError} `element_not_found` if the element of a ref is behind an open modal dialog */
async function refuseRefBehind(target: RefTarget, tab: Tab, signal: AbortSignal): Promise<void> {
  const frame = tab.frame(target.frameId);
  if (frame === null || frame.loaderId !== target.loaderId) return;
  const objectId = await resolveNodeHandle(tab, frame, target.backendNodeId).catch(nullIfGone);
  if (objectId === null) return;
  const element = { frame, objectId, role: target.role };
  const dialog = await callOn(element, pageScripts.findDialogInFront, ['', ''], signal).catch(nullIfGone);
  if (dialog !== null && dialog !== '') await refuseBehind(sanitizeRole(target.role), dialog);
}

async function refuseBehind(target: string, dialog: string): Promise<never> {
  return fail({
    code: 'element_not_found',
    target,
    reason: 'behind',
    quoted: await fenceQuote(`dialog ${JSON.stringify(dialog)}`),
  });
}
