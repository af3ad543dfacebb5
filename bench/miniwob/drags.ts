import { attribute, ORIGIN, shapesIn, TOP } from './drawn.ts';
import type { Shape } from './drawn.ts';
import { nth } from './page.ts';
import type { Page, Point, Solvers } from './page.ts';

/** Tasks that drag, slide, resize, or select with the mouse. */
export const DRAGS: Solvers = {
  'drag-box': async (page) => {
    await page.drag(page.ref('"s"'), page.ref('"L"'));
    await page.submit();
  },
  'drag-circle': dragAway,
  'drag-single-shape': dragAway,
  'drag-items': async (page) => {
    const [name = '', where = ''] = page.asked(/^Drag (\S+) (.+)\.$/);
    const items = page.refs('listitem');
    const from = items.indexOf(page.ref(`"${name}"`));
    await page.drag(items[from] ?? '', items[rowIn(where, from, items.length)] ?? '');
  },
  'drag-items-grid': async (page) => {
    const [name = '', where = ''] = page.asked(/^Drag (\S+) (.+)\.$/);
    const items = page.refs('listitem');
    const from = items.indexOf(page.ref(`"${name}"`));
    await page.drag(items[from] ?? '', items[squareIn(where, from)] ?? '');
  },
  'drag-sort-numbers': async (page) => {
    for (let done = 0; done < 3; done += 1) {
      const numbers = page.view.flatMap((line) => /listitem "(-?\d+)"/.exec(line)?.[1] ?? []).map(Number);
      const least = numbers.indexOf(Math.min(...numbers.slice(done)), done);
      if (least === done) continue;
      const items = page.refs('listitem');
      await page.drag(items[least] ?? '', items[done] ?? '');
      await page.look();
    }
    await page.submit();
  },
  'drag-shapes': async (page) => {
    const [kind = ''] = page.asked(/all (\w+)s into/);
    const html = await page.html('#area_svg');
    const box = boxIn(html, 0);
    const places = placesIn(box);
    for (const [at, shape] of shapesIn(html).entries()) {
      if (shape.text === kind && !shape.tag.includes('shape-container')) await dragShape(page, at, places);
    }
    await page.submit();
  },
  'drag-shapes-2': async (page) => {
    const [which = ''] = page.asked(/all (\w+)(?:s| shapes) into the left/);
    const html = await page.html('#area_svg');
    const left = placesIn(boxIn(html, 0));
    const right = placesIn(boxIn(html, 1));
    for (const [at, shape] of shapesIn(html).entries()) {
      if (shape.tag.includes('shape-container')) continue;
      await dragShape(page, at, isThat(shape, which) ? left : right);
    }
    await page.submit();
  },
  'drag-cube': async (page) => {
    const [wanted = ''] = page.quoted;
    for (let turns = 0; turns < 20; turns += 1) {
      const html = await page.html('#area');
      if (/class="cube-image active"[^>]*>(\d)/.exec(html)?.[1] === wanted) return page.submit();
      await page.pointAnew({ action: 'drag', ...CUBE, ...turn(html, SIDES[wanted]) });
    }
    throw new Error('The cube does not come to show that side.');
  },
  'resize-textarea': async (page) => {
    const [side, change] = page.asked(/the (width|height) is (larger|smaller)/);
    const by = change === 'larger' ? 25 : -25;
    const handle = page.ref('clickable (', side === 'width' ? 0 : 1);
    const style = /style="([^"]*)"/.exec(await page.html('.ui-wrapper'))?.[1] ?? '';
    const at = (name: string) => Number(new RegExp(`(?:^|[ ;])${name}: ?([\\d.]+)px`).exec(style)?.[1] ?? 0);
    const corner = { x: ORIGIN + at('left') + at('width'), y: TOP + ORIGIN + at('top') + at('height') };
    const to = side === 'width' ? { x: corner.x + by, y: corner.y - 20 } : { x: corner.x - 20, y: corner.y + by };
    await page.dragTo(handle, to);
    await page.submit();
  },
  'use-slider': async (page) => {
    const [wanted] = page.asked(/Select (-?\d+)/);
    await slide(page, 0, Number(wanted));
    await page.submit();
  },
  'use-slider-2': async (page) => {
    const wanted = page.asked(/\[(\d+),(\d+),(\d+)\]/);
    for (const [index, value] of wanted.entries()) await slide(page, index, Number(value));
    await page.submit();
  },
  'form-sequence': async (page) => {
    const [wanted, box = ''] = page.asked(/Select (-?\d+) with the slider, click the (\w+) checkbox/);
    await slide(page, 0, Number(wanted));
    await page.click(page.ref('checkbox', nth(box)));
    await page.submit();
  },
  'highlight-text': async (page) => {
    await page.click('#randomText', { click_count: 3 });
    await page.submit();
  },
  'highlight-text-2': async (page) => {
    const [position = ''] = page.asked(/the (\w+) paragraph/);
    await page.click(`#randomText p:nth-child(${nth(position) + 1})`, { click_count: 3 });
    await page.submit();
  },
  'text-editor': async (page) => {
    const [what = '', style = ''] = page.asked(/(?:give|make) (.+) the (?:style|color) (\w+)/);
    const text = /textbox = "(.*)"/.exec(page.view.find((line) => line.includes('textbox =')) ?? '')?.[1] ?? '';
    const editor = page.ref('textbox =');
    const word = what.replace(/^the text /, '');
    await page.click(editor);
    if (what === 'everything') await page.keys('Control+A');
    else await selectWord(page, text.indexOf(word), word.length);
    const tool = { bold: '"bold"', italics: '"italic"', underlined: '"underline"' }[style];
    if (tool === undefined) {
      await page.clickAndLook('picker-label');
      await page.click(`.ql-picker-item[data-value="${QUILL[style]}"]`);
    } else await page.click(tool);
    await page.submit();
  },
};

const QUILL: Readonly<Record<string, string>> = {
  red: '#e60000',
  orange: '#ff9900',
  yellow: '#ffff00',
  green: '#008a00',
  blue: '#0066cc',
  purple: '#9933ff',
};

async function selectWord(page: Page, from: number, length: number): Promise<void> {
  await page.keys('Control+Home');
  await page.press('ArrowRight', from);
  await page.press('Shift+ArrowRight', length);
}

/** The picture shows 160 × 210 px of the task. Places beyond are free to drag to. */
async function dragAway(page: Page): Promise<void> {
  const [where = ''] = page.asked(/^Drag the \w+ (\w+)/);
  const [shape] = shapesIn(await page.html('#area svg'));
  const { x, y } = middleOf(shape);
  const [dx = 0, dy = 0] = { left: [-25, 0], right: [25, 0], up: [0, -25], down: [0, 25] }[where] ?? [];
  await page.dragTo(page.ref('shape'), { x: x + dx, y: y + dy });
  await page.submit();
}

/** The centre of a shape on the page. */
function middleOf(shape: Shape | undefined): Point {
  const { x, y } = middleIn(shape?.tag ?? '');
  return { x: Math.round(x + ORIGIN), y: Math.round(y + ORIGIN + TOP) };
}

function middleIn(tag: string): Point {
  if (tag.startsWith('<circle')) return { x: attribute(tag, 'cx'), y: attribute(tag, 'cy') };
  if (tag.startsWith('<rect')) {
    const half = attribute(tag, 'width') / 2;
    return { x: attribute(tag, 'x') + half, y: attribute(tag, 'y') + half };
  }
  const [x1 = 0, y1 = 0, , y2 = 0, x3 = 0] = /points="([^"]+)"/.exec(tag)?.[1]?.split(/[ ,]/).map(Number) ?? [];
  return { x: (x1 + x3) / 2, y: (y1 + y2) / 2 };
}

function rowIn(where: string, from: number, count: number): number {
  if (where.includes('top')) return 0;
  if (where.includes('bottom')) return count - 1;
  if (where.startsWith('up')) return from - 1;
  if (where.startsWith('down')) return from + 1;
  return nth(/(\d+)\w+ position/.exec(where)?.[1] ?? '');
}

function squareIn(where: string, from: number): number {
  const step = { 'up by one': -3, 'down by one': 3, 'left by one': -1, 'right by one': 1 }[where];
  if (step !== undefined) return from + step;
  const row = where.includes('top') ? 0 : where.includes('bottom') ? 2 : 1;
  const column = where.includes('left') ? 0 : where.includes('right') ? 2 : 1;
  return row * 3 + column;
}

type Box = { x: number; y: number; width: number; height: number };

function boxIn(html: string, index: number): Box {
  const [tag = ''] = [...html.matchAll(/<rect[^>]*shape-container[^>]*>/g)][index] ?? [];
  return {
    x: attribute(tag, 'x'),
    y: attribute(tag, 'y'),
    width: attribute(tag, 'width'),
    height: attribute(tag, 'height'),
  };
}

/** Centres of places in a box that are far enough apart, on the page. */
function placesIn({ x, y }: Box): Point[] {
  return [0, 1]
    .flatMap((row) => [0, 1, 2].map((column) => ({ x: x + 14 + column * 20, y: y + 14 + row * 18 })))
    .map(onPage);
}

function onPage({ x, y }: Point): Point {
  return { x: x + ORIGIN, y: y + ORIGIN + TOP };
}

async function dragShape(page: Page, at: number, places: Point[]): Promise<void> {
  const place = places.shift();
  if (place !== undefined) await page.dragTo(`#area_svg > :nth-child(${at + 1})`, place);
}

function isThat({ text, color }: Shape, which: string): boolean {
  return `${text}s`.startsWith(which) || text === which || color === which;
}

/** A place in the middle of the cube. */
const CUBE = { x: 80, y: 120 };

/** The rotation about both axes, in degrees, that shows each side of the cube. */
const SIDES: Readonly<Record<string, Point>> = {
  '1': { x: 42, y: 255 },
  '2': { x: 177, y: 175 },
  '3': { x: 86, y: 175 },
  '4': { x: 350, y: 175 },
  '5': { x: 269, y: 175 },
  '6': { x: 42, y: 110 },
};
/** Degrees that the cube turns for each pixel. It continues a little after the release. */
const DEGREES_A_PIXEL = 1.25;

function turn(html: string, to: Point | undefined): { to_x: number; to_y: number } {
  const [, y = '136', x = '42'] = /rotateX\((-?[\d.]+)deg\) rotateY\((-?[\d.]+)deg\)/.exec(html) ?? [];
  const dx = (((to?.x ?? 0) - Number(x) + 540) % 360) - 180;
  const dy = (to?.y ?? 0) - Number(y);
  const reach = (degrees: number) => Math.round(Math.min(Math.max(degrees / DEGREES_A_PIXEL, -60), 60));
  return { to_x: CUBE.x - reach(dx), to_y: CUBE.y - reach(dy) };
}

/** A click focuses the handle, and arrow keys move it. The number after it is its position. */
async function slide(page: Page, index: number, wanted: number): Promise<void> {
  const handle = `.ui-slider:nth-of-type(${index * 2 + 1}) .ui-slider-handle`;
  await page.clickAndLook(handle);
  const values = page.view.filter((line) => /^-?\d+$/.test(line.trim())).map(Number);
  const delta = wanted - (values[index] ?? 0);
  if (delta !== 0) await page.press(delta > 0 ? 'ArrowRight' : 'ArrowLeft', Math.abs(delta), handle);
  // The number is among the words by which nameless fields are known.
  await page.look();
}
