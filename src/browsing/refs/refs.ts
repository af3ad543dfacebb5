import { CHECKABLE_ROLES, FIELD_ROLES, INITIALS_CHARS_MAX } from '#browsing/tree/roles.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import type { ContextWordsKind } from './context-words.ts';

/**
 * Maximum elements whose refs a session stores: 40 large pages, under 10 MB. The least recently shown are dropped
 * first.
 */
export const REFS_PER_SESSION_MAX = 20_000;
/** Maximum stored stale refs. If a changed element changes back, its stale ref is valid again. */
export const STALE_REFS_MAX = 5_000;
/** Maximum compared characters of an element's accessible name. */
const REF_NAME_CHARS_MAX = 300;
/** Maximum compared characters of a link's address. Addresses may differ only near their end. */
const REF_URL_CHARS_MAX = 1_000;

/**
 * The words around an element when its ref was created. They are needed because the nodes of a table row or pane, such
 * as its "Delete" button, stay the same when it is filled with the data of another record. Only the words change.
 */
export type RefSurroundings =
  | {
      /** Words of the element's row, or of a container that holds no other element of the same role and name. */
      kind: 'part';
      backendNodeId: number;
      text: string;
      nodes: readonly number[];
      kindOfWords: ContextWordsKind;
    }
  | { kind: 'headings'; text: string };

/** The state of an element when its ref was created. If the state has changed, the ref is stale. */
export type RefTarget = ElementIdentity & {
  tabId: string;
  frameId: string;
  loaderId: string;
  backendNodeId: number;
  context: RefSurroundings | null;
  /**
   * The element's outline (roles of its ancestors) if no other element has the same words and outline; `null`
   * otherwise.
   */
  alone: string | null;
};

const REF = /^(?:@?(e[1-9]\d{0,8})|\[ref="?@?(e[1-9]\d{0,8})"?\])$/;

export function parseRef(target: string): string | null {
  const [, bare, inBrackets] = REF.exec(target.trim()) ?? [];
  const name = bare ?? inBrackets;
  return name === undefined ? null : `@${name}`;
}

/**
 * The refs of one session, across its tabs. Numbers are never reused. A changed element gets a new ref; its old ref is
 * stale until the element changes back.
 */
export class ElementRefs {
  /** Current elements by ref, least recently shown first. */
  readonly #targets = new Map<string, RefTarget>();
  /** Stale refs of changed elements, oldest first. */
  readonly #past = new Map<string, RefTarget>();
  readonly #byNode = new Map<string, string[]>();
  #next: number;

  constructor(next = 1) {
    this.#next = next;
  }

  /** Refs that begin with those of this session. New ones of the copy are unknown to the session. */
  copy(): ElementRefs {
    const copy = new ElementRefs(this.#next);
    for (const [ref, target] of this.#targets) copy.#targets.set(ref, target);
    for (const [ref, target] of this.#past) copy.#past.set(ref, target);
    for (const [place, refs] of this.#byNode) copy.#byNode.set(place, [...refs]);
    return copy;
  }

  get next(): number {
    return this.#next;
  }

  /**
   * @param wordsNow returns the current words of an earlier context. If these are unchanged, an element that now has
   * twins, and therefore another context, is still the same
   */
  mint(target: RefTarget, wordsNow: (context: RefSurroundings) => string | null): string {
    const place = nodeKey(target);
    const given = this.#byNode.get(place) ?? [];
    const last = given.at(-1) ?? '';
    const before = this.#targets.get(last);
    this.#targets.delete(last);
    if (before !== undefined && isStillSame(before, target, wordsNow)) {
      // Keeps the earlier words, because words that appeared under the pointer or the focus, such as a tooltip,
      // disappear again.
      const isSamePart = partOf(before.context) === partOf(target.context);
      const context = isSamePart ? before.context : target.context;
      const description = target.description || before.description;
      this.#targets.set(last, { ...target, description, context, alone: before.alone === null ? null : target.alone });
      return last;
    }
    if (before !== undefined) this.#past.set(last, before);
    const ref = given.find((other) => isSameAgain(this.#past.get(other), target)) ?? this.#unused();
    const past = this.#past.get(ref);
    this.#past.delete(ref);
    this.#targets.set(ref, past?.alone === null ? { ...target, alone: null } : target);
    this.#byNode.set(place, [...given.filter((other) => other !== ref), ref]);
    this.#dropOldest();
    return ref;
  }

  refOf({ tab, frame, backendNodeId }: Pick<PageElement, 'tab' | 'frame' | 'backendNodeId'>): string | null {
    const place = nodeKey({ tabId: tab.id, frameId: frame.id, loaderId: frame.loaderId, backendNodeId });
    return this.#byNode.get(place)?.at(-1) ?? null;
  }

  current(ref: string): RefTarget | null {
    return this.#targets.get(ref) ?? null;
  }

  former(ref: string): RefTarget | null {
    return this.#past.get(ref) ?? null;
  }

  wasGiven(ref: string): boolean {
    return Number(ref.slice('@e'.length)) < this.#next;
  }

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
    for (const [refs, max] of [[this.#targets, REFS_PER_SESSION_MAX] as const, [this.#past, STALE_REFS_MAX] as const]) {
      const [oldest] = refs;
      if (refs.size > max && oldest !== undefined) this.#forget(...oldest);
    }
  }

  #forget(ref: string, target: RefTarget): void {
    this.#targets.delete(ref);
    this.#past.delete(ref);
    const place = nodeKey(target);
    const left = (this.#byNode.get(place) ?? []).filter((other) => other !== ref);
    if (left.length === 0) this.#byNode.delete(place);
    else this.#byNode.set(place, left);
  }
}

type NodeIds = Pick<RefTarget, 'tabId' | 'frameId' | 'loaderId' | 'backendNodeId'>;

function nodeKey({ tabId, frameId, loaderId, backendNodeId }: NodeIds): string {
  return `${tabId} ${frameId} ${loaderId} ${backendNodeId}`;
}

function isStillSame(
  before: RefTarget,
  now: RefTarget,
  wordsNow: (context: RefSurroundings) => string | null,
): boolean {
  const { context } = before;
  const isSameContext = context === null || context.text === now.context?.text || context.text === wordsNow(context);
  return isSameIdentity(before, now) && isSameContext;
}

/** True if an element has changed back to the state of a stale ref: same identity, same container, same words. */
function isSameAgain(past: RefTarget | undefined, now: RefTarget): boolean {
  if (past === undefined || !isSameIdentity(past, now)) return false;
  return partOf(past.context) === partOf(now.context) && past.context?.text === now.context?.text;
}

/**
 * True if two refs belong to equal elements, each unique in the document. In this case, the page has rebuilt the
 * element.
 */
export function isRebuiltElement(before: RefTarget, now: RefTarget): boolean {
  const isSamePlace = before.alone !== null && before.alone === now.alone;
  return isSamePlace && isSameIdentity(before, now) && before.context?.text === now.context?.text;
}

function partOf(context: RefSurroundings | null): number | string | undefined {
  return context?.kind === 'part' ? context.backendNodeId : context?.kind;
}

/** Identity of an element. Long names and addresses are cut. */
export type ElementIdentity = {
  role: string;
  name: string;
  url: string;
  description: string;
};

/** The compared part of an identity. The description counts where a view shows it instead of a name. */
export function toElementIdentity({ role, name, url, description }: ElementIdentity): ElementIdentity {
  const isNamed = name.trim().length > INITIALS_CHARS_MAX || FIELD_ROLES.has(role) || CHECKABLE_ROLES.has(role);
  return {
    role,
    name: name.slice(0, REF_NAME_CHARS_MAX),
    url: url.slice(0, REF_URL_CHARS_MAX),
    description: isNamed ? '' : description.slice(0, REF_NAME_CHARS_MAX),
  };
}

/** Pages add and remove a tooltip under the pointer, so a missing description is no difference. */
export function isSameIdentity(one: ElementIdentity, other: ElementIdentity): boolean {
  const isSameDescription = one.description === '' || other.description === '' || one.description === other.description;
  return one.role === other.role && one.name === other.name && one.url === other.url && isSameDescription;
}
