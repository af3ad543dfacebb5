import { describe, expect, it } from 'vitest';
import { clickElement, typeInto } from '#browsing/session/operations/act-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';

const MAIL = `<h1>Compose</h1><form id="form" onsubmit="return false"><label>Subject <input id="subject" value="Hi"></label>
  <label>Text <textarea id="text"></textarea></label><p id="words">Some words</p></form>`;
/** A component with its fields in a shadow tree. */
const component = (name: string, inside: string, options: string) => `<script>
  customElements.define('${name}', class extends HTMLElement { connectedCallback() {
    this.root = this.attachShadow(${options}); this.root.innerHTML = '${inside}';
    this.values = () => [...this.root.querySelectorAll('input')].map(({ value }) => value).join();
    this.focusOn = (at) => { this.root.querySelectorAll('input')[at].focus() } } })</script>`;
const INPUT = '<input aria-label="Inner" value="a">';

/** Which elements take no text is tested on recorded pages. */
const PAGES: Record<string, string> = {
  '/mail': MAIL,
  '/controls': `${MAIL}<button id="send" onclick="window.sent = true">Send</button> <a id="link" href="#there">Link</a>
    <input type="checkbox" id="box"> <input type="range" id="range"> <input type="color" id="color"> <input type="submit" id="submit">
    <details><summary id="summary">More</summary></details> <div role="button" tabindex="0" id="drawn">Drawn</div>
    <div role="switch" tabindex="0" id="switch" aria-checked="false">Dark</div> <div tabindex="0" id="plain">Plain</div>`,
  '/shadow': `${component('x-open', INPUT, `{ mode: 'open', delegatesFocus: true }`)}${component('x-closed', INPUT, `{ mode: 'closed', delegatesFocus: true }`)}
    ${component('x-still', INPUT, `{ mode: 'closed' }`)}${component('x-two', INPUT + INPUT, `{ mode: 'closed', delegatesFocus: true }`)}
    <x-open id="open"></x-open><x-closed id="closed"></x-closed><x-still id="still"></x-still><x-two id="two"></x-two>`,
  '/slot': `${component('x-slot', '<slot></slot>', `{ mode: 'open' }`)}<x-slot id="slot"><input aria-label="Light"></x-slot>`,
  '/widgets': `<div id="grid" role="grid" tabindex="0" onkeydown="this.dataset.keys = (this.dataset.keys ?? '') + event.key"><div role="row"><div role="gridcell">1</div></div></div>
    <canvas id="game" tabindex="0" onkeydown="this.dataset.keys = (this.dataset.keys ?? '') + event.key"></canvas>
    <select id="list" aria-label="List"><option>Ant<option>Bee</select> <input type="date" id="day"> <label id="label" for="day">Day</label>`,
  '/editors': `<div id="rich" contenteditable><p id="para">one</p><span contenteditable="false"><input id="island"></span></div>
    <iframe id="whole" title="Whole" srcdoc="<body contenteditable>"></iframe><iframe id="mode" title="Mode" srcdoc="<p>x</p>" onload="this.contentDocument.designMode = 'on'"></iframe>`,
  '/thief': `<label>Wanted <input id="wanted" onfocus="setTimeout(() => victim.focus())"></label> <label>Victim <input id="victim"></label>
    <label>Later <input id="later" onkeydown="victim.focus()"></label><button id="buy" onclick="window.bought = true">Buy</button>
    <label>Sold <input id="sold" onfocus="setTimeout(() => buy.focus())"></label>
    <label>Relay <input id="relay" onfocus="victim.focus()"></label>`,
};
const workOn = sessionOn(PAGES);

const type = (work: OperationWork, selector: string, typing: { text?: string; key?: string; submit?: boolean }) =>
  typeInto(work, { target: selector, ...typing, snapshot: false });
const click = (work: OperationWork, selector: string) =>
  clickElement(work, { target: selector, button: 'left', clickCount: 1, modifiers: [], snapshot: false });

describe('typing into an element that accepts no text', () => {
  it('is refused while a field on the page has the focus', async () => {
    const work = await workOn('/mail');
    await click(work, '#subject');
    const failure = await failureOf(type(work, '#form', { text: 'secret text' }));
    expect(failure).toMatchObject({
      code: 'invalid_argument',
      field: 'selector',
      problem: expect.stringContaining('takes no text; nothing was typed'),
      quoted: expect.stringMatching(/@e\d+ textbox "Subject".*\n@e\d+ textbox "Text"/u),
    });
    expect(await inPage(work.tab, '[subject.value, text.value].join()')).toBe('Hi,');
  });

  it('is refused for a control, which is not pressed', async () => {
    const work = await workOn('/controls');
    const failure = await failureOf(type(work, '#send', { text: 'a b' }));
    expect(failure).toMatchObject({ problem: 'is a button, which takes no text; nothing was typed' });
    expect(await inPage(work.tab, 'window.sent')).toBeUndefined();
  });

  it('ends a list of steps before anything is sent', async () => {
    const work = await workOn('/controls');
    await click(work, '#subject');
    const input = {
      steps: parseStepLines(['type "text" into #form', 'click #send']),
      snapshot: false,
      expectsDialog: false,
    };
    const { done, stopped } = await runSteps(work, input, createStepListProgress(input), () => false);
    expect({ done, stopped }).toEqual({ done: 0, stopped: { why: 'failed' } });
    expect(await inPage(work.tab, '[subject.value, window.sent].join()')).toBe('Hi,');
  });
});

describe('keys', () => {
  it('are pressed in controls, and in no element that merely contains the focused field', async () => {
    const work = await workOn('/controls');
    await type(work, '#send', { key: 'Enter' });
    expect(await inPage(work.tab, 'window.sent')).toBe(true);
    await type(work, '#range', { key: 'End' });
    expect(await inPage(work.tab, 'range.value')).toBe('100');
    await type(work, '#plain', { key: 'x' });
    await click(work, '#subject');
    expect(await failureOf(type(work, '#form', { key: 'Backspace' }))).toMatchObject({ code: 'invalid_argument' });
    expect(await failureOf(type(work, 'body', { key: 'Backspace' }))).toMatchObject({
      problem: 'is the page itself, which cannot have the focus; no key was pressed',
    });
    expect(await inPage(work.tab, 'subject.value')).toBe('Hi');
  });

  it('reach widgets that accept them, lists and dates', async () => {
    const work = await workOn('/widgets');
    await type(work, '#grid', { text: 'ab' });
    await type(work, '#game', { text: 'w' });
    await type(work, '#list', { text: 'B' });
    await type(work, '#label', { text: '05142026' });
    expect(await inPage(work.tab, '[grid.dataset.keys, game.dataset.keys, list.value, day.value].join()')).toBe(
      'ab,w,Bee,2026-05-14',
    );
  });
});

describe('typing into a component', () => {
  it.each(['open', 'closed', 'still'])('reaches the only field in its shadow tree: %s', async (id) => {
    const work = await workOn('/shadow');
    await type(work, `#${id}`, { text: 'b' });
    expect(await inPage(work.tab, `document.querySelector('#${id}').values()`)).toBe('ab');
    await inPage(work.tab, `document.querySelector('#two').focusOn(1)`);
    await type(work, `#${id}`, { text: 'c' });
    expect(await inPage(work.tab, `document.querySelector('#${id}').values()`)).toBe('abc');
    expect(await inPage(work.tab, `document.querySelector('#two').values()`)).toBe('a,a');
  });

  it('reaches the only field in its slot, and is refused if it has two', async () => {
    const slotted = await workOn('/slot');
    await type(slotted, '#slot', { text: 'b' });
    expect(await inPage(slotted.tab, `document.querySelector('input').value`)).toBe('b');
    const work = await workOn('/shadow');
    await inPage(work.tab, `document.querySelector('#two').focusOn(1)`);
    expect(await failureOf(type(work, '#two', { text: 'b' }))).toMatchObject({
      problem: expect.stringContaining('takes no text'),
      quoted: expect.stringMatching(/Inner.*\n.*Inner/u),
    });
    expect(await inPage(work.tab, `document.querySelector('#two').values()`)).toBe('a,a');
  });
});

describe('typing into an editor', () => {
  it('reaches one of its paragraphs, and does not change a field inside it', async () => {
    const work = await workOn('/editors');
    await click(work, '#island');
    await type(work, '#para', { text: ' two' });
    expect(await inPage(work.tab, '[para.textContent, island.value].join()')).toBe('one two,');
    await type(work, '#rich', { text: '!' });
    expect(await inPage(work.tab, '[rich.textContent, island.value].join()')).toContain('!');
    expect(await inPage(work.tab, 'island.value')).toBe('');
  });

  it.each(['whole', 'mode'])('reaches an editor that is a whole frame: %s', async (id) => {
    const work = await workOn('/editors');
    await click(work, '#island');
    const inner = work.tab.frames().find(({ parentId }) => parentId !== null);
    expect(inner).toBeDefined();
    await type(work, `#${id}`, { text: 'words' });
    expect(await inPage(work.tab, `document.querySelector('#${id}').contentDocument.body.textContent`)).toContain(
      'words',
    );
    expect(await inPage(work.tab, 'island.value')).toBe('');
  });
});

describe('a page that moves the focus away', () => {
  it.each(['wanted', 'relay'])('receives no text in another field: %s', async (id) => {
    const work = await workOn('/thief');
    expect(await failureOf(type(work, `#${id}`, { text: 'pin' }))).toMatchObject({
      code: 'element_not_found',
      reason: 'unfocusable',
    });
    expect(await inPage(work.tab, '[wanted.value, relay.value, victim.value].join()')).toBe(',,');
  });

  it('receives no key on another control', async () => {
    const work = await workOn('/thief');
    expect(await failureOf(type(work, '#sold', { key: 'Enter' }))).toMatchObject({ reason: 'unfocusable' });
    expect(await inPage(work.tab, 'window.bought')).toBeUndefined();
  });

  it('may move the focus away from the field where typing began', async () => {
    const work = await workOn('/thief');
    await type(work, '#later', { text: '12' });
    expect(await inPage(work.tab, '[later.value, victim.value].join()')).toBe(',12');
  });
});
