import { REST_BYTES_MAX } from '#core/limits.ts';
import { cutToBytes, utf8Bytes } from '#core/text.ts';
import { closed } from '#extract/fence.ts';
import { toPlain } from '#core/plain.ts';
import { toLines } from './lines.ts';

/**
 * The line that names the rest of a page. An HTML comment, which Markdown does not show and which text of a page cannot
 * become; code can, so it is not this line that tells where the rest begins, but its number.
 */
export const REST_LINE = '<!-- The rest of the page: menus, related links, comments, notices -->';

export type Joined = { lines: string[]; restStart?: number; cuts: string[] };

/** The lines of a document: its main part, then the rest behind the line that names it. No main part, no lines. */
export function joinParts(main: readonly string[], rest: readonly string[]): Joined {
  const { lines, cuts } = linesOf(main);
  if (lines.length === 0) return { lines, cuts };
  const { kept, isCut } = withinBudget(rest);
  const more = linesOf(kept);
  if (more.lines.length === 0) return { lines, cuts };
  return {
    lines: [...lines, REST_LINE, ...more.lines],
    restStart: lines.length,
    cuts: [...new Set([...cuts, ...more.cuts, ...(isCut ? [REST_CUT] : [])])],
  };
}

const REST_CUT = `The rest of the page has more than ${REST_BYTES_MAX} bytes: what follows was left out.`;

function linesOf(markdown: readonly string[]): { lines: string[]; cuts: string[] } {
  const { lines, cuts } = toLines(toPlain(markdown.join('\n')).split('\n'));
  return { lines: lines.every((line) => line === '') ? [] : lines, cuts };
}

function withinBudget(markdown: readonly string[]): { kept: readonly string[]; isCut: boolean } {
  let left = REST_BYTES_MAX;
  for (const [index, line] of markdown.entries()) {
    const bytes = utf8Bytes(line) + 1;
    if (bytes > left) return { kept: closed([...markdown.slice(0, index), cutToBytes(line, left)]), isCut: true };
    left -= bytes;
  }
  return { kept: markdown, isCut: false };
}
