import { describe, expect, it } from 'vitest';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { actAtPoint } from '#browsing/session/operations/point.ts';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import { scanTab } from '#browsing/session/operations/acting.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { DEVICE_SCREENS, DEFAULT_TAB_SETTINGS } from '#browsing/tabs/settings.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

/** A list that reuses its elements for other names when `swap` is called. */
const REUSE = `<script>function swap() { names.reverse(); draw() }</script>`;
const names = (draw: string) => `<p id="said"></p><script>const names = ['Ann', 'Bob', 'Cid'];
  const say = (word) => { said.textContent += word + ' ' };
  const all = [...document.querySelectorAll('.one')]; function draw() { all.forEach((one, at) => { ${draw} }) } draw()</script>${REUSE}`;
const THREE = '<button class="one"></button>'.repeat(3);
const PAGES = {
  '/buttons': `${THREE}${names(`one.textContent = 'Delete ' + names[at]; one.onclick = one.ondblclick = ({ type }) => say(type + ' ' + one.textContent)`)}`,
  '/presses': `${THREE}${names(`one.textContent = 'Delete ' + names[at]; one.onmousedown = () => say(one.textContent)`)}`,
  '/labelled': `${THREE}${names(`one.textContent = 'X'; one.setAttribute('aria-label', 'Delete ' + names[at]); one.onclick = () => say(one.ariaLabel)`)}`,
  '/inputs': `${'<input type="button" class="one">'.repeat(3)}${names(`one.value = 'Delete ' + names[at]; one.onclick = () => say(one.value)`)}`,
  '/pictures': `${'<button class="one"><img></button>'.repeat(3)}${names(`one.firstChild.alt = 'Delete ' + names[at]; one.onclick = () => say(one.firstChild.alt)`)}`,
  '/boxes': `${'<p><label><input type="checkbox" onchange="say(this.parentNode.textContent.trim())"> <span class="one"></span></label>'.repeat(3)}${names('one.textContent = names[at]')}`,
  '/rows': `${'<div class="one" draggable="true" style="height: 40px"></div>'.repeat(3)}${names(`one.textContent = names[at]; one.onmousedown = () => say(one.textContent)`)}`,
  '/stopwatch': `<button id="b" onclick="said.textContent += 'x'"></button><p id="said"></p><script>let n = 0;
    setInterval(() => { n += 1; b.textContent = 'Lap ' + n }, 10)</script>`,
  '/typewriter': `<button id="b" style="width: 300px; height: 40px" onclick="said.textContent += 'x'"></button><p id="said"></p><script>let n = 0;
    setInterval(() => { n += 1; b.textContent = 'Begin free trial today'.slice(0, n % 22) }, 10)</script>`,
  '/hover': `<button id="b" onclick="said.textContent += 'x'">Following</button><p id="said"></p><script>
    b.onmouseenter = () => { b.textContent = 'Unfollow' }; b.onmouseleave = () => { b.textContent = 'Following' }</script>`,
  '/hover-later': `<button id="b" onclick="said.textContent += 'x'">Following</button><p id="said"></p><script>
    const task = new MessageChannel(); task.port1.onmessage = () => { b.textContent = 'Unfollow' };
    b.onmouseenter = () => task.port2.postMessage(0); b.onmouseleave = () => { b.textContent = 'Following' }</script>`,
  '/drawn': `<style>#b::after { content: ' from styles' }</style><button id="b" onclick="said.textContent += 'x'"><u>S</u>ave</button><p id="said"></p>`,
  '/grows': `<button id="b" onclick="said.textContent += 'x'">Add to cart</button><p id="said"></p>
    <script>function swap() { b.append(' ✓', Object.assign(document.createElement('i'), { textContent: 'new' })) }</script>`,
  '/pressed': `<button id="b" onmousedown="b.textContent = 'Held'" onclick="said.textContent += 'x'">Hold</button><p id="said"></p>`,
  '/long': `<div id="b" onclick="said.textContent += 'x'" role="button"></div><p id="said"></p><script>
    b.textContent = 'word '.repeat(20_000); function swap() { b.textContent = 'other '.repeat(20_000) }</script>`,
};

const workOn = sessionOn(PAGES);
const ONCE = { button: 'left', clickCount: 1, modifiers: [], snapshot: false } as const;

/** Changes the page once, when the pointer is over the element and all is ready for the press. */
function changeBeforePress({ tab }: OperationWork, times = 1): void {
  let left = times;
  const change = async ({ kind }: { kind: string }) => {
    if (kind === 'press' && left > 0) {
      left -= 1;
      await inPage(tab, 'new Promise((done) => setTimeout(() => { swap(); done(0) }, 60))');
    }
  };
  Object.defineProperty(tab, 'askFirst', { value: change });
}

const said = async ({ tab }: OperationWork) => String(await inPage(tab, 'said.textContent')).trim();

async function refOf(work: OperationWork, words: string): Promise<string> {
  const { text } = await viewTabOnRequest(work, {});
  return new RegExp(`(@e\\d+)[^\\n]*"${words}"`, 'u').exec(text)?.[1] ?? '';
}

describe('a press on an element that the page reuses for another name', () => {
  it.each(['/buttons', '/labelled', '/inputs', '/pictures'])('reaches the named element (%s)', async (path) => {
    const work = await workOn(path);
    changeBeforePress(work);
    await clickElement(work, { ...ONCE, target: 'button "Delete Ann"' });
    expect(await said(work)).toMatch(/^(?:click )?Delete Ann$/u);
  });

  it('reaches the named element with both presses of a double click', async () => {
    const work = await workOn('/buttons');
    changeBeforePress(work);
    await clickElement(work, { ...ONCE, clickCount: 2, target: 'button "Delete Ann"' });
    expect(await said(work)).toBe('click Delete Ann click Delete Ann dblclick Delete Ann');
  });

  it('reaches nothing if its ref is stale then', async () => {
    const work = await workOn('/buttons');
    const target = await refOf(work, 'Delete Ann');
    changeBeforePress(work);
    expect((await failureOf(clickElement(work, { ...ONCE, target }))).code).toBe('stale_ref');
    expect(await said(work)).toBe('');
  });

  it('reaches nothing if the page renames it each time', async () => {
    const work = await workOn('/buttons');
    changeBeforePress(work, 99);
    const failure = await failureOf(clickElement(work, { ...ONCE, target: 'button "Delete Ann"' }));
    expect(failure).toMatchObject({ code: 'element_not_found', reason: 'replaced' });
    expect(await said(work)).toBe('');
  });

  it('ticks the named check box', async () => {
    const work = await workOn('/boxes');
    changeBeforePress(work);
    const input = { targets: ['checkbox "Ann"'], values: ['true'], isChoice: false, snapshot: false };
    await fillFields(work, input, createFillProgress(input));
    expect(await said(work)).toBe('Ann');
  });

  it('taps the named element', async () => {
    const work = await workOn('/buttons');
    await work.active.tabs.applySettings({ ...DEFAULT_TAB_SETTINGS, ...DEVICE_SCREENS.phone, device: 'phone' });
    changeBeforePress(work);
    await clickElement(work, { ...ONCE, target: 'button "Delete Ann"' });
    expect(await said(work)).toBe('click Delete Ann');
  });

  it('drags the named element', async () => {
    const work = await workOn('/rows');
    changeBeforePress(work);
    const input = {
      action: 'drag',
      at: { target: '"Ann"' },
      to: { target: '"Bob"' },
      modifiers: [],
      holdMs: 0,
    } as const;
    await actAtPoint(work, { ...input, snapshot: false });
    expect(await said(work)).toBe('Ann');
  });

  it('reaches the named element in a list of steps, whenever the page reuses it', async () => {
    const work = await workOn('/presses');
    for (const ms of [150, 170, 190, 210, 230, 250]) {
      await inPage(
        work.tab,
        `said.textContent = ''; names.sort(); draw(); document.body.append(Object.assign(document.createElement('button'), {
        textContent: 'Sort ${ms}', onclick: ({ target }) => { target.textContent = 'Sorting'; const end = performance.now() + ${ms}; const wait = () => performance.now() < end ? requestAnimationFrame(wait) : swap(); wait(); } })); 0`,
      );
      await scanTab(work);
      const input = {
        steps: parseStepLines([`click "Sort ${ms}"`, 'click "Delete Ann"']),
        snapshot: false,
        expectsDialog: false,
      };
      const progress = createStepListProgress(input);
      const { stopped } = await runSteps(work, input, progress, () => false);
      expect({ ms, stopped, failure: progress.failure, said: await said(work) }).toEqual({
        ms,
        stopped: null,
        failure: null,
        said: 'Delete Ann',
      });
    }
  });
});

describe('a press on an element that changes its own name', () => {
  it.each(['/stopwatch', '/typewriter', '/hover', '/hover-later', '/pressed'])('is done (%s)', async (path) => {
    const work = await workOn(path);
    await clickElement(work, { ...ONCE, target: '#b' });
    expect(await said(work)).toBe('x');
  });

  it.each(['/hover', '/hover-later'])('is done for a name that the pointer changes (%s)', async (path) => {
    const work = await workOn(path);
    await clickElement(work, { ...ONCE, target: 'button "Following"' });
    expect(await said(work)).toBe('x');
  });

  it('is done if styles add words to its name', async () => {
    const work = await workOn('/drawn');
    await clickElement(work, { ...ONCE, target: 'button "Save from styles"' });
    expect(await said(work)).toBe('x');
  });

  it.each(['/grows', '/long'])('is done if words are added or the text is very long (%s)', async (path) => {
    const work = await workOn(path);
    changeBeforePress(work);
    await clickElement(work, { ...ONCE, target: '#b' });
    expect(await said(work)).toBe('x');
  });
});
