const OPERATOR = /[~|^$*]/g;

/**
 * True if a CSS selector compares part of an attribute (`[href^=…]`). CSS allows white space and comments between the
 * two characters of the operator. Looking ahead from each sign is cheap, because a target has at most
 * `TARGET_CHARS_MAX` characters.
 */
export function comparesPartOfAttribute(selector: string): boolean {
  return [...selector.matchAll(OPERATOR)].some(({ index }) => selector[skipBlank(selector, index + 1)] === '=');
}

function skipBlank(selector: string, from: number): number {
  let at = from;
  while (at < selector.length) {
    if (/\s/.test(selector.charAt(at))) at += 1;
    else if (selector.startsWith('/*', at)) at = endOfComment(selector, at);
    else break;
  }
  return at;
}

function endOfComment(selector: string, at: number): number {
  const end = selector.indexOf('*/', at + 2);
  return end < 0 ? selector.length : end + 2;
}
