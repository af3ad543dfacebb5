type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
/** Two opposite corners of an area or line, in units of the page. */
export type PathBox = readonly [x: number, y: number, otherX: number, otherY: number];
type Point = readonly [x: number, y: number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Maximum areas and lines of a page that may have tables. Drawings have more. */
export const PATH_BOXES_MAX = 6_000;
const SAVED_MAX = 1_000;
/** Maximum difference between the ends of a line that counts as horizontal or vertical. */
const LEAN_MAX = 0.5;
/** Maximum numbers before an operator that are stored: a transformation matrix has six. */
const NUMBERS_MAX = 6;
const STROKES = new Set(['S', 's', 'B', 'B*', 'b', 'b*']);
const FILLS = new Set(['f', 'F', 'f*']);
const NUMBER = /[-+.\d]/;
const SPACE = /\s/;
const ENDS = /[\s()<>[\]{}/%]/g;

/**
 * Returns the areas that a content stream fills and the horizontal and vertical lines that it strokes, without curves
 * and without those in forms. Returns none if there are more than `PATH_BOXES_MAX`, because the page is then a drawing.
 */
export function findPathBoxes(content: string): PathBox[] {
  const paths = new Paths();
  const numbers: number[] = [];
  for (let at = 0; at < content.length && paths.boxes.length <= PATH_BOXES_MAX;) {
    const character = content.charAt(at);
    if (SPACE.test(character)) {
      at += 1;
      continue;
    }
    if (character === '(') {
      at = afterString(content, at);
      continue;
    }
    ENDS.lastIndex = at + 1;
    const end = ENDS.exec(content)?.index ?? content.length;
    if (NUMBER.test(character)) {
      if (numbers.length === NUMBERS_MAX) numbers.shift();
      numbers.push(Number(content.slice(at, end)) || 0);
    } else {
      const word = content.slice(at, end);
      paths.draw(word, numbers);
      numbers.length = 0;
      // Skips the data of a picture inside the stream.
      if (word === 'ID') at = after(content, 'EI', end);
    }
    at = Math.max(at, end);
  }
  return paths.boxes.length > PATH_BOXES_MAX ? [] : paths.boxes;
}

function after(content: string, word: string, from: number): number {
  const at = content.indexOf(word, from);
  return at < 0 ? content.length : at + word.length;
}

function afterString(content: string, from: number): number {
  let depth = 0;
  for (let at = from; at < content.length; at += 1) {
    const character = content.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return content.length;
}

class Paths {
  readonly boxes: PathBox[] = [];
  private readonly saved: Matrix[] = [];
  private matrix = IDENTITY;
  private parts: { points: Point[]; isCurved: boolean }[] = [];

  draw(operator: string, numbers: readonly number[]): void {
    const [x = 0, y = 0, width = 0, height = 0] = numbers;
    if (operator === 'q' && this.saved.length < SAVED_MAX) this.saved.push(this.matrix);
    else if (operator === 'Q') this.matrix = this.saved.pop() ?? IDENTITY;
    else if (operator === 'cm') this.matrix = multiply(this.matrix, numbers);
    else if (operator === 'm') this.parts.push({ points: [this.toPage(x, y)], isCurved: false });
    else if (operator === 'l') this.parts.at(-1)?.points.push(this.toPage(x, y));
    else if (operator === 'h') this.close();
    else if (operator === 'c' || operator === 'v' || operator === 'y') this.curve();
    else if (operator === 're') {
      const [right, top] = [x + width, y + height];
      const corners: Point[] = [this.toPage(x, y), this.toPage(right, y), this.toPage(right, top), this.toPage(x, top)];
      this.parts.push({ points: corners, isCurved: false });
      this.close();
    } else this.paint(operator);
  }

  private paint(operator: string): void {
    const closes = operator === 's' || operator === 'b' || operator === 'b*';
    if (closes) this.close();
    if (STROKES.has(operator)) this.stroke();
    else if (FILLS.has(operator)) this.fill();
    else if (operator !== 'n') return;
    this.parts = [];
  }

  private stroke(): void {
    for (const { points, isCurved } of this.parts) {
      if (isCurved) continue;
      for (const [index, [x, y]] of points.entries()) {
        const before = points[index - 1];
        if (before === undefined) continue;
        if (Math.min(Math.abs(x - before[0]), Math.abs(y - before[1])) > LEAN_MAX) continue;
        this.boxes.push([before[0], before[1], x, y]);
      }
    }
  }

  private fill(): void {
    for (const { points, isCurved } of this.parts) {
      if (isCurved) continue;
      const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
      for (const [x, y] of points) {
        box[0] = Math.min(box[0], x);
        box[1] = Math.min(box[1], y);
        box[2] = Math.max(box[2], x);
        box[3] = Math.max(box[3], y);
      }
      this.boxes.push(box);
    }
  }

  private close(): void {
    const points = this.parts.at(-1)?.points;
    const first = points?.[0];
    if (first !== undefined) points?.push(first);
  }

  private curve(): void {
    const part = this.parts.at(-1);
    if (part !== undefined) part.isCurved = true;
  }

  private toPage(x: number, y: number): Point {
    const [a, b, c, d, e, f] = this.matrix;
    return [a * x + c * y + e, b * x + d * y + f];
  }
}

function multiply(one: Matrix, [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
  return [
    one[0] * a + one[2] * b,
    one[1] * a + one[3] * b,
    one[0] * c + one[2] * d,
    one[1] * c + one[3] * d,
    one[0] * e + one[2] * f + one[4],
    one[1] * e + one[3] * f + one[5],
  ];
}

/** A horizontal line (`at` is its y) or vertical line (`at` is its x), in points from the left and top of the page. */
export type DrawnLine = { at: number; from: number; to: number };
export type DrawnLines = { across: DrawnLine[]; down: DrawnLine[] };

/** Maximum thickness of a filled area that counts as a line, in points. */
const THICK_MAX = 3;
const LENGTH_MIN = 3;
/** Maximum distance between parallel pieces of one line, across its direction, in points. */
const SAME_LINE = 1.5;
/** Maximum gap between two successive pieces of one line, along its direction, in points. */
const TOUCH = 2.5;
/** Maximum lines of a page that may have tables. Drawings have more. */
const RULES_MAX = 250;

/**
 * Returns the straight lines among the areas that a page draws; none if there are so many that the page is a drawing.
 */
export function findDrawnLines(boxes: readonly PathBox[], viewport: readonly number[]): DrawnLines {
  const found: DrawnLines = { across: [], down: [] };
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

/** Joins pieces of one line, because programs draw the lines of a table cell by cell. */
function joinPieces(pieces: readonly DrawnLine[]): DrawnLine[] {
  const rules: DrawnLine[] = [];
  let same: DrawnLine[] = [];
  const close = () => {
    const [first] = same;
    same.sort((one, other) => one.from - other.from);
    let last: DrawnLine | undefined;
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
