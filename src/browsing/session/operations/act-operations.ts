import { fail } from '#core/failures/failure.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { click } from '#browsing/act/click.ts';
import type { ClickOptions, ClickResult } from '#browsing/act/click.ts';
import { scrollAndSettle, scrollTo } from '#browsing/act/scroll.ts';
import type { ScrollOptions, ScrollPosition } from '#browsing/act/scroll.ts';
import { typeText } from '#browsing/act/fields/type-text.ts';
import type { Missed, TypeOptions } from '#browsing/act/fields/type-text.ts';
import { refuseCut, refuseSlow } from '#browsing/secrets/type-secret.ts';
import type { SecretText } from '#browsing/secrets/type-secret.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { findFrameRoot } from '#browsing/act/inner-frame.ts';
import { act, checkFocused, findElement, insideFrame, logInvalidFields, withMarks } from './acting.ts';
import type { ActionResult } from './acting.ts';
import { effectSince, hasNothingChanged, isAsAsked, missedTouch, noteStates } from './effects.ts';
import type { Effect } from './effects.ts';
import { openSecret } from '#browsing/secrets/session-secrets.ts';
import type { Work } from './perform.ts';
import { namedKeys, noteStep, toScriptTarget, toScriptValue } from '#browsing/session/history/script.ts';
import { asNoField, fieldTyped, textTarget } from './text-target.ts';
import type { FieldTyped } from './text-target.ts';

export type ClickInput = ClickOptions & { target: string; snapshot: boolean };

/** Result of a click. */
export type ClickedResult = Pick<ClickResult, 'landed'> & {
  /** Set only in `browser_do`, for a click without visible effect. */
  effect?: Effect;
  /** Set if nothing changed because the element listens only for touch events. */
  isTouchOnly?: true;
};

export async function clickElement(work: Work, input: ClickInput): Promise<ActionResult<ClickedResult>> {
  const element = await findElement(work, input.target, 'control');
  let noted: Awaited<ReturnType<typeof noteStates>> | null = null;
  const note = async () => {
    if (work.watchesEffect === true) noted = await noteStates(work, [element], true);
  };
  const acted = await act(work, element, input.snapshot, async () => {
    const at = toScriptTarget(work, element);
    const { landed, invalid } = await click(element, input, work.signal, note);
    noteStep(work, { do: 'click', at, button: input.button, count: input.clickCount, modifiers: [...input.modifiers] });
    logInvalidFields(work, invalid);
    return { landed };
  });
  const marked = await withMarks(work, element, acted);
  const same = await effectSince(work, noted, acted);
  const effect = same === 'none' && (await isAsAsked(element, work.signal)) ? null : same;
  const hadNothing = effect === 'none' || hasNothingChanged(marked);
  const isTouchOnly = await missedTouch(work, element, input.button, hadNothing);
  return { ...marked, ...(effect === null ? {} : { effect }), ...(isTouchOnly ? { isTouchOnly } : {}) };
}

type TypeResult = FieldTyped & { missed?: Missed; effect?: Effect };
export type TypeInput = TypeOptions & { target: string | undefined; snapshot: boolean };

/** @throws {PeriscopeError} `secret_refused`, and errors of finding the element and typing */
export async function typeInto(
  work: Work,
  { target, snapshot: shows, ...typing }: TypeInput,
): Promise<ActionResult<TypeResult>> {
  const named = target === undefined ? null : await findElement(work, target, 'field');
  const hasText = (typing.text ?? '') !== '';
  const { element, isField } = named === null ? NO_TARGET : await textTarget(work, named, hasText);
  const reference = parseSecretReference(typing.text ?? '');
  if (reference !== null && element === null) {
    fail({ code: 'secret_refused', name: reference.name, reason: 'place', sites: [] });
  }
  let typed: SecretText | null = null;
  const mayPress =
    work.watchesEffect === true && !hasText && (typing.submit === true || PRESSES.test(typing.key ?? ''));
  const noted = mayPress ? await noteStates(work, [element ?? (await pageAsElement(work))], true) : null;
  const acted = await act(work, element, shows, async () => {
    if (element === null) await checkFocused(work);
    const secret = reference === null || element === null ? undefined : await openSecret(work, reference, element);
    if (secret !== undefined && element !== null) {
      await refuseSlow(element, secret, typing.slowly === true, work.endsAt, work.signal);
    }
    const at = element === null ? null : toScriptTarget(work, element);
    const { invalid, missed } = await typeText(work.tab, element, { ...typing, secret }, work.signal).catch(
      (error: unknown) => {
        if (isField || named === null) throw error;
        return asNoField(error, work, named, hasText);
      },
    );
    const text = typing.text === undefined ? null : toScriptValue(typing.text, true);
    noteStep(work, { do: 'type', at, text, keys: namedKeys(typing.key, typing.submit === true) });
    logInvalidFields(work, invalid);
    if (secret !== undefined) typed = secret;
    return missed === null ? {} : { missed };
  });
  if (typed !== null && element !== null) await refuseCut(element, typed, work.signal);
  const typedIn =
    isField && element !== null && reference === null ? await fieldTyped(element, typing, work.signal) : {};
  const effect = await effectSince(work, noted, acted);
  return { ...acted, ...typedIn, ...(effect === null ? {} : { effect }) };
}

const PRESSES = /(?:^|\s)(?:Enter|Space)$/u;

function pageAsElement({ tab, signal }: Work): Promise<PageElement> {
  return findFrameRoot(tab, tab.main(), false, signal);
}

const NO_TARGET = { element: null, isField: false };

export type ScrollInput = ScrollOptions & {
  target: string | undefined;
  intoView: boolean;
  snapshot: boolean;
};

export async function scrollPage(work: Work, input: ScrollInput): Promise<ActionResult<{ place: ScrollPosition }>> {
  const element = input.target === undefined ? null : await findElement(work, input.target);
  return act(work, element, input.snapshot, async () => ({
    place:
      element !== null && input.intoView
        ? await scrollTo(element, work.signal)
        : await scrollAndSettle(work.tab, await insideFrame(element, work.signal), input, work.signal),
  }));
}
