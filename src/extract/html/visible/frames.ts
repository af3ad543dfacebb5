import { buildTree } from '#extract/html/build-tree.ts';
import { setDepths } from './shadow-roots.ts';
import { childrenOf, elementsInside } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

/** Elements of all documents that stand in attributes of frames. A page shows a form or an example in them. */
const FRAME_ELEMENTS_MAX = 2_000;
const FRAMES: ReadonlySet<string> = new Set(['iframe']);

/** Frames and drawings of one or two pixels count visitors, or hold parts of others. */
const TINY_PIXELS_MAX = 2;

export function isTiny(element: DomElement): boolean {
  return ['width', 'height'].some((side) => Number.parseInt(element.getAttribute(side) ?? '', 10) <= TINY_PIXELS_MAX);
}

/** Puts documents that stand in frames' own attributes (`srcdoc`) in their places: they have no address of their own. */
export class FrameDocuments {
  readonly cuts = new Set<string>();
  private elementsLeft = FRAME_ELEMENTS_MAX;

  /** @returns whether the frame is now a section with the content of its document */
  open(frame: DomElement): boolean {
    const html = frame.getAttribute('srcdoc');
    if (html === null || html.trim() === '' || isTiny(frame)) return false;
    const built = buildTree({ html, xml: false, scripting: true, elementsMax: this.elementsLeft });
    const { body } = built.document;
    if (built.cuts.length > 0) this.cuts.add('Documents in frames are too large: some of their content was left out.');
    this.leaveOutInner(body);
    for (const child of childrenOf(body)) {
      child.remove();
      frame.append(child);
    }
    setDepths(frame, frame.depth);
    this.elementsLeft -= built.elements;
    const { srcdoc: _, ...attributes } = frame.attributes;
    frame.attributes = attributes;
    frame.localName = 'section';
    return true;
  }

  /** A document in a frame may hold such frames again, and so on. */
  private leaveOutInner(body: DomElement): void {
    const inner = [...elementsInside(body, FRAMES)].filter((frame) => frame.hasAttribute('srcdoc'));
    for (const frame of inner) frame.remove();
    if (inner.length > 0) this.cuts.add('A frame inside a frame was left out.');
  }
}
