import type { ScriptStep, ScriptTarget, ScriptValue } from '#core/script-steps.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { oneLine } from '#core/text/text.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { displayRole } from '#browsing/tree/roles.ts';
import type { PageScan } from '#browsing/view/view.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { STEPS_PER_CALL_MAX } from '#browsing/session/steps/each.ts';

/** Maximum characters of a text that serves as proof of a step's success. Longer texts often contain variable parts. */
const OUTCOME_CHARS_MAX = 80;

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

/**
 * Names of the pressed keys, such as `Enter`. Single characters are omitted, because together they may spell a secret.
 */
export function namesOfPressedKeys(key: string | undefined, submits: boolean): string[] {
  const pressed = (key ?? '').split(/\s+/u).filter((chord) => chord.length > 1);
  return submits ? [...pressed, 'Enter'] : pressed;
}

export function toScriptValue(given: string, isPrivate: boolean): ScriptValue {
  const reference = parseSecretReference(given);
  if (reference !== null) return { secret: reference.name, wantsCode: reference.wantsCode };
  return isPrivate ? { withheld: true } : { text: given };
}

/** A short text that only the later view has, as visible proof of a step's success; `null` for none. */
export function findNewText(before: PageScan | null, after: PageScan | null): string | null {
  if (before === null || after === null) return null;
  const known = new Set(before.lines.flatMap(({ parts }) => parts));
  for (const { kind, parts } of after.lines) {
    const [words, ...more] = parts;
    if (kind !== 'text' || typeof words !== 'string' || more.length > 0 || known.has(words)) continue;
    if (words.length <= OUTCOME_CHARS_MAX && !words.includes('…') && /^\p{L}/u.test(words)) return words;
  }
  return null;
}
