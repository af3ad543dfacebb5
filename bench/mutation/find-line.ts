/** A broken line of `src`: its text, the text that replaces it, and the lines around it, which distinguish equal lines. */
export type Mutant = { file: string; from: string; to: string; before: string[]; after: string[] };
export type Place = { file: string; row: number };

const NEIGHBOURS = 3;
/** Neighbours that must remain if the line occurs several times in its file, or has moved to another file. */
const NEIGHBOURS_MIN = 3;

/** Finds the line of a mutant in its file, or in another one if the line has moved. Null if the line is gone. */
export function findLine(
  { file, from, before, after }: Mutant,
  files: readonly { file: string; lines: readonly string[] }[],
): Place | null {
  const places = files.flatMap(({ file: at, lines }) =>
    lines.flatMap((line, row) => {
      if (line.trim() !== from) return [];
      const around = neighboursOf(lines, row);
      const score = shared(before, around.before) + shared(after, around.after);
      return [{ file: at, row, score, isHome: at === file }];
    }),
  );
  places.sort((one, other) => Number(other.isHome) - Number(one.isHome) || other.score - one.score);
  const [first] = places;
  if (first === undefined) return null;
  const isOnlyAtHome = first.isHome && places.filter(({ isHome }) => isHome).length === 1;
  return isOnlyAtHome || first.score >= NEIGHBOURS_MIN ? { file: first.file, row: first.row } : null;
}

export function neighboursOf(lines: readonly string[], row: number): { before: string[]; after: string[] } {
  const trimmed = (some: readonly string[]) => some.map((line) => line.trim()).filter((line) => line !== '');
  return {
    before: trimmed(lines.slice(Math.max(row - 2 * NEIGHBOURS, 0), row)).slice(-NEIGHBOURS),
    after: trimmed(lines.slice(row + 1, row + 1 + 2 * NEIGHBOURS)).slice(0, NEIGHBOURS),
  };
}

function shared(some: readonly string[], others: readonly string[]): number {
  return some.filter((line) => others.includes(line)).length;
}
