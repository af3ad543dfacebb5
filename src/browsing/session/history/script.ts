import type { ScriptStep, ScriptTarget, ScriptValue } from '#core/script-steps.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { oneLine } from '#core/text/text.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { roleWordOf } from '#browsing/tree/roles.ts';
import type { Look } from '#browsing/view/view.ts';
import type { Work } from '#browsing/session/operations/perform.ts';

/** Steps of one call that are kept: as many as a list has fields to fill in. */
const SCRIPT_STEPS_MAX = 60;
/** Of a text that shows that a step has worked. A longer one may be cut, or change. */
const OUTCOME_CHARS_MAX = 80;

/** Notes what a call has done. On a page in which a person has typed, names may repeat that, so nothing is noted of it. */
export function noteStep({ tab, script }: Work, step: ScriptStep): void {
  if (script === undefined || script.steps.length >= SCRIPT_STEPS_MAX) return;
  script.steps.push(
    tab.isTypedByPerson && step.do !== 'go' ? { do: 'other', what: 'a step on a page in which a person typed' } : step,
  );
}

/** What an element is found by in another run. Asked for before it is acted on: its name may change. */
export function targetOf({ active }: Work, element: PageElement): ScriptTarget {
  const { tab, frame, role, name } = element;
  return {
    role: roleWordOf(role),
    name: oneLine(name, name.length),
    nth: placeAmong(active, element),
    frame: frame.id === tab.main().id ? null : frame.url,
  };
}

/** Which of the elements of its role and name, in the order of the last look. */
function placeAmong(
  { lastLooks: looks, refs, tabs }: Work['active'],
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

/** Named keys alone: single characters may spell what nobody may keep. */
export function namedKeys(key: string | undefined, submits: boolean): string[] {
  const pressed = (key ?? '').split(/\s+/u).filter((chord) => chord.length > 1);
  return submits ? [...pressed, 'Enter'] : pressed;
}

export function valueOf(given: string, isPrivate: boolean): ScriptValue {
  const reference = parseSecretReference(given);
  if (reference !== null) return { secret: reference.name, wantsCode: reference.wantsCode };
  return isPrivate ? { withheld: true } : { text: given };
}

/** A text that only the later look has: what a person would see of the outcome. */
export function newText(before: Look | null, after: Look | null): string | null {
  if (before === null || after === null) return null;
  const known = new Set(before.lines.flatMap(({ parts }) => parts));
  for (const { kind, parts } of after.lines) {
    const [words, ...more] = parts;
    if (kind !== 'text' || typeof words !== 'string' || more.length > 0 || known.has(words)) continue;
    if (words.length <= OUTCOME_CHARS_MAX && !words.includes('…') && /^\p{L}/u.test(words)) return words;
  }
  return null;
}
