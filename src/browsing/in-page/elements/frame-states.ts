/** `lazy`: it loads once somebody scrolls there. */
type FrameState = 'lazy' | 'seen';

/** State of a frame, which a view shows beside its content; `''` for a frame too small to be seen, and for other elements. */
export function frameState(element: Element): FrameState | '' {
  if (!/^i?frame$/u.test(element.localName)) return '';
  if (isWaiting(element)) return 'lazy';
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  return width >= SEEN_PX_MIN && height >= SEEN_PX_MIN ? 'seen' : '';
}

/** Frames that only count visitors have a pixel or none. */
const SEEN_PX_MIN = 20;

/** It loads its document only when it is about to be scrolled to; until then it shows a blank one. */
function isWaiting(frame: Element): boolean {
  return Element.prototype.getAttribute.call(frame, 'loading') === 'lazy' && isBlankFrame(frame);
}

/** A frame of which the browser shows nothing, though it has an address: it is not loaded, or what it leads to is a file. */
function isBlankFrame(frame: Element): boolean {
  if (!(frame instanceof HTMLIFrameElement)) return false;
  // A document of another frame is no instance of ours.
  const shown: Document | null = Reflect.get(HTMLIFrameElement.prototype, 'contentDocument', frame);
  const src: unknown = Reflect.get(HTMLIFrameElement.prototype, 'src', frame);
  return (
    shown !== null && Reflect.get(Document.prototype, 'URL', shown) === 'about:blank' && /^https?:/u.test(String(src))
  );
}

/** The address of a file that an element shows in the page; `''` for none. */
export function embeddedFile(element: Element): string {
  if (element instanceof HTMLEmbedElement) return Reflect.get(HTMLEmbedElement.prototype, 'src', element);
  if (element instanceof HTMLObjectElement) return Reflect.get(HTMLObjectElement.prototype, 'data', element);
  if (!(element instanceof HTMLIFrameElement) || isWaiting(element) || !isBlankFrame(element)) return '';
  return Reflect.get(HTMLIFrameElement.prototype, 'src', element);
}
