/** How `scroll` asks to move: to an absolute line, or by so many lines; `numLines` is the height of the viewport. */
export type Move = { loc: number | null; delta: number; numLines: number };

/** Where the viewport ends up, and at which end of the text the wish was cut short. */
export type Moved = { start: number; clamped: 'start' | 'end' | null };

/**
 * An absolute `loc` wins over `delta`. Past the end the last full viewport is shown, and a positive `delta` never
 * moves backwards; before the beginning the first line is shown. Pure.
 */
export function moveViewport(from: number, lineCount: number, move: Move): Moved {
  const wanted = move.loc ?? from + move.delta;
  if (wanted < 0) return { start: 0, clamped: 'start' };
  if (wanted < lineCount) return { start: wanted, clamped: null };
  const lastFull = Math.max(0, lineCount - move.numLines);
  return { start: move.loc === null ? Math.max(from, lastFull) : lastFull, clamped: 'end' };
}
