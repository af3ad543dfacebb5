import { PAGE_RESPONSE_MS_MAX } from '#core/limits.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { CLICK_GUARD_LIFETIME_MS, click } from '#browsing/act/click.ts';
import { withTimeout, abortable } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { FieldFacts } from '#browsing/in-page/script-types.ts';
import { callOn, isGoneError, failElementGone } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { fenceQuote, findActionPoint, throwElementProblem } from '#browsing/act/reach.ts';
import { insertText, pressKey } from '#browsing/act/input.ts';
import { guardOtherFrames } from '#browsing/act/other-frames.ts';
import { keyPressEvents } from './type-text.ts';
import { refuseFillingFileField } from './put-file.ts';

/** Maximum options listed in an error, for the next call to choose from. */
const ACT_OPTIONS_SHOWN_MAX = 20;
const ACT_OPTIONS_CHARS_MAX = 1_000;

export type FillResult = {
  kind: FieldFacts['kind'];
  /** Value in the field, from the page; `null` for a secret, and after the document was replaced. */
  value: string | null;
  isSecret: boolean;
  /** True if the page changed the value (length limit, format) or did not accept it. */
  differs: boolean;
  /** False if the field is no longer in its document. True if the document itself was replaced. */
  isThere: boolean;
  /** True if the field rejected the value and still has its old one. */
  isKept?: boolean;
  /** True if the field has options but contains only typed text, because no option was chosen. */
  isOnlyText?: true;
  /** Set for a `<select>`: labels of the chosen options, in the page's words. */
  chosen?: string;
};

const GUARDED = ['keydown', 'keypress', 'beforeinput'];

/**
 * Replaces the content of a field. Text is entered by real input events. Dates, times, colours and sliders need the
 * format of HTML. Lists need the label or value of an option, or several joined by ` | `. Check boxes, radio buttons
 * and switches need `true` or `false`.
 * @throws {PeriscopeError} `element_not_found` with the reason, `invalid_argument` if the value does not fit the field
 */
export async function fill(element: PageElement, value: string, signal: AbortSignal): Promise<FillResult> {
  const field = await readField(element, signal);
  if (field.kind === 'file') return refuseFillingFileField();
  if (field.kind === 'none') {
    fail({
      code: 'invalid_argument',
      field: 'selector',
      problem: NOT_A_FIELD,
      hint: NO_FIELD,
    });
  }
  if (field.isReadOnly) return throwElementProblem(element, 'readonly');
  if (field.kind === 'check') return check(element, field, value, signal);
  await findActionPoint(element, signal, { isHit: false });
  if (field.kind === 'choice') {
    const chosen = await choose(element, value, signal);
    return { ...(await report(element, field, chosen, signal)), chosen };
  }
  if (field.kind === 'exact') await setExact(element, field, value, signal);
  else await replaceText(element, field, value, signal);
  const filled = await report(element, field, value, signal);
  const isKept = filled.differs && filled.value === field.value && !isFormatted(field.value, value);
  return { ...filled, isKept };
}

export async function recheckFilledField(
  element: PageElement,
  filled: FillResult,
  wanted: string,
  signal: AbortSignal,
): Promise<FillResult> {
  // For a `<select>`, `wanted` may be an option's value, so the chosen label is compared instead.
  const { chosen } = filled;
  if (chosen !== undefined) return { ...(await report(element, filled, chosen, signal)), chosen };
  const now = await report(element, filled, wanted, signal);
  return { ...now, isKept: filled.isKept === true && now.differs && now.value === filled.value };
}

/** True if the field already had this value in the page's own format, such as `12/29` for `1229`. */
function isFormatted(held: string, wanted: string): boolean {
  const plain = (text: string) => (/^\s*[-\u2212]/u.test(text) ? '-' : '') + text.replace(/[^\p{L}\p{N}]/gu, '');
  return plain(wanted) !== '' && plain(held).toLowerCase() === plain(wanted).toLowerCase();
}

/** True if the page only formatted the value, as in `4111 1111`. False if its decimals changed, as in `12.29` for `1229`. */
export function isOnlyFormatted(held: string, wanted: string): boolean {
  return isFormatted(held, wanted) && decimalsOf(held) === decimalsOf(wanted);
}

function decimalsOf(text: string): string {
  return /^\D*\d[\d\s.,'’]*[.,](\d{1,2}|\d{4,})\D*$/u.exec(text)?.[1] ?? '';
}

const NOT_A_FIELD = 'this is not a field that takes a value';

export function isNotAFieldError(error: unknown): boolean {
  const failure = error instanceof PeriscopeError ? error.failure : null;
  return failure?.code === 'invalid_argument' && failure.problem === NOT_A_FIELD;
}

const NO_FIELD =
  'Pass the text field, list, check box or switch itself. If the page draws a list of its own, click it open, then click the option; if it draws a slider, press arrow keys with browser_type.';

/** Maximum tries to enter a text while other frames take the focus. */
const FOCUS_TRIES_MAX = 3;

async function replaceText(element: PageElement, field: FieldFacts, value: string, signal: AbortSignal): Promise<void> {
  for (let tries = 1; await isKeptFromFrame(element, field, value, signal); tries += 1)
    if (tries === FOCUS_TRIES_MAX) return throwElementProblem(element, 'focus_taken');
}

/** Enters the text. @returns true if another frame had the focus instead, so that the text reached nothing */
async function isKeptFromFrame(
  element: PageElement,
  { type }: FieldFacts,
  value: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await callOn(element, pageScripts.focusField, ['all'], signal)))
    return throwElementProblem(element, 'unfocusable');
  if (type === 'edit-context') await selectByKeys(element, signal);
  // Another element may take the focus from here on. The guards keep the text away from it.
  const [unguard] = await Promise.all([
    guardOtherFrames(element, GUARDED, CLICK_GUARD_LIFETIME_MS, signal),
    callOn(element, pageScripts.armClickGuard, [GUARDED, CLICK_GUARD_LIFETIME_MS], signal),
  ]);
  try {
    if (value === '') await pressKey(element.tab, keyPressEvents('Delete'), signal);
    else await insertText(element.tab, value, signal);
  } finally {
    // Also runs after the call was aborted, because a guard left in the page would block all input.
    const ended = withTimeout(PAGE_RESPONSE_MS_MAX, (late) =>
      callOn(element, pageScripts.readClickGuard, [true], late),
    );
    await Promise.all([unguard(), ended.catch(() => undefined)]);
  }
  return unguard();
}

/**
 * Selects all content by keyboard, because an editor that draws itself reports only a part of its text to the browser.
 */
async function selectByKeys(element: PageElement, signal: AbortSignal): Promise<void> {
  await pressKey(element.tab, keyPressEvents('Control+A'), signal);
  await callOn(element, pageScripts.waitForNextTask, [], signal);
  await callOn(element, pageScripts.focusField, ['all'], signal);
}

async function setExact(element: PageElement, { type }: FieldFacts, value: string, signal: AbortSignal): Promise<void> {
  const held = await callOn(element, pageScripts.setFieldValue, [value], signal);
  if (held === value || type === 'range' || held.toLowerCase() === value.toLowerCase()) return;
  const hint = `Pass it as ${EXACT_FORMATS[type] ?? 'HTML expects it'}.`;
  fail({ code: 'invalid_argument', field: 'value', problem: 'the field does not take this value', hint });
}

const EXACT_FORMATS: Record<string, string> = {
  date: 'YYYY-MM-DD',
  'datetime-local': 'YYYY-MM-DDThh:mm',
  month: 'YYYY-MM',
  week: 'YYYY-Www, such as 2026-W05',
  time: 'hh:mm, 24 hours',
  color: '#rrggbb',
};

async function choose(element: PageElement, value: string, signal: AbortSignal): Promise<string> {
  const wanted = value.split('\n').map((line) => line.trim());
  let lines = wanted.length > 1 ? wanted.filter((line) => line !== '') : wanted;
  await element.tab.askFirst?.(
    { kind: 'choose', element, wanted: [...wanted, ...(splitOptionNames(value) ?? [])] },
    signal,
  );
  const chooseThem = () => callOn(element, pageScripts.chooseOptions, [lines, ACT_OPTIONS_SHOWN_MAX], signal);
  let chosen = await chooseThem();
  const several = splitOptionNames(value);
  if (chosen.missing.length > 0 && several !== null) {
    lines = several;
    chosen = await chooseThem();
  }
  const { missing, isDisabled, options, alike, isMultiple, labels } = chosen;
  if (alike.length > 0)
    return fail({
      code: 'invalid_argument',
      field: 'value',
      problem: SEVERAL_OPTIONS,
      hint: TELL_OPTIONS_APART,
      quoted: await fenceQuote(alike.join(' | '), ACT_OPTIONS_CHARS_MAX),
    });
  if (missing.length === 0 && (isMultiple || lines.length === 1)) return labels;
  return fail({
    code: 'invalid_argument',
    field: 'value',
    problem: problemOf(missing.length > 0, isDisabled),
    hint: 'Pass the label of an option exactly as in the list; several options with " | " between them, such as Red | Blue.',
    quoted: await fenceQuote(options.join(' | '), ACT_OPTIONS_CHARS_MAX),
  });
}

export const SEVERAL_OPTIONS = 'several options of the list have this name; nothing was chosen';
export const TELL_OPTIONS_APART =
  'Pass the address of the option that you mean, as listed below: value= with the value, such as value=7, or the group and the label with " > " between them.';

function problemOf(isMissing: boolean, isDisabled: boolean): string {
  if (isDisabled) return 'this option of the list is disabled';
  return isMissing ? 'the list has no such option' : 'only one option of this list can be chosen';
}

/** Splits several option names, such as `Red | Blue`; `null` for a single name. */
export function splitOptionNames(value: string): string[] | null {
  const names = value
    .split(/\s\|\s|\n/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length > 1 ? names : null;
}

async function check(element: PageElement, field: FieldFacts, value: string, signal: AbortSignal): Promise<FillResult> {
  const wanted = value.trim().toLowerCase();
  if (wanted !== 'true' && wanted !== 'false') {
    const hint = 'Pass "true" to switch it on, "false" to switch it off.';
    fail({ code: 'invalid_argument', field: 'value', problem: 'this can only be switched on or off', hint });
  }
  if (field.type === 'radio' && wanted === 'false' && field.value === 'true') {
    const hint = 'Set another radio button of its group to "true" instead.';
    fail({ code: 'invalid_argument', field: 'value', problem: 'a radio button cannot be switched off', hint });
  }
  if (field.value !== wanted) await click(element, { button: 'left', clickCount: 1, modifiers: [] }, signal);
  return report(element, field, wanted, signal);
}

async function report(
  element: PageElement,
  { kind, isSecret }: Pick<FillResult, 'kind' | 'isSecret'>,
  wanted: string,
  signal: AbortSignal,
): Promise<FillResult> {
  try {
    const { value, isThere, lacksOption } = await readField(element, signal);
    const differs = !isSame(kind, value, wanted);
    const only = !isSecret && !differs && lacksOption && kind === 'text' ? { isOnlyText: true as const } : {};
    return { kind, isSecret, value: isSecret ? null : value, differs, isThere, ...only };
  } catch (error) {
    if (!isGoneError(error)) throw error;
    return { kind, isSecret, value: null, differs: false, isThere: true };
  }
}

/** Compares field values. A `<select>` reports options in its own order, and rich text changes white space. */
function isSame(kind: FieldFacts['kind'], held: string, wanted: string): boolean {
  if (kind === 'choice') return sorted(held) === sorted(wanted);
  if (kind === 'exact' || kind === 'check') return held.toLowerCase() === wanted.trim().toLowerCase();
  const flat = (text: string) =>
    kind === 'editable' ? text.replace(/\s+/gu, ' ').trim() : text.replaceAll('\r\n', '\n');
  return flat(held) === flat(wanted);
}

function sorted(lines: string): string {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .toSorted()
    .join('\n');
}

/**
 * Reads a field. A custom element may set its role and state by `ElementInternals`, which scripts cannot read from
 * outside; the accessibility tree has both.
 * @throws {PeriscopeError} `element_not_found` if it is gone
 */
async function readField(element: PageElement, signal: AbortSignal): Promise<FieldFacts> {
  const field = await callOn(element, pageScripts.describeField, [element.role], signal);
  const isDrawn = field.kind === 'check' && field.type !== 'checkbox' && field.type !== 'radio';
  return isDrawn ? { ...field, value: String(await isChecked(element, signal)) } : field;
}

async function isChecked({ frame, objectId, role }: PageElement, signal: AbortSignal): Promise<boolean> {
  const asked = frame.session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false });
  const { nodes } = await abortable(asked, signal).catch(failElementGone(role));
  const state: unknown = nodes[0]?.properties?.find(({ name }) => name === 'checked')?.value.value;
  return state === 'true' || state === true;
}
