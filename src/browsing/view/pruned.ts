import type { Line } from './line.ts';

/** Removes groups without content and, if only elements are shown, headings without any. */
export function pruned(lines: readonly Line[], interactiveOnly: boolean): Line[] {
  const kept: Line[] = [];
  for (const line of [...lines].reverse()) {
    const next = kept.at(-1);
    const isEmptyGroup = line.kind === 'group' && (next === undefined || next.depth <= line.depth);
    const isEmptyHeading =
      interactiveOnly &&
      line.kind === 'heading' &&
      (next === undefined || next.kind === 'heading' || next.depth < line.depth);
    if (!isEmptyGroup && !isEmptyHeading) kept.push(line);
  }
  return kept.reverse();
}
