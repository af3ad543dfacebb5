import { describe, expect, it, vi } from 'vitest';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import { actAtPoint } from '#browsing/session/operations/point.ts';
import type { PointAction, PointTarget } from '#browsing/session/operations/point.ts';
import { LOGGED } from '#support/logged.ts';
import { failureOf, inPage, patience } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const PLACED = 'position:absolute;left:100px;width:160px;height:60px';
const image = (words: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="160" height="60"><rect width="160" height="60" fill="#dde"/><text x="10" y="40" font-size="28">${words}</text></svg>`)}`;
const PAGES: Record<string, string> = {
  '/looks': `${LOGGED}<style>body { margin: 0; height: 3000px; font: 16px sans-serif }
    #before::before { content: url("${image('Keep A')}") } #before.b::before { content: url("${image('Drop B')}") }
    #after::after { content: 'Keep A'; font-size: 28px } #after.b::after { content: 'Drop B' }
    #back { background: url("${image('Keep A')}") } #back.b { background-image: url("${image('Drop B')}") }
    #hot:hover, #hot:focus { background: #c00; color: #fff } @keyframes pulse { to { background: #0a0 } }
    #busy { animation: pulse 4s linear infinite alternate }</style>
    <img id="img" src="${image('Keep A')}" style="${PLACED};top:20px"><div id="before" style="${PLACED};top:100px"></div>
    <div id="after" style="${PLACED};top:180px"></div><div id="back" style="${PLACED};top:260px"></div>
    <canvas id="canvas" width="160" height="60" style="${PLACED};top:340px"></canvas>
    <button id="hot" style="${PLACED};top:420px">Add one</button><input id="field" value="Ada" style="${PLACED};top:500px">
    <button id="busy" style="${PLACED};top:580px">Work</button>
    <label style="${PLACED};top:660px"><input id="tick" type="checkbox"> Tick</label><iframe src="/inner" style="position:absolute;left:400px;top:20px;width:300px;height:200px"></iframe>
    <div style="position:absolute;left:400px;top:300px;width:300px;height:200px;background:linear-gradient(#f00,#00f);opacity:.9">Words over a gradient</div>
    <script>window.draw = (words, left = 10) => { const pen = canvas.getContext('2d'); pen.clearRect(0, 0, 160, 60); pen.font = '28px sans-serif'; pen.fillText(words, left, 40) }; draw('Keep A')</script>`,
  '/inner': `${LOGGED}<style>body { margin: 0 }</style><canvas id="deep" width="160" height="60" style="${PLACED};top:50px"></canvas>
    <script>window.draw = (words) => { const pen = deep.getContext('2d'); pen.clearRect(0, 0, 160, 60); pen.font = '28px sans-serif'; pen.fillText(words, 10, 40) }; draw('Keep A')</script>`,
};

const workOn = sessionOn(PAGES);

async function open() {
  const work = await workOn('/looks');
  const { tab } = work;
  await vi.waitUntil(() => inPage(tab, `document.readyState === 'complete'`), 60_000);
  const click = (x: number, y: number, action: PointAction = 'click', to: PointTarget | null = null) =>
    actAtPoint(work, { action, at: { pixel: { x, y } }, to, modifiers: [], holdMs: 0, snapshot: false });
  const take = async (options: Parameters<typeof takeScreenshot>[1] = {}) => {
    const taken = await takeScreenshot(tab, options, patience());
    tab.picture = taken.picture;
    return taken;
  };
  return { click, take, ask: (expression: string) => inPage(tab, expression) };
}

const CHANGES = [
  ['an image has another source', `img.src = ${JSON.stringify(image('Drop B'))}; img.decode().then(() => 1)`, 50],
  ['a picture before an element is another', `before.className = 'b'; 1`, 130],
  ['text after an element is another', `after.className = 'b'; 1`, 205],
  ['a background is another', `back.className = 'b'; 1`, 290],
  ['a canvas is drawn again', `draw('Drop B'); 1`, 370],
] as const;

describe('a pixel where the picture has changed since the screenshot', () => {
  it.each(CHANGES)('is not clicked if %s', async (_, change, y) => {
    const { click, take, ask } = await open();
    await take();
    await ask(change);
    expect(await failureOf(click(150, y))).toMatchObject({ code: 'stale_picture' });
    expect(await ask('log')).toEqual([]);
    await take();
    await click(150, y);
    expect(await ask('log.length > 0')).toBe(true);
  });

  it.each([640, 900, 1_999])('is noticed in a picture of %d pixels', async (maxSide) => {
    const { click, take, ask } = await open();
    const { scale } = await take({ maxSide });
    await ask(`draw('Drop B'); 1`);
    const reason = 'redrawn';
    expect(await failureOf(click(150 * scale, 370 * scale))).toMatchObject({ code: 'stale_picture', reason });
    for (const [x, y] of [
      [150, 50],
      [150, 205],
      [150, 440],
      [500, 400],
      [450, 310],
    ] as const)
      await click(x * scale, y * scale);
  });

  it('is noticed in a frame, and in a picture of an element', async () => {
    const { click, take, ask } = await open();
    await take();
    await ask(`frames[0].draw('Drop B'); 1`);
    expect(await failureOf(click(550, 100))).toMatchObject({ reason: 'redrawn' });
    await take();
    await click(550, 100);
  });
});

const PEN = `const pen = canvas.getContext('2d'); let last = null; window.own = 0;
  canvas.onclick = ({ offsetX: x, offsetY: y }) => { own += 1; pen.beginPath();
    if (last !== null) { pen.moveTo(...last); pen.lineTo(x, y); pen.stroke() } last = [x, y]; pen.arc(x, y, 6, 0, 7); pen.fill() };
  pen.clearRect(0, 0, 160, 60); `;

describe('a pixel of a canvas on which the last actions have drawn', () => {
  it.each([640, 1_999])('is clicked: a polygon in a picture of %d pixels', async (maxSide) => {
    const { click, take, ask } = await open();
    await ask(`${PEN}1`);
    const { scale } = await take({ maxSide });
    const corners = [
      [105, 350],
      [120, 355],
      [250, 350],
      [250, 385],
      [110, 385],
      [108, 352],
    ] as const;
    for (const [x, y] of corners) await click(x * scale, y * scale);
    expect(await ask('own')).toBe(corners.length);
  });

  it('is clicked after a hover drew there, and after a drag drew a line through the place', async () => {
    const { click, take, ask } = await open();
    await ask(`${PEN} canvas.onmousemove = ({ offsetX: x, offsetY: y, buttons }) => {
      if (buttons === 0) { pen.clearRect(0, 0, 160, 60); pen.fillText('Value', x, y) } else pen.fillRect(0, y, 160, 5) }; 1`);
    await take();
    await click(150, 370, 'hover');
    await click(155, 372);
    await take();
    await click(105, 370, 'drag', { pixel: { x: 255, y: 375 } });
    await click(180, 371);
    // The browser adds a click to the drag, which begins and ends on the canvas.
    expect(await ask('own')).toBe(3);
  });

  it('is not clicked if the page has then drawn there', async () => {
    const { click, take, ask } = await open();
    await ask(`${PEN}1`);
    await take();
    await click(130, 370);
    await ask(`draw('Drop B'); 1`);
    expect(await failureOf(click(150, 370))).toMatchObject({ code: 'stale_picture', reason: 'redrawn' });
    expect(await ask('own')).toBe(1);
  });

  it('is not clicked far from the action, if the page drew there in answer to it', async () => {
    const { click, take, ask } = await open();
    await ask(`canvas.width = 900; canvas.style.width = '900px'; canvas.onclick = () => pen.fillText('Drop B', 700, 40);
      const pen = canvas.getContext('2d'); pen.font = '28px sans-serif'; 1`);
    await take();
    await click(150, 370);
    expect(await failureOf(click(830, 370))).toMatchObject({ code: 'stale_picture', reason: 'redrawn' });
  });
});

describe('a pixel whose look has changed for a reason of its own', () => {
  it('is clicked: pointer, focus, typed text, a tick, and a hover effect', async () => {
    const { click, take, ask } = await open();
    await take();
    await click(180, 450, 'hover');
    await click(180, 450);
    await click(180, 450);
    await click(150, 530);
    await ask(`field.value = 'Another text'; field.focus(); 1`);
    await click(150, 530);
    const { x, y } = JSON.parse(String(await ask('JSON.stringify(tick.getBoundingClientRect())')));
    await click(x + 6, y + 6);
    await click(x + 6, y + 6);
    expect(await ask(`log.filter((one) => one === 'click:hot').length`)).toBe(2);
  });

  it('is clicked, and reported as moving, if it is animated by CSS or by a script', async () => {
    const { click, take, ask } = await open();
    await take();
    expect(await click(150, 610)).toMatchObject({ isMoving: true });
    await ask(`let left = 0; setInterval(() => draw('Keep A', (left += 7) % 60), 80); 1`);
    await vi.waitUntil(async () => (await ask('true')) === true);
    await take();
    expect(await click(150, 370)).toMatchObject({ isMoving: true });
  });
});
