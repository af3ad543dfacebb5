import type { ScriptStep, ScriptTarget, ScriptValue } from '#core/script-steps.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { oneLine } from '#core/text/text.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { displayRole } from '#browsing/tree/roles.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { STEPS_PER_CALL_MAX } from '#browsing/session/steps/each.ts';

/**
 * Records a step of the call. On a page where a person has typed, the names of elements may repeat the typed text, so
 * they are omitted.
 */
export function recordScriptStep({ tab, script }: OperationWork, step: ScriptStep): void {
  if (script === undefined || script.steps.length >= STEPS_PER_CALL_MAX) return;
  script.steps.push(
    tab.isTypedByPerson && step.do !== 'go' ? { do: 'other', what: 'a step on a page in which a person typed' } : step,
  );
}

export function toScriptTarget({ active }: OperationWork, element: PageElement): ScriptTarget {
  const { tab, frame, role, name } = element;
  return {
    role: displayRole(role),
    name: oneLine(name, name.length),
    nth: placeAmong(active, element),
    frame: frame.id === tab.main().id ? null : frame.url,
  };
}

/**
 * Index of an element among the elements with equal role and name in the last view; `null` if it is the only one or is
 * not in that view.
 */
function placeAmong(
  { lastLooks: looks, refs, tabs }: OperationWork['active'],
  { tab, frame, backendNodeId, role, name }: PageElement,
): number | null {
  const open = tabs.byId(tab.id);
  const look = open === null ? undefined : looks.get(open);
  const shown = new Set(
    (look?.lines ?? []).flatMap(({ parts }) =>
      parts.flatMap((part) => (typeof part === 'string' ? [] : (part.ref ?? []))),
    ),
  );
  const alike = [...shown]
    .flatMap((ref) => refs.current(ref) ?? [])
    .filter((one) => one.role === role && one.name === name && one.frameId === frame.id);
  const place = alike.findIndex((one) => one.backendNodeId === backendNodeId);
  return place === -1 || alike.length < 2 ? null : place;
}

export function toScriptValue(given: string, isPrivate: boolean): ScriptValue {
  const reference = parseSecretReference(given);
  if (reference !== null) return { secret: reference.name, wantsCode: reference.wantsCode };
  return isPrivate ? { withheld: true } : { text: given };
}
