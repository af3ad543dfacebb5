import { PageRules } from '#browsing/rules/page-rules.ts';
import { SentViewMemory } from '#browsing/session/sent-views.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { browserLevelGate } from '#browsing/gate/request-gate.ts';
import type { Point } from '#browsing/layout/projection.ts';
import { recordScreenshotElements, readScreenshotViewport } from '#browsing/see/picture.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import { actAtPoint, findElementAtScreenshotPixel } from '#browsing/session/operations/point.ts';
import { findByName, findByRef } from '#browsing/locate/find.ts';
import { parseLocator } from '#browsing/locate/named.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import { testDownloads } from '#support/test-downloads.ts';
import { testSecrets } from '#support/test-secrets.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { stories } from '#support/stories.ts';

/**
 * A list that behaves as badly as lists on the web do. Each slot shows one record; which one, only the page's own
 * scripts know (`secretOf`): it is nowhere in the document. Labels of different records differ, names of buttons do not.
 */
const LIST_PAGE = `<!doctype html><title>List</title><main><div id="list"></div><div id="pane"><div><h2></h2></div><p>Shown beside the list.</p><button class="b">Archive</button></div></main><p id="status" role="status"></p><script>
  const secrets = new WeakMap();
  let lastRecord = 0;
  const fresh = () => ({ record: ++lastRecord, likes: 0 });
  const make = {
    li: () => slot('li', 'span'),
    div: () => slot('div', 'div'),
    nested: () => slot('section', 'div'),
    card: () => slot('section', 'h3'),
    // Its rows are drawn again for other records as it is scrolled.
    drawn: () => slot('li', 'span'),
    tr: () => slot('tr', 'td'),
    // Only a listener shows that these react: their own, or that of a parent.
    icons: () => reacting(slot('div', 'div')),
    tile: () => { const tile = document.createElement('div'); tile.append('x'); return tile; },
  };
  const icon = (name) => '<i class="' + name + '" style="display:inline-block;width:9px;height:9px"></i>';
  function reacting(made) {
    made.lastChild.insertAdjacentHTML('beforeend', icon('i') + icon('j'));
    for (const one of made.querySelectorAll('i')) one.addEventListener('click', () => {});
    return made;
  }
  let shape = 'li';
  function slot(outer, inner) {
    const element = document.createElement(outer);
    const label = document.createElement(inner);
    const box = document.createElement(inner === 'h3' ? 'div' : inner);
    box.innerHTML = '<button class="b">Delete</button> <button class="l">Like</button> <a href="/open" class="o">Open</a> <input aria-label="Amount">';
    element.append(label, shape === 'nested' ? wrap(box) : box);
    return element;
  }
  function wrap(box) { const outer = document.createElement('div'); outer.append(box); return outer; }
  function show(element, record) {
    secrets.set(element, record);
    element.firstChild.textContent = 'Record ' + record.record;
    if (shape === 'tile') return;
    // A link is bound to where it leads: one of a lone record that leads to the same place is the same.
    if (mayBeAlone()) element.querySelector('a').href = '/open/' + record.record;
  }
  const SLOTS = 'ul > li, tbody > tr, #list > div, #list > section';
  const slots = () => [...list.querySelectorAll(SLOTS)];
  const host = () => list.querySelector('ul, tbody') ?? list;
  const HOSTS = { li: '<ul></ul>', drawn: '<ul></ul>', tr: '<table><tbody></tbody></table>' };
  list.onclick = () => {};
  let records = [];
  let top0 = 0;
  function start(kind, count) {
    shape = kind;
    list.innerHTML = HOSTS[kind] ?? '';
    if (kind === 'drawn') {
      records = Array.from({ length: count + 4 }, fresh);
      top0 = 0;
      for (let n = 0; n < count; n += 1) host().append(make.drawn());
      return draw();
    }
    for (let n = 0; n < (mayBeAlone() ? count : count + 1); n += 1) insert(n);
  }
  function draw() { slots().forEach((element, n) => show(element, records[top0 + n])); }
  function scrollRows(by) {
    if (shape !== 'drawn') return;
    top0 = Math.min(Math.max(top0 + by, 0), records.length - slots().length);
    draw();
  }
  function move(from, to) { const [one, other] = [slots()[from], slots()[to]]; if (one && other && one !== other) other.before(one); }
  function insert(at) { if (shape === 'drawn' && at >= slots().length) return; const made = make[shape](); show(made, fresh()); host().insertBefore(made, slots()[at] ?? null); }
  // A lone record that has no heading and is no list item has nothing that tells it from the next (decision 0010).
  const mayBeAlone = () => shape !== 'div' && shape !== 'nested' && shape !== 'icons';
  const mayGo = () => shape !== 'drawn' && (mayBeAlone() || slots().length > 2);
  function remove(at) { if (mayGo()) slots()[at]?.remove(); }
  function recycle() { for (const element of slots()) show(element, fresh()); }
  function recycleOne(at) { const element = slots()[at]; if (element) show(element, fresh()); }
  function sortKeyed() { for (const element of slots().reverse()) host().append(element); }
  function sortUnkeyed() { const all = slots(); const records = all.map((element) => secrets.get(element)).reverse(); all.forEach((element, n) => show(element, records[n])); }
  function redraw() { for (const element of slots()) { const made = make[shape](); show(made, secrets.get(element)); element.replaceWith(made); } }
  function like(at) { const button = slots()[at]?.querySelector('.l'); if (button) button.textContent = button.textContent === 'Like' ? 'Unlike' : 'Like'; }
  function openOther() { secrets.set(pane, fresh()); pane.querySelector('h2').textContent = 'Record ' + secrets.get(pane).record; }
  function type(at) { const input = slots()[at]?.querySelector('input'); if (input) input.value += 'x'; }
  function tell() { document.querySelector('#status').textContent += '.'; }
  function rob(from, to) { const button = slots()[from]?.querySelector('.b'); const box = slots()[to]?.querySelector('a')?.parentNode; if (shape !== 'tile' && button && box) box.prepend(button); }
  const dragged = [];
  addEventListener('mousedown', ({ target }) => dragged.push(secretOf(target)), true);
  addEventListener('mouseup', ({ target }) => dragged.push(secretOf(target)), true);
  openOther();
  let kept = null;
  function detach(at) { if (!mayGo()) return; kept = slots()[at] ?? null; kept?.remove(); }
  function attachChanged() { if (kept) { show(kept, fresh()); host().append(kept); } }
  function attach() { if (kept) host().append(kept); }
  function secretOf(element) {
    const inside = element.querySelectorAll(SLOTS);
    // An element that contains only one record counts as that record.
    const slot = element.closest(SLOTS + ', #pane') ?? (inside.length === 1 ? inside[0] : null);
    return slot === null ? 'none' : secrets.get(slot).record + ' ' + element.localName + (element.className || '');
  }
  function spots() {
    return [...document.querySelectorAll('button, i, #list > div')].flatMap((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const x = left + width / 2, y = top + height / 2;
      return x < innerWidth && y < innerHeight && document.elementFromPoint(x, y) === element ? [[x, y, secretOf(element)]] : [];
    });
  }
  function said() { return slots().map((element) => [element.firstChild.textContent, String(secrets.get(element).record)]); }
</script>`;

const place = fc.nat({ max: 4 });
const step = fc.oneof(
  fc.constantFrom(
    'recycle()',
    'sortKeyed()',
    'sortUnkeyed()',
    'redraw()',
    'tell()',
    'attach()',
    'attachChanged()',
    'openOther()',
  ),
  fc
    .tuple(fc.constantFrom('insert', 'scrollRows', 'remove', 'recycleOne', 'like', 'type', 'detach'), place)
    .map(([name, at]) => `${name}(${at})`),
  fc.constant('scrollRows(-2)'),
  fc.tuple(fc.constantFrom('rob', 'move'), place, place).map(([name, from, to]) => `${name}(${from}, ${to})`),
  fc.constant('SNAPSHOT'),
  fc.constant('PICTURE'),
  fc.constant('location.reload()'),
);
/** A drag takes as long as ten other steps. */
const drag = fc.tuple(place, place).map(([from, to]) => `DRAG ${from} ${to}`);
const anyStep = fc.oneof({ arbitrary: step, weight: 12 }, { arbitrary: drag, weight: 1 });
const story = fc.record({
  shape: fc.constantFrom('li', 'div', 'nested', 'card', 'drawn', 'tr', 'icons', 'tile'),
  count: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(anyStep, { minLength: 1, maxLength: 8 }),
});

let browser: TestBrowser;
let page: PageWithRefs;
let active: ActiveSession;

beforeAll(async () => {
  browser = await browserWith(() => LIST_PAGE);
  const contextId = await browser.openContext();
  page = new PageWithRefs(await browser.openTab(contextId, 'http://site.example/'));
  const { acquired, tabs } = browser;
  const own = {
    gate: browserLevelGate,
    decide: async () => null,
    lastLooks: new WeakMap(),
    sent: new SentViewMemory(),
    refs: page.refs,
    isActing: false,
    downloads: testDownloads(),
    secrets: testSecrets(),
    rules: new PageRules(),
    hold: null,
    noteSent: null,
    onHeld: null,
  };
  active = { browser: acquired, contextId, tabs, ...own };
});

afterAll(() => browser.close());

/** Knowledge of a story: the element of each ref and of each pixel of the last picture, at that time. */
type Seen = { refs: Map<string, unknown>; pixels: readonly (readonly [x: number, y: number, secret: unknown])[] };
type Found = { meant: unknown; now: unknown };

const RUNS = stories(10);

describe('a ref, text or pixel on a page that changes', () => {
  it(
    'resolves to the element it was given for, or to none',
    async () => {
      const counts = { led: 0, refused: 0, dragged: 0 };
      await fc.assert(
        fc.asyncProperty(story, async ({ shape, count, steps }) => {
          const seen: Seen = { refs: new Map(), pixels: [] };
          await page.run(`start('${shape}', ${count})`);
          await note(seen);
          for (const next of steps) {
            const dragged = await take(next, seen);
            counts.dragged += dragged.length;
            for (const { meant, now } of [...dragged, ...(await everyTarget(seen))]) {
              if (now === null) counts.refused += 1;
              else {
                counts.led += 1;
                expect(now).toBe(meant);
              }
            }
          }
        }),
        { numRuns: RUNS, examples: [[{ shape: 'tr', count: 1, steps: ['recycle()', 'SNAPSHOT'] }]] },
      );
      console.log(`${RUNS} stories: ${JSON.stringify(counts)}`);
      expect(counts.led).toBeGreaterThan(20);
      expect(counts.refused).toBeGreaterThan(20);
    },
    120_000 + RUNS * 3_000,
  );
});

/** @returns what was dragged onto what, if the step is a drag */
async function take(deed: string, seen: Seen): Promise<Found[]> {
  const [, from, to] = /^DRAG (\d) (\d)$/u.exec(deed) ?? [];
  if (from !== undefined) return dragBetween(Number(from), Number(to), seen);
  if (deed === 'location.reload()') await reload();
  else if (deed === 'SNAPSHOT') await note(seen);
  else if (deed === 'PICTURE') await picture(seen);
  else await page.run(deed);
  return [];
}

async function everyTarget({ refs, pixels }: Seen): Promise<Found[]> {
  const said = await page.run('said()[0] ?? null');
  const [text, record]: unknown[] = Array.isArray(said) ? said : [];
  return Promise.all([
    ...[...refs].map(async ([ref, meant]) => ({ meant, now: await secretBehind(ref) })),
    ...pixels.map(async ([x, y, meant]) => ({ meant, now: await secretAt({ x, y }) })),
    ...(typeof text === 'string' ? [recordNamed(text).then((now) => ({ meant: record, now }))] : []),
  ]);
}

/** Drags the button of one row onto that of another, by the refs that they had when they were last seen. */
async function dragBetween(from: number, to: number, { refs }: Seen): Promise<Found[]> {
  const buttons = [...refs].filter(([, secret]) => String(secret).endsWith(' buttonb'));
  const [[one, onto] = [], [other, under] = []] = [buttons.at(-1 - from), buttons.at(-1 - to)];
  if (one === undefined || other === undefined) return [];
  await page.run('dragged.length = 0');
  const work = { active, tab: page.tab, effect: 'act' as const, signal: AbortSignal.timeout(25_000), endsAt: Infinity };
  const spots = { at: { target: one }, to: { target: other } };
  const input = { action: 'drag', modifiers: [], holdMs: 0, snapshot: false, ...spots } as const;
  const isUnexpected = await actAtPoint(work, input).then(
    () => false,
    (error: unknown) => !isRefusal(error),
  );
  expect(isUnexpected).toBe(false);
  const [pressed, released] = Object.values(Object(await page.run('dragged')));
  return [
    { meant: onto, now: pressed ?? null },
    { meant: under, now: released ?? null },
  ];
}

/** Notes what a picture would show, without making one. */
async function picture(seen: Seen): Promise<void> {
  const { tab } = page;
  const [mark, view] = await Promise.all([
    recordScreenshotElements(tab, AbortSignal.timeout(25_000)),
    readScreenshotViewport(tab),
  ]);
  const { x, y, width, height } = view;
  tab.picture = {
    mark,
    loaderId: tab.main().loaderId,
    view,
    clip: { x, y, width, height },
    width,
    height,
    source: null,
    ownChanges: [],
  };
  seen.pixels = z.array(z.tuple([z.number(), z.number(), z.unknown()])).parse(await page.run('spots()'));
}

async function secretAt(pixel: Point): Promise<unknown> {
  const options = { name: 'x', mayBeDisabled: false, comparesPixels: false } as const;
  try {
    const { element } = await findElementAtScreenshotPixel(page.tab, pixel, options, AbortSignal.timeout(25_000));
    return await page.ask(element, 'secretOf(this)');
  } catch (error) {
    return isRefusal(error) ? null : Promise.reject(error);
  }
}

/** The record of the row that a text leads to; `null` when it names none, or several. */
async function recordNamed(text: string): Promise<unknown> {
  const named = parseLocator(`text=${text}`);
  if (named === null) return null;
  const match = await findByName(named, page.tab, 1, AbortSignal.timeout(25_000));
  return match.kind === 'one' ? String(await page.ask(match.element, 'secretOf(this)')).split(' ')[0] : null;
}

/** True if the act was refused and not done. */
function isRefusal(error: unknown): boolean {
  return error instanceof PeriscopeError;
}

/** Takes a snapshot and records the element of each of its refs. */
async function note({ refs }: Seen): Promise<void> {
  const text = await page.text();
  for (const [ref] of text.matchAll(/@e\d+/g)) {
    if (!refs.has(ref)) refs.set(ref, await secretBehind(ref));
  }
}

async function secretBehind(ref: string): Promise<unknown> {
  const target = page.refs.current(ref);
  const element = target === null ? 'gone' : await findByRef(target, page.tab);
  return typeof element === 'string' ? null : page.ask(element, 'secretOf(this)');
}

async function reload(): Promise<void> {
  const before = page.tab.main().loaderId;
  await page.tab.session.send('Page.reload');
  while (page.tab.main().loaderId === before) await new Promise((resolve) => setTimeout(resolve, 5));
  while ((await page.run('typeof secretOf')) !== 'function') await new Promise((resolve) => setTimeout(resolve, 5));
}
