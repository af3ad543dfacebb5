import { INTERACTIVE_SELECTOR, pairReplacedElements } from './compare-redrawn.ts';
import { scriptState } from './script-state.ts';

/** Budget for comparisons between two views: reads of node members, about 50 ms in total. */
const READS_MAX = 150_000;
/** Budget for the comparison after one change: about 15 ms, enough for 200 rows with five controls each. */
const READS_OF_CHANGE_MAX = 50_000;
/** Maximum removed elements recorded between two views. Beyond this, replacements are no longer tracked. */
const NOTED_MAX = 100_000;
/** Maximum stored replacements: each replaced element keeps its old tree in memory. */
const REPLACED_MAX = 1_000;

/** Maximum selectors of clickable elements without a role. Pages have only a few kinds of them. */
const DRAWN_MAX = 60;

type Watch = {
  observer: MutationObserver;
  /** Reads that comparisons may still use before the next view. */
  left: number;
  /** Removed elements that may still be recorded before the next view. */
  notes: number;
  /** Maps each replaced element to its replacement, oldest first. */
  by: Map<Element, Element>;
  /** All elements removed so far. One that is added again does not count as a replacement. */
  old: WeakSet<Element>;
  /** Selectors of the clickable elements without a role that the last views showed, such as `span.like`. */
  drawn: Set<string>;
  /** True once changes were missed. After that, no replacement is reported. */
  isBlind: boolean;
};

declare global {
  interface ScriptState {
    replaced?: Watch;
  }
}

/**
 * Starts recording which elements replace others. A page that re-creates rows removes the old ones and adds new ones in
 * the same task. An element counts as replaced if, in one task, exactly one element with the same text in a row with
 * the same text was removed, exactly one was added, and no other exists. A comparison of two later views could not
 * decide this: a copy of a row may have been added, and the original removed.
 * @param clickable the elements that look clickable in the view
 */
export function watchElementReplacements(clickable: readonly Element[]): void {
  const known = scriptState().replaced;
  if (known !== undefined) {
    noteDrawn(clickable, known.drawn);
    known.left = READS_MAX;
    known.notes = NOTED_MAX;
    return;
  }
  const observer = new MutationObserver((records) => note(records, watch));
  const [by, old] = [new Map<Element, Element>(), new WeakSet<Element>()];
  const watch: Watch = { observer, left: READS_MAX, notes: NOTED_MAX, by, old, drawn: new Set(), isBlind: false };
  noteDrawn(clickable, watch.drawn);
  scriptState().replaced = watch;
  observer.observe(document, { subtree: true, childList: true });
}

/**
 * The element that replaced a removed one; `null` if there is none, if there are several candidates, or if changes were
 * missed.
 */
export function findReplacementElement(this: Element): Element | null {
  const watch = scriptState().replaced;
  if (watch === undefined || watch.isBlind) return null;
  let now: Element | undefined = watch.by.get(this);
  while (now !== undefined && !now.isConnected) now = watch.by.get(now);
  return now ?? null;
}

/** For each element at an even place: true if the element after it is its replacement. */
export function areReplacedBy(...pairs: Element[]): boolean[] {
  return pairs.flatMap((element, at) => (at % 2 === 0 ? findReplacementElement.call(element) === pairs[at + 1] : []));
}

/** Notes the tags and first classes of clickable elements that no semantic selector matches. */
function noteDrawn(clickable: readonly Element[], drawn: Set<string>): void {
  for (const element of clickable) {
    if (drawn.size >= DRAWN_MAX) return;
    if (Element.prototype.matches.call(element, INTERACTIVE_SELECTOR)) continue;
    const [name = ''] = (Element.prototype.getAttribute.call(element, 'class') ?? '').trim().split(/\s+/u);
    const tag = CSS.escape(element.localName);
    drawn.add(name === '' ? `${tag}:not([class])` : `${tag}.${CSS.escape(name)}`);
  }
}

function note(records: readonly MutationRecord[], watch: Watch): void {
  const selector = [INTERACTIVE_SELECTOR, ...watch.drawn].join();
  const taken = new Set(records.flatMap(({ removedNodes }) => [...removedNodes].filter(isElement)));
  if (taken.size === 0) return;
  const put = new Set(records.flatMap(({ addedNodes }) => [...addedNodes].filter(isElement)));
  const passing = cameFirst(records);
  const came = actedOn(
    [...put].filter((root) => root.isConnected && !taken.has(root)),
    selector,
  );
  const fresh = new Set([...came].filter((element) => !watch.old.has(element)));
  const noted = actedOn([...taken], selector);
  if (!canNote(watch, noted.size)) return;
  for (const element of noted) watch.old.add(element);
  const gone = actedOn(
    [...taken].filter((root) => !root.isConnected && !passing.has(root)),
    selector,
  );
  if (gone.size === 0 || fresh.size === 0) return;
  const { pairs, reads } = pairReplacedElements([...gone], fresh, selector, Math.min(watch.left, READS_OF_CHANGE_MAX));
  watch.left = Math.max(0, watch.left - reads);
  for (const [went, now] of pairs) remember(went, now, watch);
}

function remember(went: Element, now: Element, { by }: Watch): void {
  by.set(went, now);
  const [oldest] = by.keys();
  if (by.size > REPLACED_MAX && oldest !== undefined) by.delete(oldest);
}

/** Nodes whose first record is an addition. If they are gone again, they were never in any view. */
function cameFirst(records: readonly MutationRecord[]): ReadonlySet<Node> {
  const known = new Set<Node>();
  const came = new Set<Node>();
  for (const { addedNodes, removedNodes } of records) {
    for (const node of removedNodes) known.add(node);
    for (const node of addedNodes) if (!known.has(node)) came.add(node);
    for (const node of addedNodes) known.add(node);
  }
  return came;
}

/** @returns false if the budget is used up, because an element that is added again would then look like a new one */
function canNote(watch: Watch, elements: number): boolean {
  watch.notes -= elements;
  if (watch.notes >= 0) return true;
  watch.observer.disconnect();
  watch.by.clear();
  watch.isBlind = true;
  return false;
}

function actedOn(roots: readonly Element[], selector: string): ReadonlySet<Element> {
  const found = new Set<Element>();
  for (const root of roots) {
    if (Element.prototype.matches.call(root, selector)) found.add(root);
    for (const element of Element.prototype.querySelectorAll.call(root, selector)) found.add(element);
  }
  return found;
}

function isElement(node: Node): node is Element {
  return node instanceof Element;
}
