import { REFS_PER_SESSION_MAX } from './limits.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { isSameIdentity } from './identity.ts';
import type { Identity } from './identity.ts';

/**
 * The words around an element when the ref was made. A row that is filled with other data keeps its nodes and its
 * "Delete" button, and so does a pane that shows another record. Only the words change.
 */
export type RefContext =
  | {
      /** The words of a part around the element: its row, or the part that distinguishes it from its twins. */
      kind: 'part';
      backendNodeId: number;
      text: string;
      /** Whether names of controls are among the words, because there are no others. */
      withControls: boolean;
    }
  /** The words of the headings over it. */
  | { kind: 'headings'; text: string };

/** What a ref was made for. If any of this differs later, the ref is stale. */
export type RefTarget = Identity & {
  tabId: string;
  frameId: string;
  /** The document's generation. */
  loaderId: string;
  backendNodeId: number;
  context: RefContext | null;
};

const REF = /^(?:@?(e[1-9]\d{0,8})|\[ref="?@?(e[1-9]\d{0,8})"?\])$/;

/** `@e12`, `e12` and `[ref=e12]` → `@e12`; `null` when the target is not a ref. */
export function asRef(target: string): string | null {
  const [, bare, inBrackets] = REF.exec(target.trim()) ?? [];
  const name = bare ?? inBrackets;
  return name === undefined ? null : `@${name}`;
}

/**
 * The refs of one session, across its tabs. Numbers are never reused. An element that is unchanged keeps its ref. One
 * that has changed gets a new ref, and its old one is forgotten, so it stays stale.
 */
export class Refs {
  /** Least recently shown first. */
  readonly #targets = new Map<string, RefTarget>();
  readonly #byPlace = new Map<string, string>();
  #next: number;

  /** @param next the first number to use; a restored session continues its numbering */
  constructor(next = 1) {
    this.#next = next;
  }

  /** The number that the next new ref will have. */
  get next(): number {
    return this.#next;
  }

  /**
   * @param wordsNow returns what an earlier context says now. An element that has got twins since is bound to something
   *   else, and is still the same element
   */
  mint(target: RefTarget, wordsNow: (context: RefContext) => string | null): string {
    const place = placeOf(target);
    const known = this.#byPlace.get(place);
    const before = known === undefined ? undefined : this.#targets.get(known);
    if (known !== undefined && before !== undefined) {
      this.#targets.delete(known);
      if (isSameIdentity(before, target) && isSameContext(before.context, target.context, wordsNow)) {
        this.#targets.set(known, target);
        return known;
      }
    }
    const ref = `@e${this.#next}`;
    this.#next += 1;
    this.#targets.set(ref, target);
    this.#byPlace.set(place, ref);
    this.#dropOldest();
    return ref;
  }

  /** The ref with which an element was last shown. */
  refOf({ tab, frame, backendNodeId }: Pick<PageElement, 'tab' | 'frame' | 'backendNodeId'>): string | null {
    return (
      this.#byPlace.get(placeOf({ tabId: tab.id, frameId: frame.id, loaderId: frame.loaderId, backendNodeId })) ?? null
    );
  }

  look(ref: string): RefTarget | null {
    return this.#targets.get(ref) ?? null;
  }

  /** Whether the ref was ever given, in this life of the session or an earlier one. */
  hasGiven(ref: string): boolean {
    return Number(ref.slice('@e'.length)) < this.#next;
  }

  /**
   * Every ref of a tab that has not been forgotten, stale ones included, in the order in which they were last shown.
   */
  ofTab(tabId: string): { ref: string; target: RefTarget }[] {
    return [...this.#targets].flatMap(([ref, target]) => (target.tabId === tabId ? [{ ref, target }] : []));
  }

  forgetTab(tabId: string): void {
    for (const { ref, target } of this.ofTab(tabId)) this.#forget(ref, target);
  }

  #dropOldest(): void {
    if (this.#targets.size <= REFS_PER_SESSION_MAX) return;
    const [oldest] = this.#targets;
    if (oldest !== undefined) this.#forget(...oldest);
  }

  #forget(ref: string, target: RefTarget): void {
    this.#targets.delete(ref);
    this.#byPlace.delete(placeOf(target));
  }
}

type Place = Pick<RefTarget, 'tabId' | 'frameId' | 'loaderId' | 'backendNodeId'>;

function placeOf({ tabId, frameId, loaderId, backendNodeId }: Place): string {
  return `${tabId} ${frameId} ${loaderId} ${backendNodeId}`;
}

function isSameContext(
  before: RefContext | null,
  now: RefContext | null,
  wordsNow: (context: RefContext) => string | null,
): boolean {
  return before === null || before.text === now?.text || before.text === wordsNow(before);
}
