import type { DomReaders } from '#browsing/in-page/elements/safe-dom.ts';

/**
 * The images over which transparent text may be placed, to make the letters in a scanned page selectable. Such text is
 * visible, although its colour is transparent.
 */
export class ImageBoxes {
  #boxes: readonly DOMRect[] | null = null;
  readonly #read: DomReaders;

  constructor(read: DomReaders) {
    this.#read = read;
  }

  /** True if an image under the element's centre has most of the element's width and half its height. */
  isUnder(element: Node): boolean {
    const text = this.#read.rect(element);
    if (text.width < 1 || text.height < 1) return false;
    this.#boxes ??= this.#find();
    const [x, y] = [text.left + text.width / 2, text.top + text.height / 2];
    return this.#boxes.some(
      ({ left, right, top, bottom, width, height }) =>
        x > left && x < right && y > top && y < bottom && width >= text.width * SHARE_MIN && height >= text.height / 2,
    );
  }

  #find(): DOMRect[] {
    const find: Document['querySelectorAll'] = Reflect.get(Document.prototype, 'querySelectorAll');
    const isSeen: Element['checkVisibility'] = Reflect.get(Element.prototype, 'checkVisibility');
    const options = { visibilityProperty: true, opacityProperty: true };
    return [...find.call(document, 'canvas,img')]
      .slice(0, PICTURES_MAX)
      .filter((picture) => isSeen.call(picture, options))
      .map((picture) => this.#read.rect(picture))
      .filter(({ width, height }) => width > 1 && height > 1);
  }
}

/** Maximum images examined. A document viewer draws fewer at a time. */
const PICTURES_MAX = 200;
/** Minimum width of an image relative to the text over it: drawn letters may be a little narrower. */
const SHARE_MIN = 0.8;
