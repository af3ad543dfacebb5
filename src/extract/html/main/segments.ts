import { isBlank } from '#core/text/blank.ts';
import { elementsInside, holdsAny, isElement, isText } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { BLOCKS_OF_CODE, BLOCK_TAGS } from '#extract/html/tags.ts';
import { areDrawnApart } from '#extract/html/drawn-apart.ts';
import { isDataTable } from '#extract/html/markdown/table.ts';
import { Frames, addToParent } from './frames.ts';
import type { Frame } from './frames.ts';
import { countMatches } from './row.ts';

export { TELLING_TAGS } from './frames.ts';
export type { Frame, SiblingGroup } from './frames.ts';

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
/** Written as a whole, whether they hold text or not. */
const WHOLE_INLINE = new Set(['code', 'kbd', 'samp', 'tt']);
const WITHOUT_TEXT = new Set(['img', 'hr', 'math', 'x-tex', 'x-tex-block', 'mjx-container']);
const CELLS = new Set(['caption', 'th', 'td']);
const LINKS = new Set(['a']);
const WORDS = /[\p{L}\p{N}_]+/gu;

/** Things on a page that are not text: pictures, rules, formulas. `frame` is the element around it. */
export type Attachment = { node: DomNode; frame: Frame };

export type Segmented = { segments: Segment[]; attachments: Attachment[] };

/** Divides the body into segments, in document order. One pass, without recursion. */
export function segmentsOf(body: DomElement): Segmented {
  const segmenter = new Segmenter();
  segmenter.walk(body);
  return { segments: segmenter.segments, attachments: segmenter.attachments };
}

class Segmenter {
  readonly segments: Segment[] = [];
  readonly attachments: Attachment[] = [];
  private readonly frames = new Frames();
  private open: {
    nodes: DomNode[];
    parts: string[];
    linkChars: number;
    links: Set<DomNode> | null;
    frame: Frame;
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

  /** The frame to continue in; `null` when the element is done. */
  private element(element: DomElement, frame: Frame): Frame | null {
    const name = element.localName;
    if (SKIPPED.has(name)) return null;
    if (name === 'br') {
      this.open?.parts.push(' ');
      return null;
    }
    const look = this.frames.lookOf(element);
    if (WITHOUT_TEXT.has(name) || look.isFormula) {
      this.attach(element, frame);
      return null;
    }
    if (WHOLE_INLINE.has(name) && !holdsAny(element, BLOCKS_OF_CODE)) {
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

  private attach(element: DomElement, frame: Frame): void {
    const name = element.localName;
    if (name === 'hr') this.flush();
    if (name === 'img') frame.images += 1;
    if (this.open === null || name === 'img' || name === 'hr') this.attachments.push({ node: element, frame });
    else this.open.nodes.push(element);
  }

  private leave(frame: Frame): Frame {
    if (isBlock(frame.element)) this.flush();
    addToParent(frame);
    return frame.parent ?? frame;
  }

  private text(node: DomNode, frame: Frame): void {
    const text = node.textContent ?? '';
    if (isBlank(text)) {
      this.open?.parts.push(' ');
      return;
    }
    this.open ??= { nodes: [], parts: [], linkChars: 0, links: null, frame: frame.block ?? frame };
    if (areDrawnApart(this.open.nodes.at(-1), node)) this.open.parts.push(' ');
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

  private whole(element: DomElement, frame: Frame, kind: 'table' | 'code'): void {
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

  private add(segment: Omit<Segment, 'index' | 'words'>): void {
    const words = Math.max(1, countMatches(segment.text, WORDS));
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
