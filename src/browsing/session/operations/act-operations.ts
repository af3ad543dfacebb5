import { fail } from '#core/failures/failure.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { click } from '#browsing/act/click.ts';
import type { ClickOptions, ClickResult } from '#browsing/act/click.ts';
import { scrollAndSettle, scrollTo } from '#browsing/act/scroll.ts';
import type { ScrollOptions, ScrollPosition } from '#browsing/act/scroll.ts';
import { typeText } from '#browsing/act/fields/type-text.ts';
import type { NotTypedReason, TypeOptions } from '#browsing/act/fields/type-text.ts';
import { refuseCutSecret, refuseSlowSecret } from '#browsing/secrets/type-secret.ts';
import type { OpenedSecret } from '#browsing/secrets/type-secret.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { findFrameRoot } from '#browsing/act/inner-frame.ts';
import {
  actAndReport,
  checkRulesForFocusedFrame,
  findTargetElement,
  documentInsideFrame,
  logInvalidFields,
  addMarkChanges,
} from './acting.ts';
import type { ActionResult } from './acting.ts';
import {
  findKeptTick,
  findMissingEffect,
  hasNothingChanged,
  wasAlreadySelected,
  ignoresMouseClicks,
  readTick,
  recordPageStates,
} from './missing-effects.ts';
import type { KeptTick, MissingEffect } from './missing-effects.ts';
import { openSecret } from '#browsing/secrets/session-secrets.ts';
import type { OperationWork } from './perform.ts';
import {
  namesOfPressedKeys,
  recordScriptStep,
  toScriptTarget,
  toScriptValue,
} from '#browsing/session/history/script.ts';
import { failWithFieldList, readTypedField, findTextTarget } from './text-target.ts';
import type { TypedFieldState } from './text-target.ts';

export type ClickInput = ClickOptions & { target: string; snapshot: boolean };

/** Result of a click. */
export type ClickEffect = Pick<ClickResult, 'landed'> & {
  /** Set only in `browser_do`, for a click without visible effect. */
  effect?: MissingEffect;
  /** Set if nothing changed because the element listens only for touch events. */
  isTouchOnly?: true;
  /** Set if the click left a check box, switch or radio button as it was. */
  kept?: KeptTick;
};

export async function clickElement(work: OperationWork, input: ClickInput): Promise<ActionResult<ClickEffect>> {
  const element = await findTargetElement(work, input.target, 'control');
  const isTicking = input.button === 'left' && input.clickCount === 1;
  const tick = isTicking ? await readTick(element, work.signal) : null;
  let noted: Awaited<ReturnType<typeof recordPageStates>> | null = null;
  const note = async () => {
    if (work.watchesEffect === true) noted = await recordPageStates(work, [element], true);
  };
  const acted = await actAndReport(work, element, input.snapshot, async () => {
    const at = toScriptTarget(work, element);
    const { landed, invalid } = await click(element, input, work.signal, note);
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
  const same = await findMissingEffect(work, noted, acted);
  const effect = same === 'none' && (await wasAlreadySelected(element, work.signal)) ? null : same;
  const hadNothing = effect === 'none' || hasNothingChanged(marked);
  const isTouchOnly = await ignoresMouseClicks(work, element, input.button, hadNothing);
  const kept = isTouchOnly ? null : await findKeptTick(work, element, tick, acted);
  return {
    ...marked,
    ...(effect === null ? {} : { effect }),
    ...(isTouchOnly ? { isTouchOnly } : {}),
    ...(kept === null ? {} : { kept }),
  };
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
    if (element === null) await checkRulesForFocusedFrame(work);
    const secret = reference === null || element === null ? undefined : await openSecret(work, reference, element);
    if (secret !== undefined && element !== null) {
      await refuseSlowSecret(element, secret, typing.slowly === true, work.endsAt, work.signal);
    }
    const at = element === null ? null : toScriptTarget(work, element);
    const { invalid, missed } = await typeText(work.tab, element, { ...typing, secret }, work.signal).catch(
      (error: unknown) => {
        if (isField || named === null) throw error;
        return failWithFieldList(error, work, named, hasText);
      },
    );
    const text = typing.text === undefined ? null : toScriptValue(typing.text, true);
    recordScriptStep(work, { do: 'type', at, text, keys: namesOfPressedKeys(typing.key, typing.submit === true) });
    logInvalidFields(work, invalid);
    if (secret !== undefined) typed = secret;
    return missed === null ? {} : { missed };
  });
  if (typed !== null && element !== null) await refuseCutSecret(element, typed, work.signal);
  const typedIn =
    isField && element !== null && reference === null ? await readTypedField(element, typing, work.signal) : {};
  const effect = await findMissingEffect(work, noted, acted);
  return { ...acted, ...typedIn, ...(effect === null ? {} : { effect }) };
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
