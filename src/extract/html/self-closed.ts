/** Matches tags of raw text elements. Everything up to their end tag is their content. */
const RAW_TAGS = /<(\/?)(script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>])([^<>]*)>/gi;
const SELF_CLOSED = /(?:^|[\s"'])\/$/;

export const SELF_CLOSED_READ =
  'Browsers hide the text after a tag such as `<iframe/>`, which HTML does not close: it was read.';

/**
 * Closes raw text elements that are self-closed as in XML, such as `<iframe/>`. HTML ignores the slash (WHATWG HTML
 * §13.1.2.1), so the remaining page would become their content. A tag counts as self-closed if no end tag with its name
 * comes before the next such start tag. Linear.
 */
export function closeSelfClosed(html: string): string {
  let closed = '';
  let from = 0;
  /** For each tag name, the end of the last self-closed tag for which no end tag was found yet. */
  const open = new Map<string, number>();
  const ends: { at: number; name: string }[] = [];
  for (const { 0: tag, 1: slash, 2: written = '', 3: attributes = '', index } of html.matchAll(RAW_TAGS)) {
    const name = written.toLowerCase();
    const at = open.get(name);
    open.delete(name);
    if (slash === '/') continue;
    if (at !== undefined) ends.push({ at, name });
    if (SELF_CLOSED.test(attributes)) open.set(name, index + tag.length);
  }
  for (const [name, at] of open) ends.push({ at, name });
  for (const { at, name } of ends.toSorted((a, b) => a.at - b.at)) {
    closed += `${html.slice(from, at)}</${name}>`;
    from = at;
  }
  return closed + html.slice(from);
}
