import { REFS_PAST_MAX, REFS_PER_SESSION_MAX, REF_NAME_CHARS_MAX, REF_URL_CHARS_MAX } from './limits.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import type { WordsKind } from './rows.ts';

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
      /** The text nodes that say so. */
      nodes: readonly number[];
      kindOfWords: WordsKind;
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
 * that has changed gets a new ref; its old one is stale until the element changes back.
 */
export class Refs {
  /** Least recently shown first. */
  readonly #targets = new Map<string, RefTarget>();
  /** What earlier refs of changed elements were made for, oldest first. */
  readonly #past = new Map<string, RefTarget>();
  /** The refs that an element has had, the current one last. */
  readonly #byPlace = new Map<string, string[]>();
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
    const given = this.#byPlace.get(place) ?? [];
    const last = given.at(-1) ?? '';
    const before = this.#targets.get(last);
    this.#targets.delete(last);
    if (before !== undefined && isStillSame(before, target, wordsNow)) {
      // What has come to the same part under the pointer or the focus goes away again.
      const isSamePart = partOf(before.context) === partOf(target.context);
      this.#targets.set(last, isSamePart ? { ...target, context: before.context } : target);
      return last;
    }
    if (before !== undefined) this.#past.set(last, before);
    const ref = given.find((other) => isSameAgain(this.#past.get(other), target)) ?? this.#unused();
    this.#past.delete(ref);
    this.#targets.set(ref, target);
    this.#byPlace.set(place, [...given.filter((other) => other !== ref), ref]);
    this.#dropOldest();
    return ref;
  }

  /** The ref with which an element was last shown. */
  refOf({ tab, frame, backendNodeId }: Pick<PageElement, 'tab' | 'frame' | 'backendNodeId'>): string | null {
    const place = placeOf({ tabId: tab.id, frameId: frame.id, loaderId: frame.loaderId, backendNodeId });
    return this.#byPlace.get(place)?.at(-1) ?? null;
  }

  look(ref: string): RefTarget | null {
    return this.#targets.get(ref) ?? null;
  }

  /** What an earlier ref of a changed element was made for. */
  lookBack(ref: string): RefTarget | null {
    return this.#past.get(ref) ?? null;
  }

  /** Whether the ref was ever given, in this life of the session or an earlier one. */
  hasGiven(ref: string): boolean {
    return Number(ref.slice('@e'.length)) < this.#next;
  }

  /** The current ref of each element of a tab, in the order in which they were last shown. */
  ofTab(tabId: string): { ref: string; target: RefTarget }[] {
    return [...this.#targets].flatMap(([ref, target]) => (target.tabId === tabId ? [{ ref, target }] : []));
  }

  forgetTab(tabId: string): void {
    for (const refs of [this.#targets, this.#past]) {
      for (const [ref, target] of refs) if (target.tabId === tabId) this.#forget(ref, target);
    }
  }

  #unused(): string {
    const ref = `@e${this.#next}`;
    this.#next += 1;
    return ref;
  }

  #dropOldest(): void {
    for (const [refs, max] of [[this.#targets, REFS_PER_SESSION_MAX] as const, [this.#past, REFS_PAST_MAX] as const]) {
      const [oldest] = refs;
      if (refs.size > max && oldest !== undefined) this.#forget(...oldest);
    }
  }

  #forget(ref: string, target: RefTarget): void {
    this.#targets.delete(ref);
    this.#past.delete(ref);
    const place = placeOf(target);
    const left = (this.#byPlace.get(place) ?? []).filter((other) => other !== ref);
    if (left.length === 0) this.#byPlace.delete(place);
    else this.#byPlace.set(place, left);
  }
}

type Place = Pick<RefTarget, 'tabId' | 'frameId' | 'loaderId' | 'backendNodeId'>;

function placeOf({ tabId, frameId, loaderId, backendNodeId }: Place): string {
  return `${tabId} ${frameId} ${loaderId} ${backendNodeId}`;
}

function isStillSame(before: RefTarget, now: RefTarget, wordsNow: (context: RefContext) => string | null): boolean {
  const { context } = before;
  const isSameContext = context === null || context.text === now.context?.text || context.text === wordsNow(context);
  return isSameIdentity(before, now) && isSameContext;
}

/** Whether an element is what it was, by all that it is bound to now: what bound it then may have been less. */
function isSameAgain(past: RefTarget | undefined, now: RefTarget): boolean {
  if (past === undefined || !isSameIdentity(past, now)) return false;
  return partOf(past.context) === partOf(now.context) && past.context?.text === now.context?.text;
}

function partOf(context: RefContext | null): number | string | undefined {
  return context?.kind === 'part' ? context.backendNodeId : context?.kind;
}

/** What a ref is bound to of an element's own: long names and addresses differ early. */
export type Identity = {
  /** Chromium's role and accessible name. */
  role: string;
  name: string;
  /** Where a link leads; `''` for other elements. */
  url: string;
};

export function identityOf({ role, name, url }: Identity): Identity {
  return { role, name: name.slice(0, REF_NAME_CHARS_MAX), url: url.slice(0, REF_URL_CHARS_MAX) };
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
  return one.role === other.role && one.name === other.name && one.url === other.url;
}
