import { describe, expect, it } from 'vitest';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import { clickElement, typeInto } from '#browsing/session/operations/act-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { sessionOn } from '#support/session-work.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';

const GONE_AT_PRESS = `<button id="go" onmousedown="this.remove()">Go</button>`;
const PAGES: Record<string, string> = {
  '/fields': `<label>Age <input type="number" value="3"></label><label>Short <input maxlength="3"></label>
    <label>Deaf <input onkeydown="event.preventDefault()"></label><label>Plain <input value="Hello "></label>
    <div contenteditable aria-label="Note" role="textbox">One </div><textarea aria-label="Lines"></textarea>
    <label>Spaced <input oninput="this.value = this.value.replace(/(.{4})(?=.)/g, '$1 ')"></label>
    <label>Chat <input onkeydown="if (event.key === 'Enter') this.value = ''"></label>
    <label>Phone <input oninput="this.value = this.value.replace(/^(\\d{3})(\\d)/, '($1) $2')"></label><label>Born <input type="date"></label>
    <label>Code <input type="password"></label>`,
  '/code': [1, 2, 3]
    .map((digit) => `<input aria-label="Digit ${digit}" maxlength="1" oninput="this.nextElementSibling?.focus()">`)
    .join(''),
  '/controlled': `<label>Name <input id="name" value="Ada" oninput="this.value = 'Ada'"></label>
    <label>Upper <input id="upper" oninput="this.value = this.value.toUpperCase()"></label>
    <label>Same <input id="same" value="Ada"></label><button onclick="window.sent = true">Send</button>`,
  '/evades': `<button id="go" onmouseenter="this.style.marginLeft = '600px'">Go</button><button id="menu" onmouseenter="items.hidden = false">Menu</button>
    <ul id="items" hidden><li>One</li></ul><button id="anew" onmouseenter="this.outerHTML = '<button>Anew</button>'">Old</button>
    <div style="position: relative"><p id="card" onmouseenter="over.hidden = false">Card</p><div id="over" hidden style="position: absolute; inset: 0">Over</div></div>`,
  '/short': '<p>All of it</p>',
  '/pane': `<div id="pane" style="height: 50px; overflow: auto"><div style="height: 80px">Words</div></div><div style="height: 3000px"></div>`,
  '/pressed': GONE_AT_PRESS,
  '/boxes': `<p id="said"></p><script>const no = (event) => { event.preventDefault(); said.append('No. ') }</script>
    <label><input type="checkbox" onclick="no(event)">Gift</label><label><input type="checkbox" checked onclick="no(event)">News</label>
    <label><input type="radio" name="plan" checked>Free</label><label><input type="radio" name="plan" onclick="no(event)">Team</label>
    <label><input type="checkbox" onchange="setTimeout(() => { this.checked = false; said.append('Full. ') })">Late</label>
    <div role="switch" aria-checked="false" tabindex="0" aria-label="Dark" onclick="no(event)">x</div>
    <label><input type="checkbox">Good</label><label><input type="checkbox">I accept the <a href="#rules">Rules</a></label>
    <label><input type="checkbox" onclick="this.parentElement.remove()">Gone</label>
    <div role="checkbox" aria-checked="mixed" tabindex="0" aria-label="All" onclick="this.ariaChecked = 'false'">x</div>`,
};
const workOn = sessionOn(PAGES);

const type = async (work: OperationWork, target: string, text: string, rest: { key?: string; submit?: true } = {}) =>
  (await typeInto(work, { target, text, snapshot: false, ...rest })).held;

async function take(work: OperationWork, ...lines: string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  return runSteps(work, input, createStepListProgress(input), () => false);
}

async function fill(work: OperationWork, selector: string, value: string) {
  const given = { targets: [selector], values: [value], snapshot: false };
  const [field] = (await fillFields(work, given, createFillProgress(given))).fields;
  return field;
}

describe('typed text', () => {
  it.each([
    ['textbox "Deaf"', 'abc', ''],
    ['textbox "Short"', 'abcdef', 'abc'],
    ['spinbutton "Age"', 'abc', '3'],
    ['textbox "Plain"', 'you', undefined],
    ['textbox "Note"', 'two  three', undefined],
    ['textbox "Spaced"', '123456', undefined],
    ['textbox "Code"', 'abc', undefined],
    ['textbox "Phone"', '5551234', undefined],
    ['textbox "Deaf"', '!!', ''],
    ['Born', '05141990', undefined],
  ])('is compared with the value of %s afterwards', async (selector, text, held) => {
    expect(await type(await workOn('/fields'), selector, text)).toBe(held);
  });

  it('is not reported as lost if the field is empty after a submit', async () => {
    const work = await workOn('/fields');
    expect(await type(work, 'textbox "Chat"', 'Hello', { submit: true })).toBeUndefined();
    expect(await type(work, 'textbox "Chat"', 'Hello', { key: 'Enter' })).toBeUndefined();
    expect(await type(work, 'textbox "Lines"', 'one\ntwo')).toBeUndefined();
  });

  it('in the first box of a code is not reported, because the focus moves to the next box', async () => {
    const work = await workOn('/code');
    expect(await type(work, 'textbox "Digit 1"', '123')).toBeUndefined();
  });

  it('in a list of steps is reported with the value of the field', async () => {
    const taken = await take(await workOn('/fields'), 'type abc into "Deaf"', 'type you into "Plain"');
    expect(taken).toMatchObject({ done: 2, stopped: null, held: [{ step: 1, value: '' }] });
  });
});

describe('a field whose value does not change', () => {
  it('is reported as not accepting the value, unlike one that reformats it', async () => {
    const work = await workOn('/controlled');
    expect(await fill(work, '#name', 'Bob')).toMatchObject({ differs: true, isKept: true, value: 'Ada' });
    expect(await fill(work, '#upper', 'bob')).toMatchObject({ differs: true, isKept: false, value: 'BOB' });
    expect(await fill(work, '#same', 'Ada')).toMatchObject({ differs: false, isKept: false });
  });

  it('ends a list of steps', async () => {
    const taken = await take(await workOn('/controlled'), 'fill "Name" = Bob', 'click "Send"');
    const problem = 'the field did not accept the text and still has its earlier value';
    expect(taken).toMatchObject({ done: 0, stopped: { why: 'unmet', problem, words: 'Ada' } });
  });
});

describe('a step of a list', () => {
  it('reports that it scrolled nothing', async () => {
    expect((await take(await workOn('/short'), 'scroll down')).missed).toEqual([{ step: 1, what: 'scroll' }]);
    const pane = await take(await workOn('/pane'), 'scroll down in #pane', 'scroll down in #pane', 'scroll down');
    expect(pane).toMatchObject({ done: 3, missed: [{ step: 2, what: 'scroll' }] });
  });

  it('reports that its element moved away, unless another element covered or replaced it', async () => {
    const taken = await take(await workOn('/evades'), 'hover #go', 'hover #menu', 'hover #anew', 'hover #card');
    expect(taken).toMatchObject({ done: 4, missed: [{ step: 1, what: 'off' }] });
  });

  it('reports that it was only a press', async () => {
    const taken = await take(await workOn('/pressed'), 'click #go');
    expect(taken).toMatchObject({ done: 1, missed: [{ step: 1, what: 'press' }] });
  });
});

describe('a click on a box', () => {
  const kept = async (work: OperationWork, target: string, clickCount: 1 | 2 = 1) => {
    const clicked = await clickElement(work, { target, snapshot: false, button: 'left', clickCount, modifiers: [] });
    return clicked.kept;
  };

  it.each([
    ['checkbox "Gift"', 'off'],
    ['checkbox "News"', 'on'],
    ['radio "Team"', 'off'],
    ['radio "Free"', 'chosen'],
    ['checkbox "Late"', 'off'],
    ['switch "Dark"', 'off'],
    ['text=Gift', 'off'],
    ['checkbox "Good"', undefined],
    ['text=Rules', undefined],
    ['checkbox "Gone"', undefined],
    ['checkbox "All"', undefined],
  ])('that the page does not change is reported with its state: %s', async (target, state) => {
    expect(await kept(await workOn('/boxes'), target)).toBe(state);
  });

  it('is not compared after a double click, which sets it back', async () => {
    expect(await kept(await workOn('/boxes'), 'checkbox "Good"', 2)).toBeUndefined();
  });

  it('ends a list of steps if the box did not change, unless the next step checks that', async () => {
    const work = await workOn('/boxes');
    const problem = 'the click did not change its state, which is still off';
    const taken = await take(work, 'click radio "Free"', 'click "Gift"', 'click "Good"');
    expect(taken).toMatchObject({ done: 1, stopped: { why: 'unmet', problem } });
    expect(await take(work, 'click "Gift"', 'expect text=No.', 'click "Good"')).toMatchObject({ stopped: null });
  });
});
