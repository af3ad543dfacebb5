/**
 * Whether the element lies in one of these, which listen for drops, and nothing of the page itself is dragged there. That the
 * page as a whole listens, most often so that no file replaces it, tells nothing.
 */
export function isInDropZone(element: Element, ...zones: Node[]): boolean {
  return zones.some(
    (zone) =>
      zone instanceof Element &&
      !Element.prototype.matches.call(zone, 'html,body') &&
      Node.prototype.contains.call(zone, element) &&
      Element.prototype.querySelector.call(zone, '[draggable=true]') === null,
  );
}
