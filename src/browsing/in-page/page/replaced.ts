import { ACTED_ON, comparedAlike } from './compare-redrawn.ts';

/** Reads of the document that comparisons may take between two looks: some 50 ms. */
const READS_MAX = 150_000;
/** Reads that the comparison after one change may take, some 15 ms: more than a list of 200 rows with five controls each needs. */
const READS_OF_CHANGE_MAX = 50_000;
/** Elements that are noted as taken out between two looks. A page that takes out more is not followed any further. */
const NOTED_MAX = 100_000;
/** Elements that are remembered after they were replaced. They keep the trees alive that they were in. */
const REPLACED_MAX = 1_000;

type Watch = {
  observer: MutationObserver;
  /** Reads that comparisons may still take before the next look. */
  left: number;
  /** Elements that may still be noted as taken out before the next look. */
  notes: number;
  /** What replaced an element, the oldest first. */
  by: Map<Element, Element>;
  /** All that has been taken out: what comes back is not new. */
  old: WeakSet<Element>;
  /** It missed changes, so it can tell of nothing any more. */
  isBlind: boolean;
};

declare global {
  interface Window {
    periscopeReplaced?: Watch;
  }
}

/**
 * From now on notes which element took the place of which. A page that draws rows anew takes the old ones out and puts
 * new ones in at once. An element is replaced by one that reads the same, in a row that reads the same, if exactly one
 * such went, exactly one came in the same moment, and there is no other. Looks that are far apart cannot tell that: a
 * copy of a row may have come meanwhile, and the row itself have gone.
 */
export function watchReplaced(): void {
  const known = self.periscopeReplaced;
  if (known !== undefined) {
    known.left = READS_MAX;
    known.notes = NOTED_MAX;
    return;
  }
  const observer = new MutationObserver((records) => note(records, watch));
  const [by, old] = [new Map<Element, Element>(), new WeakSet<Element>()];
  const watch: Watch = { observer, left: READS_MAX, notes: NOTED_MAX, by, old, isBlind: false };
  self.periscopeReplaced = watch;
  observer.observe(document, { subtree: true, childList: true });
}

/** The element that is there now in place of one that has gone; `null` if none is, or several might be. */
export function replacedBy(this: Element): Element | null {
  const watch = self.periscopeReplaced;
  if (watch === undefined || watch.isBlind) return null;
  let now: Element | undefined = watch.by.get(this);
  while (now !== undefined && !now.isConnected) now = watch.by.get(now);
  return now ?? null;
}

function note(records: readonly MutationRecord[], watch: Watch): void {
  const taken = new Set(records.flatMap(({ removedNodes }) => [...removedNodes].filter(isElement)));
  if (taken.size === 0) return;
  const put = new Set(records.flatMap(({ addedNodes }) => [...addedNodes].filter(isElement)));
  const passing = cameFirst(records);
  const came = actedOn([...put].filter((root) => root.isConnected && !taken.has(root)));
  const fresh = new Set([...came].filter((element) => !watch.old.has(element)));
  const noted = actedOn([...taken]);
  if (!canNote(watch, noted.size)) return;
  for (const element of noted) watch.old.add(element);
  const gone = actedOn([...taken].filter((root) => !root.isConnected && !passing.has(root)));
  if (gone.size === 0 || fresh.size === 0) return;
  const { pairs, reads } = comparedAlike([...gone], fresh, Math.min(watch.left, READS_OF_CHANGE_MAX));
  watch.left = Math.max(0, watch.left - reads);
  for (const [went, now] of pairs) remember(went, now, watch);
}

function remember(went: Element, now: Element, { by }: Watch): void {
  by.set(went, now);
  const [oldest] = by.keys();
  if (by.size > REPLACED_MAX && oldest !== undefined) by.delete(oldest);
}

/** What came, and was not there before: if it has gone again, nobody has seen it. */
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

/** @returns whether that was left: if not, what comes back could no longer be told from what is new */
function canNote(watch: Watch, elements: number): boolean {
  watch.notes -= elements;
  if (watch.notes >= 0) return true;
  watch.observer.disconnect();
  watch.by.clear();
  watch.isBlind = true;
  return false;
}

function actedOn(roots: readonly Element[]): ReadonlySet<Element> {
  const found = new Set<Element>();
  for (const root of roots) {
    if (Element.prototype.matches.call(root, ACTED_ON)) found.add(root);
    for (const element of Element.prototype.querySelectorAll.call(root, ACTED_ON)) found.add(element);
  }
  return found;
}

function isElement(node: Node): node is Element {
  return node instanceof Element;
}
