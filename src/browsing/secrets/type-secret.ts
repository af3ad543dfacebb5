import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { SecretProblem } from '#core/failures/failure.ts';
import type { SecretFacts } from '#core/secrets/secret-facts.ts';
import { PAGE_ALIVE_MS, TYPE_SLOWLY_MS, SECOND_MS } from '#core/limits.ts';
import { sleep, withTimeout } from '#core/flow/abort.ts';
import type { SecretManner, SecretState, SecretTyped } from '#browsing/in-page/scripts.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn, isGone, safeRole } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { HIDDEN } from './mask.ts';

/** How long the next letter of a secret waits for the page to move the focus on from a box that is full. */
const SECRET_ROOM_MS = 1 * SECOND_MS;
/** What a call that types a secret letter by letter keeps for all else: the page comes to rest, and its fields are looked at. */
const SECRET_REST_MS = 2 * SECOND_MS;

/**
 * What is typed for a secret, and where it may be. `hideParts`: for which of several boxes got each of its letters, in order; what
 * a box got is then hidden like a value.
 */
export type SecretText = Pick<SecretFacts, 'name' | 'sites'> & {
  text: string;
  hideParts: (boxes: readonly (number | null)[]) => Promise<void>;
};

/**
 * Where a field is, without anything to type being sent to it.
 * @param secret that is to be typed there; `null` only asks
 * @throws {PeriscopeError} `secret_refused` when it would not be
 */
export async function placeForSecret(
  element: PageElement,
  secret: Pick<SecretFacts, 'name' | 'sites'> | null,
  signal: AbortSignal,
): Promise<SecretTyped> {
  const place = await callOn(element, pageScripts.typeSecret, [null, [...(secret?.sites ?? [])], 'replace'], signal);
  if (secret !== null && place.state !== 'ready') return refuseSecret(element, secret, place.state);
  return place;
}

/** Replaces what a field within reach holds. @throws {PeriscopeError} `secret_refused`, `element_not_found` with the reason */
export async function fillSecret(element: PageElement, secret: SecretText, signal: AbortSignal): Promise<FilledSecret> {
  const { state, isHeld } = await callOn(
    element,
    pageScripts.typeSecret,
    [secret.text, [...secret.sites], 'replace'],
    signal,
  );
  if (state !== 'typed') return refuseSecret(element, secret, state);
  return { kind: 'text', value: null, isSecret: true, differs: !isHeld, isThere: true };
}

/** What a field is then known to hold, as of any other field that was filled. */
type FilledSecret = { kind: 'text'; value: null; isSecret: true; differs: boolean; isThere: true };

/** As {@link FilledSecret} knows what a field should hold. */
export const SECRET_AS_READ = HIDDEN;

/** Types it at the caret of a field within reach, and goes on where the page moves the focus, as fields with one box a digit do. */
export async function typeSecretKeys(
  element: PageElement,
  secret: SecretText,
  isSlow: boolean,
  signal: AbortSignal,
): Promise<void> {
  let manner: SecretManner = 'insert';
  const boxes: (number | null)[] = [];
  try {
    for (const letter of secret.text) {
      boxes.push(await putWhenRoom(element, secret, letter, manner, signal));
      manner = 'goOn';
      if (isSlow) await sleep(TYPE_SLOWLY_MS, signal);
    }
    // Not in the same task as the last letter: frameworks put back what was typed before they take it over.
    await refuseCut(element, secret, signal);
  } catch (error) {
    // Also when the call was given up: a part of it is nothing that results could hide.
    await withTimeout(PAGE_ALIVE_MS, (late) => callOn(element, pageScripts.emptySecrets, [], late)).catch(
      () => undefined,
    );
    const isField = error instanceof PeriscopeError && error.failure.code === 'element_not_found';
    if (manner === 'goOn' && isField) await refuseSecret(element, secret, 'cut');
    throw error;
  } finally {
    await secret.hideParts(boxes);
  }
}

/**
 * Asked when the page has come to rest: whatever it has made of a secret, its fields hold all of it or nothing. A page that has
 * gone on to another document has taken what it wanted.
 * @throws {PeriscopeError} `secret_refused`
 */
export async function refuseCut(element: PageElement, secret: SecretText, signal: AbortSignal): Promise<void> {
  const isWhole = await callOn(element, pageScripts.keepsSecretWhole, [], signal).catch((error: unknown) => {
    if (isGone(error)) return true;
    throw error;
  });
  if (!isWhole) await refuseSecret(element, secret, 'cut');
}

/**
 * Typing letter by letter that the end of the call would break off is not begun: a part would be left in the page.
 * @param endsAt when the call ends, in ms since 1970
 * @throws {PeriscopeError} `invalid_argument`
 */
export async function refuseSlow(
  element: PageElement,
  secret: SecretText,
  isSlow: boolean,
  endsAt: number,
  signal: AbortSignal,
): Promise<void> {
  const asked = Date.now();
  await placeForSecret(element, secret, signal);
  const letterMs = Date.now() - asked + (isSlow ? TYPE_SLOWLY_MS : 0);
  if (Date.now() + secret.text.length * letterMs + SECRET_REST_MS < endsAt) return;
  fail({
    code: 'invalid_argument',
    field: isSlow ? 'slowly' : 'text',
    problem: `typing the secret "${secret.name}" letter by letter would take longer than a call may; nothing was typed`,
    hint: 'Use browser_fill, which types it at once.',
  });
}

/** Pages move the focus on a moment after a box is full. @returns the box */
async function putWhenRoom(
  element: PageElement,
  secret: SecretText,
  letter: string,
  manner: SecretManner,
  signal: AbortSignal,
): Promise<number | null> {
  const end = Date.now() + SECRET_ROOM_MS;
  for (;;) {
    const { state, box } = await callOn(element, pageScripts.typeSecret, [letter, [...secret.sites], manner], signal);
    if (state === 'typed') return box;
    if (state !== 'full' || Date.now() >= end) await refuseSecret(element, secret, state);
    await sleep(TYPE_SLOWLY_MS, signal);
  }
}

function refuseSecret(
  element: PageElement,
  { name, sites }: Pick<SecretFacts, 'name' | 'sites'>,
  state: SecretState,
): Promise<never> {
  const reason = PROBLEMS[state];
  if (reason !== undefined) return fail({ code: 'secret_refused', name, reason, sites });
  return fail({
    code: 'element_not_found',
    target: safeRole(element.role),
    reason: state === 'readonly' ? 'readonly' : state === 'gone' ? 'replaced' : 'unfocusable',
  });
}

const PROBLEMS: Partial<Record<SecretState, SecretProblem>> = {
  site: 'site',
  around: 'around',
  opaque: 'opaque',
  field: 'field',
  form: 'form',
  full: 'full',
  cut: 'full',
};
