import { isElement, isText } from '#extract/html/dom.ts';
import type { DomElement, DomNode } from '#extract/html/dom.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '#extract/html/tags.ts';
import { isApart } from '#extract/html/apart.ts';
import { isDataTable } from '#extract/html/markdown/table.ts';
import { count } from './numbers.ts';
import { WORD_GROUPS, groupsOf } from './words.ts';

/** Tags whose nearness tells what a block is; the order is part of the model. */
export const TELLING_TAGS: readonly string[] =
  'nav header footer aside main article section form ul ol table figure a blockquote details h1 h2 h3 h4 p li td dd dt figcaption label button time span div strong'.split(
    ' ',
  );
const TAG_INDEX = new Map(TELLING_TAGS.map((tag, index) => [tag, index]));
/** Farther than this counts as not there. */
export const FAR = 12;

/** An element on the way to text, with what is known of everything below it. */
export type Frame = {
  element: DomElement;
  parent: Frame | null;
  depth: number;
  /** Elements of the page with the same tags and classes all the way up share a number. */
  path: number;
  /** Steps up to the nearest element of each word group, then of each telling tag. */
  near: Uint8Array;
  siblings: SiblingGroup | null;
  chars: number;
  linkChars: number;
  blocks: number;
  images: number;
};

/** Children of one parent that look alike. */
export type SiblingGroup = { count: number; chars: number; linkChars: number };

/** A run of text without a block boundary, or a whole table or code block. */
export type Segment = {
  nodes: DomNode[];
  frame: Frame;
  text: string;
  linkChars: number;
  links: number;
  kind: 'text' | 'table' | 'code';
  /** At least one. */
  words: number;
  index: number;
};

const SKIPPED = new Set('script style template noscript iframe svg head title select option input'.split(' '));
/** Written as a whole, text or not. */
const WHOLE_INLINE = new Set(['code', 'kbd', 'samp', 'tt']);
const WITHOUT_TEXT = new Set(['img', 'hr', 'math', 'x-tex', 'x-tex-block', 'mjx-container']);
const GROUPS = WORD_GROUPS.length;
const WORDS = /[\p{L}\p{N}_]+/gu;

/** What stands on a page without being text: pictures, rules, formulas. `frame` is what it stands in. */
export type Attachment = { node: DomNode; frame: Frame };

export type Segmented = { segments: Segment[]; attachments: Attachment[] };

/** Cuts the body into segments, in document order. One pass, without recursion. */
export function segmentsOf(body: DomElement): Segmented {
  const segmenter = new Segmenter();
  segmenter.walk(body);
  return { segments: segmenter.segments, attachments: segmenter.attachments };
}

class Segmenter {
  readonly segments: Segment[] = [];
  readonly attachments: Attachment[] = [];
  private readonly paths = new Map<string, number>();
  private readonly names = new Map<string, number>();
  private readonly siblings = new Map<string, SiblingGroup>();
  private readonly framesSeen = new Map<Frame, number>();
  private open: { nodes: DomNode[]; parts: string[]; linkChars: number; links: Set<DomNode>; frame: Frame } | null =
    null;

  walk(body: DomElement): void {
    let frame = this.enter(body, null);
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

  /** The frame to go on in, or null when the element is done with. */
  private element(element: DomElement, frame: Frame): Frame | null {
    const name = element.localName;
    if (SKIPPED.has(name)) return null;
    if (name === 'br') {
      this.open?.parts.push(' ');
      return null;
    }
    if (WITHOUT_TEXT.has(name) || isDrawnFormula(element)) {
      this.attach(element, frame);
      return null;
    }
    if (WHOLE_INLINE.has(name) && element.querySelector('pre, p, ul, ol, table') === null) {
      this.text(element, frame);
      return null;
    }
    if (name === 'pre' || (name === 'table' && isDataTable(element))) {
      this.flush();
      const own = this.enter(element, frame);
      this.whole(element, own, name === 'pre' ? 'code' : 'table');
      return null;
    }
    if (isBlock(element)) this.flush();
    return this.enter(element, frame);
  }

  private attach(element: DomElement, frame: Frame): void {
    const name = element.localName;
    if (name === 'hr') this.flush();
    if (name === 'img') for (let at: Frame | null = frame; at !== null; at = at.parent) at.images += 1;
    if (this.open === null || name === 'img' || name === 'hr') this.attachments.push({ node: element, frame });
    else this.open.nodes.push(element);
  }

  private leave(frame: Frame): Frame {
    if (isBlock(frame.element)) this.flush();
    return frame.parent ?? frame;
  }

  private enter(element: DomElement, parent: Frame | null): Frame {
    const near = new Uint8Array(GROUPS + TELLING_TAGS.length);
    for (let index = 0; index < near.length; index += 1) {
      near[index] = parent === null ? FAR : Math.min(FAR, (parent.near[index] ?? FAR) + 1);
    }
    const className = element.getAttribute('class') ?? '';
    const name = `${className} ${element.getAttribute('id') ?? ''} ${element.getAttribute('role') ?? ''} ${element.getAttribute('itemprop') ?? ''}`;
    let groups = this.names.get(name);
    if (groups === undefined) {
      groups = groupsOf(name);
      this.names.set(name, groups);
    }
    for (let group = 0; group < GROUPS; group += 1) if ((groups & (1 << group)) !== 0) near[group] = 0;
    const tag = TAG_INDEX.get(element.localName);
    if (tag !== undefined) near[GROUPS + tag] = 0;
    const look = `${element.localName}.${className.replace(/\d+/g, '0')}`;
    const path = this.number(`${parent?.path ?? 0}>${look}`);
    const siblings = parent === null ? null : this.siblingGroup(parent, look);
    return {
      element,
      parent,
      depth: (parent?.depth ?? 0) + 1,
      path,
      near,
      siblings,
      chars: 0,
      linkChars: 0,
      blocks: 0,
      images: 0,
    };
  }

  private number(path: string): number {
    const known = this.paths.get(path);
    if (known !== undefined) return known;
    this.paths.set(path, this.paths.size + 1);
    return this.paths.size;
  }

  private siblingGroup(parent: Frame, look: string): SiblingGroup {
    let id = this.framesSeen.get(parent);
    if (id === undefined) {
      id = this.framesSeen.size;
      this.framesSeen.set(parent, id);
    }
    const key = `${id}>${look}`;
    const known = this.siblings.get(key);
    if (known !== undefined) {
      known.count += 1;
      return known;
    }
    const group = { count: 1, chars: 0, linkChars: 0 };
    this.siblings.set(key, group);
    return group;
  }

  private text(node: DomNode, frame: Frame): void {
    const text = node.textContent ?? '';
    if (text.trim() === '') {
      this.open?.parts.push(' ');
      return;
    }
    this.open ??= { nodes: [], parts: [], linkChars: 0, links: new Set(), frame: blockFrame(frame) };
    if (isApart(this.open.nodes.at(-1), node)) this.open.parts.push(' ');
    this.open.nodes.push(node);
    this.open.parts.push(text);
    const link = linkFrame(frame);
    if (link !== null) {
      this.open.linkChars += text.trim().length;
      this.open.links.add(link.element);
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
      links: open.links.size,
      kind: 'text',
    });
  }

  private whole(element: DomElement, frame: Frame, kind: 'table' | 'code'): void {
    const text = (kind === 'table' ? tableText(element) : (element.textContent ?? '')).replace(/\s+/g, ' ').trim();
    if (text === '') return;
    let linkChars = 0;
    let links = 0;
    for (const link of element.querySelectorAll('a[href]')) {
      links += 1;
      linkChars += (link.textContent ?? '').trim().length;
    }
    this.add({ nodes: [element], frame, text, linkChars: Math.min(linkChars, text.length), links, kind });
  }

  private add(segment: Omit<Segment, 'index' | 'words'>): void {
    const words = Math.max(1, count(segment.text, WORDS));
    this.segments.push({ ...segment, words, index: this.segments.length });
    for (let frame: Frame | null = segment.frame; frame !== null; frame = frame.parent) {
      frame.chars += segment.text.length;
      frame.linkChars += segment.linkChars;
      frame.blocks += 1;
      if (frame.siblings !== null) {
        frame.siblings.chars += segment.text.length;
        frame.siblings.linkChars += segment.linkChars;
      }
    }
  }
}

function isBlock(element: DomElement): boolean {
  return BLOCK_TAGS.has(element.localName);
}

function tableText(table: DomElement): string {
  const parts: string[] = [];
  for (const cell of table.querySelectorAll('caption, th, td')) parts.push(cell.textContent ?? '');
  return parts.join(' ');
}

function blockFrame(frame: Frame): Frame {
  let at = frame;
  while (at.parent !== null && !isBlock(at.element) && !HEADING_TAGS.has(at.element.localName)) at = at.parent;
  return at;
}

function linkFrame(frame: Frame): Frame | null {
  for (let at: Frame | null = frame; at !== null; at = at.parent) if (at.element.localName === 'a') return at;
  return null;
}

/** Formulas that are drawn with text of their own beside their source. */
function isDrawnFormula(element: DomElement): boolean {
  const name = element.localName;
  if (name !== 'span' && name !== 'div') return false;
  return /(?:^|\s)(?:katex(?:-display)?|mwe-math-element)(?:\s|$)/.test(element.getAttribute('class') ?? '');
}
