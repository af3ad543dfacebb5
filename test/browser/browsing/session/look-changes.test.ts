import { describe, expect, it } from 'vitest';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { scanTab } from '#browsing/session/operations/acting.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { sessionOn } from '#support/session-work.ts';

const STYLE = `<style>tr:hover { background: #eee } tr.focused-row { background: #def } .hover-lift { opacity: .5 } :focus { outline: 3px solid red } .chosen { outline: 2px solid } tr { transition: background 1ms }</style>`;
const rows = (onclick: string) =>
  `${STYLE}<table><tr id="row" onclick="${onclick}"><td>Ann<td>12</tr><tr id="other"><td>Bo<td>13</tr></table><button>Send</button>`;
const PAGES: Record<string, string> = {
  '/style': rows(`this.style.background = 'gold'`),
  '/cells': rows(`for (const cell of this.cells) cell.style.outline = '1px solid red'`),
  '/class': rows(`this.classList.add('chosen')`),
  '/focus-class': rows(`this.classList.add('focused-row')`),
  '/hover-class': rows(`this.classList.add('hover-lift')`),
  '/idle-focus-class': rows(`this.classList.add('no-focus')`),
  '/dead': rows(''),
};
const workOn = sessionOn(PAGES);

async function take(work: OperationWork, ...lines: string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  return runSteps(work, input, createStepListProgress(input), () => false);
}

const click = (work: OperationWork) =>
  clickElement(work, { target: 'text=Ann', snapshot: false, button: 'left', clickCount: 1, modifiers: [] });

describe('a click that changes only how an element is drawn', () => {
  it.each([
    ['/style', 'around it (1): style background: gold'],
    ['/cells', 'style outline: red solid 1px'],
    ['/class', 'around it (1): class chosen'],
  ])('is reported with the new style or class: %s', async (path, mark) => {
    const work = await workOn(path);
    await scanTab(work);
    expect((await click(work)).marks?.came).toEqual([mark]);
  });

  it.each(['/focus-class', '/hover-class'])('does not stop a list of steps: %s', async (path) => {
    const taken = await take(await workOn(path), 'click text=Ann', 'hover "Send"');
    expect(taken).toMatchObject({ done: 2, stopped: null, missed: [{ step: 1, what: 'look' }] });
  });

  it.each(['/dead', '/idle-focus-class'])('stops a list if nothing is drawn otherwise: %s', async (path) => {
    const { stopped } = await take(await workOn(path), 'click text=Ann', 'hover "Send"');
    expect(stopped).toMatchObject({ why: 'nothing' });
  });
});
