import { describe, expect, it } from 'vitest';
import { clickElement, typeInto } from '#browsing/session/operations/act-operations.ts';
import { readTabHtml, waitOnPage } from '#browsing/session/operations/look-operations.ts';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';

const LABELS =
  `Title Address Time Summary Body Code Details Link Source Label Section Name Search Menu Data Map Object Style Script Form
  Main Header Article Table Caption Legend Option Button Input Picture Video Frame Dialog Template Area Output I P`.split(
    /\s+/u,
  );
const label = (name: string) => `<label>${name} <input name="${name}"></label>`;
const clickedTo = (id: string) => `onclick="window.clicked = '${id}'"`;

const PAGES: Record<string, string> = {
  '/labels': [...new Set(LABELS)].map(label).join(' '),
  '/lower': `${label('title')}${label('E-mail')}${label('check-in')}${label('Source code')}<aside><input id="only"></aside>`,
  '/codes': ['client_id', 'snake_case_name', '__dunder__', 'f __proto__'].map(label).join(''),
  '/parts': ['ship', 'bill'].map((id) => `<section aria-label="${id}">${label('Title')}</section>`).join(''),
  '/kinds': `<label>Menu <select id="menu-list"><option>Soup<option>Fish</select></label> <label><input type="checkbox" id="data-box"> Data</label>
    <label>Picture <input type="file" id="picture-file"></label> <label>Code <div id="rich" role="textbox" aria-label="Code" contenteditable></div></label>`,
  '/clicks': `<button ${clickedTo('search')}>Search</button><label>Title <input id="title-field"></label>
    <menu ${clickedTo('list')}><li>First<li>Second</menu><button ${clickedTo('menu')}>Menu</button><h2 ${clickedTo('heading')}>Prices</h2>
    <main><p>Words of the main part.</p></main><a href="#main" ${clickedTo('link')}>Main</a>`,
  '/waits': `<div id="place"></div><script>setTimeout(() => { place.innerHTML = '<label>Address <input></label>' }, 300)</script>`,
};
const workOn = sessionOn(PAGES);

async function fillOne(work: OperationWork, selector: string, value: string) {
  const input = { targets: [selector], values: [value], snapshot: false };
  return fillFields(work, input, createFillProgress(input));
}

async function take(work: OperationWork, lines: readonly string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  return runSteps(work, input, createStepListProgress(input), () => false);
}

const click = (work: OperationWork, selector: string) =>
  clickElement(work, { target: selector, button: 'left', clickCount: 1, modifiers: [], snapshot: false });
const type = (work: OperationWork, selector: string, text: string) =>
  typeInto(work, { target: selector, text, snapshot: false });

const heldIn = (work: OperationWork, name: string) =>
  inPage(work.tab, `document.querySelector('[name="${name}"]').value`);

describe('a label with underscores', () => {
  it('resolves to its field in a form and in a list of steps without quotes', async () => {
    const work = await workOn('/codes');
    for (const name of ['client_id', 'snake_case_name', '__dunder__', 'f __proto__']) {
      await fillOne(work, name, `filled ${name}`);
      expect(await heldIn(work, name)).toBe(`filled ${name}`);
    }
    await take(work, ['fill client_id = 17', 'type z into __dunder__']);
    expect(await heldIn(work, 'client_id')).toBe('17');
    expect(await heldIn(work, '__dunder__')).toContain('z');
  });
});

describe('a label that is also the name of an HTML element', () => {
  it('resolves to its field in a form and in a list of steps without quotes', async () => {
    const work = await workOn('/labels');
    const selectors = [...new Set(LABELS)];
    const form = { targets: selectors, values: selectors.map((name) => `filled ${name}`), snapshot: false };
    await fillFields(work, form, createFillProgress(form));
    for (const name of selectors) expect(await heldIn(work, name)).toBe(`filled ${name}`);
    const { done, stopped } = await take(work, [
      'fill Title = x',
      'fill Address = y',
      'type z into Body',
      'clear Code',
    ]);
    expect({ done, stopped }).toEqual({ done: 4, stopped: null });
    expect(await heldIn(work, 'Title')).toBe('x');
    expect(await heldIn(work, 'Address')).toBe('y');
    expect(await heldIn(work, 'Body')).toBe('filled Bodyz');
    expect(await heldIn(work, 'Code')).toBe('');
  });

  it('resolves to lists, boxes and editors, and to a field for typing, key presses and expectations', async () => {
    const work = await workOn('/kinds');
    const lines = ['choose Menu = Fish', 'check Data', 'type a into Code', 'press b in Code', 'expect Menu = Fish'];
    expect(await take(work, lines)).toMatchObject({ done: 5, stopped: null });
    expect(await inPage(work.tab, `[...document.querySelectorAll('select')][0].value`)).toBe('Fish');
    expect(await inPage(work.tab, `document.querySelector('#data-box').checked`)).toBe(true);
    expect(await inPage(work.tab, `rich.textContent`)).toBe('ab');
  });

  it('may be in lower case if a field has exactly this label, and is otherwise a selector', async () => {
    const work = await workOn('/lower');
    await fillOne(work, 'title', 'a');
    await fillOne(work, 'e-mail', 'b');
    await type(work, 'check-in', 'c');
    await fillOne(work, 'source code', 'd');
    expect(await Promise.all(['title', 'E-mail', 'check-in', 'Source code'].map((name) => heldIn(work, name)))).toEqual(
      ['a', 'b', 'c', 'd'],
    );
    await fillOne(work, 'aside input', 'e');
    expect(await inPage(work.tab, 'only.value')).toBe('e');
    expect(await failureOf(fillOne(work, 'aside', 'f'))).toMatchObject({ code: 'invalid_argument' });
    expect(await failureOf(fillOne(work, 'input', 'f'))).toMatchObject({
      problem: expect.stringContaining('matches 5 elements'),
    });
  });

  it('may label a field in one part of the page', async () => {
    const work = await workOn('/parts');
    await fillOne(work, 'Title in section "bill"', 'a');
    await fillOne(work, 'title in "ship"', 'b');
    expect(await inPage(work.tab, `[...document.querySelectorAll('input')].map(({ value }) => value).join()`)).toBe(
      'b,a',
    );
  });

  it('can be waited for', async () => {
    const work = await workOn('/waits');
    const wanted = { kind: 'selector', value: 'Address', isGone: false } as const;
    await waitOnPage(work, { wanted, timeoutMs: 20_000, snapshot: false });
    expect(await inPage(work.tab, `document.querySelector('input') !== null`)).toBe(true);
    for (const value of ['address', 'input'])
      await waitOnPage(work, { wanted: { ...wanted, value }, timeoutMs: 20_000, snapshot: false });
  });
});

describe('a click on the name of an HTML element', () => {
  it('clicks the element with these words in another case', async () => {
    const work = await workOn('/clicks');
    await click(work, 'Search');
    expect(await inPage(work.tab, 'clicked')).toBe('search');
    await take(work, ['click Main']);
    expect(await inPage(work.tab, 'clicked')).toBe('link');
    await click(work, 'Title');
    expect(await inPage(work.tab, 'document.activeElement.id')).toBe('title-field');
  });

  it('clicks the match of the lower-case selector, or a control of this name if the selector matches nothing', async () => {
    const work = await workOn('/clicks');
    await click(work, 'h2');
    expect(await inPage(work.tab, 'clicked')).toBe('heading');
    await click(work, 'search');
    expect(await inPage(work.tab, 'clicked')).toBe('search');
    await click(work, 'title');
    expect(await inPage(work.tab, 'document.activeElement.id')).toBe('title-field');
  });

  it('is refused if the selector matches one element and a control of this name is another', async () => {
    const work = await workOn('/clicks');
    const failure = await failureOf(click(work, 'menu'));
    expect(failure).toMatchObject({ code: 'invalid_argument', problem: expect.stringContaining('matches 2 elements') });
    expect(failure).toMatchObject({ quoted: expect.stringContaining('button "Menu"') });
    expect(await inPage(work.tab, 'window.clicked')).toBeUndefined();
  });

  it('is a selector in a read of a page part', async () => {
    const work = await workOn('/clicks');
    expect((await readTabHtml(work, { target: 'main' }, 100_000)).html).toContain('Words of the main part');
  });
});
