import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** The HTML that a CommonMark reader with GFM's tables, notes and task lists makes of `markdown`. */
export function rendered(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** The same, with white space as drawn: a line end in a paragraph is a space, in code it is one. */
export function drawn(markdown: string): string {
  return rendered(markdown)
    .split(/(<pre>.*?<\/pre>)/s)
    .map((part) => (part.startsWith('<pre>') ? part : part.replace(/\s+/g, ' ')))
    .join('');
}
