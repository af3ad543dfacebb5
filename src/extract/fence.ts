const BACK_TICKS = /^[ \t>]*(`{3,})/;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/** A fence around `code` that nothing inside it can close. */
export function fenceLines(code: string, language: string): string[] {
  return fenced((code.endsWith('\n') ? code.slice(0, -1) : code).split('\n'), language);
}

/** The same around lines, of which there may be millions. */
export function fenced(code: readonly string[], language: string): string[] {
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

/** Ends a fence that a part leaves open, so that it cannot swallow the next one. */
export function closed(markdown: readonly string[]): string[] {
  let fence: string | null = null;
  for (const line of markdown) fence = fenceAfter(line, fence);
  return fence === null ? [...markdown] : [...markdown, fence];
}

/** The marks that the fence which is open behind `line` began with, if one is; `open`: before it. */
export function fenceAfter(line: string, open: string | null): string | null {
  const marks = FENCE.exec(line)?.[1];
  if (marks === undefined) return open;
  if (open === null) return marks;
  const ends = marks.startsWith(open) && line.trim() === marks;
  return ends ? null : open;
}
