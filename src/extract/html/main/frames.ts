import { classOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { BLOCK_TAGS } from '#extract/html/tags.ts';
import { NAME_CHARS_MAX, WORD_GROUPS, groupsOf } from './words.ts';

/** Tags whose distance says what a block is. The order is part of the model. */
export const TELLING_TAGS: readonly string[] =
  'nav header footer aside main article section form ul ol table figure a blockquote details h1 h2 h3 h4 p li td dd dt figcaption label button time span div strong'.split(
    ' ',
  );
const TAG_INDEX = new Map(TELLING_TAGS.map((tag, index) => [tag, index]));
/** A greater distance counts as absent. */
export const FAR = 12;
const GROUPS = WORD_GROUPS.length;
const NEAR = GROUPS + TELLING_TAGS.length;
/** More than there are elements, so two smaller numbers can be combined into one key. */
const NUMBERS_MAX = 2 ** 20;
/** Formulas that are drawn with text of their own beside their source. */
const FORMULA = /(?:^|\s)(?:katex(?:-display)?|mwe-math-element)(?:\s|$)/;

/** An element on the way to text, with what is known about everything below it. */
export type Frame = {
  element: DomElement;
  parent: Frame | null;
  depth: number;
  /** Elements with the same tags and classes all the way up share this number. */
  path: number;
  /** Steps up to the nearest element of each word group, then of each telling tag. Frames that look alike share it. */
  near: Uint8Array;
  siblings: SiblingGroup | null;
  chars: number;
  linkChars: number;
  blocks: number;
  images: number;
  /** Numbers of the first and last segment below it; -1 for none. */
  first: number;
  last: number;
  /** The link around it, or itself if it is a link. */
  link: DomElement | null;
  /** The block to which its text belongs; `null` for itself. */
  block: Frame | null;
  place: Place | null;
  /** Order in which it was entered, from 1. */
  number: number;
  /** The children that look like the one entered last. */
  lastGroup: SiblingGroup | null;
};

/** Children of one parent that look alike. */
export type SiblingGroup = { look: number; count: number; chars: number; linkChars: number };

/** What an element looks like, without the numbers in its names. */
export type Look = {
  /** Shared by all elements with the same tag and class. */
  number: number;
  /** See `groupsOf`. */
  groups: number;
  isFormula: boolean;
};

/** Elements that look alike all the way up. `next` holds the places inside, by how they look. */
type Place = {
  path: number;
  near: Uint8Array;
  next: Map<Look, Place> | null;
};

/** Makes the frames of one page. What elements that look alike have in common is computed once. */
export class Frames {
  private readonly looks = new Map<string, Map<string, Look>>();
  private readonly numbers = new Map<string, number>();
  private readonly paths = new Map<number, number>();
  private readonly siblings = new Map<number, SiblingGroup>();
  private entered = 0;

  lookOf(element: DomElement): Look {
    const name = element.localName;
    let ofTag = this.looks.get(name);
    if (ofTag === undefined) this.looks.set(name, (ofTag = new Map()));
    const className = classOf(element);
    const whole = namesOf(element, className);
    // When a name is cut, its numbers change what is left of it.
    const key = whole.length > NAME_CHARS_MAX ? whole : withoutNumbers(whole);
    const known = ofTag.get(key);
    if (known !== undefined) return known;
    const look = {
      number: numberIn(this.numbers, `${name}.${withoutNumbers(className)}`),
      groups: groupsOf(key),
      isFormula: (name === 'span' || name === 'div') && FORMULA.test(className),
    };
    ofTag.set(key, look);
    return look;
  }

  enter(element: DomElement, look: Look, parent: Frame | null): Frame {
    const place = this.placeOf(element.localName, look, parent?.place ?? null);
    const isOwnBlock = parent === null || BLOCK_TAGS.has(element.localName);
    return {
      element,
      parent,
      depth: (parent?.depth ?? 0) + 1,
      path: place.path,
      near: place.near,
      siblings: parent === null ? null : this.siblingGroup(parent, look.number),
      chars: 0,
      linkChars: 0,
      blocks: 0,
      images: 0,
      first: -1,
      last: -1,
      link: element.localName === 'a' ? element : (parent?.link ?? null),
      block: isOwnBlock ? null : (parent.block ?? parent),
      place,
      number: (this.entered += 1),
      lastGroup: null,
    };
  }

  private placeOf(tag: string, look: Look, parent: Place | null): Place {
    const known = parent?.next?.get(look);
    if (known !== undefined) return known;
    const place: Place = {
      path: numberIn(this.paths, (parent?.path ?? 0) * NUMBERS_MAX + look.number),
      near: nearOf(tag, look.groups, parent?.near),
      next: null,
    };
    if (parent !== null) {
      parent.next ??= new Map();
      parent.next.set(look, place);
    }
    return place;
  }

  private siblingGroup(parent: Frame, look: number): SiblingGroup {
    const key = parent.number * NUMBERS_MAX + look;
    // Most siblings follow one that looks like them.
    let group = parent.lastGroup?.look === look ? parent.lastGroup : this.siblings.get(key);
    if (group === undefined) this.siblings.set(key, (group = { look, count: 0, chars: 0, linkChars: 0 }));
    group.count += 1;
    parent.lastGroup = group;
    return group;
  }
}

/** Adds what is below a frame to its parent. */
export function addToParent({ parent, siblings, chars, linkChars, blocks, images, first, last }: Frame): void {
  if (siblings !== null) {
    siblings.chars += chars;
    siblings.linkChars += linkChars;
  }
  if (parent === null) return;
  parent.chars += chars;
  parent.linkChars += linkChars;
  parent.blocks += blocks;
  parent.images += images;
  if (parent.first < 0 || (first >= 0 && first < parent.first)) parent.first = first;
  if (last > parent.last) parent.last = last;
}

function nearOf(tag: string, groups: number, around: Uint8Array | undefined): Uint8Array {
  const near = new Uint8Array(NEAR);
  for (let index = 0; index < NEAR; index += 1) near[index] = Math.min(FAR, (around?.[index] ?? FAR) + 1);
  for (let group = 0; group < GROUPS; group += 1) if ((groups & (1 << group)) !== 0) near[group] = 0;
  const telling = TAG_INDEX.get(tag);
  if (telling !== undefined) near[GROUPS + telling] = 0;
  return near;
}

/** Class, id, role and itemprop, separated by spaces. */
function namesOf(element: DomElement, className: string): string {
  const id = element.getAttribute('id') ?? '';
  const role = element.getAttribute('role') ?? '';
  const property = element.getAttribute('itemprop') ?? '';
  return id === '' && role === '' && property === '' ? className : `${className} ${id} ${role} ${property}`;
}

function withoutNumbers(names: string): string {
  return names.replace(/\d+/g, '0');
}

function numberIn<Key>(numbers: Map<Key, number>, key: Key): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size + 1);
  return numbers.size;
}
