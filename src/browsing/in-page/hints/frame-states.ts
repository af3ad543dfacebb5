/** `lazy`: the frame loads when it is scrolled into view. `seen`: the frame is visible. */
type FrameState = 'lazy' | 'seen';

/** State of a frame; `''` for a frame too small to be seen, and for an element that is not a frame. */
export function readFrameState(element: Element): FrameState | '' {
  if (!/^i?frame$/u.test(element.localName)) return '';
  if (isWaiting(element)) return 'lazy';
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  return width >= SEEN_PX_MIN && height >= SEEN_PX_MIN ? 'seen' : '';
}

/** Minimum size in pixels of a visible frame. Tracking frames have one pixel or none. */
const SEEN_PX_MIN = 20;

/** True for a frame with `loading="lazy"` that has not loaded its document yet. */
function isWaiting(frame: Element): boolean {
  return Element.prototype.getAttribute.call(frame, 'loading') === 'lazy' && isBlankFrame(frame);
}

/** True for a frame with an address that shows a blank document: it is not loaded, or its address is a download. */
function isBlankFrame(frame: Element): boolean {
  if (!(frame instanceof HTMLIFrameElement)) return false;
  // `instanceof Document` would fail, because the document of another frame belongs to another JavaScript realm.
  const shown: Document | null = Reflect.get(HTMLIFrameElement.prototype, 'contentDocument', frame);
  const src: unknown = Reflect.get(HTMLIFrameElement.prototype, 'src', frame);
  return (
    shown !== null && Reflect.get(Document.prototype, 'URL', shown) === 'about:blank' && /^https?:/u.test(String(src))
  );
}

/** The address of a file that an embedding element shows, such as a PDF; `''` for none. */
export function embeddedFileUrl(element: Element): string {
  if (element instanceof HTMLEmbedElement) return Reflect.get(HTMLEmbedElement.prototype, 'src', element);
  if (element instanceof HTMLObjectElement) return Reflect.get(HTMLObjectElement.prototype, 'data', element);
  if (!(element instanceof HTMLIFrameElement) || isWaiting(element) || !isBlankFrame(element)) return '';
  return Reflect.get(HTMLIFrameElement.prototype, 'src', element);
}
