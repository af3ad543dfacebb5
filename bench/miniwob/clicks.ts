import { nth, refIn } from './page.ts';
import type { Page, Solver, Solvers } from './page.ts';

/** Buttons, links, tabs, sections and menus: finds the wanted one and clicks it. */
export const CLICKS: Solvers = {
  'click-test': clicks('button'),
  'click-test-2': clicks('button "ONE"'),
  'click-test-transfer': async (page) => page.click(`button "${page.asked(/button (\w+)/)[0]}"`).then(done),
  'click-button': clickQuoted('button'),
  'unicode-test': clickQuoted('button'),
  'click-button-sequence': async (page) => {
    await page.click('button "ONE"');
    await page.click('button "TWO"');
  },
  'focus-text': clicks('textbox'),
  'focus-text-2': async (page) =>
    page.click(page.ref('textbox', nth(page.asked(/the (\w+) input/)[0] ?? ''))).then(done),
  'click-dialog': clicks('button "Close"'),
  'click-dialog-2': async (page) =>
    page.click(`button "${page.quoted[0] === 'x' ? 'Close' : page.quoted[0]}"`).then(done),
  'click-link': clickQuoted('clickable'),
  'click-tab': async (page) => page.click(`link "${page.asked(/on (Tab #\d)/)[0]}"`).then(done),
  'click-tab-2': acrossTabs,
  'click-tab-2-easy': acrossTabs,
  'click-tab-2-hard': acrossTabs,
  'click-tab-2-medium': acrossTabs,
  'click-collapsible': section,
  'click-collapsible-nodelay': section,
  'click-collapsible-2': acrossSections,
  'click-collapsible-2-nodelay': acrossSections,
  'click-widget': async (page) => {
    const [kind = ''] = page.quoted;
    if (kind !== 'text' && kind !== 'textarea') return page.click(`${kind} "`).then(done);
    // Only the first one: the others are in boxes after a box with such a field.
    const field = `[data-type="${kind}"]`;
    await page.click(`[class="widget"]:not(:has(${field}) ~ *) ${field}`);
  },
  'click-color': async (page) => {
    const name = /the (\w+) colored/.exec(page.query)?.[1] ?? colorIn(await page.html('#query'));
    const colors = [...(await page.html('#area')).matchAll(/<div[^>]*background-color:[^>]*>/g)].map(([tag]) =>
      colorIn(tag),
    );
    // The sample in the question may also be a ref. It comes first.
    const boxes = page.refs('clickable').slice(-colors.length);
    await page.click(boxes[colors.indexOf(name)] ?? '');
  },
  'click-shades': async (page) => {
    const [wanted = ''] = page.asked(/shades of (\w+)/);
    const tags = [...(await page.html('#area')).matchAll(/rgb\((\d+), (\d+), (\d+)\)/g)];
    const boxes = page.refs('clickable');
    for (const [index, [, ...parts]] of tags.entries()) {
      if (strongest(parts.map(Number)) === wanted) await page.click(boxes[index] ?? '');
    }
    await page.submit();
  },
  'click-menu': async (page) => {
    const path = page.asked(/^Select (.+)$/)[0]?.split('>') ?? [];
    await throughMenu(page, path);
  },
  'click-menu-2': async (page) => {
    const name = page.quoted[1] ?? ICONS[/ui-icon-([\w-]+)/.exec(await page.html('#query'))?.[1] ?? ''] ?? '';
    await page.clickAndLook('button "Menu"');
    const inside = ['Prev', 'Stop', 'Play', 'Next'].includes(name);
    await throughMenu(page, inside ? ['Playback', name] : [name]);
  },
  'click-pie': pie,
  'click-pie-nodelay': pie,
  'navigate-tree': async (page) => {
    const [name = ''] = page.quoted;
    for (let opened = 0; opened < 8 && page.refs(`"${name}"`).length === 0; opened += 1) {
      await page.clickAndLook(page.ref(/clickable \(/, opened));
    }
    await page.click(page.refs(new RegExp(`"${name}"`)).at(-1) ?? name);
  },
  'find-greatest': async (page) => {
    const cards = page.refs('clickable "');
    const numbers = page.view.flatMap((line) => /clickable "(\d+)"/.exec(line)?.[1] ?? []).map(Number);
    await page.click(cards[numbers.indexOf(Math.max(...numbers))] ?? '');
    await page.submit();
  },
  'tic-tac-toe': async (page) => {
    for (let move = 0; move < 5; move += 1) {
      const cells = page.view.filter((line) => /@e\d+ (?:clickable|img)(?: \(|$)/.test(line));
      const marks = cells.map((line) => /icon "([xo])"/.exec(line)?.[1] ?? '');
      if (marks.length < 9) return;
      await page.click(refIn(cells[bestMove(marks)] ?? '', /clickable|img/) ?? '#area', { snapshot: true });
    }
  },
  'search-engine': async (page) => {
    const [position = ''] = page.asked(/the (\w+) search result/);
    await page.setFields([['textbox', page.quoted[0] ?? '']]);
    await page.clickAndLook('button "Search"');
    const number = Math.floor(nth(position) / 3) + 1;
    if (number > 1) await page.clickAndLook(`link "${number}"`);
    await page.click(page.ref('link "', nth(position) % 3));
  },
};

const ICONS: Readonly<Record<string, string>> = {
  disk: 'Save',
  'seek-start': 'Prev',
  stop: 'Stop',
  play: 'Play',
  'seek-end': 'Next',
  zoomin: 'Zoom In',
  zoomout: 'Zoom Out',
};

function done(): void {
  // The last click ends the episode.
}

function clicks(label: string): Solver {
  return (page) => page.click(label).then(done);
}

function clickQuoted(role: string): Solver {
  return (page) => page.click(`${role} "${page.quoted[0]}"`).then(done);
}

/** Finds the link in the open tab, or in another one. */
async function acrossTabs(page: Page): Promise<void> {
  const [text = ''] = page.quoted;
  const label = `clickable "${text}"`;
  for (let tab = 1; !page.has(label) && tab < 6; tab += 1) {
    const next = page.refs(/link "(?:Tab #)?\d"/)[tab];
    if (next === undefined) break;
    await page.clickAndLook(next);
  }
  if (page.has(label)) await page.click(label);
}

async function section(page: Page): Promise<void> {
  await page.clickAndLook('tab "Section');
  await page.submit();
}

async function acrossSections(page: Page): Promise<void> {
  const label = `clickable "${page.quoted[0]}"`;
  for (let number = 0; !page.has(label) && number < 3; number += 1) {
    await page.clickAndLook(page.ref('tab "Section', number));
  }
  await page.click(label);
}

async function throughMenu(page: Page, path: readonly string[]): Promise<void> {
  for (const [depth, name] of path.entries()) {
    const ref = page.ref(new RegExp(`menuitem "${name}"`));
    if (depth === path.length - 1) await page.click(ref);
    else await page.call('browser_point', { action: 'hover', selector: ref, snapshot: true });
  }
}

async function pie(page: Page): Promise<void> {
  await page.clickAndLook('clickable "+"');
  const letter = page.quoted[0];
  // Clicks again after a missed click, because the shape moves away under the pointer.
  for (let tries = 0; tries < PIE_TRIES; tries += 1) {
    // The slice is before the line next to its letter. The letter itself moves under the pointer.
    const at = page.view.findIndex((line) => line.includes(`(beside "${letter}")`));
    const { text } = await page.click(refIn(page.view[at - 1] ?? '', 'shape') ?? '');
    if (!text.includes('a press but no click')) return;
    await page.look();
    // The press already solved the task.
    if (/\d/.test(page.view[page.view.indexOf('Last reward:') + 1] ?? '')) return;
  }
}

const PIE_TRIES = 3;

function colorIn(tag: string): string {
  return /background-color: ?(\w+)/.exec(tag)?.[1] ?? '';
}

function strongest([red = 0, green = 0, blue = 0]: readonly number[]): string {
  if (red >= green && red >= blue) return 'red';
  return green >= blue ? 'green' : 'blue';
}

const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
] as const;

/** Searches to the end of the game, and takes the move with the best average result. */
function bestMove(marks: readonly string[]): number {
  const scored = freeIn(marks).map((at) => ({ at, score: valueForOther(put(marks, at, 'x')) }));
  return scored.toSorted((one, other) => other.score - one.score)[0]?.at ?? -1;
}

/** The page's scores: a draw is worth little more than a loss. */
const WORTH = { won: 1, drawn: -0.5, lost: -0.75 };
/** Share of random moves of the opponent. Otherwise it wins if it can, or blocks a win of ours. */
const RANDOM_SHARE = 0.55;

/** The value of a position before our move. */
function valueForUs(marks: readonly string[]): number {
  if (hasLine(marks, 'o')) return WORTH.lost;
  const moves = freeIn(marks);
  if (moves.length === 0) return WORTH.drawn;
  return Math.max(...moves.map((at) => valueForOther(put(marks, at, 'x'))));
}

/** The value of a position before the opponent's move. */
function valueForOther(marks: readonly string[]): number {
  const position = marks.join(' ');
  const value = VALUES.get(position) ?? computedForOther(marks);
  VALUES.set(position, value);
  return value;
}

/** Values of positions before the opponent's move. */
const VALUES = new Map<string, number>();

function computedForOther(marks: readonly string[]): number {
  if (hasLine(marks, 'x')) return WORTH.won;
  const moves = freeIn(marks);
  if (moves.length === 0) return WORTH.drawn;
  const values = new Map(moves.map((at) => [at, valueForUs(put(marks, at, 'o'))]));
  const mean = (of: readonly number[]) => of.reduce((sum, at) => sum + (values.get(at) ?? 0), 0) / of.length;
  const winning = moves.filter((at) => hasLine(put(marks, at, 'o'), 'o'));
  const blocking = moves.filter((at) => hasLine(put(marks, at, 'x'), 'x'));
  const clever = [winning, blocking, moves].find((of) => of.length > 0) ?? moves;
  return RANDOM_SHARE * mean(moves) + (1 - RANDOM_SHARE) * mean(clever);
}

function freeIn(marks: readonly string[]): number[] {
  return marks.flatMap((one, at) => (one === '' ? [at] : []));
}

function hasLine(marks: readonly string[], player: string): boolean {
  return LINES.some((line) => line.every((at) => marks[at] === player));
}

function put(marks: readonly string[], at: number, player: string): string[] {
  return marks.map((one, index) => (index === at ? player : one));
}
