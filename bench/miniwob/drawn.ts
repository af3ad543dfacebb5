import type { Page, Point, Solver, Solvers } from './page.ts';

/** Drawings. Shapes, which a view can only number, are read from the HTML; places are clicked by pixel. */
export const DRAWN: Solvers = {
  'click-shape': async (page) => {
    const shapes = shapesIn(await page.html('#area_svg'));
    const wanted = described(page.query.replace(/^Click on a /, ''));
    await page.click(`#area_svg > :nth-child(${shapes.findIndex(wanted) + 1})`);
  },
  'count-shape': async (page) => {
    const shapes = shapesIn(await page.html('#area_svg'));
    const wanted = described(page.asked(/How many (.+)s are there/)[0] ?? '');
    await page.submit(String(shapes.filter(wanted).length));
  },
  'identify-shape': async (page) => {
    const [shape] = shapesIn(await page.html('#area_svg'));
    const kind = shape?.kind === 'digit' ? 'Number' : shape?.kind === 'letter' ? 'Letter' : shape?.text;
    await page.click(new RegExp(`button "${kind}"`, 'i'));
  },
  'grid-coordinate': async (page) => {
    const [x, y] = page.asked(/\((-?\d),(-?\d)\)/).map(Number);
    await page.click(page.ref('shape', ((x ?? 0) + 2) * 5 + 2 - (y ?? 0)));
  },
  'circle-center': pointed((circles) => circles[0]),
  'find-midpoint': pointed(([one, other]) => between(one, other, 0.5)),
  'right-angle': pointed((circles, svg) => {
    const [black, blue] = circles;
    return black && blue ? square(black, blue, svg) : undefined;
  }),
  'bisect-angle': pointed(([vertex, one, other]) => bisector(vertex, one, other)),
  'ascending-numbers': async (page) => {
    await page.click('clickable "1"');
    for (const number of [2, 3, 4, 5]) await page.click(`rect[data-index="${number}"]`);
  },
  'hot-cold': async (page) => {
    let around: Point = { x: 79, y: 115 };
    for (const { step, reach, found } of SEARCHES) {
      const at = await hunt(page, around, step, reach, found);
      if (at === undefined) throw new Error(`Nothing is ${String(found)} around ${around.x}, ${around.y}.`);
      around = at;
    }
    await page.picture();
    await page.point('click', around);
  },
  'visual-addition': async (page) => {
    const blocks = (await page.html('#area')).match(/addition-block/g)?.length ?? 0;
    await page.setFields([['textbox', String(blocks)]]);
    await page.submit();
  },
  'draw-line': async (page) => {
    const [dot] = circlesIn(await page.html('#area svg'));
    if (dot === undefined) throw new Error('There is no dot.');
    const middle = { x: dot.x + ORIGIN + 1, y: dot.y + TOP + ORIGIN + 1 };
    const [dx, dy] = page.query.includes('horizontal') ? [REACH, 0] : [0, REACH];
    const from = { x: middle.x - dx, y: middle.y - dy };
    await page.pointAnew({ action: 'drag', ...from, to_x: middle.x + dx, to_y: middle.y + dy });
    await page.submit();
  },
};

/** The height of the box with the query, and the padding of the area below it. */
export const TOP = 50;
export const ORIGIN = 2;
const REACH = 25;

const SEARCHES = [
  { step: 48, reach: 72, found: /^(?:COLD|WARM|HOT)$/ },
  { step: 13, reach: 40, found: /^(?:WARM|HOT)$/ },
  { step: 6, reach: 10, found: /^HOT$/ },
] as const;

/** Hovers over a grid, from its centre outwards. */
async function hunt(page: Page, around: Point, step: number, reach: number, found: RegExp): Promise<Point | undefined> {
  const offsets = Array.from(
    { length: 2 * Math.ceil(reach / step) + 1 },
    (_, n) => (n - Math.ceil(reach / step)) * step,
  );
  const places = offsets
    .flatMap((dx) => offsets.map((dy) => ({ x: around.x + dx, y: around.y + dy })))
    .filter(({ x, y }) => x > ORIGIN + 1 && x < 154 && y > TOP + ORIGIN + 1 && y < 176)
    .toSorted((one, other) => distance(one, around) - distance(other, around));
  for (const place of places) {
    // The picture also shows changes by the last hover.
    await page.pointAnew({ action: 'hover', ...place, snapshot: true });
    const [, said = ''] = /clickable "(.*)"/.exec(page.view.find((line) => line.includes('clickable "')) ?? '') ?? [];
    if (found.test(said)) return place;
  }
  return undefined;
}

type Place = (circles: readonly Point[], svg: Point) => Point | undefined;

/** Reads the circles, calculates a place from them and clicks it. */
function pointed(place: Place): Solver {
  return async (page) => {
    const at = place(circlesIn(await page.html('#svg-grid')), { x: 150, y: 130 });
    if (at === undefined) throw new Error('No place was worked out.');
    await page.picture();
    await page.point('click', { x: Math.round(at.x), y: Math.round(at.y + TOP) });
    await page.submit();
  };
}

export function circlesIn(html: string): Point[] {
  return [...html.matchAll(/<circle[^>]*>/g)].map(([tag]) => ({ x: attribute(tag, 'cx'), y: attribute(tag, 'cy') }));
}

export function attribute(tag: string, name: string): number {
  return Number(new RegExp(`[ "]${name}="(-?[\\d.]+)`).exec(tag)?.[1]);
}

function between(one: Point | undefined, other: Point | undefined, share: number): Point | undefined {
  if (one === undefined || other === undefined) return undefined;
  return { x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share };
}

/** A point at a right angle to the line from `corner` to `end`, as far from `corner` as there is room. */
function square(end: Point, corner: Point, svg: Point): Point | undefined {
  const length = distance(end, corner);
  const side = { x: -(end.y - corner.y) / length, y: (end.x - corner.x) / length };
  const places = [60, 45, 30, 20].flatMap((far) =>
    [far, -far].map((by) => ({ x: corner.x + side.x * by, y: corner.y + side.y * by })),
  );
  return places.find((place) => isInside(place, svg));
}

function bisector(vertex?: Point, one?: Point, other?: Point): Point | undefined {
  if (vertex === undefined || one === undefined || other === undefined) return undefined;
  const sum = (point: Point) => ({
    x: (point.x - vertex.x) / distance(point, vertex),
    y: (point.y - vertex.y) / distance(point, vertex),
  });
  const [first, second] = [sum(one), sum(other)];
  const way = { x: first.x + second.x, y: first.y + second.y };
  const length = Math.hypot(way.x, way.y);
  const places = [70, 55, 40, 30, 20].map((far) => ({
    x: vertex.x + (way.x / length) * far,
    y: vertex.y + (way.y / length) * far,
  }));
  return places.find((place) => isInside(place, { x: 150, y: 130 }));
}

function isInside({ x, y }: Point, svg: Point): boolean {
  return x > 4 && y > 4 && x < svg.x - 2 && y < svg.y - 2;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

export type Shape = { kind: string; text: string; color: string; size: string; tag: string };

export function shapesIn(html: string): Shape[] {
  return [...html.matchAll(/<(text|rect|circle|polygon)\b([^>]*)>([^<]*)/g)].map(([tag, name = '', , text = '']) => {
    const color = /fill="(\w+)"/.exec(tag)?.[1] ?? '';
    const size = extent(tag, name) > 15 ? 'large' : 'small';
    if (name !== 'text') return { kind: 'shape', text: NAMES[name] ?? name, color, size, tag };
    return { kind: /\d/.test(text) ? 'digit' : 'letter', text, color, size, tag };
  });
}

const NAMES: Readonly<Record<string, string>> = { rect: 'rectangle', polygon: 'triangle' };

function extent(tag: string, name: string): number {
  if (name === 'circle') return attribute(tag, 'r') * 2;
  if (name === 'rect') return attribute(tag, 'width');
  if (name === 'text') return attribute(tag, 'font-size');
  const [first = 0, , , , last = 0] = /points="([^"]+)"/.exec(tag)?.[1]?.split(/[ ,]/).map(Number) ?? [];
  return last - first;
}

/** A shape in the words of a task: `small red item`. */
function described(words: string): (shape: Shape) => boolean {
  const parts = words.split(' ');
  return ({ kind, text, color, size }) =>
    parts.every((part) => {
      if (part === 'large' || part === 'small') return part === size;
      if (COLORS.includes(part)) return part === color;
      return part === 'item' || part === kind || part === text;
    });
}

const COLORS = ['red', 'green', 'blue', 'aqua', 'black', 'magenta', 'yellow'];
