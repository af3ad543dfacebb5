import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { SecretProblem } from '#core/failures/browser-failures.ts';
import type { SecretFacts } from '#core/secrets/secret-facts.ts';
import { PAGE_RESPONSE_MS_MAX, TYPING_DELAY_MS, SECOND_MS } from '#core/limits.ts';
import { sleep, resolveWithin, withTimeout } from '#core/flow/abort.ts';
import type {
  SecretTypingMode,
  SecretTypingState,
  SecretTypingResult,
} from '#browsing/in-page/secrets/secret-typed.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn, callOn, isGoneError, sanitizeRole, ifGone } from '#browsing/tabs/call-in-page.ts';
import type { Frame, PageElement, Tab } from '#browsing/tabs/tab.ts';
import { MASK_TEXT } from './mask.ts';

/**
 * Maximum wait before a letter while a box is full, because the page may be about to move the focus to the next box.
 */
const SECRET_ROOM_MS = 1 * SECOND_MS;
/**
 * Time reserved at the end of a call that types letter by letter, so that the page can settle and its fields can be
 * checked.
 */
const SECRET_REST_MS = 2 * SECOND_MS;

/**
 * An opened secret. `maskParts` is called with the box index of each letter, if a code has several boxes. The part in
 * each box is then masked like a value.
 */
export type OpenedSecret = Pick<SecretFacts, 'name' | 'sites'> & {
  text: string;
  maskParts: (boxes: readonly (number | null)[]) => Promise<void>;
};

/**
 * Checks a field before a secret is opened for it. The page receives nothing.
 * @param secret `null` to get only the origins
 * @throws {PeriscopeError} `secret_refused`
 */
export async function checkSecretField(
  element: PageElement,
  secret: Pick<SecretFacts, 'name' | 'sites'> | null,
  signal: AbortSignal,
): Promise<SecretTypingResult> {
  const place = await callOn(element, pageScripts.typeSecret, [null, [...(secret?.sites ?? [])], 'replace'], signal);
  if (secret !== null && place.state !== 'ready') return refuseSecret(element, secret, place.state);
  return place;
}

/**
 * Replaces the value of a field with a secret.
 * @throws {PeriscopeError} `secret_refused`, `element_not_found` with the reason
 */
export async function fillSecret(
  element: PageElement,
  secret: OpenedSecret,
  signal: AbortSignal,
): Promise<FilledSecret> {
  const { state, isHeld } = await callOn(
    element,
    pageScripts.typeSecret,
    [secret.text, [...secret.sites], 'replace'],
    signal,
  );
  if (state !== 'typed') return refuseSecret(element, secret, state);
  return { kind: 'text', value: null, isSecret: true, differs: !isHeld, isThere: true };
}

type FilledSecret = { kind: 'text'; value: null; isSecret: true; differs: boolean; isThere: true };

export const MASKED_SECRET_VALUE = MASK_TEXT;

/** Types a secret at the caret, letter by letter. Follows the focus if the page moves it from box to box. */
export async function typeSecretKeys(
  element: PageElement,
  secret: OpenedSecret,
  isSlow: boolean,
  signal: AbortSignal,
): Promise<void> {
  let manner: SecretTypingMode = 'insert';
  const boxes: (number | null)[] = [];
  try {
    for (const letter of secret.text) {
      boxes.push(await putWhenRoom(element, secret, letter, manner, signal));
      manner = 'goOn';
      if (isSlow) await sleep(TYPING_DELAY_MS, signal);
    }
    // In a later task, because frameworks first restore the old value of a field and then apply the typed one.
    await refuseCutSecret(element, secret, signal);
  } catch (error) {
    // Also runs after a cancelled call, because masking does not recognize an incomplete secret.
    await withTimeout(PAGE_RESPONSE_MS_MAX, (late) => callOn(element, pageScripts.emptySecretFields, [], late)).catch(
      () => undefined,
    );
    const isField = error instanceof PeriscopeError && error.failure.code === 'element_not_found';
    if (manner === 'goOn' && isField) await refuseSecret(element, secret, 'cut');
    throw error;
  } finally {
    await secret.maskParts(boxes);
  }
}

/**
 * Called after the last letter, and again when the page is idle. Each field must contain the whole secret or nothing of
 * it. A page that has navigated has accepted the secret.
 * @throws {PeriscopeError} `secret_refused`
 */
export async function refuseCutSecret(element: PageElement, secret: OpenedSecret, signal: AbortSignal): Promise<void> {
  const isWhole = await callOn(element, pageScripts.hasKeptWholeSecret, [], signal).catch(ifGone(true));
  if (!isWhole) await refuseSecret(element, secret, 'cut');
}

/**
 * Refuses to type letter by letter if the call would end first and leave part of the secret in the page.
 * @param endsAt end of the call, as Unix time in ms
 * @throws {PeriscopeError} `invalid_argument`
 */
export async function refuseSlowSecret(
  element: PageElement,
  secret: OpenedSecret,
  isSlow: boolean,
  endsAt: number,
  signal: AbortSignal,
): Promise<void> {
  const asked = Date.now();
  await checkSecretField(element, secret, signal);
  const letterMs = Date.now() - asked + (isSlow ? TYPING_DELAY_MS : 0);
  if (Date.now() + secret.text.length * letterMs + SECRET_REST_MS < endsAt) return;
  fail({
    code: 'invalid_argument',
    field: isSlow ? 'slowly' : 'text',
    problem: `typing the secret "${secret.name}" letter by letter would take longer than a call may; nothing was typed`,
    hint: 'Use browser_fill, which types it at once.',
  });
}

/**
 * Types a letter. Waits while a box is full, because pages move the focus a moment later.
 * @returns index of the box that received the letter
 */
async function putWhenRoom(
  element: PageElement,
  secret: OpenedSecret,
  letter: string,
  manner: SecretTypingMode,
  signal: AbortSignal,
): Promise<number | null> {
  const end = Date.now() + SECRET_ROOM_MS;
  for (;;) {
    const { state, box } = await callOn(element, pageScripts.typeSecret, [letter, [...secret.sites], manner], signal);
    if (state === 'typed') return box;
    if (state !== 'full' || Date.now() >= end) await refuseSecret(element, secret, state);
    await sleep(TYPING_DELAY_MS, signal);
  }
}

function refuseSecret(
  element: PageElement,
  { name, sites }: Pick<SecretFacts, 'name' | 'sites'>,
  state: SecretTypingState,
): Promise<never> {
  const reason = PROBLEMS[state];
  if (reason !== undefined) return fail({ code: 'secret_refused', name, reason, sites });
  return fail({
    code: 'element_not_found',
    target: sanitizeRole(element.role),
    reason: state === 'readonly' ? 'readonly' : state === 'gone' ? 'replaced' : 'unfocusable',
  });
}

const PROBLEMS: Partial<Record<SecretTypingState, SecretProblem>> = {
  site: 'site',
  around: 'around',
  opaque: 'opaque',
  field: 'field',
  form: 'form',
  full: 'full',
  cut: 'full',
  frame: 'frame',
};

/**
 * Guards fields in which the page itself shows a secret, such as a user name that the site does not know: they can then
 * only be changed as a whole. If a model deleted both ends of the text, masking would not recognize the rest. Does
 * nothing before a secret is typed.
 */
export async function guardSecretCopies(tab: Tab, signal: AbortSignal): Promise<void> {
  if (!tab.session.isMasking) return;
  await Promise.all(
    tab.frames().map((frame) => resolveWithin(guardIn(tab, frame, signal), PAGE_RESPONSE_MS_MAX, signal)),
  );
}

async function guardIn(tab: Tab, frame: Frame, signal: AbortSignal): Promise<void> {
  try {
    const texts = await callIn(tab, frame, pageScripts.readEditableTexts, [], signal);
    const at = [...texts.keys()].filter((one) => tab.session.maskedPlaces(texts[one] ?? '').length > 0);
    if (at.length > 0) await callIn(tab, frame, pageScripts.guardSecretEditables, [at], signal);
  } catch (error) {
    if (!isGoneError(error)) throw error;
  }
}
