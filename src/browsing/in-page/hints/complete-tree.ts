import { scriptState } from '#browsing/in-page/page/script-state.ts';

/**
 * Adds a listener that the page cannot detect, so that Chromium puts the element into the accessibility tree.
 * @returns false if it was added before
 */
export function exposeToTree(element: Element): boolean {
  const shown = (scriptState().shown ??= new WeakSet());
  if (shown.has(element)) return false;
  shown.add(element);
  EventTarget.prototype.addEventListener.call(element, 'click', () => undefined, { passive: true });
  return true;
}

/**
 * Makes Chromium render content with `content-visibility: auto`, which is missing from the accessibility tree until it
 * is scrolled into view. An animation does this without a DOM change that the page could observe. The animation is not
 * removed, so that the page is laid out only once.
 * @returns true if content was not rendered before
 */
export function renderSkipped(element: Element): boolean {
  const first: Element | null = Reflect.get(Element.prototype, 'firstElementChild', element);
  if (first !== null && Element.prototype.checkVisibility.call(first, { contentVisibilityAuto: true })) return false;
  const shown = (scriptState().shown ??= new WeakSet());
  if (shown.has(element)) return false;
  shown.add(element);
  Element.prototype.animate.call(element, { contentVisibility: ['visible', 'visible'] }, { duration: 1, fill: 'both' });
  return true;
}

declare global {
  interface ScriptState {
    shown?: WeakSet<Element>;
  }
}
