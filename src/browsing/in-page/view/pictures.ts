import type { Readers } from '#browsing/in-page/elements/safe-dom.ts';

/**
 * The pictures of a document on which text may be drawn. A transparent text over a picture serves selection; the
 * visible letters are part of the picture.
 */
export class Pictures {
  #boxes: readonly DOMRect[] | null = null;
  readonly #read: Readers;

  constructor(read: Readers) {
    this.#read = read;
  }

  /** True if a picture about as large lies under the centre of an element. */
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

/** More than a viewer draws of a long document at once. */
const PICTURES_MAX = 200;
/** A drawn letter may be slightly narrower than the text over it. */
const SHARE_MIN = 0.8;
