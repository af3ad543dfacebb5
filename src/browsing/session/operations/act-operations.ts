import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { click } from '#browsing/act/click.ts';
import type { ClickOptions, ClickResult } from '#browsing/act/click.ts';
import { throwElementProblem } from '#browsing/act/reach.ts';
import type { ChangedWords } from '#browsing/act/reach.ts';
import { scrollAndSettle, scrollTo } from '#browsing/act/scroll.ts';
import type { ScrollOptions, ScrollPosition } from '#browsing/act/scroll.ts';
import { typeText } from '#browsing/act/fields/type-text.ts';
import type { NotTypedReason, TypeOptions } from '#browsing/act/fields/type-text.ts';
import { refuseCutSecret, refuseSlowSecret } from '#browsing/secrets/type-secret.ts';
import type { OpenedSecret } from '#browsing/secrets/type-secret.ts';
import type { PageElement, Tab, WrittenField } from '#browsing/tabs/tab.ts';
import { findFrameRoot, findFrameOfElement, findFocusedFrame } from '#browsing/act/inner-frame.ts';
import { actAndReport, findTargetElement, documentInsideFrame, logInvalidFields, noteEnteredFrame } from './acting.ts';
import type { ActionResult } from './acting.ts';
import { findClickFaults, findMissingEffect, readTick, recordPageStates } from './missing-effects.ts';
import type { ClickFaults, MissingEffect } from './missing-effects.ts';
import { openSecret } from '#browsing/secrets/session-secrets.ts';
import type { OperationWork } from './perform.ts';
import { recordScriptStep, toScriptTarget, toScriptValue } from '#browsing/session/history/script.ts';
import type { Protocol } from 'devtools-protocol';
import { abortable } from '#core/flow/abort.ts';
import { PAGE_QUOTE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { FieldFacts } from '#browsing/in-page/script-types.ts';
import { callOn, failElementGone, ifGone, sanitizeRole } from '#browsing/tabs/call-in-page.ts';
import { convertForeignTarget } from '#browsing/locate/foreign-syntax.ts';
import { parseLocator } from '#browsing/locate/named.ts';
import { describeFoundElements, fenceText, pageElementOf } from '#browsing/locate/find.ts';
import { elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { displayRole } from '#browsing/tree/roles.ts';
import { isInteractive } from '#browsing/view/interactive.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import type { Page } from '#browsing/view/page/page.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';

export type ClickInput = ClickOptions & { target: string; snapshot: boolean };

export type ClickEffect = Pick<ClickResult, 'landed'> & ClickFaults;

export async function clickElement(work: OperationWork, input: ClickInput): Promise<ActionResult<ClickEffect>> {
  let element = await findTargetElement(work, input.target, 'control');
  const isTicking = input.button === 'left' && input.clickCount === 1;
  let tick = isTicking ? await readTick(element, work.signal) : null;
  let noted: Awaited<ReturnType<typeof recordPageStates>> | null = null;
  const note = async () => {
    if (work.watchesEffect === true) noted = await recordPageStates(work, [element], true);
    work.hasPressed = true;
    work.tab.lastWritten = null;
    work.tab.lastClicked = { frameId: element.frame.id, backendNodeId: element.backendNodeId };
  };
  const acted = await actAndReport(work, element, input.snapshot, async () => {
    let at = toScriptTarget(work, element);
    const findAgain = async (changed: ChangedWords) => {
      const again = await findReusedTarget(work, input.target, element, changed);
      if (again === element) return element;
      element = again;
      tick = isTicking ? await readTick(element, work.signal) : null;
      at = toScriptTarget(work, element);
      return element;
    };
    const { landed, invalid } = await click(element, input, work.signal, note, findAgain);
    recordScriptStep(work, {
      do: 'click',
      at,
      button: input.button,
      count: input.clickCount,
      modifiers: [...input.modifiers],
    });
    logInvalidFields(work, invalid);
    return { landed };
  });
  const marked = await addMarkChanges(work, element, acted);
  const faults = await findClickFaults(work, element, marked, { noted, tick, mayBeTouch: input.button === 'left' });
  return { ...marked, ...faults };
}

/**
 * Finds the target again after the page has changed words of its element.
 * @returns `found` itself if the target still means this element
 * @throws {PeriscopeError} errors of finding it; `element_not_found` if it is now an element of another name, such as
 * "Delete all" for `button "Delete"`, or another element at the given position
 */
async function findReusedTarget(
  work: OperationWork,
  target: string,
  found: PageElement,
  changed: ChangedWords,
): Promise<PageElement> {
  const named = parseLocator(convertForeignTarget(target));
  const isByPosition = named !== null && (named.nth !== null || named.place !== null);
  if (changed === 'row' && named !== null && named.within === undefined && !isByPosition) return found;
  const again = await findTargetElement(work, target, 'control');
  if (again.frame.id === found.frame.id && again.backendNodeId === found.backendNodeId) return found;
  const isSameName = again.role === found.role && again.name === found.name && again.words === found.words;
  return isSameName && !isByPosition ? again : throwElementProblem(found, 'replaced');
}

type TypeResult = TypedFieldState & { missed?: NotTypedReason; effect?: MissingEffect };
export type TypeInput = TypeOptions & { target: string | undefined; snapshot: boolean };

/** @throws {PeriscopeError} `secret_refused`, and errors of finding the element and typing */
export async function typeInto(
  work: OperationWork,
  { target, snapshot: shows, ...typing }: TypeInput,
): Promise<ActionResult<TypeResult>> {
  const named = target === undefined ? null : await findTargetElement(work, target, 'field');
  const hasText = (typing.text ?? '') !== '';
  const { element, isField } = named === null ? NO_TARGET : await findTextTarget(work, named, hasText);
  const reference = parseSecretReference(typing.text ?? '');
  if (reference !== null && element === null) {
    fail({ code: 'secret_refused', name: reference.name, reason: 'place', sites: [] });
  }
  let typed: OpenedSecret | null = null;
  const mayPress =
    work.watchesEffect === true && !hasText && (typing.submit === true || PRESSES.test(typing.key ?? ''));
  const noted = mayPress ? await recordPageStates(work, [element ?? (await pageAsElement(work))], true) : null;
  const acted = await actAndReport(work, element, shows, async () => {
    if (element === null) await checkFocusedFrame(work, hasText);
    else if (hasText) noteEnteredFrame(work, element.frame);
    const secret = reference === null || element === null ? undefined : await openSecret(work, reference, element);
    if (secret !== undefined && element !== null) {
      await refuseSlowSecret(element, secret, typing.slowly === true, work.endsAt, work.signal);
    }
    const at = element === null ? null : toScriptTarget(work, element);
    const { invalid, missed } = await typeText(
      work.tab,
      element,
      { ...typing, secret, after: openField(work.tab.lastWritten) },
      work.signal,
    ).catch((error: unknown) => {
      if (isField || named === null) throw error;
      return failWithFieldList(error, work, named, hasText);
    });
    const text = typing.text === undefined ? null : toScriptValue(typing.text, true);
    recordScriptStep(work, { do: 'type', at, text, keys: namesOfPressedKeys(typing.key, typing.submit === true) });
    logInvalidFields(work, invalid);
    if (secret !== undefined) typed = secret;
    if (MOVES_FOCUS.test(typing.key ?? '')) work.tab.lastWritten = null;
    else if (element !== null) work.tab.lastWritten = { element, text: reference === null ? (typing.text ?? '') : '' };
    return missed === null ? {} : { missed };
  });
  if (typed !== null && element !== null) await refuseCutSecret(element, typed, work.signal);
  const typedIn =
    isField && element !== null && reference === null ? await readTypedField(element, typing, work.signal) : {};
  const effect = await findMissingEffect(work, noted, acted);
  return { ...acted, ...typedIn, ...(effect === null ? {} : { effect }) };
}

const MOVES_FOCUS = /Tab|Arrow/u;

/** The field for which keys without a target are meant: the last one written to, unless its document has gone. */
function openField(written: WrittenField | null): WrittenField | null {
  if (written === null) return null;
  const { tab, frame } = written.element;
  return tab.frame(frame.id)?.loaderId === frame.loaderId ? written : null;
}

const PRESSES = /(?:^|\s)(?:Enter|Space)$/u;

function pageAsElement({ tab, signal }: OperationWork): Promise<PageElement> {
  return findFrameRoot(tab, tab.main(), false, signal);
}

const NO_TARGET = { element: null, isField: false };

export type ScrollInput = ScrollOptions & {
  target: string | undefined;
  intoView: boolean;
  snapshot: boolean;
};

export async function scrollPage(
  work: OperationWork,
  input: ScrollInput,
): Promise<ActionResult<{ place: ScrollPosition }>> {
  const element = input.target === undefined ? null : await findTargetElement(work, input.target);
  return actAndReport(work, element, input.snapshot, async () => ({
    place:
      element !== null && input.intoView
        ? await scrollTo(element, work.signal)
        : await scrollAndSettle(work.tab, await documentInsideFrame(element, work.signal), input, work.signal),
  }));
}

const FIELDS_SHOWN_MAX = 10;

const TEXT_ROLES: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);
/** Roles of widgets that handle letter keys without being text fields, such as a grid cell that is edited by typing. */
const KEYBOARD_ROLES: ReadonlySet<string> = new Set(
  `listbox option grid treegrid gridcell cell row rowheader columnheader tree treeitem menu menubar menuitem menuitemcheckbox
   menuitemradio application tablist tab Canvas`.split(/\s+/u),
);

type TypingWork = { tab: Tab; active: Pick<ActiveSession, 'refs'>; signal: AbortSignal };
type TextTarget = { element: PageElement; isField: boolean };

/**
 * The element that receives text or keys: the named element, the only field in a web component, or the editor in a
 * frame.
 * @throws {PeriscopeError} `invalid_argument` for text if the element accepts none
 */
export async function findTextTarget(work: TypingWork, named: PageElement, hasText: boolean): Promise<TextTarget> {
  const { signal } = work;
  const field = await callOn(named, pageScripts.describeFieldState, [], signal);
  if (field.kind !== 'none') {
    if (hasText && takesNoText(field)) await refuseKeys(work, named, hasText);
    return { element: named, isField: true };
  }
  const inner = (await findOnlyFieldInside(work, named)) ?? (await editorIn(work, named));
  if (inner !== null) return { element: inner, isField: true };
  if (hasText && !TEXT_ROLES.has(named.role) && !KEYBOARD_ROLES.has(named.role)) await refuseKeys(work, named, hasText);
  return { element: named, isField: false };
}

/** Facts about a field after typing, for the result. */
type TypedFieldState = {
  /** The field's value, if it lacks the typed text. */
  held?: string;
  /** Set if the field has options and the text is not known to be one of them. */
  isOnlyText?: true;
};

/**
 * State of a field after typing. `{}` if there is nothing to report: the field has the text, the keys may have
 * submitted it or chosen an option, or the value cannot be compared.
 */
async function readTypedField(
  element: PageElement,
  { text = '', key, submit }: TypeOptions,
  signal: AbortSignal,
): Promise<TypedFieldState> {
  if (text === '' || /\n/u.test(text) || key !== undefined || submit === true) return {};
  const { kind, value, isSecret, hasFocus, lacksOption } = await callOn(
    element,
    pageScripts.describeField,
    [element.role],
    signal,
  ).catch(ifGone(NO_FIELD));
  // The focus may have moved on, as in split boxes for a code. Date and time fields reformat the typed text.
  if (isSecret || !hasFocus || (kind === 'exact' && value !== '')) return {};
  if (holds(value, text)) return lacksOption ? { isOnlyText: true } : {};
  return { held: oneLine(value, PAGE_QUOTE_CHARS_MAX) };
}

/**
 * True if the value contains the text, ignoring case and separators, because pages capitalize text and group digits.
 */
function holds(value: string, text: string): boolean {
  const bare = (words: string) => words.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
  return bare(text) === '' ? value.includes(text) : bare(value).includes(bare(text));
}

const NO_FIELD = { kind: 'none', value: '', isSecret: false, hasFocus: false, lacksOption: false };

function takesNoText({ kind, type }: Pick<FieldFacts, 'kind' | 'type'>): boolean {
  return kind === 'check' || type === 'range' || type === 'color';
}

export async function findOnlyFieldInside(
  { tab, signal }: Pick<TypingWork, 'tab' | 'signal'>,
  element: PageElement,
): Promise<PageElement | null> {
  const { shadowRoots = [] } = await nodeOf(element, signal);
  if (shadowRoots.every(({ shadowRootType }) => shadowRootType === 'user-agent')) return null;
  const page = await pageWith(element, signal);
  const [only, ...others] = fieldsIn(inPage(page, element), page);
  return only === undefined || others.length > 0 ? null : pageElementOf(tab, only);
}

async function editorIn({ tab, signal }: TypingWork, element: PageElement): Promise<PageElement | null> {
  const frame = await findFrameOfElement(element, signal);
  const whole = frame === null ? null : await findFrameRoot(tab, frame, true, signal);
  if (whole === null) return null;
  return (await callOn(whole, pageScripts.describeFieldState, [], signal)).kind === 'editable' ? whole : null;
}

/** For an element that cannot receive keys, throws an error that lists the page's fields. Rethrows other errors. */
async function failWithFieldList(
  error: unknown,
  work: TypingWork,
  named: PageElement,
  hasText: boolean,
): Promise<never> {
  const failure = error instanceof PeriscopeError ? error.failure : null;
  if (failure?.code !== 'element_not_found' || failure.reason !== 'unfocusable') throw error;
  return refuseKeys(work, named, hasText, error);
}

async function refuseKeys(work: TypingWork, named: PageElement, hasText: boolean, cause?: unknown): Promise<never> {
  const { lines, isInside } = await fieldsFor(work, named);
  const none = hasText ? 'takes no text; nothing was typed' : 'cannot have the focus; no key was pressed';
  const where = isInside ? 'the field in it' : 'a field of the page';
  const pass = lines.length === 0 ? 'Call browser_snapshot and pass the ref of a field.' : `Pass ${where}; see below.`;
  return fail(
    {
      code: 'invalid_argument',
      field: 'selector',
      problem: `is ${await whatIs(named, work.signal)}, which ${none}`,
      hint: `${pass} To send keys to the element with the focus, leave out the element.`,
      ...(lines.length === 0 ? {} : { quoted: await fenceText(lines.join('\n')) }),
    },
    { cause },
  );
}

async function whatIs(element: PageElement, signal: AbortSignal): Promise<string> {
  const { localName } = await nodeOf(element, signal);
  if (localName === 'body' || localName === 'html') return 'the page itself';
  const word = sanitizeRole(displayRole(element.role));
  const what = word === 'clickable' ? 'element' : word;
  return `${/^[aeiou]/u.test(what) ? 'an' : 'a'} ${what}`;
}

async function nodeOf({ frame, objectId, role }: PageElement, signal: AbortSignal): Promise<Protocol.DOM.Node> {
  const described = frame.session.send('DOM.describeNode', { objectId });
  return (await abortable(described, signal).catch(failElementGone(role))).node;
}

/** Lines of the fields inside an element or, if it contains none, of all fields on the page. */
async function fieldsFor({ tab, active, signal }: TypingWork, named: PageElement) {
  const page = await pageWith(named, signal);
  const inside = fieldsIn(inPage(page, named), page);
  const all = page.documents.flatMap(({ root }) => fieldsIn(root, page));
  const shown = (inside.length > 0 ? inside : all).slice(0, FIELDS_SHOWN_MAX);
  return { lines: await describeFoundElements(shown, tab, active.refs, signal), isInside: inside.length > 0 };
}

function pageWith({ tab, frame, backendNodeId }: PageElement, signal: AbortSignal): Promise<Page> {
  return readTabPage(tab, { frameId: frame.id, from: null, within: null, nodes: [backendNodeId] }, signal);
}

/** The accessible element of a node. For an iframe, the root of its document. */
function inPage(page: Page, { frame, backendNodeId }: PageElement): AxElement | null {
  const root = page.documents.find((document) => document.frame.id === frame.id)?.root;
  const element = root === undefined ? null : elementOfNode(root, backendNodeId);
  return element === null ? null : (page.within(element)?.root ?? element);
}

function fieldsIn(part: AxElement | null, page: Page): AxElement[] {
  if (part === null) return [];
  return [...everyElement(part)].filter(
    (one) => one !== part && (TEXT_ROLES.has(one.role) || one.properties.has('editable')) && isInteractive(one, page),
  );
}

/**
 * Names of the pressed keys, such as `Enter`. Single characters are omitted, because together they may spell a secret.
 */
function namesOfPressedKeys(key: string | undefined, submits: boolean): string[] {
  const pressed = (key ?? '').split(/\s+/u).filter((chord) => chord.length > 1);
  return submits ? [...pressed, 'Enter'] : pressed;
}

async function addMarkChanges<T>(
  { tab, signal }: OperationWork,
  element: PageElement,
  acted: ActionResult<T>,
): Promise<ActionResult<T>> {
  const { changesInView = 0, isOnlyFocus = false, isNewDocument, hasMoved } = acted;
  if (!isOnlyFocus || changesInView > 0 || isNewDocument || hasMoved || !tab.isOpen) return acted;
  const marks = await callOn(element, pageScripts.compareElementMarks, [], signal).catch(() => null);
  signal.throwIfAborted();
  return marks === null || marks.came.length + marks.went.length === 0 ? acted : { ...acted, marks };
}

/**
 * Checks the site rules for the frame with the keyboard focus, because it receives the keys of a call without a target.
 * Notes the frame if it receives text.
 * @throws {PeriscopeError} `blocked_by_rule`
 */
async function checkFocusedFrame(work: OperationWork, hasText: boolean): Promise<void> {
  const { active, tab, effect, signal } = work;
  if ((active.rules.isOff && !hasText) || tab.frames().length === 1) return;
  const frame = await abortable(findFocusedFrame(tab), signal);
  if (hasText) noteEnteredFrame(work, frame);
  if (active.rules.isOff) return;
  tab.inputFrame = frame.id;
  active.rules.check(tab, frame, effect);
}
