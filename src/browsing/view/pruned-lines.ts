import type { OutlineLine } from './view-line.ts';

/** Removes groups without content and, where only interactive elements are listed, headings without content. */
export function pruned(lines: readonly OutlineLine[], interactiveOnly: boolean): OutlineLine[] {
  const kept: OutlineLine[] = [];
  for (const line of [...lines].reverse()) {
    const next = kept.at(-1);
    const isEmpty = next === undefined || next.depth <= line.depth;
    const isEmptyGroup = line.kind === 'group' && isEmpty && !isNamedFrame(line);
    const isEmptyHeading =
      interactiveOnly &&
      line.kind === 'heading' &&
      (next === undefined || next.kind === 'heading' || next.depth < line.depth);
    if (!isEmptyGroup && !isEmptyHeading) kept.push(line);
  }
  return kept.reverse();
}

/** True for a named frame. It is shown even without accessible content, because it can be clicked. */
function isNamedFrame({ within: { role, name } }: OutlineLine): boolean {
  return FRAMES.has(role) && name !== '';
}

export const FRAMES: ReadonlySet<string> = new Set(['Iframe', 'IframePresentational']);
