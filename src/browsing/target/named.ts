import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import { DROP_ZONE, nameShown, roleWord, textWithin } from '#browsing/view/element-line.ts';
import { isInteractive, takesDropsOnly } from '#browsing/view/interactive.ts';
import { CONTROL_ROLES, FIELD_ROLES } from '#browsing/tree/roles.ts';
import type { Page } from '#browsing/view/page.ts';
import { alike } from '#browsing/view/words.ts';

/** A role and name, or a visible text (`role` is `null`). `nth` counts from 1. */
export type NamedTarget = { role: string | null; words: string; nth: number | null };

const BY_ROLE = /^(drop zone|[a-z]+)\s+"(.*)"(?:\s+nth=(\d{1,4}))?$/isu;
const BY_TEXT = /^text=\s*(.+?)(?:\s+nth=(\d{1,4}))?$/isu;

/** `button "Close issue"` or `text=Close issue`, both with an optional ` nth=2`; `null` for anything else. */
export function parseNamed(target: string): NamedTarget | null {
  const [, role, name = '', place] = BY_ROLE.exec(target.trim()) ?? [];
  if (role !== undefined) return { role: role.toLowerCase(), words: name, nth: ordinal(place) };
  const [, text, nth] = BY_TEXT.exec(target.trim()) ?? [];
  return text === undefined ? null : { role: null, words: unquoted(text), nth: ordinal(nth) };
}

function ordinal(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

function unquoted(text: string): string {
  return /^"(.*)"$/su.exec(text)?.[1] ?? text;
}

/**
 * Elements that only contain the words count if no element has exactly this name. Where the accessible element around a
 * text holds more, the text itself is returned.
 */
export function findNamed(page: Page, { role, words }: NamedTarget): AxElement[] {
  const wanted = alike(words);
  const all = page.documents.flatMap(({ root }) => [...everyElement(root)].filter(hasNode));
  return role === null ? byText(all, wanted, page) : byRole(all, role, wanted, page);
}

export function isCalled(element: AxElement, { words }: NamedTarget, page: Page): boolean {
  return alike(nameShown(element, page) || textWithin(element) || element.name) === alike(words);
}

function hasNode({ backendNodeId, role }: AxElement): boolean {
  return backendNodeId !== null && role !== 'StaticText' && role !== 'RootWebArea';
}

function byRole(all: readonly AxElement[], role: string, wanted: string, page: Page): AxElement[] {
  const named = all
    .filter((element) =>
      role === DROP_ZONE
        ? page.isDropZone(element)
        : roleWord(element).toLowerCase() === role || element.role.toLowerCase() === role,
    )
    .map((element) => ({ element, name: alike(nameShown(element, page) || textWithin(element)) }));
  return exactOrContaining(named, wanted);
}

/** Prefers an element that one can act on to the text around it, and otherwise the innermost element with the text. */
function byText(elements: readonly AxElement[], wanted: string, page: Page): AxElement[] {
  const acting = elements.filter((element) => isInteractive(element, page) && !takesDropsOnly(element, page));
  const named = acting.map((element) => ({ element, name: alike(nameShown(element, page) || textWithin(element)) }));
  const holding = elements
    .filter(({ children }) => children.some(({ role }) => role === 'StaticText'))
    .map((element) => ({ element, name: alike(textWithin(element)) }));
  const all = exactOrContaining(named.some(({ name }) => name.includes(wanted)) ? named : holding, wanted);
  const found = innermost(all);
  if ([...named, ...holding].some(({ element, name }) => name === wanted && found.includes(element))) return found;
  // A part may hold several such texts, and its middle is not where this one is.
  return found.flatMap((part) => {
    const inside = holding.filter(({ element, name }) => name === wanted && isWithin(element, part));
    return inside.length === 0 ? textsIn(part, wanted) : inside.map(({ element }) => element);
  });
}

/** The part itself when the words are spread over several texts, or the part is one control. */
function textsIn(part: AxElement, wanted: string): AxElement[] {
  if (CONTROLS.has(part.role) || part.properties.get('editable') === 'plaintext') return [part];
  const texts = [...everyElement(part)]
    .filter(({ role, backendNodeId, ignored }) => role === 'StaticText' && backendNodeId !== null && !ignored)
    .map((element) => ({ element, name: alike(element.name) }));
  const found = exactOrContaining(texts, wanted);
  return found.length === 0 ? [part] : found;
}

/** Reacts wherever it is clicked, unlike a field. */
const CONTROLS: ReadonlySet<string> = new Set([...CONTROL_ROLES].filter((role) => !FIELD_ROLES.has(role)));

/** Those that hold none of the others: a clickable cell and the link that fills it are one thing to a person. */
function innermost(found: readonly AxElement[]): AxElement[] {
  const around = new Set<AxElement>();
  for (const element of found) {
    for (let at = element.parent; at !== null && !around.has(at); at = at.parent) around.add(at);
  }
  return found.filter((element) => !around.has(element));
}

function isWithin(element: AxElement, part: AxElement): boolean {
  for (let at = element.parent; at !== null; at = at.parent) if (at === part) return true;
  return false;
}

function exactOrContaining(named: readonly { element: AxElement; name: string }[], wanted: string): AxElement[] {
  const exact = named.filter(({ name }) => name === wanted);
  const found = exact.length > 0 ? exact : named.filter(({ name }) => wanted !== '' && name.includes(wanted));
  return found.map(({ element }) => element);
}
