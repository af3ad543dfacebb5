import type { PathBox } from '#extract/pdf/drawn/path-boxes.ts';

/**
 * A straight horizontal or vertical line, in points from the left and top edges of the page. `at` is its position
 * across its direction; `from` and `to` are its ends.
 */
export type Rule = { at: number; from: number; to: number };
export type Rules = { across: Rule[]; down: Rule[] };

/** Maximum thickness of a filled area that counts as a line, in points. */
const THICK_MAX = 3;
const LENGTH_MIN = 3;
/** Maximum distance (in points) between lines that are pieces of one line. */
const SAME_LINE = 1.5;
const TOUCH = 2.5;
/** Maximum lines of a page with tables. Drawings have more. */
const RULES_MAX = 250;

/**
 * Returns the straight lines among the areas that a page draws. Returns none if there are more than `RULES_MAX`,
 * because the page is then a drawing.
 */
export function rulesOf(boxes: readonly PathBox[], viewport: readonly number[]): Rules {
  const found: Rules = { across: [], down: [] };
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = viewport;
  for (const [x, y, otherX, otherY] of boxes) {
    const [left, right] = ordered(a * x + c * y + e, a * otherX + c * otherY + e);
    const [top, bottom] = ordered(b * x + d * y + f, b * otherX + d * otherY + f);
    const [width, height] = [right - left, bottom - top];
    if (height <= THICK_MAX && width >= LENGTH_MIN)
      found.across.push({ at: (top + bottom) / 2, from: left, to: right });
    else if (width <= THICK_MAX && height >= LENGTH_MIN) {
      found.down.push({ at: (left + right) / 2, from: top, to: bottom });
    }
  }
  const joined = { across: joinPieces(found.across), down: joinPieces(found.down) };
  return joined.across.length > RULES_MAX || joined.down.length > RULES_MAX ? { across: [], down: [] } : joined;
}

function ordered(one: number, other: number): [number, number] {
  return one < other ? [one, other] : [other, one];
}

/** Joins pieces that form one line, because programs draw the lines of tables cell by cell. */
function joinPieces(pieces: readonly Rule[]): Rule[] {
  const rules: Rule[] = [];
  let same: Rule[] = [];
  const close = () => {
    const [first] = same;
    same.sort((one, other) => one.from - other.from);
    let last: Rule | undefined;
    for (const { from, to } of same) {
      if (last !== undefined && from <= last.to + TOUCH) last.to = Math.max(last.to, to);
      else {
        last = { at: first?.at ?? 0, from, to };
        rules.push(last);
      }
    }
    same = [];
  };
  for (const piece of [...pieces].sort((one, other) => one.at - other.at)) {
    if (piece.at - (same[0]?.at ?? piece.at) > SAME_LINE) close();
    same.push(piece);
  }
  close();
  return rules;
}
