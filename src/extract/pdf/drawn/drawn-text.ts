import type { getDocumentProxy } from 'unpdf';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A glyph as the page draws it, in PDF coordinates. `isHidden` is true if a reader of the page cannot see it. */
export type Glyph = {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  font: string;
  isHidden: boolean;
};

/** A painted area. `color` is `null` without a single opaque colour, as for a picture or pattern. */
type Area = { left: number; right: number; bottom: number; top: number; color: Color | null };
type Color = readonly [red: number, green: number, blue: number];

type State = {
  ctm: Matrix;
  color: Color | null;
  alpha: number;
  size: number;
  font: string;
  /** Text sizes per unit of a glyph's width: 1/1000, except in Type 3 fonts. */
  unit: number;
  rise: number;
  letterSpace: number;
  wordSpace: number;
  scale: number;
  leading: number;
  mode: number;
};

const UNIT: Matrix = [1, 0, 0, 1, 0, 0];
const WHITE: Color = [255, 255, 255];
/** Maximum difference per channel (0 to 255) between two colours that look the same. */
const SAME_COLOR = 10;
/** Maximum painted areas that are stored, the latest ones. Text on an older area counts as visible. */
const AREAS_MAX = 300;
const GLYPHS_MAX = 40_000;
const GLYPH_UNIT = 1 / 1000;
const ALPHA_MIN = 0.03;
/** Text rendering modes that draw nothing. OCR uses them for the text layer of a scan. */
const INVISIBLE_MODES: ReadonlySet<number> = new Set([3, 7]);

/**
 * Returns the glyphs of a page in drawing order. It costs as much as reading the text again, so only pages with signs
 * of hidden or doubled text, wide letter spacing or fonts with their own codes get it.
 */
export async function drawnGlyphs(page: Page, isLayerShown: (layer: unknown) => boolean): Promise<Glyph[]> {
  const { getResolvedPDFJS } = await import('unpdf');
  // Annotations are excluded, because they may draw any number of instructions.
  const { OPS, AnnotationMode } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
  const names = new Map(Object.entries(OPS).map(([name, code]) => [code, name]));
  const drawing = new Drawing(
    isLayerShown,
    (code) => names.get(code) ?? '',
    (font) => (page.commonObjs.has(font) ? page.commonObjs.get(font) : null),
  );
  for (const [index, code] of fnArray.entries()) {
    const args: unknown = argsArray[index];
    drawing.run(names.get(code) ?? '', Array.isArray(args) ? args : []);
  }
  return drawing.glyphs();
}

class Drawing {
  private readonly isLayerShown: (layer: unknown) => boolean;
  private readonly nameOf: (code: number) => string;
  private readonly fontOf: (name: string) => unknown;
  private state: State = {
    ctm: UNIT,
    color: [0, 0, 0],
    alpha: 1,
    size: 0,
    font: '',
    unit: GLYPH_UNIT,
    rise: 0,
    letterSpace: 0,
    wordSpace: 0,
    scale: 1,
    leading: 0,
    mode: 0,
  };
  private readonly saved: State[] = [];
  private text: Matrix = UNIT;
  private line: Matrix = UNIT;
  private readonly areas: Area[] = [];
  private readonly found: (Glyph & { isInvisible: boolean })[] = [];
  /** One entry per open marked-content section; false for a layer that is switched off. */
  private readonly layers: boolean[] = [];
  private off = 0;
  private hasPictures = false;
  /**
   * True after a change of coordinates until something is drawn. pdf.js lists the change before a picture, but not the
   * picture.
   */
  private isPlaced = false;

  constructor(
    isLayerShown: (layer: unknown) => boolean,
    nameOf: (code: number) => string,
    fontOf: (name: string) => unknown,
  ) {
    this.isLayerShown = isLayerShown;
    this.nameOf = nameOf;
    this.fontOf = fontOf;
  }

  /**
   * Returns the glyphs. On a page with pictures, invisible text is not hidden, because it is the text layer of a scan.
   */
  glyphs(): Glyph[] {
    return this.found.map(({ isInvisible, ...glyph }) => ({
      ...glyph,
      isHidden: glyph.isHidden || (isInvisible && !this.hasPictures),
    }));
  }

  run(name: string, args: readonly unknown[]): void {
    const numbers = args.map(Number);
    const [first = 0, second = 0] = numbers;
    switch (name) {
      case 'save':
        this.saved.push({ ...this.state });
        break;
      case 'restore':
      case 'paintFormXObjectEnd':
        if (this.isPlaced) this.paintPicture();
        this.state = this.saved.pop() ?? this.state;
        break;
      case 'paintFormXObjectBegin':
        this.saved.push({ ...this.state });
        this.transform(listOf(args[0]));
        this.isPlaced = false;
        break;
      case 'transform':
        this.transform(numbers);
        break;
      case 'setFillRGBColor':
        this.state.color = colorOf(args[0]);
        break;
      case 'setFillColorN':
      case 'setFillTransparent':
        this.state.color = null;
        break;
      case 'setGState':
        this.setStates(args[0]);
        break;
      case 'constructPath':
        this.paintPath(first, listOf(args[2]));
        break;
      case 'shadingFill':
        this.paint([-1e6, -1e6, 1e6, 1e6], null);
        break;
      case 'beginMarkedContent':
        this.layers.push(true);
        break;
      case 'beginMarkedContentProps':
        this.layers.push(args[0] !== 'OC' || this.isLayerShown(args[1]));
        if (this.layers.at(-1) === false) this.off += 1;
        break;
      case 'endMarkedContent':
        if (this.layers.pop() === false) this.off -= 1;
        break;
      default:
        if (/^paint.*Image/.test(name)) this.paintPicture();
        else this.runText(name, args, first, second);
    }
  }

  private runText(name: string, args: readonly unknown[], first: number, second: number): void {
    const { state } = this;
    switch (name) {
      case 'beginText':
        this.text = UNIT;
        this.line = UNIT;
        break;
      case 'setFont':
        state.size = second;
        state.font = String(args[0]);
        state.unit = listOf(readProperty(this.fontOf(state.font), 'fontMatrix'))[0] ?? GLYPH_UNIT;
        break;
      case 'setCharSpacing':
        state.letterSpace = first;
        break;
      case 'setWordSpacing':
        state.wordSpace = first;
        break;
      case 'setHScale':
        state.scale = first / 100;
        break;
      case 'setLeading':
        state.leading = -first;
        break;
      case 'setTextRise':
        state.rise = first;
        break;
      case 'setTextRenderingMode':
        state.mode = first;
        break;
      case 'setTextMatrix':
        this.line = matrixOf(listOf(args[0]));
        this.text = this.line;
        break;
      case 'setLeadingMoveText':
        state.leading = -second;
        this.moveLine(first, second);
        break;
      case 'moveText':
        this.moveLine(first, second);
        break;
      case 'nextLine':
        this.moveLine(0, state.leading);
        break;
      case 'showText':
        this.show(args[0]);
        break;
      default:
    }
  }

  private transform(by: readonly number[]): void {
    this.state.ctm = multiply(this.state.ctm, matrixOf(by));
    this.isPlaced = true;
  }

  private moveLine(x: number, y: number): void {
    this.line = multiply(this.line, [1, 0, 0, 1, x, y]);
    this.text = this.line;
  }

  private setStates(states: unknown): void {
    if (!Array.isArray(states)) return;
    for (const entry of states) {
      const [key, value]: unknown[] = Array.isArray(entry) ? entry : [];
      if (key === 'ca') this.state.alpha = Number(value);
      if (key === 'Font' && Array.isArray(value)) this.state.size = Number(value[1]);
    }
  }

  private show(glyphs: unknown): void {
    this.isPlaced = false;
    if (!Array.isArray(glyphs)) return;
    const { state } = this;
    const hidden = this.off > 0 || state.alpha <= ALPHA_MIN;
    for (const glyph of glyphs) {
      if (this.found.length > GLYPHS_MAX) return;
      if (typeof glyph === 'number') {
        this.advance((-glyph / 1000) * state.size * state.scale);
        continue;
      }
      const text: unknown = readProperty(glyph, 'unicode');
      const width = Number(readProperty(glyph, 'width')) * state.unit * state.size;
      const place = multiply(state.ctm, multiply(this.text, [1, 0, 0, 1, 0, state.rise]));
      const [a, b, c, d, x, y] = place;
      if (typeof text === 'string') {
        const size = state.size * Math.hypot(c, d);
        const at = { x, y, size, font: state.font, width: width * state.scale * Math.hypot(a, b) };
        const isHidden = hidden || this.isLikePaper(at);
        this.found.push({ ...at, text, isHidden, isInvisible: INVISIBLE_MODES.has(state.mode) });
      }
      const space = readProperty(glyph, 'isSpace') === true ? state.wordSpace : 0;
      this.advance((width + state.letterSpace + space) * state.scale);
    }
  }

  private advance(by: number): void {
    this.text = multiply(this.text, [1, 0, 0, 1, by, 0]);
  }

  /**
   * True if the text has the colour of the last area painted below the middle of the glyph, or is white without such an
   * area.
   */
  private isLikePaper({ x, y, width, size }: Pick<Glyph, 'x' | 'y' | 'width' | 'size'>): boolean {
    const { color } = this.state;
    if (color === null) return false;
    const [atX, atY] = [x + width / 2, y + size * 0.3];
    const area = this.areas.findLast(
      (one) => atX >= one.left && atX <= one.right && atY >= one.bottom && atY <= one.top,
    );
    if (area === undefined && this.areas.length >= AREAS_MAX) return false;
    const paper = area === undefined ? WHITE : area.color;
    return paper !== null && color.every((value, index) => Math.abs(value - (paper[index] ?? 0)) <= SAME_COLOR);
  }

  private paintPath(code: number, box: readonly number[]): void {
    if (!/fill/i.test(this.nameOf(code))) return;
    const { color, alpha } = this.state;
    if (alpha > ALPHA_MIN) this.paint(box, alpha < 1 ? null : color);
  }

  private paintPicture(): void {
    this.hasPictures = true;
    this.paint([0, 0, 1, 1], null);
  }

  private paint([left = 0, bottom = 0, right = 0, top = 0]: readonly number[], color: Color | null): void {
    this.isPlaced = false;
    if (this.off > 0) return;
    const { ctm } = this.state;
    const corners = [
      [left, bottom],
      [right, bottom],
      [left, top],
      [right, top],
    ].map(([x = 0, y = 0]) => multiply(ctm, [1, 0, 0, 1, x, y]));
    const xs = corners.map((corner) => corner[4]);
    const ys = corners.map((corner) => corner[5]);
    if (this.areas.length >= AREAS_MAX) this.areas.shift();
    this.areas.push({
      left: Math.min(...xs),
      right: Math.max(...xs),
      bottom: Math.min(...ys),
      top: Math.max(...ys),
      color,
    });
  }
}

function multiply(one: Matrix, other: Matrix): Matrix {
  return [
    one[0] * other[0] + one[2] * other[1],
    one[1] * other[0] + one[3] * other[1],
    one[0] * other[2] + one[2] * other[3],
    one[1] * other[2] + one[3] * other[3],
    one[0] * other[4] + one[2] * other[5] + one[4],
    one[1] * other[4] + one[3] * other[5] + one[5],
  ];
}

function matrixOf([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
  return [a, b, c, d, e, f];
}

/** Converts a list of pdf.js, an array or a typed array, to numbers. */
function listOf(value: unknown): number[] {
  if (value instanceof Float32Array || value instanceof Float64Array) return Array.from(value);
  return Array.isArray(value) ? value.map(Number) : [];
}

function colorOf(value: unknown): Color | null {
  const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(String(value)) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

export function readProperty(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
