import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import { actAtPoint } from '#browsing/session/operations/point.ts';
import type { PointInput } from '#browsing/session/operations/point.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { LOGGED } from '#support/logged.ts';
import { failureOf, inPage, patience } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const BOX = 'position:absolute;width:60px;height:40px';
const PAGES: Record<string, string> = {
  '/boxes': `${LOGGED}<style>body { margin: 0 } #menu { display: none } #head:hover + #menu, #menu:hover { display: block }</style>
    <div id="head" style="${BOX};left:100px;top:100px" onmouseenter="log.push('enter:' + event.isTrusted)">Menu</div>
    <div id="menu" style="${BOX};left:100px;top:140px">Entry</div>
    <button id="off" disabled style="${BOX};left:300px;top:100px">Off</button><svg style="position:absolute;left:400px;top:100px" width="80" height="80"><circle id="dot" cx="40" cy="40" r="20" onclick="log.push('svg')"></circle></svg>
    <ul style="position:absolute;left:500px;top:100px;line-height:30px"><li id="one">Ada <a id="x1" href="#">Delete</a></li><li id="two">Bob <a id="x2" href="#">Delete</a></li></ul>
    <p id="text" style="position:absolute;left:100px;top:300px;font:20px monospace;margin:0;white-space:nowrap">The quick brown fox jumps</p>
    <iframe id="inner" src="/inner" style="position:absolute;left:700px;top:100px;width:200px;height:200px;border:5px solid"></iframe><div style="height:3000px"></div>`,
  '/inner': `${LOGGED}<button id="deep" style="position:absolute;left:50px;top:60px;width:50px;height:30px">Deep</button>`,
  '/html5': `<div id="source" draggable="true" style="width:100px;height:50px">Card</div><div id="drop" style="margin-top:100px;width:200px;height:100px">Here</div><script>
    window.log = [];
    for (const kind of ['dragstart', 'dragend']) source.addEventListener(kind, (e) => { log.push(kind); if (kind === 'dragstart') e.dataTransfer.setData('text/plain', 'card 7'); });
    drop.addEventListener('dragenter', (e) => { log.push('dragenter'); e.preventDefault() });
    drop.addEventListener('dragover', (e) => { if (log.at(-1) !== 'dragover') log.push('dragover'); e.preventDefault() });
    drop.addEventListener('drop', (e) => { log.push('drop ' + e.dataTransfer.getData('text/plain') + (e.isTrusted ? '' : ' (made)')); e.preventDefault() });</script>`,
  '/sortable': `<style>body { margin: 0 } li { height: 23.6px }</style><ul id="list"><li>Ada</li><li>Bob</li><li>Cid</li></ul><script>
    list.onmousedown = ({ target: item, clientY: before }) => { onmousemove = ({ clientY }) => {
      const beside = clientY > before ? item.nextElementSibling : item.previousElementSibling;
      if (beside === null || clientY === before) return;
      const { top, height } = beside.getBoundingClientRect();
      if (clientY > before && clientY >= top + height / 2) beside.after(item);
      if (clientY < before && clientY < top + height / 2) beside.before(item);
      before = clientY;
    }; onmouseup = () => { onmousemove = null } }</script>`,
  '/outside': `<style>html, body { height: 40px; margin: 0 }</style><ul id="menu"><li>One</ul><script>window.log = [];
    for (const kind of ['click', 'contextmenu', 'mouseover', 'mouseup']) addEventListener(kind, ({ target }) => log.push(kind + ' ' + target.nodeName));
    addEventListener('click', () => menu.remove())</script>`,
  '/straight': `<div id="low" style="position:absolute;left:100px;top:300px;width:40px;height:40px">Low</div>
    <div id="high" style="position:absolute;left:100px;top:100px;width:40px;height:40px">High</div>
    <script>window.log = []; addEventListener('mousemove', ({ buttons, clientX, clientY }) => { if (buttons === 1) log.push([clientX, clientY]) })</script>`,
  '/slider': `<style>body { margin: 0 }</style><div id="track" style="position:relative;width:300px;height:20px;margin:50px"><div id="knob" style="position:absolute;width:20px;height:20px;background:red"></div></div>
    <input id="range" type="range" min="0" max="100" value="0" style="margin:50px;width:300px"><div style="height:1500px"></div><div id="far" style="height:50px">Far</div><script>
    window.log = []; knob.onpointerdown = (e) => { knob.setPointerCapture(e.pointerId); log.push('down'); knob.onpointermove = ({ clientX }) => { knob.style.left = clientX - 60 + 'px'; log.moves = (log.moves ?? 0) + 1 };
    knob.onpointerup = () => { knob.onpointermove = null; log.push('up') } };
    addEventListener('mouseup', ({ target }) => log.push('mouseup:' + target.id))</script>`,
};

const workOn = sessionOn(PAGES);

async function open(path: string) {
  const work = await workOn(path);
  const { tab } = work;
  const point = (input: Partial<PointInput> & Pick<PointInput, 'action' | 'at'>) =>
    actAtPoint(work, { to: null, modifiers: [], holdMs: 0, snapshot: false, ...input });
  return { tab, point, picture: () => picture(tab), ask: (expression: string) => inPage(tab, expression) };
}

async function picture(tab: OpenTab, options: Parameters<typeof takeScreenshot>[1] = {}) {
  const taken = await takeScreenshot(tab, options, patience());
  tab.picture = taken.picture;
  return taken;
}

const at = (x: number, y: number) => ({ pixel: { x, y } });
const on = (target: string) => ({ target });

describe('a pixel of the last screenshot', () => {
  it('is clicked, and the element there is named, also in frames and drawings', async () => {
    const { point, picture: take, ask } = await open('/boxes');
    await take();
    const menu = await point({ action: 'click', at: at(130, 120) });
    expect(menu.under).toBe('div#head "Menu"');
    const dot = await point({ action: 'click', at: at(440, 140) });
    expect(dot.under).toMatch(/^circle#dot/u);
    const deep = await point({ action: 'double_click', at: at(700 + 5 + 75, 100 + 5 + 75) });
    expect(deep.under).toBe('button "Deep"');
    await point({ action: 'right_click', at: at(130, 120) });
    expect(await ask('log')).toEqual(expect.arrayContaining(['click:head', 'click:dot', 'svg', 'contextmenu:head']));
    expect(await ask('inner.contentWindow.log')).toEqual(expect.arrayContaining(['click:deep', 'dblclick:deep']));
  });

  it('may be from a smaller screenshot, from one of an element, or from the visible part of a full page', async () => {
    const { tab, point, ask } = await open('/boxes');
    await picture(tab, { maxSide: 640 });
    expect((await point({ action: 'click', at: at(65, 60) })).under).toBe('div#head "Menu"');
    const whole = await picture(tab, { fullPage: true, maxSide: 1_568 });
    const factor = whole.scale;
    expect((await point({ action: 'click', at: at(130 * factor, 120 * factor) })).under).toBe('div#head "Menu"');
    expect(await failureOf(point({ action: 'click', at: at(130 * factor, 2_000 * factor) }))).toMatchObject({
      code: 'invalid_argument',
      field: 'x',
    });
    expect(await ask('scrollY')).toBe(0);
  });

  it.each([
    ['without a picture', null, 'none'],
    ['after the page scrolled', 'scrollTo(0, 50)', 'scrolled'],
    [
      'after something came between',
      'document.body.append(Object.assign(document.createElement("div"), { style: "position:fixed;inset:0" }))',
      'changed',
    ],
    ['after it moved', 'head.style.left = "110px"', 'changed'],
    ['after what covered it went', 'cover.remove()', 'changed'],
    ['after another one came to the top', 'cover.style.zIndex = -1', 'changed'],
    ['after the address led to another document', 'location.reload()', 'document'],
  ] as const)('is refused %s', async (_, script, reason) => {
    const { tab, point, picture: take, ask } = await open('/boxes');
    await ask(
      `document.body.append(Object.assign(document.createElement('div'), { id: 'cover', textContent: '', style: 'position:absolute;left:500px;top:90px;width:300px;height:100px;' }))`,
    );
    if (script !== null) {
      await take();
      const { loaderId } = tab.main();
      await ask(`${script}; 1`);
      if (reason === 'document') {
        await vi.waitUntil(() => tab.main().loaderId !== loaderId, 60_000);
        // The document is there before its scripts have run.
        await vi.waitUntil(() => ask(`document.readyState === 'complete'`), 60_000);
      }
    }
    const where = script?.startsWith('cover') === true ? at(560, 130) : at(130, 120);
    expect(await failureOf(point({ action: 'click', at: where }))).toMatchObject({ code: 'stale_picture', reason });
    expect(tab.isOpen).toBe(true);
    expect(await ask('log')).toEqual([]);
  });

  it('reaches content that overflows its element, unless the content has moved', async () => {
    const { point, picture: take, ask } = await open('/boxes');
    await ask(
      `document.body.append(Object.assign(document.createElement('div'), { id: 'over', textContent: 'Words over the edge', style: 'position:absolute;left:100px;top:500px;width:20px;height:20px;font:20px monospace;white-space:nowrap', onclick: () => log.push('over') })); 1`,
    );
    await take();
    await point({ action: 'click', at: at(250, 512) });
    expect(await ask('log')).toContain('over');
    await take();
    await ask(`over.style.left = '90px'; 1`);
    const action = point({ action: 'click', at: at(250, 512) });
    expect(await failureOf(action)).toMatchObject({ code: 'stale_picture', reason: 'changed' });
  });

  it('is refused if the text of its row has changed, although the button is the same', async () => {
    const { point, picture: take, ask } = await open('/boxes');
    await take();
    const [x, y] = [await ask('x1.getBoundingClientRect().x + 5'), await ask('x1.getBoundingClientRect().y + 5')];
    await ask('one.firstChild.nodeValue = "Eve "');
    const action = point({ action: 'click', at: at(Number(x), Number(y)) });
    expect(await failureOf(action)).toMatchObject({ code: 'stale_picture', reason: 'changed' });
    await ask('one.firstChild.nodeValue = "Ada "');
    expect((await point({ action: 'click', at: at(Number(x), Number(y)) })).under).toBe('link "Delete"');
  });

  it('is refused on a disabled element like a click, and outside the screenshot with its size', async () => {
    const { point, picture: take } = await open('/boxes');
    await take();
    expect(await failureOf(point({ action: 'click', at: at(330, 120) }))).toMatchObject({ reason: 'disabled' });
    expect((await point({ action: 'hover', at: at(330, 120) })).under).toBe('button "Off"');
    expect(await failureOf(point({ action: 'click', at: at(5_000, 10) }))).toMatchObject({
      problem: expect.stringContaining('1280 × 800'),
    });
  });
});

describe('hovering', () => {
  it('opens elements that open under the pointer, with real events', async () => {
    const { point, ask } = await open('/boxes');
    expect((await point({ action: 'hover', at: on('#head') })).under).toBe('div#head "Menu"');
    expect(await ask('getComputedStyle(menu).display')).toBe('block');
    expect(await ask('log')).toEqual(['enter:true']);
  });
});

describe('dragging', () => {
  it.each([
    ['down', 'li:nth-child(1)', 'li:nth-child(2)', 'Bob Ada Cid'],
    ['up', 'li:nth-child(3)', 'li:nth-child(2)', 'Ada Cid Bob'],
  ])(
    'an item %s onto another swaps them when its middle passes the middle of the other',
    async (_, from, to, order) => {
      const { point, ask } = await open('/sortable');
      await point({ action: 'drag', at: on(from), to: on(to) });
      expect(await ask('list.innerText.trim().split(/\\s+/).join(" ")')).toBe(order);
    },
  );

  it('uses the drag and drop of the browser if the page starts one', async () => {
    const { point, ask } = await open('/html5');
    const { under, toUnder } = await point({ action: 'drag', at: on('#source'), to: on('#drop') });
    expect([under, toUnder]).toEqual(['div#source "Card"', 'div#drop "Here"']);
    const log = await ask('log');
    expect(log).toEqual(['dragstart', 'dragenter', 'dragover', 'drop card 7', 'dragend']);
  });

  it('moves an element that follows the pointer, by pixels, and releases the button', async () => {
    const { point, picture: take, ask } = await open('/slider');
    await take();
    await point({ action: 'drag', at: on('#knob'), to: at(210, 60) });
    expect(await ask('knob.style.left')).toBe('150px');
    expect(await ask('log.moves > 5')).toBe(true);
    await take();
    const y = Number(await ask('range.getBoundingClientRect().y + 8'));
    await point({ action: 'drag', at: at(58, y), to: at(200, y) });
    expect(Number(await ask('range.value'))).toBeGreaterThan(40);
  });

  it('moves straight up without a sideways drift', async () => {
    const { point, ask } = await open('/straight');
    await point({ action: 'drag', at: on('#low'), to: on('#high') });
    const moves = z.array(z.tuple([z.number(), z.number()])).parse(await ask('log'));
    const way = moves.slice(2);
    expect(new Set(way.slice(0, -2).map(([x]) => x))).toEqual(new Set([120]));
    expect(way.at(-1)).toEqual([120, 118]);
  });

  it('reaches a target that has to be scrolled to', async () => {
    const { point, ask } = await open('/slider');
    await point({ action: 'drag', at: on('#track'), to: on('#far') });
    expect(await ask('log.at(-1)')).toBe('mouseup:far');
  });

  it('selects text, and reports which', async () => {
    const { point, picture: take } = await open('/boxes');
    await take();
    const { selected } = await point({ action: 'drag', at: at(101, 312), to: at(100 + 12 * 9 - 1, 312) });
    expect(selected).toBe('The quick');
    expect((await point({ action: 'double_click', at: at(240, 312) })).selected).toBe('brown');
  });

  it('presses nothing if the target does not exist', async () => {
    const { point, ask } = await open('/slider');
    expect(await failureOf(point({ action: 'drag', at: on('#knob'), to: on('#nowhere') }))).toMatchObject({
      code: 'element_not_found',
    });
    expect(await ask('log')).toEqual([]);
  });
});

describe('a point outside all elements of a page', () => {
  it.each([
    ['click', 'click HTML', true],
    ['double_click', 'click HTML', true],
    ['right_click', 'contextmenu HTML', false],
    ['hover', 'mouseover HTML', false],
    ['drag', 'mouseup HTML', true],
  ] as const)('can be acted on like any other: %s', async (action, felt, closes) => {
    const { point, picture: take, ask } = await open('/outside');
    await take();
    const to = action === 'drag' ? at(700, 600) : null;
    const { under } = await point({ action, at: at(600, 500), to });
    expect(under).not.toBe('');
    expect(await ask('log')).toContain(felt);
    expect(await ask('document.querySelector("#menu") === null')).toBe(closes);
  });
});
