import { parseHtmlTree } from '#extract/html/build-tree.ts';
import { setDepths } from './shadow-roots.ts';
import { childrenOf, elementsInside } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

/** Maximum elements of all documents in `srcdoc` attributes on a page. Such documents are small: forms or examples. */
const FRAME_ELEMENTS_MAX = 2_000;
const FRAMES: ReadonlySet<string> = new Set(['iframe']);

/**
 * Maximum width or height, in pixels, of a frame or drawing that is skipped: a tracker, or an SVG with definitions for
 * other drawings.
 */
const TINY_PIXELS_MAX = 2;

export function isTinyFrame(element: DomElement): boolean {
  return ['width', 'height'].some((side) => Number.parseInt(element.getAttribute(side) ?? '', 10) <= TINY_PIXELS_MAX);
}

/** Inserts documents from `srcdoc` attributes into the page, because there is no URL at which they could be opened. */
export class FrameDocuments {
  readonly cuts = new Set<string>();
  private elementsLeft = FRAME_ELEMENTS_MAX;

  /** Inserts the document of a frame. Returns true if the frame is now a `section` with the document. */
  open(frame: DomElement): boolean {
    const html = frame.getAttribute('srcdoc');
    if (html === null || html.trim() === '' || isTinyFrame(frame)) return false;
    const built = parseHtmlTree({ html, xml: false, scripting: true, elementsMax: this.elementsLeft });
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

  /** Removes `srcdoc` frames from the document of a frame, because they could nest without limit. */
  private leaveOutInner(body: DomElement): void {
    const inner = [...elementsInside(body, FRAMES)].filter((frame) => frame.hasAttribute('srcdoc'));
    for (const frame of inner) frame.remove();
    if (inner.length > 0) this.cuts.add('A frame inside a frame was left out.');
  }
}
