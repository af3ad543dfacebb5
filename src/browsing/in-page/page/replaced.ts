import { parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';
/** Elements that a view gives refs, as far as their markup tells. */
const ACTED_ON =
  'a,button,input,select,textarea,summary,option,[role],[tabindex],[contenteditable],[onclick],[draggable=true]';
/** What says what an element is, beside its text. */
const TELLING = ['role', 'aria-label', 'title', 'alt', 'placeholder', 'href', 'type', 'name', 'value', 'for'] as const;
/** Elements that are compared between two looks. A page that draws more anew than a large table does is not followed. */
const COMPARED_MAX = 20_000;
/** Elements that are remembered after they were replaced. They keep the trees alive that they were in. */
const REPLACED_MAX = 1_000;
/** A longer row is not compared. */
const RECORD_CHARS_MAX = 2_000;

type Watch = {
  observer: MutationObserver;
  /** Elements that may still be compared before the next look. */
  left: number;
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
    known.left = COMPARED_MAX;
    return;
  }
  const observer = new MutationObserver((records) => note(records, watch));
  const watch: Watch = { observer, left: COMPARED_MAX, by: new Map(), old: new WeakSet(), isBlind: false };
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
  const put = new Set(records.flatMap(({ addedNodes }) => [...addedNodes].filter(isElement)));
  const passing = cameFirst(records);
  const gone = actedOn([...taken].filter((root) => !root.isConnected && !passing.has(root)));
  if (taken.size === 0) return;
  const came = actedOn([...put].filter((root) => root.isConnected && !taken.has(root)));
  const fresh = [...came].filter((element) => !watch.old.has(element));
  for (const element of actedOn([...taken])) watch.old.add(element);
  if (gone.size === 0 || fresh.length === 0) return;
  const there = [...Document.prototype.querySelectorAll.call(document, ACTED_ON)];
  if (!spend(watch, gone.size + there.length)) return;
  const before = groupAlike([...gone]);
  const now = groupAlike(there);
  const isFresh = new Set(fresh);
  for (const [alike, twins] of before) {
    const candidates = now.get(alike) ?? [];
    if (!candidates.some((one) => isFresh.has(one))) continue;
    for (const element of twins) pair(element, twins, candidates, isFresh, watch);
  }
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

/** @returns whether that was left */
function spend(watch: Watch, elements: number): boolean {
  watch.left -= elements;
  if (watch.left >= 0) return true;
  watch.observer.disconnect();
  watch.by.clear();
  watch.isBlind = true;
  return false;
}

function pair(
  element: Element,
  twins: readonly Element[],
  candidates: readonly Element[],
  isFresh: ReadonlySet<Element>,
  { by }: Watch,
): void {
  const record = recordOf(element, twins);
  if (record.length > RECORD_CHARS_MAX) return;
  const [went, ...others] = twins.filter((twin) => isIn(twin, record));
  const [came, ...more] = candidates.filter((one) => isIn(one, record));
  if (went !== element || came === undefined || !isFresh.has(came) || others.length + more.length > 0) return;
  by.set(element, came);
  const [oldest] = by.keys();
  if (by.size > REPLACED_MAX && oldest !== undefined) by.delete(oldest);
}

/** The text of the largest part around an element that holds no other one that is alike. */
function recordOf(element: Element, twins: readonly Element[]): string {
  let part = element;
  for (let at = parentElementOf(element); at !== null; at = parentElementOf(at)) {
    if (twins.some((twin) => twin !== element && Node.prototype.contains.call(at, twin))) break;
    part = at;
  }
  return textOf(part);
}

/** Whether an element, or a part around it, says just that. */
function isIn(element: Element, record: string): boolean {
  for (let at: Element | null = element; at !== null; at = parentElementOf(at)) {
    const text = textOf(at);
    if (text === record) return true;
    if (text.length > record.length) return false;
  }
  return false;
}

function groupAlike(elements: readonly Element[]): Map<string, Element[]> {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    const said = TELLING.map((name) => Element.prototype.getAttribute.call(element, name) ?? '');
    const alike = [element.localName, textOf(element), ...said].join('\n');
    const group = groups.get(alike);
    if (group === undefined) groups.set(alike, [element]);
    else group.push(element);
  }
  return groups;
}

function textOf(element: Element): string {
  const text: unknown = Reflect.get(Node.prototype, 'textContent', element);
  return String(text).replaceAll(/\s+/gu, ' ').trim();
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
