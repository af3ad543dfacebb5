import { CodeFences } from '#core/text/plain.ts';

/** This module turns page text into Markdown that renders as exactly that text (CommonMark 0.31, GFM). */

const SPECIAL = /[\\`*_[\]<&~$]/;
const SPECIALS = /[\\`*_[\]<&~$]/g;
const WORD = /[\p{L}\p{N}]/u;
const REFERENCE = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i;
/** Matches what Pandoc reads as inline math: no space inside the dollar signs, and no digit after the second one. */
const MATH_LIKE = /\$[^\s$](?:[^$]*[^\s$])?\$(?!\d)/;
const TWO_TILDES = /~[^~]*~|~~/;

type EscapeContext = {
  /** True for text inside a link. Every bracket is then escaped. */
  inLink: boolean;
  /** True for text inside a table cell. Every pipe is then escaped. */
  inCell: boolean;
};

export const PLAIN_CONTEXT: EscapeContext = { inLink: false, inCell: false };
export const LINK_CONTEXT: EscapeContext = { inLink: true, inCell: false };

export function escapeInline(text: string, context: EscapeContext): string {
  let out = text;
  if (SPECIAL.test(text)) {
    const isMath = MATH_LIKE.test(text);
    const isStruck = TWO_TILDES.test(text);
    out = text.replace(SPECIALS, (mark, at: number) =>
      needsEscape(mark, text, at, context, mark === '$' ? isMath : isStruck) ? `\\${mark}` : mark,
    );
  }
  return context.inCell && out.includes('|') ? out.replaceAll('|', '\\|') : out;
}

function needsEscape(mark: string, text: string, at: number, context: EscapeContext, pairs: boolean): boolean {
  const before = text.charAt(at - 1);
  const after = text.charAt(at + 1);
  switch (mark) {
    case '*':
      return !(isSpace(before) && isSpace(after));
    case '_':
      return !(WORD.test(before) && WORD.test(after)) && !(isSpace(before) && isSpace(after));
    case '[':
      return context.inLink || after === '^' || after === '';
    case ']':
      return context.inLink || after === '' || after === '(' || after === '[' || after === ':';
    case '<':
      return after === '' || /[a-z/!?]/i.test(after);
    case '&':
      return after === '' || REFERENCE.test(text.slice(at, at + 40));
    case '~':
    case '$':
      return pairs;
    default:
      return true;
  }
}

function isSpace(character: string): boolean {
  return character === ' ';
}

const BLOCK_START = /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|=+\s*$|-+\s*$|~~~|:?-+:?\s*\|)/;
const ORDERED_START = /^(\d{1,9})([.)])(?=\s|$)/;
const TASK_START = /^\[[ xX]\](?=\s|$)/;

/** Escapes the start of a line that Markdown would read as a heading, list, quote, rule or table, such as "1. May". */
export function escapeLineStart(line: string): string {
  if (BLOCK_START.test(line)) return `\\${line}`;
  if (TASK_START.test(line)) return `\\${line}`;
  if (line.startsWith('|')) return `\\${line}`;
  return line.replace(ORDERED_START, '$1\\$2');
}

export function codeSpan(code: string, inCell: boolean): string {
  // In a table cell, `\|` becomes `|` even inside backticks, so code with a backslash before a pipe is written in HTML.
  if (inCell && code.includes('\\|')) return `<code>${escapeInline(code, { inLink: true, inCell })}</code>`;
  let longest = 0;
  for (const run of code.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  const fence = '`'.repeat(longest + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  const safe = inCell ? code.replaceAll('|', '\\|') : code;
  return `${fence}${pad}${safe}${pad}${fence}`;
}

const BACK_TICKS = /^[ \t>]*(`{3,})/;

export function codeBlock(code: string, language: string): string[] {
  return codeBlockOfLines((code.endsWith('\n') ? code.slice(0, -1) : code).split('\n'), language);
}

/**
 * Writes code in a fence that is longer than any fence in the code. Takes lines, because joining millions of lines is
 * costly.
 */
export function codeBlockOfLines(code: readonly string[], language: string): string[] {
  let longest = 2;
  for (const line of code) {
    if (line.includes('```')) longest = Math.max(longest, BACK_TICKS.exec(line)?.[1]?.length ?? 0);
  }
  const marks = '`'.repeat(longest + 1);
  const lines = [marks + language];
  for (const line of code) lines.push(line);
  lines.push(marks);
  return lines;
}

/** Closes a code block that is cut off at the end of a text. Otherwise the text after it would be read as code. */
export function closeOpenCodeFence(markdown: readonly string[]): string[] {
  const fences = new CodeFences();
  for (const line of markdown) fences.take(line);
  return fences.open === null ? [...markdown] : [...markdown, fences.open];
}
