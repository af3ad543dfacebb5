import { countDescendants, createRowTest, groupByRoleAndName } from './rows.ts';
import {
  REF_CONTEXT_CHARS_MAX,
  isInput,
  readContainerName,
  readContextTexts,
  readContextWords,
  rereadContextWords,
} from './context-words.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { ContextWordsKind } from './context-words.ts';
import type { RefSurroundings } from './refs.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import { DIALOG_ROLES, ITEM_ROLES, LANDMARK_ROLES, NAMED_GROUP_ROLES } from '#browsing/tree/roles.ts';

/**
 * Context words for each element. They later show whether a ref still means the same element, such as a "Delete" button
 * in its row. Elements with twins (others of the same role and name) get the words of the largest container without a
 * twin, elements in a row the words of the row, elements in a dialog the words of its question or title, and
 * others the headings and named containers around them (links with an address: nothing).
 * @param elements the interactive elements of one document
 */
export function findRefContexts(elements: readonly AxElement[]): Map<AxElement, RefSurroundings> {
  const contexts = new Map<AxElement, RefSurroundings>();
  const groups = groupByRoleAndName(elements);
  const isRow = createRowTest(elements, groups);
  const asks = createQuestionTest(elements);
  for (const twins of groups) {
    const [first] = twins;
    const found =
      twins.length === 1 && first !== undefined ? [loneContext(first, isRow, asks)] : twinContexts(twins, isRow);
    for (const [at, twin] of twins.entries()) {
      const context = found[at] ?? null;
      if (context !== null) contexts.set(twin, context);
    }
  }
  return contexts;
}

/** Elements whose role, name, address, context words and outline are unique, each with its {@link uniqueOutline}. */
export function findUniqueElements(contexts: ReadonlyMap<AxElement, RefSurroundings | null>): Map<AxElement, string> {
  const outlines = new Map<AxElement, string>();
  const byWords = new Map<string, AxElement | null>();
  for (const [element, context] of contexts) {
    const { role, name, url } = element;
    const key = [role, name, url, context?.text ?? '', uniqueOutline(element, outlines)].join('\n');
    byWords.set(key, byWords.has(key) ? null : element);
  }
  const alone = new Map<AxElement, string>();
  for (const element of byWords.values()) if (element !== null) alone.set(element, uniqueOutline(element, outlines));
  return alone;
}

/** The outline, with the text of a clickable element without a role, which has no name. */
function uniqueOutline(element: AxElement, known: Map<AxElement, string>): string {
  const outline = outlineOf(element, known);
  return element.role === 'generic' && element.name === ''
    ? `${outline}\n${readContextWords(element, element, 'texts')}`
    : outline;
}

/** Roles of an element's ancestors, such as ` > main > form Login`. Landmarks and groups have their names. */
function outlineOf({ parent }: AxElement, known: Map<AxElement, string>): string {
  if (parent === null) return '';
  const before = known.get(parent);
  if (before !== undefined) return before;
  const around = outlineOf(parent, known);
  const { role, name, ignored } = parent;
  const isNamed = LANDMARK_ROLES.has(role) || NAMED_GROUP_ROLES.has(role);
  const outline = ignored || role === 'generic' ? around : `${around} > ${role}${isNamed ? ` ${name}` : ''}`;
  known.set(parent, outline);
  return outline;
}

/**
 * The current words of an element's context; `null` if `element` has left its container. Words that appear in the
 * container under the pointer or the focus, such as a tooltip, are ignored, because they disappear again.
 * @param isUnderHand true if the container is under the pointer or has the focus; called only if necessary
 */
export function readCurrentContextText(
  element: AxElement,
  context: RefSurroundings,
  isUnderHand: (part: AxElement) => boolean,
): string | null {
  if (context.kind === 'headings') return headingsOver(element);
  const { backendNodeId, kindOfWords, nodes, text } = context;
  const part = partAround(element, backendNodeId);
  if (part === null) return null;
  const now = readContextWords(part, element, kindOfWords);
  const hasGrown = now !== text && rereadContextWords(part, element, kindOfWords, nodes) === text && isUnderHand(part);
  return hasGrown ? text : now;
}

function partAround(element: AxElement, backendNodeId: number): AxElement | null {
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    if (at.backendNodeId === backendNodeId) return at;
  }
  return null;
}

type PartTest = (part: AxElement) => boolean;

/**
 * Maximum controls of a dialog that asks a question. In a dialog with more, such as an editor, the words change, except
 * those at its beginning.
 */
const QUESTION_CONTROLS_MAX = 8;

function createQuestionTest(elements: readonly AxElement[]): PartTest {
  const controls = new Map<AxElement, number>();
  for (const element of elements) {
    const dialog = dialogAround(element);
    if (dialog !== null) controls.set(dialog, (controls.get(dialog) ?? 0) + 1);
  }
  return (dialog) => (controls.get(dialog) ?? 0) <= QUESTION_CONTROLS_MAX;
}

function dialogAround(element: AxElement): AxElement | null {
  for (let at = element.parent; at !== null; at = at.parent) if (DIALOG_ROLES.has(at.role) && !at.ignored) return at;
  return null;
}

function loneContext(element: AxElement, isRow: PartTest, asks: PartTest): RefSurroundings | null {
  const row = loneRowContext(element, isRow);
  const question = questionContext(element, asks);
  if (row !== null && question !== null) return isAround(element, row, question) ? row : question;
  const part = row ?? question ?? contextInDialog(element, 'title');
  if (part !== null) return part;
  // A clickable element without role and name is identified by its own text.
  if (element.role === 'generic') return contextIn(element, element, 'texts');
  if (element.role === 'link' && leadsSomewhere(element.url)) return null;
  const text = headingsOver(element);
  return text === '' ? null : { kind: 'headings', text };
}

function loneRowContext(element: AxElement, isRow: PartTest): PartContext | null {
  for (const kind of ['texts', 'details', 'values'] as const) {
    const row = rowContext(element, isRow, kind);
    if (row !== null) return row;
  }
  return null;
}

function questionContext(element: AxElement, asks: PartTest): PartContext | null {
  const dialog = dialogAround(element);
  return dialog === null || !asks(dialog) ? null : contextInDialog(element, 'question');
}

function contextInDialog(element: AxElement, kind: 'question' | 'title'): PartContext | null {
  const dialog = isInput(element) ? null : dialogAround(element);
  return dialog === null ? null : contextIn(dialog, element, kind);
}

function leadsSomewhere(url: string): boolean {
  return url !== '' && !url.endsWith('#') && !/^javascript:/i.test(url);
}

/**
 * The contexts of twins. If the texts of two are equal, as in a list whose items differ only by their links or names,
 * details that distinguish a twin from the others count too.
 */
function twinContexts(twins: readonly AxElement[], isRow: PartTest): (RefSurroundings | null)[] {
  const counts = countDescendants(twins);
  const contextsOf = (kind: ContextWordsKind) => twins.map((twin) => twinContext(twin, counts, isRow, kind));
  const byTexts = contextsOf('texts');
  const better = new Map<AxElement, RefSurroundings>();
  if (distinct(byTexts).size < twins.length) {
    for (const kind of ['details', 'values', 'described'] as const) {
      const found = contextsOf(kind);
      const told = distinct(found);
      for (const [at, twin] of twins.entries()) {
        const context = found[at] ?? null;
        if (context !== null && told.has(context.text) && !better.has(twin)) better.set(twin, context);
      }
      if (better.size === twins.length) break;
    }
  }
  return twins.map(
    (twin, at) => better.get(twin) ?? byTexts[at] ?? apart(twin, counts, 'controls') ?? sharedWords(twin, counts),
  );
}

/** The words that only one of the contexts has. */
function distinct(contexts: readonly (RefSurroundings | null)[]): ReadonlySet<string> {
  const texts = contexts.flatMap((context) => context?.text ?? []);
  return new Set([...Map.groupBy(texts, (text) => text)].flatMap(([text, equal]) => (equal.length === 1 ? text : [])));
}

function twinContext(
  twin: AxElement,
  counts: ReadonlyMap<AxElement, number>,
  isRow: PartTest,
  kind: ContextWordsKind,
): PartContext | null {
  const alone = apart(twin, counts, kind);
  const row = rowContext(twin, isRow, kind);
  if (alone !== null && row !== null) return isAround(twin, row, alone) ? row : alone;
  return alone ?? row;
}

/**
 * The largest container of limited text that contains no other twin; if the text of all such containers is longer, the
 * smallest one.
 */
function apart(twin: AxElement, counts: ReadonlyMap<AxElement, number>, kind: ContextWordsKind): PartContext | null {
  let best: PartContext | null = null;
  for (let at: AxElement | null = twin; at !== null && counts.get(at) === 1; at = at.parent) {
    const context = contextIn(at, twin, kind);
    if (context === null) continue;
    if (best !== null && context.text.length >= REF_CONTEXT_CHARS_MAX) break;
    best = context;
  }
  return best;
}

function rowContext(element: AxElement, isRow: PartTest, kind: ContextWordsKind): PartContext | null {
  for (let at = element.parent; at !== null; at = at.parent) {
    const texts = isRow(at) ? readContextTexts(at, element, kind) : null;
    if (texts !== null && texts.text !== '') return contextIn(at, element, kind, texts);
  }
  return null;
}

/**
 * Context of twins that no words distinguish, such as equal buttons in one row: the largest container of limited text
 * that holds only these twins, otherwise the smallest with any words. The whole page is avoided, because its other
 * words are unrelated. Words that change on their own, such as a clock, are left out, so that they do not make a ref
 * stale.
 */
function sharedWords(twin: AxElement, counts: ReadonlyMap<AxElement, number>): PartContext | null {
  let best: PartContext | null = null;
  let together = 1;
  for (let at = twin.parent; at !== null; at = at.parent) {
    const count = counts.get(at) ?? 1;
    if (best !== null && (count > together || isWholePage(at))) break;
    together = count;
    const context = contextIn(at, twin, 'lasting');
    if (context === null) continue;
    if (best !== null && context.text.length >= REF_CONTEXT_CHARS_MAX) break;
    best = context;
  }
  return best;
}

function isWholePage(part: AxElement): boolean {
  for (let at = part; at.parent !== null; at = at.parent) if (at.parent.children.length > 1) return false;
  return true;
}

type PartContext = Extract<RefSurroundings, { kind: 'part' }>;

function contextIn(
  part: AxElement,
  self: AxElement,
  kindOfWords: ContextWordsKind,
  texts = readContextTexts(part, self, kindOfWords),
): PartContext | null {
  if (part.backendNodeId === null || part.parent === null) return null;
  if (texts.text === '' || texts.text === self.name.trim()) return null;
  return { kind: 'part', backendNodeId: part.backendNodeId, ...texts, kindOfWords };
}

function isAround(element: AxElement, outer: PartContext, inner: PartContext): boolean {
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    if (at.backendNodeId === outer.backendNodeId) return at.backendNodeId === inner.backendNodeId;
    if (at.backendNodeId === inner.backendNodeId) return true;
  }
  return false;
}

type After = (part: AxElement) => AxElement | undefined;

type Levels = Map<AxElement, number[]>;

type Headings = ReadonlyMap<AxElement, readonly AxElement[]>;

const LEVEL_DEFAULT = 2;

function headingsOver(element: AxElement): string {
  const headings = headingsAround(element);
  const words: string[] = [];
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    for (const heading of headings.get(at) ?? []) words.push(readContextWords(heading, heading, 'texts'));
    if (at !== element) words.push(readContainerName(at));
    if (isBoundary(at)) break;
  }
  return words
    .filter((word) => word !== '')
    .join(' ')
    .trim()
    .slice(0, REF_CONTEXT_CHARS_MAX);
}

const known = new WeakMap<AxElement, Headings>();

function headingsAround(element: AxElement): Headings {
  let root = element;
  for (let at = element.parent; at !== null; at = at.parent) root = at;
  const headings = known.get(root) ?? headingsOf(root);
  known.set(root, headings);
  return headings;
}

/**
 * Assigns headings to containers, such as panes, sections and cards. A heading covers the largest container around it
 * without another heading of its rank or above, up to the next landmark or row. The main heading of a page does not
 * cover its navigation.
 */
function headingsOf(root: AxElement): Headings {
  const headings = [...everyElement(root)].filter(({ role, ignored }) => role === 'heading' && !ignored);
  const levels: Levels = new Map();
  for (const heading of headings) {
    const level = levelOf(heading);
    for (let at: AxElement | null = heading; at !== null; at = at.parent) {
      const counts = levels.get(at) ?? [];
      counts[level] = (counts[level] ?? 0) + 1;
      levels.set(at, counts);
    }
  }
  const after = followers(headings);
  const byPart = new Map<AxElement, AxElement[]>();
  for (const heading of headings) {
    for (const part of partsOf(heading, levels, after)) byPart.set(part, [...(byPart.get(part) ?? []), heading]);
  }
  return byPart;
}

function partsOf(heading: AxElement, levels: Levels, after: After): AxElement[] {
  let part = heading;
  for (let at = heading.parent; at !== null && !isBoundary(part); at = at.parent) {
    if (countOfRank(at) > 1) break;
    part = at;
  }
  if (part !== heading || heading.parent === null) return [part];
  // A heading without its own container covers the siblings after it, until the next heading.
  const parts = [heading];
  for (let next = after(heading); next !== undefined && countOfRank(next) === 0; next = after(next)) parts.push(next);
  return parts;

  function countOfRank(at: AxElement): number {
    const counts = (levels.get(at) ?? []).slice(0, levelOf(heading) + 1);
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

function followers(headings: readonly AxElement[]): After {
  const next = new Map<AxElement, AxElement>();
  for (const parent of new Set(headings.map((heading) => heading.parent))) {
    for (const [at, child] of (parent?.children ?? []).entries()) {
      const beside = parent?.children[at + 1];
      if (beside !== undefined) next.set(child, beside);
    }
  }
  return (part) => next.get(part);
}

function levelOf({ properties }: AxElement): number {
  const level = properties.get('level');
  return typeof level === 'number' && level >= 1 && level <= 9 ? Math.floor(level) : LEVEL_DEFAULT;
}

/** True for containers to which no outer heading applies, such as a menu, a dialog or a row. */
function isBoundary({ role }: AxElement): boolean {
  return (LANDMARK_ROLES.has(role) && role !== 'main') || ITEM_ROLES.has(role);
}
