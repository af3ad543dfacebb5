import { describe, expect, it } from 'vitest';
import { actAtPoint } from '#browsing/session/operations/point.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';

const BOXES = `<style>#card, #place { width: 120px; height: 60px; margin: 20px; border: 1px solid } #card:hover { scale: 1.1 }</style>
  <div id="card">Card</div><div id="place">Place</div><button onclick="window.clicked = true">Next</button>`;
/** Takes the card after the button was held, as lists for fingers do. */
const HELD = `${BOXES}<div aria-live="polite" id="said" style="position:fixed;width:1px;height:1px;overflow:hidden"></div><script>
  card.onmousedown = () => { const begun = performance.now(); card.classList.add('dragging');
    onmouseup = ({ target }) => { card.classList.remove('dragging'); said.textContent = 'Card was dropped';
      if (performance.now() - begun > 2000 && target === place) place.append(card) } }</script>`;
const moves = (code: string) => `${BOXES}<script>card.onmousedown = () => { onmouseup = () => { ${code} } }</script>`;

/** A card outside a row of two boxes. */
const TWO = `<style>#card, #place, #trash { width: 120px; height: 60px }</style><div id="card">Card</div>
  <div style="display: flex; margin-top: 80px"><div id="place">Place</div><div id="trash">Trash</div></div>`;

const PAGES: Record<string, string> = {
  '/still': BOXES,
  '/held': HELD,
  '/refused': `${BOXES}<script>card.draggable = true; card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'x')</script>`,
  '/dom': moves('place.append(card)'),
  '/style': moves(`card.style.left = '40px'; card.style.position = 'relative'`),
  '/class': moves(`card.classList.add('done')`),
  '/scroll': `${moves('pane.scrollTop = 50')}<div id="pane" style="height:50px;overflow:auto"><div style="height:500px"></div></div>`,
  '/value': `${moves(`amount.value = '7'`)}<input id="amount" aria-label="Amount" value="3">`,
  '/asks': moves(`confirm('Move it?')`),
  '/alike': `<style>div { width: 120px; height: 60px; margin: 20px; border: 1px solid }</style><div id="place"></div><div id="card"></div><script>
    card.onmousedown = () => { onmouseup = () => { place.append(card) } }</script>`,
  '/later': moves(`setTimeout(() => place.append(card), 200)`),
  '/shadow': `<x-board id="board" style="display:block"></x-board><div id="card">Card</div><div id="place">Place</div><script>
    const root = board.attachShadow({ mode: 'open' }); root.innerHTML = '<p>Old</p>';
    card.onmousedown = () => { onmouseup = () => { root.innerHTML = '<p>New</p>' } }</script>`,
  '/canvas': `<canvas id="card" width="120" height="60"></canvas><div id="place">Place</div>`,
  '/swaps-html': `${TWO}<script>card.draggable = true; card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'x');
    let swaps = 0; place.ondragenter = () => { if (swaps++ === 0) place.style.order = 2 };
    for (const box of [place, trash]) { box.ondragover = (event) => event.preventDefault(); box.ondrop = () => box.append(card) }</script>`,
  '/swaps-mouse': `${TWO}<script>let isHeld = false; card.onmousedown = (event) => { isHeld = true; event.preventDefault() };
    place.onmousemove = () => { if (isHeld) place.style.order = 2 }; onmouseup = ({ target }) => target.append(card)</script>`,
  '/covered': `${TWO}<iframe id="late" src="http://other.example/still" style="position:absolute;left:2000px;top:0;width:800px;height:600px"></iframe><script>
    card.onmousedown = (event) => event.preventDefault(); place.onmousemove = () => { late.style.left = 0; card.append('!') }</script>`,
  '/sorts': `<style>#list { display: grid; width: 120px } #list > * { height: 40px } #place { height: 70px }</style>
    <div id="list"><div id="card">Card</div><div>Two</div><div id="place">Place</div><div>Four</div></div><script>let isHeld = false;
    card.onmousedown = (event) => { isHeld = true; event.preventDefault() }; onmouseup = () => { isHeld = false };
    onmousemove = ({ target }) => { if (isHeld && target.parentNode === list && target !== card) target.after(card) }</script>`,
  '/inner': moves('place.append(card)'),
  '/inner-still': BOXES,
  '/frame': `<iframe src="/inner" width="400" height="300"></iframe>`,
  '/frame-still': `<iframe src="http://other.example/inner-still" width="400" height="300"></iframe>`,
};
const workOn = sessionOn(PAGES);

const drag = (work: OperationWork, holdMs = 0) =>
  actAtPoint(work, {
    action: 'drag',
    at: { target: '#card' },
    to: { target: '#place' },
    modifiers: [],
    holdMs,
    snapshot: false,
  });

async function take(work: OperationWork, lines: readonly string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  return runSteps(work, input, createStepListProgress(input), () => false);
}

describe('a drag', () => {
  it.each(['/still', '/held', '/refused', '/frame-still'])('reports that nothing moved: %s', async (path) => {
    expect((await drag(await workOn(path))).effect).toBe('none');
  });

  it.each(['/dom', '/style', '/class', '/scroll', '/value', '/asks', '/alike', '/later', '/shadow', '/frame'])(
    'reports no failure if something moved: %s',
    async (path) => {
      expect((await drag(await workOn(path))).effect).toBeUndefined();
    },
  );

  it.each(['/swaps-html', '/swaps-mouse', '/covered'])('names no destination that it has missed: %s', async (path) => {
    expect(await drag(await workOn(path))).toMatchObject({ isElsewhere: true, toUnder: null });
    const ended = await take(await workOn(path), ['drag #card to #place']);
    expect(ended).toMatchObject({ done: 0, stopped: { why: 'unmet', problem: expect.stringContaining('elsewhere') } });
  });

  it.each(['/dom', '/sorts'])('names its destination, also in a list that makes room: %s', async (path) => {
    const result = await drag(await workOn(path));
    expect(result.isElsewhere).toBeUndefined();
    expect(result.toUnder).toContain('Place');
  });

  it('presses long before it moves an element that requires this', async () => {
    const work = await workOn('/held');
    expect((await drag(work, 2_500)).effect).toBeUndefined();
    expect(await inPage(work.tab, 'card.parentNode === place')).toBe(true);
  });

  it('on a canvas reports that no view can show its effect', async () => {
    expect((await drag(await workOn('/canvas'))).effect).toBe('unseen');
  });

  it('ends a list of steps if it moved nothing, also as the last one', async () => {
    const work = await workOn('/still');
    const ended = await take(work, ['drag #card to #place', 'click "Next"']);
    expect(ended).toMatchObject({
      done: 0,
      stopped: { why: 'unmet', problem: expect.stringContaining('moved nothing') },
    });
    expect(await inPage(work.tab, 'window.clicked')).toBeUndefined();
    expect(await take(work, ['drag #card to #place'])).toMatchObject({ done: 0, stopped: { why: 'unmet' } });
    const moved = await workOn('/dom');
    expect(await take(moved, ['drag #card to #place', 'click "Next"'])).toMatchObject({ done: 2, stopped: null });
  });
});
