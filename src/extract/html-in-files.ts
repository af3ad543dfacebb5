import { CodeFences } from '#core/text/plain.ts';
import { WORK_CHARS_PER_PAUSE } from '#core/limits.ts';
import { DOM_ELEMENTS_MAX, FILE_HTML_TAGS_MAX, HTML_PART_ELEMENTS_MAX } from './limits.ts';
import { noPause } from '#core/flow/turns.ts';
import type { Pause } from '#core/flow/turns.ts';
import type { htmlExtractor } from './html/html-extractor.ts';

type HtmlPart = {
  title: string | null;
  language: string | null;
  markdown: string[];
  cuts: readonly string[];
  /** True if this HTML was skipped, because earlier parts of the file used up the limit of tags (`FILE_HTML_TAGS_MAX`). */
  isLeftOut: boolean;
};

/** Turns HTML inside a file, such as a chapter of a book, into Markdown lines, including menus (mode `raw`). */
export type HtmlReader = (html: string, base: string, kind?: 'html' | 'xhtml') => Promise<HtmlPart>;

/**
 * Loads the HTML extractor for all HTML parts of one file. Parts are read until they have `FILE_HTML_TAGS_MAX` tags
 * together. The part that reaches this limit is still read.
 */
export async function createHtmlReader(pause: Pause = noPause): Promise<HtmlReader> {
  const extractor = (await import('./html/html-extractor.ts')).htmlExtractor;
  let tags = 0;
  let cost = 0;
  return async (html, base, kind = 'html') => {
    if (tags >= FILE_HTML_TAGS_MAX) return LEFT_OUT;
    if (cost > WORK_CHARS_PER_PAUSE) {
      await pause();
      cost = 0;
    }
    // Counting stops at the maximum number of elements that the extractor reads of one part.
    const more = countTags(html, DOM_ELEMENTS_MAX);
    tags += more;
    cost += PART_COST + html.length + more * TAG_COST;
    return read(extractor, html, { base, kind, pause: html.length < LONG_HTML_PART_CHARS ? noPause : pause });
  };
}

/** CPU cost of a part, however short it is (up to 250 µs), in the same unit as the next. */
const PART_COST = 800;
/** CPU cost of an HTML tag (up to 7 µs), in characters of text that take the same time. */
const TAG_COST = 30;
/** Minimum characters of an HTML part for which the extractor also pauses in the middle of the part. */
export const LONG_HTML_PART_CHARS = 100_000;

const LEFT_OUT: HtmlPart = {
  title: null,
  language: null,
  markdown: [],
  cuts: [`The file holds more than ${FILE_HTML_TAGS_MAX} HTML tags: the rest was left out.`],
  isLeftOut: true,
};

function countTags(html: string, max: number): number {
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0 && tags < max; at = html.indexOf('<', at + 1)) tags += 1;
  return tags;
}

const PART_CUT = `A part of the file holds more than ${HTML_PART_ELEMENTS_MAX} HTML elements: its end was left out.`;

type Part = { base: string; kind: 'html' | 'xhtml'; pause: Pause };

async function read(extractor: typeof htmlExtractor, html: string, { base, kind, pause }: Part): Promise<HtmlPart> {
  const input = { kind, text: html, bytes: new Uint8Array(), url: base, mode: 'raw', pause } as const;
  const { title, language, lines, cuts, pages } = await extractor.extract(input);
  const more = pages === undefined ? [] : [PART_CUT];
  return { title, language, markdown: lines, cuts: [...cuts, ...more], isLeftOut: false };
}

const HEADING = /^#{1,6}(?= )/;
const LEVEL_MAX = 6;

export function demoteHeadings(markdown: readonly string[], levels: number): string[] {
  const fences = new CodeFences();
  return markdown.map((line) => {
    if (fences.take(line)) return line;
    return line.replace(HEADING, (marks) => '#'.repeat(Math.min(LEVEL_MAX, marks.length + levels)));
  });
}

/** Returns the text of the first level-1 heading without Markdown marks; `null` without such a heading. */
export function firstHeading(markdown: readonly string[]): string | null {
  const heading = markdown.find((line) => line.startsWith('# '));
  return heading === undefined ? null : stripMarkdownMarks(heading.slice(2));
}

/** Maximum characters of Markdown read for a title, including marks such as `**` and link targets. */
const TITLE_SOURCE_CHARS_MAX = 4_000;

/** Returns one line of Markdown as plain text: without marks such as `**`, link targets and backslash escapes. */
export function stripMarkdownMarks(markdown: string): string {
  return markdown
    .slice(0, TITLE_SOURCE_CHARS_MAX)
    .replace(/!?\[((?:[^\\[\]]|\\.){0,500})\]\([^()\s]{0,2100}\)/g, '$1')
    .replace(/(?<!\\)[*`]+/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** Appends lines one at a time, because `push(...lines)` overflows the stack for a very long list. */
export function appendLines(target: string[], lines: readonly string[]): void {
  for (const line of lines) target.push(line);
}
