import { REST_BYTES_MAX } from './limits.ts';
import { cutToBytes, utf8Bytes } from '#core/text.ts';
import { closed } from '#extract/fence.ts';
import { toPlain } from '#core/plain.ts';
import { inShares } from '#core/turns.ts';
import type { Pause } from '#core/turns.ts';
import { toLines } from './lines.ts';

/**
 * The line before the rest of a page. It is an HTML comment, which Markdown does not show and page text cannot become.
 * Code can contain it, so it is the number of the line, not its text, that marks where the rest begins.
 */
export const REST_LINE = '<!-- The rest of the page: menus, related links, comments, notices -->';

export type Joined = { lines: string[]; restStart?: number; anchors: Map<string, number>; cuts: string[] };

/** Markdown of a part, and the lines of its named places. */
export type Part = {
  markdown: readonly string[];
  anchors: ReadonlyMap<string, number>;
  /** Names of places in the other part. */
  elsewhere?: readonly string[];
};

/**
 * The lines of a document: its main part, then the rest after the line that introduces it. Without a main part there
 * are no lines.
 */
export async function joinParts(main: Part, rest: Part, pause: Pause): Promise<Joined> {
  const { lines, cuts, anchors } = await linesOf(main, pause);
  if (lines.length === 0) return { lines, cuts, anchors };
  // A name around the main part, without a line of its own, leads to the beginning.
  for (const name of rest.elsewhere ?? []) if (!anchors.has(name)) anchors.set(name, 0);
  const { kept, isCut } = withinBudget(rest.markdown);
  const more = await linesOf({ markdown: kept, anchors: rest.anchors }, pause);
  if (more.lines.length === 0) return { lines, cuts, anchors };
  const restStart = lines.length;
  for (const [name, line] of more.anchors) if (!anchors.has(name)) anchors.set(name, restStart + 1 + line);
  return {
    lines: [...lines, REST_LINE, ...more.lines],
    restStart,
    anchors,
    cuts: [...new Set([...cuts, ...more.cuts, ...(isCut ? [REST_CUT] : [])])],
  };
}

const REST_CUT = `The rest of the page has more than ${REST_BYTES_MAX} bytes: the rest was left out.`;

type PartLines = { lines: string[]; anchors: Map<string, number>; cuts: string[] };

async function linesOf({ markdown, anchors: places }: Part, pause: Pause): Promise<PartLines> {
  const { lines, cuts, starts } = await inShares(toLines(toPlain(markdown.join('\n')).split('\n')), pause);
  const anchors = new Map<string, number>();
  if (lines.every((line) => line === '')) return { lines: [], anchors, cuts };
  for (const [name, line] of places) anchors.set(name, Math.min(starts[line] ?? Infinity, lines.length - 1));
  return { lines, anchors, cuts };
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
