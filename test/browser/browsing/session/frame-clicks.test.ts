import { describe, expect, it } from 'vitest';
import { clickElement, scrollPage } from '#browsing/session/operations/act-operations.ts';
import { takePageView } from '#browsing/session/operations/look-operations.ts';
import { createResolveContext } from '#browsing/session/operations/acting.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { actAtPoint } from '#browsing/session/operations/point.ts';
import type { PointAction } from '#browsing/session/operations/point.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

/** Reports every press and click in a frame to the tab's own document, at any depth. */
const TELLS = `<script>for (const kind of ['pointerdown', 'click', 'dblclick', 'contextmenu', 'mousemove'])
  addEventListener(kind, (event) => { top.postMessage(kind + ':' + (event.target.id || event.target.localName) + (event.isTrusted ? '' : ' (made)'), '*') }, true);</script>`;
const HEARS = `<script>window.log = []; onmessage = ({ data }) => log.push(data);
  for (const kind of ['pointerdown', 'click', 'contextmenu']) addEventListener(kind, (event) => log.push('outer ' + kind))</script>`;
const PLAYER = `<body style="margin:0;height:200px">${TELLS}<canvas id="player" width="300" height="200"></canvas>`;
const quoted = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const frame = (attributes: string) =>
  `${HEARS}<iframe id="frame" title="Lesson" width="300" height="200" ${attributes}></iframe>`;
const written = (code: string) => `${frame('')}<script>const inner = frame.contentDocument; ${code}</script>`;

const PAGES: Record<string, string> = {
  '/player': PLAYER,
  '/same': frame('src="/player"'),
  '/cross': frame('src="http://other.example/player"'),
  '/srcdoc': frame(`srcdoc="${quoted(PLAYER)}"`),
  '/blank': written(
    `inner.addEventListener('click', (event) => log.push('click:' + event.target.localName)); inner.addEventListener('pointerdown', (event) => log.push('pointerdown:' + event.target.localName))`,
  ),
  '/sandbox': frame(`sandbox="allow-scripts" srcdoc="${quoted(PLAYER)}"`),
  '/data': frame(`src="data:text/html,${encodeURIComponent(PLAYER)}"`),
  '/editable': frame(`srcdoc="${quoted(`<body contenteditable>${TELLS}<p>Words</p>`)}"`),
  '/design': frame(`srcdoc="${quoted(`${TELLS}<p>Words</p>`)}" onload="this.contentDocument.designMode = 'on'"`),
  '/nest': `<body style="margin:0">${TELLS}<iframe src="http://other.example/player" width="300" height="200" style="border:0"></iframe>`,
  '/nested': frame('src="/nest"'),
  '/nested-cross': frame('src="http://third.example/nest"'),
  '/turned': `<div style="transform: rotate(180deg) scale(.8)">${frame('src="http://third.example/nest" style="border: 9px solid; padding: 11px"')}</div>`,
  '/low': `<div style="height: 3000px"></div>${frame('src="http://other.example/player"')}`,
  '/form': `${TELLS}<body style="margin:0"><button id="buy" style="width:300px;height:200px" onclick="this.textContent = 'Bought'">Buy</button>`,
  '/button': frame('src="/form"'),
  '/swaps': `<body style="margin:0">${TELLS}<div id="poster" style="height:200px" onpointerdown="this.outerHTML = '<video id=film style=height:200px;width:300px></video>'"></div>`,
  '/swapping': frame('src="/swaps"'),
  '/picker': `<body style="margin:0">${TELLS}<select id="pick" style="width:300px;height:200px"><option>One<option>Two</select>`,
  '/pickers': frame('src="/picker"'),
  '/card': `${HEARS}<div id="card" onclick="log.push('card')" style="width:320px;height:260px;padding:10px;cursor:pointer">Watch<br><iframe src="/player" width="300" height="200"></iframe></div>`,
  '/filled': `${HEARS}<div id="card" onclick="log.push('card')" style="width:300px;height:200px"><iframe src="/player" width="300" height="200" style="border:0;display:block"></iframe></div>`,
  '/component': `${HEARS}<x-player id="card" style="display:block;width:300px;height:200px"></x-player><script>
    customElements.define('x-player', class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: 'closed' }).innerHTML = '<iframe src="/player" width="300" height="200" style="border:0;display:block"></iframe>' } })</script>`,
  '/covered': `${frame('src="/player"')}<div style="position:fixed;inset:0">Cookies?</div>`,
  '/slides': `${frame('src="/player"')}<script>frame.onmouseenter = () => { if (window.isArmed && !window.ad) {
      window.ad = document.createElement('iframe'); ad.style = 'position:absolute;left:0;top:0;width:400px;height:400px;border:0';
      ad.src = '/form'; document.body.append(ad); } }</script>`,
  '/outer-slides': `${frame('src="/player"')}<button id="pay" hidden style="position:absolute;left:0;top:0;width:400px;height:400px" onclick="window.paid = true">Pay</button>
    <script>frame.onmouseenter = () => { if (window.isArmed) pay.hidden = false }</script>`,
  '/draws': `<body style="margin:0;height:200px"><p id="out">Paused</p><script>let n = 0;
    onclick = () => setInterval(() => { out.textContent = n++ }, 10)</script>`,
  '/drawing': frame('src="/draws"'),
  '/empty': `${frame('src="/player"')}<iframe width="1" height="1" srcdoc=""></iframe>`,
  '/station': `<label>Station <input></label>`,
  '/stations': `<label>Station <input></label><iframe src="/station"></iframe><iframe src="http://other.example/station"></iframe>`,
  '/long': '<div style="height: 2000px">Long</div>',
  '/tall': `${frame('src="/long"')}<div style="height: 3000px"></div>`,
  '/tall-cross': `${frame('src="http://other.example/long"')}<div style="height: 3000px"></div>`,
  '/drag-in': `<body style="margin:0">${TELLS}<div id="pad" style="height:200px" onpointerup="top.postMessage('up', '*')"></div>`,
  '/drags': frame('src="/drag-in"'),
};
const workOn = sessionOn(PAGES);

async function click(work: OperationWork, selector = '#frame', options: { button?: 'right'; clickCount?: 2 } = {}) {
  const input = {
    target: selector,
    button: 'left',
    clickCount: 1,
    modifiers: [],
    snapshot: false,
    ...options,
  } as const;
  return clickElement(work, input);
}

const point = (work: OperationWork, action: PointAction, selector = '#frame') =>
  actAtPoint(work, { action, at: { target: selector }, to: null, modifiers: [], holdMs: 0, snapshot: false });

async function logOf(work: OperationWork, wanted: RegExp): Promise<string[]> {
  // Messages of frames come in tasks of their own.
  const log = await inPage(work.tab, `new Promise((resolve) => setTimeout(() => resolve(JSON.stringify(log)), 50))`);
  const all: string[] = JSON.parse(String(log));
  return all.filter((entry) => wanted.test(entry));
}

const pressesIn = (work: OperationWork) => logOf(work, /pointerdown|click/u);

it('a name that several frames have is refused with the elements of all of them', async () => {
  const failure = await failureOf(click(await workOn('/stations'), 'textbox "Station"'));
  expect(failure).toMatchObject({ code: 'invalid_argument', problem: expect.stringContaining('matches 3 elements') });
  expect(failure).toHaveProperty('quoted', expect.stringMatching(/^(?:[^@]*@e\d+ textbox "Station"){3}[^@]*$/u));
  expect(failure).toHaveProperty('hint', expect.not.stringContaining('are shown'));
});

describe('a click on a frame', () => {
  it.each([
    ['/same', 'player'],
    ['/cross', 'player'],
    ['/srcdoc', 'player'],
    ['/sandbox', 'player'],
    ['/data', 'player'],
    ['/blank', 'body'],
    ['/editable', 'html'],
    ['/design', 'html'],
    ['/nested', 'player'],
    ['/nested-cross', 'player'],
    ['/turned', 'player'],
    ['/low', 'player'],
    ['/button', 'buy'],
  ])('is one click in its document, and one report: %s', async (path, id) => {
    const work = await workOn(path);
    expect(await click(work)).toMatchObject({ landed: 'click' });
    expect(await pressesIn(work)).toEqual([`pointerdown:${id}`, `click:${id}`]);
  });

  it('uses a ref from the view, even if the document of the frame shows nothing', async () => {
    const work = await workOn('/empty');
    const { view } = await takePageView(createResolveContext(work), work.active.refs, {}, work.signal);
    const [, ref = ''] = /(@e\d+) iframe "Lesson"/u.exec(view.text) ?? [];
    expect(view.text.match(/iframe/gu)).toHaveLength(1);
    expect(await click(work, ref)).toMatchObject({ landed: 'click' });
    expect(await pressesIn(work)).toEqual(['pointerdown:player', 'click:player']);
  });

  it('may be a double click, a right click, or a hover', async () => {
    const work = await workOn('/nested-cross');
    await click(work, '#frame', { clickCount: 2 });
    expect(await logOf(work, /^dblclick/u)).toEqual(['dblclick:player']);
    await click(work, '#frame', { button: 'right' });
    expect(await logOf(work, /^contextmenu/u)).toEqual(['contextmenu:player']);
    for (const action of ['click', 'double_click', 'right_click'] as const) {
      await inPage(work.tab, 'log.length = 0');
      expect((await point(work, action)).landed).toBe('click');
      const kind = { click: 'click', double_click: 'dblclick', right_click: 'contextmenu' }[action];
      expect(await logOf(work, new RegExp(`^${kind}`, 'u'))).toEqual([`${kind}:player`]);
    }
    await inPage(work.tab, 'log.length = 0');
    await point(work, 'hover');
    expect(await pressesIn(work)).toEqual([]);
    expect(await logOf(work, /^mousemove/u)).not.toEqual([]);
  });

  it('is only a press if its document draws another element under the button', async () => {
    const work = await workOn('/swapping');
    expect((await click(work)).landed).toBe('press');
    expect(await logOf(work, /^pointerdown/u)).toEqual(['pointerdown:poster']);
  });

  it('is refused if it would only open a list outside the page', async () => {
    const work = await workOn('/pickers');
    expect(await failureOf(click(work))).toMatchObject({ problem: expect.stringContaining('only open the list') });
    expect(await pressesIn(work)).toEqual([]);
  });

  it('waits for its document to settle', async () => {
    const work = await workOn('/drawing');
    expect(await click(work)).toMatchObject({ isQuiet: false });
  });
});

describe('a click on an element around a frame', () => {
  it('lands next to the frame if there is room, and inside it if there is none', async () => {
    const beside = await workOn('/card');
    await click(beside, '#card');
    expect(await logOf(beside, /card|:player/u)).toEqual(['card']);
    for (const path of ['/filled', '/component']) {
      const within = await workOn(path);
      expect(await click(within, '#card')).toMatchObject({ landed: 'click' });
      expect(await pressesIn(within)).toEqual(['pointerdown:player', 'click:player']);
    }
  });
});

describe('a click on a covered frame', () => {
  it('is refused, and reaches nothing', async () => {
    const work = await workOn('/covered');
    expect(await failureOf(click(work))).toMatchObject({ code: 'element_not_found', reason: 'covered' });
    expect(await pressesIn(work)).toEqual([]);
  });

  it.each(['/slides', '/outer-slides'])('is refused at the last moment, and clicks nothing: %s', async (path) => {
    const work = await workOn(path);
    await inPage(work.tab, 'window.isArmed = true');
    expect(await failureOf(click(work))).toMatchObject({ code: 'element_not_found' });
    expect(await logOf(work, /click:/u)).toEqual([]);
    expect(await inPage(work.tab, 'window.paid')).toBeUndefined();
  });
});

describe('a drag that begins on a frame', () => {
  it('presses in its document, and releases the button', async () => {
    const work = await workOn('/drags');
    await actAtPoint(work, {
      action: 'drag',
      at: { target: '#frame' },
      to: { target: '#frame' },
      modifiers: [],
      holdMs: 0,
      snapshot: false,
    });
    expect(await logOf(work, /^pointerdown|^up/u)).toEqual(['pointerdown:pad', 'up']);
  });
});

describe('scrolling a frame', () => {
  it.each(['/tall', '/tall-cross'])('scrolls its document, not the page around it: %s', async (path) => {
    const work = await workOn(path);
    const by = { intoView: false, direction: 'down', amount: 100, unit: 'px', snapshot: false } as const;
    const { place } = await scrollPage(work, { target: '#frame', ...by });
    expect(place.y).toBe(100);
    expect(await inPage(work.tab, 'scrollY')).toBe(0);
  });
});
