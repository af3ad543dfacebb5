import { hasTrueProperty } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import {
  CHECKABLE_ROLES,
  CONTROL_ROLES,
  DIALOG_ROLES,
  FIELD_ROLES,
  ITEM_ROLES,
  SELF_CHANGING_ROLES,
} from '#browsing/tree/roles.ts';

/** Maximum characters of an element's context words: enough for a table row or a card, not for a section. */
export const REF_CONTEXT_CHARS_MAX = 300;
/** Maximum nodes visited for context words. Limits the time for a large container without text. */
const REF_CONTEXT_ELEMENTS_MAX = 400;

/**
 * `texts`: without names of controls. `controls`: with names of controls. `lasting`: like `texts`, but without numbers
 * and clocks. `details`: like `texts`, with the names of groups, the addresses of links and the tooltips, for elements
 * that no text distinguishes. `values`: like `details`, with chosen options and the values of read-only fields.
 * `described`: like `values`, with the element's own description. `question`: the name of a dialog and its texts before
 * the first field, without clocks and counters. `title`: like `question`, up to the second control.
 */
export type ContextWordsKind =
  | 'texts'
  | 'controls'
  | 'lasting'
  | 'details'
  | 'values'
  | 'described'
  | 'question'
  | 'title';

/** `isTitle`: true in a heading. */
type Text = { id: number | null; word: string; isDetail: boolean; isTitle: boolean };

/**
 * The words of a container, up to `REF_CONTEXT_CHARS_MAX`. Controls other than `self`, their content and timers are
 * left out, because they change on their own. Error messages and other descriptions of `self` are also left out.
 */
export function readContextWords(part: AxElement, self: AxElement, kind: ContextWordsKind): string {
  return joined(textsOf(part, self, kind, REF_CONTEXT_CHARS_MAX), kind);
}

/** The words of a container with the backend node ids of their text nodes. */
export function readContextTexts(part: AxElement, self: AxElement, kind: ContextWordsKind) {
  const texts = textsOf(part, self, kind, REF_CONTEXT_CHARS_MAX);
  return { text: joined(texts, kind), nodes: texts.flatMap(({ id }) => id ?? []) };
}

export function rereadContextWords(
  part: AxElement,
  self: AxElement,
  kind: ContextWordsKind,
  nodes: readonly number[],
): string | null {
  const texts = new Map(textsOf(part, self, kind, 2 * REF_CONTEXT_CHARS_MAX).map((text) => [text.id, text]));
  const now = nodes.flatMap((id) => texts.get(id) ?? []);
  return now.length === nodes.length ? joined(now, kind) : null;
}

function isOfDialog(kind: ContextWordsKind): boolean {
  return kind === 'question' || kind === 'title';
}

function joined(texts: readonly Text[], kind: ContextWordsKind): string {
  const [words, details] = [false, true].map((isDetail) =>
    texts
      .flatMap((text) => (text.isDetail === isDetail ? text.word : []))
      .join(' ')
      .slice(0, REF_CONTEXT_CHARS_MAX),
  );
  const said = isOfDialog(kind) ? withoutCounters(words ?? '') : words;
  return [said, details].filter((text) => text !== '').join(' ');
}

function textsOf(part: AxElement, self: AxElement, kind: ContextWordsKind, charsMax: number): Text[] {
  let texts: Text[] = [];
  const held = new Set<string>();
  let length = 0;
  let steps = 0;
  let controls = 0;
  const open = [part];
  for (let next = open.pop(); next !== undefined && length < charsMax; next = open.pop()) {
    steps += 1;
    if (steps > REF_CONTEXT_ELEMENTS_MAX) break;
    if (isMessageOf(self, next)) continue;
    // A list may be the open menu of a button.
    if (isOfDialog(kind) && isField(next) && next.role !== 'listbox') {
      // Hints above the fields of a form change while it is filled.
      if (kind === 'title') texts = texts.filter(({ isDetail, isTitle }) => isDetail || isTitle);
      break;
    }
    if (next.role === 'link' || isSilent(next)) controls += 1;
    if (kind === 'title' && controls > 1) break;
    if (isOfDialog(kind) && isLive(next) && !isLive(part)) continue;
    const detail = detailOf(next, self, kind);
    if (detail !== '') texts.push({ id: next.backendNodeId, word: detail, isDetail: true, isTitle: false });
    if (NUMBER_ROLES.has(next.role) && next.value !== '') held.add(next.value);
    const isSilenced = next !== self && next !== part && isSilent(next);
    if (isSilenced && kind !== 'controls') continue;
    const word = isSilenced || isWord(next) ? wordOf(next, part, kind) : '';
    if (word !== '') texts.push({ id: next.backendNodeId, word, isDetail: false, isTitle: isInHeading(next, part) });
    length += word.length;
    if (isSilenced || isField(next)) continue;
    open.push(...next.children.slice(0, REF_CONTEXT_ELEMENTS_MAX).reverse());
  }
  const own = held.size === 0 ? texts : texts.filter(({ word }) => !held.has(NUMBER.exec(word)?.[1] ?? ''));
  return own.length === 0 ? texts : own;
}

/** Roles of controls whose value many pages also write as text beside the control, such as `5 %`. */
const NUMBER_ROLES: ReadonlySet<string> = new Set(['slider', 'spinbutton', 'progressbar', 'meter']);
const NUMBER = /^\D{0,3}?(-?\d+(?:\.\d+)?)\D{0,3}$/u;
const ONLY_NUMBERS = /^[\d\s.,:/%+()−–-]+$/u;
const CLOCK = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b)?/giu;

/** A time or a count that changes while a dialog is open, such as `59 seconds`, `45 %`, `3 of 10` or `(3)`. */
const COUNTER =
  /\b\d+ ?(?:%|(?:s|secs?|seconds?|min|mins|minutes?|Sekunden?|Minuten?|secondes?|segundos?|minutos?|secondi|minuti)\b|秒|分)|\b\d+ ?(?:\/|of|von|de|sur|di) ?\d+\b|\(\d+\)/giu;

function withoutCounters(words: string): string {
  return words.replaceAll(CLOCK, '').replaceAll(COUNTER, '').replaceAll(/\s+/gu, ' ').trim();
}

/** True for an error message or another description of a field or box. It changes while the user fills a form. */
function isMessageOf(self: AxElement, { backendNodeId }: AxElement): boolean {
  return backendNodeId !== null && isInput(self) && self.notes.includes(backendNodeId);
}

/** True for content that the page announces when it changes. */
function isLive({ properties }: AxElement): boolean {
  const live = properties.get('live');
  return live !== undefined && live !== 'off';
}

/** Roles of containers whose name comes from the page, not from their content. */
const CONTAINER_ROLES: ReadonlySet<string> = new Set([
  'listitem',
  'article',
  'form',
  'region',
  'group',
  'radiogroup',
  'tabpanel',
  'figure',
  ...DIALOG_ROLES,
]);

/** The name of a container such as a tab panel, without counts; `''` for other elements. */
export function readContainerName({ role, name, ignored }: AxElement): string {
  return !ignored && CONTAINER_ROLES.has(role) ? withoutCounters(name) : '';
}

/** Details of an element that distinguish rows with equal texts; `''` without any. */
function detailOf(element: AxElement, self: AxElement, kind: ContextWordsKind): string {
  if (isOfDialog(kind)) return DIALOG_ROLES.has(element.role) ? readContainerName(element) : '';
  if (kind !== 'details' && kind !== 'values' && kind !== 'described') return '';
  if (element === self) return kind === 'described' && !isInput(self) ? self.description : '';
  if (isInput(element)) return kind !== 'details' && isFixed(element) ? element.value : '';
  const name = element.role === 'generic' && !element.ignored ? element.name : readContainerName(element);
  return [name, element.url.slice(-DETAIL_CHARS_MAX), element.description].join(' ').trim();
}

/** Maximum compared characters of a link's address. Addresses of one list differ near their end. */
const DETAIL_CHARS_MAX = 100;

/** True for a field whose value is not typed: a read-only field or a list of options. */
function isFixed(element: AxElement): boolean {
  const isTyped = element.properties.has('editable') && !hasTrueProperty(element, 'readonly');
  return !isTyped && !NUMBER_ROLES.has(element.role);
}

function wordOf(element: AxElement, part: AxElement, kind: ContextWordsKind): string {
  const word = element.name.trim();
  if (kind !== 'lasting' || isInHeading(element, part)) return word;
  return ONLY_NUMBERS.test(word) && /\d/u.test(word) ? '' : word.replaceAll(CLOCK, '').trim();
}

function isInHeading(element: AxElement, part: AxElement): boolean {
  for (let at: AxElement | null = element; at !== null && at !== part; at = at.parent) {
    if (at.role === 'heading') return true;
  }
  return false;
}

function isWord({ role, ignored }: AxElement): boolean {
  return !ignored && (role === 'StaticText' || role === 'image');
}

function isField(element: AxElement): boolean {
  return FIELD_ROLES.has(element.role) || element.properties.has('editable');
}

/** True for a field, or a box that can be ticked. */
export function isInput(element: AxElement): boolean {
  return isField(element) || CHECKABLE_ROLES.has(element.role);
}

function isSilent(element: AxElement): boolean {
  if (SELF_CHANGING_ROLES.has(element.role) || isField(element)) return true;
  return element.role !== 'link' && !ITEM_ROLES.has(element.role) && CONTROL_ROLES.has(element.role);
}
