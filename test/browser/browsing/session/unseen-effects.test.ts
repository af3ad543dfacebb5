import { describe, expect, it } from 'vitest';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { scanTab } from '#browsing/session/operations/acting.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const SEND = `<button onclick="window.sent = true">Send</button>`;
const PAGES: Record<string, string> = {
  '/dead': `<button id="dead">Dead</button><div id="also">Also dead</div>${SEND}`,
  '/ripple': `<button id="dead" onclick="const one = document.createElement('i'); this.append(one); this.classList.add('ripple'); setTimeout(() => one.remove(), 50)">Dead</button>${SEND}`,
  '/beacon': `<button id="dead" onclick="fetch('/counts')">Dead</button>${SEND}`,
  '/far': `<div style="height: 3000px"></div><button id="dead">Dead</button>${SEND}`,
  '/later': `<button id="dead" onclick="setTimeout(() => { said.textContent = 'Done' }, 1500)">Later</button><p id="said"></p>${SEND}`,
  '/focus': `<input aria-label="Name" autofocus><div id="dead" contenteditable>Note</div>${SEND}`,
  '/tab': `<div role="tablist"><button id="dead" role="tab" aria-selected="true">General</button></div>${SEND}`,
  '/pane': `<div id="pane" style="height: 40px; width: 80px; overflow: hidden"><div style="width: 800px">One two</div></div><button id="dead" onclick="pane.scrollLeft += 80">Next</button>${SEND}`,
  '/canvas': `<canvas id="dead" width="100" height="100"></canvas>${SEND}`,
  '/frame': `<iframe id="dead" srcdoc="<p>Nothing</p>"></iframe>${SEND}`,
  '/touch': `<div id="dead">Tap me</div>${SEND}<script>dead.addEventListener('touchstart', () => { dead.textContent = 'Tapped' })</script>`,
  '/both': `<div id="outer"><div id="dead">Tap me</div></div>${SEND}<script>dead.addEventListener('touchstart', () => {}); outer.addEventListener('click', () => {})</script>`,
};
const workOn = sessionOn(PAGES);

async function take(work: OperationWork, ...lines: string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  return runSteps(work, input, createStepListProgress(input), () => false);
}

const sent = (work: OperationWork) => inPage(work.tab, 'window.sent === true');
const NOTHING = { done: 1, stopped: { why: 'nothing', isTouchOnly: false } };

describe('a list of steps', () => {
  it.each([
    ['/dead', 'click #dead'],
    ['/dead', 'click "Also dead"'],
    ['/dead', 'double-click #dead'],
    ['/dead', 'right-click #also'],
    ['/dead', 'press Enter in #dead'],
    ['/ripple', 'click #dead'],
    ['/beacon', 'click #dead'],
    ['/far', 'click #dead'],
    ['/frame', 'click #dead'],
  ])('on %s ends after "%s", which has no visible effect', async (path, line) => {
    const work = await workOn(path);
    expect(await take(work, line, 'click "Send"')).toMatchObject(NOTHING);
    expect(await sent(work)).toBe(false);
  });

  it.each([
    ['/dead', ['click "Send"', 'click #dead']],
    ['/later', ['click #dead', 'wait text=Done', 'click "Send"']],
    ['/later', ['click #dead', 'expect text=Later', 'click "Send"']],
    ['/focus', ['click "Name"', 'type Ann', 'click "Send"']],
    ['/focus', ['click #dead', 'click "Send"']],
    ['/tab', ['click #dead', 'click "Send"']],
    ['/pane', ['click #dead', 'click "Send"']],
    ['/canvas', ['click #dead', 'click "Send"']],
    ['/dead', ['hover #dead', 'press Escape', 'click "Send"']],
  ])('on %s continues if the step has an effect, or the next step checks it: %s', async (path, lines) => {
    const work = await workOn(path);
    await inPage(
      work.tab,
      `document.querySelector('button:last-of-type').addEventListener('click', (event) => { event.target.textContent = 'Sent' })`,
    );
    const taken = await take(work, ...lines);
    expect(taken).toMatchObject({ done: lines.length, stopped: null });
    expect(await sent(work)).toBe(true);
  });

  it('accepts a last step without an effect, and suggests a screenshot for a canvas', async () => {
    expect(await take(await workOn('/dead'), 'click #dead')).toMatchObject({ done: 1, stopped: null });
    const drawn = await take(await workOn('/canvas'), 'click #dead', 'click "Send"');
    expect(drawn.missed).toEqual([{ step: 1, what: 'canvas' }]);
  });
});

describe('a page that listens for touch only', () => {
  it('is reported as such after a mouse click', async () => {
    const work = await workOn('/touch');
    await scanTab(work);
    const clicked = await clickElement(work, {
      target: '#dead',
      snapshot: false,
      button: 'left',
      clickCount: 1,
      modifiers: [],
    });
    expect(clicked).toMatchObject({ landed: 'click', isTouchOnly: true });
    const listed = await take(await workOn('/touch'), 'click #dead', 'click "Send"');
    expect(listed).toMatchObject({
      done: 1,
      stopped: { why: 'nothing', isTouchOnly: true },
      missed: [{ step: 1, what: 'touch' }],
    });
  });

  it('is not assumed if something around the element listens for a mouse, or nothing listens', async () => {
    for (const path of ['/both', '/dead']) {
      const work = await workOn(path);
      await scanTab(work);
      const clicked = await clickElement(work, {
        target: '#dead',
        snapshot: false,
        button: 'left',
        clickCount: 1,
        modifiers: [],
      });
      expect(clicked).not.toHaveProperty('isTouchOnly');
    }
  });
});
