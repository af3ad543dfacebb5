import { describe, expect, it } from 'vitest';
import { scanTab } from '#browsing/session/operations/acting.ts';
import { screenshot } from '#browsing/session/operations/look-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const row = (
  name: string,
  also = '',
) => `<tr><td>${name}</td><td class="n">10</td><td><input aria-label="Amount" oninput="const n = this.closest('tr').querySelector('.n'); n.textContent = this.value; ${also}"></td>
  <td><button onclick="said.textContent = '${name} saved'">Save</button></td></tr>`;
const table = (also = '') => `<table>${row('Ann', also)}${row('Bob', also)}</table><p id="said"></p>`;
const PAGES: Record<string, string> = {
  '/rows': table(),
  '/reused': table(`this.closest('tr').firstChild.textContent = 'Cleo'`),
  '/canvas': `<canvas id="map" width="400" height="300" style="display: block"></canvas><p id="said"></p><script>
    for (const kind of ['click', 'dblclick', 'contextmenu']) map.addEventListener(kind, (event) => { said.textContent += kind + ' ' + event.offsetX + ',' + event.offsetY + ' ' })</script>`,
};
const workOn = sessionOn(PAGES);

async function take(work: OperationWork, ...lines: string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  const progress = createStepListProgress(input);
  return { ...(await runSteps(work, input, progress, () => false)), failure: progress.failure };
}

const said = (work: OperationWork) => inPage(work.tab, 'said.textContent');

async function refsIn(work: OperationWork) {
  await scanTab(work);
  const targets = work.active.refs.ofTab(work.tab.id);
  const refOf = (role: string) => targets.find(({ target }) => target.role === role)?.ref ?? '';
  return { amount: refOf('textbox'), save: refOf('button') };
}

describe('a ref in a row that the same list of steps has changed', () => {
  it('resolves to its element if the row differs only in the changes of the list', async () => {
    const work = await workOn('/rows');
    const { amount, save } = await refsIn(work);
    expect(await take(work, `fill ${amount} = 25`, `click ${save}`)).toMatchObject({ done: 2, stopped: null });
    expect(await said(work)).toBe('Ann saved');
  });

  it('is refused if other parts have changed, and in later lists', async () => {
    const reused = await workOn('/reused');
    const there = await refsIn(reused);
    const taken = await take(reused, `fill ${there.amount} = 25`, `click ${there.save}`);
    expect(taken).toMatchObject({ done: 1, failure: { code: 'stale_ref', reason: 'surroundings' } });
    expect(await said(reused)).toBe('');
    const work = await workOn('/rows');
    const { save } = await refsIn(work);
    await inPage(work.tab, `document.querySelector('.n').textContent = '25'`);
    expect(await take(work, `click ${save}`)).toMatchObject({ done: 0, failure: { code: 'stale_ref' } });
  });
});

describe('pixels of the last screenshot', () => {
  it('can be clicked by steps', async () => {
    const work = await workOn('/canvas');
    await screenshot(work, {
      target: undefined,
      fullPage: false,
      maxSide: undefined,
      quality: undefined,
      overlay: false,
      text: false,
    });
    const at = await inPage(work.tab, 'JSON.stringify(map.getBoundingClientRect())');
    const { left, top }: { left: number; top: number } = JSON.parse(String(at));
    const pixel = (x: number, y: number) => `${left + x},${top + y}`;
    const steps = [`click ${pixel(100, 50)}`, `right-click ${pixel(30, 40)}`];
    expect(await take(work, ...steps)).toMatchObject({ done: 2, stopped: null });
    expect(await said(work)).toBe('click 100,50 contextmenu 30,40 ');
  });

  it('are refused without a screenshot', async () => {
    const taken = await take(await workOn('/canvas'), 'click 100,50');
    expect(taken).toMatchObject({ done: 0, failure: { code: 'stale_picture', reason: 'none' } });
  });
});
