import { CodeFences } from '#core/code-fences.ts';

const BACK_TICKS = /^[ \t>]*(`{3,})/;

/** A code block around `code` that nothing inside `code` can close. */
export function fenceLines(code: string, language: string): string[] {
  return fenced((code.endsWith('\n') ? code.slice(0, -1) : code).split('\n'), language);
}

/** The same for lines, of which there may be millions. */
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

/** Closes a code block that a part leaves open, so that the next part does not become code. */
export function closed(markdown: readonly string[]): string[] {
  const fences = new CodeFences();
  for (const line of markdown) fences.take(line);
  return fences.open === null ? [...markdown] : [...markdown, fences.open];
}
