import { REF_CONTEXT_CHARS_MAX } from './limits.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { headingsOver } from './headings.ts';
import { nodesOf, wordsNow, wordsOf } from './part-words.ts';
import type { WordsKind } from './part-words.ts';
import type { RefContext } from './refs.ts';
import { countWithin, findRows, groupTwins } from './rows.ts';

/**
 * What sets each of a document's elements apart, where role and name do not. An element with twins – others of its role
 * and name – is bound to the words of the largest part of the page that holds it and none of them; every element to
 * those of the row that it stands in; what has no twin and stands in no row, to the headings over it, unless it is a
 * link: that is bound to its address.
 *
 * @param elements of one document, those that one can act on
 */
export function contextsOf(elements: readonly AxElement[]): Map<AxElement, RefContext> {
  const contexts = new Map<AxElement, RefContext>();
  const groups = groupTwins(elements);
  const isRow = findRows(elements, groups);
  for (const twins of groups) {
    const counts = twins.length === 1 ? null : countWithin(twins);
    for (const twin of twins) {
      const context = counts === null ? loneContext(twin, isRow) : twinContext(twin, counts, isRow);
      if (context !== null) contexts.set(twin, context);
    }
  }
  return contexts;
}

/**
 * What that context says now, or `null` when `element` is no longer in it. Words that have come to a part since count, unless
 * the part is under the pointer or has the focus: those go away with it.
 * @param isUnderHand asked only where it matters
 */
export function contextTextNow(
  element: AxElement,
  context: RefContext,
  isUnderHand: (part: AxElement) => boolean,
): string | null {
  if (context.kind === 'headings') return headingsOver(element);
  const { backendNodeId, kindOfWords, nodes, text } = context;
  const part = partAround(element, backendNodeId);
  if (part === null) return null;
  const now = wordsOf(part, element, kindOfWords);
  const hasGrown = now !== text && wordsNow(part, element, kindOfWords, nodes) === text && isUnderHand(part);
  return hasGrown ? text : now;
}

function partAround(element: AxElement, backendNodeId: number): AxElement | null {
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    if (at.backendNodeId === backendNodeId) return at;
  }
  return null;
}

type IsRow = (part: AxElement) => boolean;

function loneContext(element: AxElement, isRow: IsRow): RefContext | null {
  const row = rowContext(element, isRow);
  if (row !== null) return row;
  // An element with neither role nor name is what it says.
  if (element.role === 'generic') return contextIn(element, element, 'texts');
  if (element.role === 'link' && leadsSomewhere(element.url)) return null;
  const text = headingsOver(element);
  return text === '' ? null : { kind: 'headings', text };
}

/** Many links only call a script. */
function leadsSomewhere(url: string): boolean {
  return url !== '' && !url.endsWith('#') && !/^javascript:/i.test(url);
}

function twinContext(twin: AxElement, counts: ReadonlyMap<AxElement, number>, isRow: IsRow): RefContext | null {
  const alone = apart(twin, counts, 'texts');
  const row = rowContext(twin, isRow);
  if (alone !== null && row !== null) return isAround(twin, row, alone) ? row : alone;
  return alone ?? row ?? apart(twin, counts, 'controls') ?? sharedWords(twin, counts);
}

/** The largest part with few enough words that holds this twin alone; else the smallest with any words. */
function apart(twin: AxElement, counts: ReadonlyMap<AxElement, number>, kind: WordsKind): PartContext | null {
  let best: PartContext | null = null;
  for (let at: AxElement | null = twin; at !== null && counts.get(at) === 1; at = at.parent) {
    const context = contextIn(at, twin, kind);
    if (context === null) continue;
    if (best !== null && context.text.length >= REF_CONTEXT_CHARS_MAX) break;
    best = context;
  }
  return best;
}

function rowContext(element: AxElement, isRow: IsRow): PartContext | null {
  for (let at = element.parent; at !== null; at = at.parent) {
    if (isRow(at) && wordsOf(at, element, 'texts') !== '') return contextIn(at, element, 'texts');
  }
  return null;
}

/**
 * Twins side by side in one row: the largest part with few enough words that holds them and no further twins, else the
 * smallest with any words. Not the whole page, if less will do: what it says elsewhere is not about them, and may never
 * rest. As these words tell none of the twins from the others, what changes by itself is not worth a refusal.
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

/** Nothing stands beside it, or beside anything around it. */
function isWholePage(part: AxElement): boolean {
  for (let at = part; at.parent !== null; at = at.parent) if (at.parent.children.length > 1) return false;
  return true;
}

type PartContext = Extract<RefContext, { kind: 'part' }>;

/** `null` for a part that says nothing but the element's own name. */
function contextIn(part: AxElement, self: AxElement, kindOfWords: WordsKind): PartContext | null {
  if (part.backendNodeId === null || part.parent === null) return null;
  const text = wordsOf(part, self, kindOfWords);
  if (text === '' || text === self.name.trim()) return null;
  return {
    kind: 'part',
    backendNodeId: part.backendNodeId,
    text,
    nodes: nodesOf(part, self, kindOfWords),
    kindOfWords,
  };
}

function isAround(element: AxElement, outer: PartContext, inner: PartContext): boolean {
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    if (at.backendNodeId === outer.backendNodeId) return at.backendNodeId === inner.backendNodeId;
    if (at.backendNodeId === inner.backendNodeId) return true;
  }
  return false;
}
