import { isBlank } from '#core/text/blank.ts';
import {
  elementsInside,
  containsAnyTag,
  isElement,
  isText,
  classOf,
  TAGS_SPLITTING_CODE,
  BLOCK_TAGS,
  ICON_NAME_TAG,
  REPLACED_TAGS,
  TAB_LABEL_TAG,
  MOVED_PANEL_TAG,
  areVisuallySeparate,
} from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { isDataTable } from '#extract/html/table-form.ts';
import { countLetterRuns } from '#extract/html/main/model/characters.ts';
import { CLASS_ATTRIBUTE_CHARS_MAX, WORD_GROUP_NAMES, findWordGroups } from '#extract/html/main/model/words.ts';

/** A piece of a page that is either main content or not: text without a block boundary, a table, or code. */
export type TextSegment = {
  nodes: DomNode[];
  frame: SegmentAncestor;
  text: string;
  linkChars: number;
  links: number;
  kind: 'text' | 'table' | 'code';
  words: number;
  index: number;
};

const SKIPPED = new Set('script style template noscript head title'.split(' '));
/** Inline elements stored as one node with their content. `WITHOUT_TEXT` has those without text. */
const WHOLE_INLINE = new Set(['code', 'kbd', 'samp', 'tt']);
const WITHOUT_TEXT = new Set(['img', 'hr', 'math', 'x-tex', 'x-tex-block', 'mjx-container']);
const CELLS = new Set(['caption', 'th', 'td']);
const LINKS = new Set(['a']);

/** Content without text, such as a picture, a rule or a formula. `frame` is the element that contains it. */
export type NonTextNode = { node: DomNode; frame: SegmentAncestor };

type Segmented = { segments: TextSegment[]; attachments: NonTextNode[] };

/** Divides the body into pieces of text in document order, in one pass without recursion. */
export function divideIntoSegments(body: DomElement): Segmented {
  const segmenter = new Segmenter();
  segmenter.walk(body);
  return { segments: segmenter.segments, attachments: segmenter.attachments };
}

class Segmenter {
  readonly segments: TextSegment[] = [];
  readonly attachments: NonTextNode[] = [];
  private readonly frames = new Frames();
  private open: {
    nodes: DomNode[];
    parts: string[];
    linkChars: number;
    links: Set<DomNode> | null;
    frame: SegmentAncestor;
  } | null = null;

  walk(body: DomElement): void {
    let frame = this.frames.enter(body, this.frames.lookOf(body), null);
    let node: DomNode = body;
    for (;;) {
      let child: DomNode | null = null;
      if (node === body) child = node.firstChild;
      else if (isText(node)) this.text(node, frame);
      else if (isElement(node)) {
        const next = this.element(node, frame);
        if (next !== null) {
          frame = next;
          child = node.firstChild;
          if (child === null) frame = this.leave(frame);
        }
      }
      if (child !== null) {
        node = child;
        continue;
      }
      while (node !== body && node.nextSibling === null && node.parentNode !== null) {
        node = node.parentNode;
        if (node !== body) frame = this.leave(frame);
      }
      if (node === body || node.nextSibling === null) break;
      node = node.nextSibling;
    }
    this.flush();
  }

  /** Opens an element. Returns a frame for its children, or `null` to skip them. */
  private element(element: DomElement, frame: SegmentAncestor): SegmentAncestor | null {
    const name = element.localName;
    if (SKIPPED.has(name)) return null;
    if (name === 'br') {
      this.open?.parts.push(' ');
      return null;
    }
    if (REPLACED_TAGS.has(name) || name === ICON_NAME_TAG || name === TAB_LABEL_TAG || name === MOVED_PANEL_TAG) {
      this.attach(element, frame);
      return null;
    }
    const look = this.frames.lookOf(element);
    if (WITHOUT_TEXT.has(name) || look.isFormula) {
      this.attach(element, frame);
      return null;
    }
    if (WHOLE_INLINE.has(name) && !containsAnyTag(element, TAGS_SPLITTING_CODE)) {
      this.text(element, frame);
      return null;
    }
    if (name === 'pre' || (name === 'table' && isDataTable(element))) {
      this.flush();
      const own = this.frames.enter(element, look, frame);
      this.whole(element, own, name === 'pre' ? 'code' : 'table');
      addToParent(own);
      return null;
    }
    if (isBlock(element)) this.flush();
    return this.frames.enter(element, look, frame);
  }

  private attach(element: DomElement, frame: SegmentAncestor): void {
    const name = element.localName;
    if (name === 'hr') this.flush();
    if (name === 'img') frame.images += 1;
    if (this.open === null || name === 'img' || name === 'hr') this.attachments.push({ node: element, frame });
    else this.open.nodes.push(element);
  }

  private leave(frame: SegmentAncestor): SegmentAncestor {
    if (isBlock(frame.element)) this.flush();
    addToParent(frame);
    return frame.parent ?? frame;
  }

  private text(node: DomNode, frame: SegmentAncestor): void {
    const text = node.textContent ?? '';
    if (isBlank(text)) {
      this.open?.parts.push(' ');
      return;
    }
    this.open ??= { nodes: [], parts: [], linkChars: 0, links: null, frame: frame.block ?? frame };
    if (areVisuallySeparate(this.open.nodes.at(-1), node)) this.open.parts.push(' ');
    this.open.nodes.push(node);
    this.open.parts.push(text);
    if (frame.link !== null) {
      this.open.linkChars += text.trim().length;
      this.open.links ??= new Set();
      this.open.links.add(frame.link);
    }
  }

  private flush(): void {
    const open = this.open;
    this.open = null;
    if (open === null) return;
    const text = open.parts.join('').replace(/\s+/g, ' ').trim();
    this.add({
      nodes: open.nodes,
      frame: open.frame,
      text,
      linkChars: Math.min(open.linkChars, text.length),
      links: open.links?.size ?? 0,
      kind: 'text',
    });
  }

  private whole(element: DomElement, frame: SegmentAncestor, kind: 'table' | 'code'): void {
    const text = (kind === 'table' ? tableText(element) : (element.textContent ?? '')).replace(/\s+/g, ' ').trim();
    if (text === '') return;
    let linkChars = 0;
    let links = 0;
    for (const link of elementsInside(element, LINKS)) {
      if (!link.hasAttribute('href')) continue;
      links += 1;
      linkChars += (link.textContent ?? '').trim().length;
    }
    this.add({ nodes: [element], frame, text, linkChars: Math.min(linkChars, text.length), links, kind });
  }

  private add(segment: Omit<TextSegment, 'index' | 'words'>): void {
    const words = Math.max(1, countLetterRuns(segment.text));
    const { nodes, frame, text, linkChars, links, kind } = segment;
    const index = this.segments.length;
    this.segments.push({ nodes, frame, text, linkChars, links, kind, words, index });
    if (frame.first < 0) frame.first = index;
    frame.last = index;
    frame.chars += text.length;
    frame.linkChars += linkChars;
    frame.blocks += 1;
  }
}

function isBlock(element: DomElement): boolean {
  return BLOCK_TAGS.has(element.localName);
}

function tableText(table: DomElement): string {
  const parts: string[] = [];
  for (const cell of elementsInside(table, CELLS)) parts.push(cell.textContent ?? '');
  return parts.join(' ');
}

/** Tags whose distance to a text is a feature of the model. Their order is part of the model. */
export const MODEL_FEATURE_TAGS: readonly string[] =
  'nav header footer aside main article section form ul ol table figure a blockquote details h1 h2 h3 h4 p li td dd dt figcaption label button time span div strong'.split(
    ' ',
  );
const TAG_INDEX = new Map(MODEL_FEATURE_TAGS.map((tag, index) => [tag, index]));
const FAR = 12;
const GROUPS = WORD_GROUP_NAMES.length;
const NEAR = GROUPS + MODEL_FEATURE_TAGS.length;
/** Larger than the number of elements on any page, so that two numbers can be combined into one map key. */
const NUMBERS_MAX = 2 ** 20;
const FORMULA = /(?:^|\s)(?:katex(?:-display)?|mwe-math-element)(?:\s|$)/;

/** An element that contains text, with sums over all its descendants. */
export type SegmentAncestor = {
  element: DomElement;
  parent: SegmentAncestor | null;
  depth: number;
  /** Equal for two elements if their tags and classes are, and those of all their ancestors. */
  path: number;
  /** Number of steps up to the nearest ancestor with each group of class words, and with each of `MODEL_FEATURE_TAGS`. */
  near: Uint8Array;
  siblings: SiblingGroup | null;
  chars: number;
  linkChars: number;
  blocks: number;
  images: number;
  /** Indexes of the first and last text in the element; -1 if it has none. */
  first: number;
  last: number;
  link: DomElement | null;
  /** The block that contains this inline element; `null` if the element is a block itself. */
  block: SegmentAncestor | null;
  position: SiblingPosition | null;
  /** Index of the element in document order, beginning with 1. */
  number: number;
  lastGroup: SiblingGroup | null;
};

export type SiblingGroup = { look: number; count: number; chars: number; linkChars: number };

type Appearance = {
  /** Equal for all elements with the same tag and class. */
  number: number;
  groups: number;
  isFormula: boolean;
};

/** Elements with equal tags and classes, whose ancestors are also equal. `next` has their children, by appearance. */
type SiblingPosition = {
  path: number;
  near: Uint8Array;
  next: Map<Appearance, SiblingPosition> | null;
};

class Frames {
  private readonly looks = new Map<string, Map<string, Appearance>>();
  private readonly numbers = new Map<string, number>();
  private readonly paths = new Map<number, number>();
  private readonly siblings = new Map<number, SiblingGroup>();
  private entered = 0;

  lookOf(element: DomElement): Appearance {
    const name = element.localName;
    let ofTag = this.looks.get(name);
    if (ofTag === undefined) this.looks.set(name, (ofTag = new Map()));
    const className = classOf(element);
    const whole = namesOf(element, className);
    // Numbers are removed, so that `item-1` and `item-2` share an entry, unless the name is so long that it will be
    // cut.
    const key = whole.length > CLASS_ATTRIBUTE_CHARS_MAX ? whole : withoutNumbers(whole);
    const known = ofTag.get(key);
    if (known !== undefined) return known;
    const look = {
      number: numberIn(this.numbers, `${name}.${withoutNumbers(className)}`),
      groups: findWordGroups(key),
      isFormula: (name === 'span' || name === 'div') && FORMULA.test(className),
    };
    ofTag.set(key, look);
    return look;
  }

  enter(element: DomElement, look: Appearance, parent: SegmentAncestor | null): SegmentAncestor {
    const position = this.positionOf(element.localName, look, parent?.position ?? null);
    const isOwnBlock = parent === null || BLOCK_TAGS.has(element.localName);
    return {
      element,
      parent,
      depth: (parent?.depth ?? 0) + 1,
      path: position.path,
      near: position.near,
      siblings: parent === null ? null : this.siblingGroup(parent, look.number),
      chars: 0,
      linkChars: 0,
      blocks: 0,
      images: 0,
      first: -1,
      last: -1,
      link: element.localName === 'a' ? element : (parent?.link ?? null),
      block: isOwnBlock ? null : (parent.block ?? parent),
      position,
      number: (this.entered += 1),
      lastGroup: null,
    };
  }

  private positionOf(tag: string, look: Appearance, parent: SiblingPosition | null): SiblingPosition {
    const known = parent?.next?.get(look);
    if (known !== undefined) return known;
    const position: SiblingPosition = {
      path: numberIn(this.paths, (parent?.path ?? 0) * NUMBERS_MAX + look.number),
      near: nearOf(tag, look.groups, parent?.near),
      next: null,
    };
    if (parent !== null) {
      parent.next ??= new Map();
      parent.next.set(look, position);
    }
    return position;
  }

  private siblingGroup(parent: SegmentAncestor, look: number): SiblingGroup {
    const key = parent.number * NUMBERS_MAX + look;
    // Most elements come after a sibling with the same tag and class, so that group is tried first.
    let group = parent.lastGroup?.look === look ? parent.lastGroup : this.siblings.get(key);
    if (group === undefined) this.siblings.set(key, (group = { look, count: 0, chars: 0, linkChars: 0 }));
    group.count += 1;
    parent.lastGroup = group;
    return group;
  }
}

function addToParent({ parent, siblings, chars, linkChars, blocks, images, first, last }: SegmentAncestor): void {
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
