/** What a page may have left to this document, and no request for it has: the name of the window, and the referrer of one that failed. */
export function handedOver(): string {
  return `${window.name}\n${document.referrer}`;
}
