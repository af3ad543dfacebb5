import { describe, expect, it } from 'vitest';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';

/** A list in a layer at the end of the page, as libraries draw it. */
const layer = (onChoice: string, options = ['Small', 'Large', 'Extra large']) => `<script>
  const choose = (name) => { document.querySelector('#layer').remove(); ${onChoice} };
  const openList = (part = '') => { document.querySelector('#layer')?.remove(); setTimeout(() => { document.body.insertAdjacentHTML('beforeend',
    '<ul id="layer" role="listbox">' + ${JSON.stringify(options)}.filter((name) => name.toLowerCase().includes(part.toLowerCase()))
      .map((name) => '<li role="option" onclick="choose(this.textContent)">' + name + '</li>').join('') + '</ul>'); }, 200); };</script>`;
const SHOWN = `document.querySelector('#size').textContent = name`;
/** Draws ten of a hundred options, as the wheel turns; the options for assistive technology are others; finds by number only. */
const partlyDrawn = `<style>#layer { width: 200px; height: 200px; overflow: hidden } #layer div { height: 20px; cursor: pointer }</style>
  <input id="size" role="combobox" aria-label="Size" aria-expanded="false"><script>
  let first = 0;
  const draw = () => { const found = size.value !== '' && !/^\\d+$/.test(size.value) ? [] : Array.from({ length: 100 }, (_, n) => n);
    document.querySelector('#list').innerHTML = '<div role="listbox" style="width: 0; height: 0; overflow: hidden">' +
      found.slice(first, first + 2).map((n) => '<div role="option" aria-label="Size ' + n + '">' + n + '</div>').join('') + '</div><div id="layer">' +
      found.slice(first, first + 10).map((n) => '<div onclick="choose(this.textContent)">Size ' + n + '</div>').join('') + '</div>'; };
  const choose = (name) => { document.querySelector('#list').remove(); size.value = name; size.setAttribute('aria-expanded', 'false'); };
  const open = () => { document.querySelector('#list')?.remove(); document.body.insertAdjacentHTML('beforeend', '<section id="list"></section>');
    size.setAttribute('aria-expanded', 'true'); draw();
    document.querySelector('#list').onwheel = (event) => { first = Math.max(0, Math.min(90, first + Math.sign(event.deltaY) * 7)); draw(); }; };
  size.onclick = size.oninput = () => open();</script>`;
const PAGES: Record<string, string> = {
  '/div': `<p id="l">Size</p><div id="size" role="combobox" tabindex="0" aria-labelledby="l" onclick="openList()">Small</div>${layer(SHOWN)}`,
  '/button': `<p id="l">Size</p><button id="size" aria-haspopup="listbox" aria-labelledby="l" onclick="openList()">Small</button>${layer(SHOWN)}`,
  '/text': `<div><div id="chosen"></div><input role="combobox" aria-label="Size" oninput="openList(this.value)" onclick="openList()"></div>${layer(
    `document.querySelector('#chosen').textContent = name; document.querySelector('input').value = ''`,
  )}`,
  '/kept': `<p id="l">Size</p><div id="size" role="combobox" tabindex="0" aria-labelledby="l" onclick="openList()">Small</div><input aria-label="Other" value="Large">${layer('')}`,
  '/divs': `<p>Size</p><div id="size" style="cursor: pointer" onclick="list.hidden = !list.hidden">Pick a size</div>
    <div id="list" hidden style="position: absolute">${['Small', 'Large'].map((name) => `<div onclick="size.textContent = '${name}'; list.hidden = true">${name}</div>`).join('')}</div>`,
  '/delegated': `<div id="size" tabindex="0" onclick="list.hidden = !list.hidden">Pick a size</div><ul id="list" hidden style="position: absolute; cursor: pointer"
    onclick="size.textContent = event.target.textContent; list.hidden = true"><li>Small</li><li>Large</li></ul>`,
  '/menu': `<button id="size" aria-haspopup="true" onclick="list.hidden = !list.hidden">Pick a size</button><div id="list" role="menu" hidden>${[
    'Small',
    'Large',
  ]
    .map(
      (name) =>
        `<div role="menuitem" tabindex="-1" onclick="size.textContent = '${name}'; list.hidden = true">${name}</div>`,
    )
    .join('')}</div>`,
  '/inline': `<ul role="listbox" aria-label="Size">${['Small', 'Large']
    .map(
      (name) =>
        `<li role="option" aria-selected="false" onclick="this.setAttribute('aria-selected', 'true')">${name}</li>`,
    )
    .join('')}</ul>`,
  '/part': partlyDrawn,
  '/frame': `<style>.frame { position: relative; width: 200px; height: 30px } .frame * { position: absolute; inset: 0; width: 100%; border: 0 }</style>
    <div class="frame" tabindex="-1" onclick="openList()"><input id="size" role="combobox" aria-label="Size" readonly><span>Pick a size</span></div>${layer(
      `size.value = name`,
    )}`,
  '/hides': `<main id="page" onclick="page.setAttribute('aria-hidden', 'true')"><p id="l">Size</p><div id="size" role="combobox" tabindex="0" aria-labelledby="l" onclick="openList()">Small</div></main>${layer(
    `page.removeAttribute('aria-hidden'); ${SHOWN}`,
  )}`,
  '/elsewhere': `<div style="cursor: pointer" onclick="document.title = 'paid'">Paid</div><div id="size" role="combobox" tabindex="0" aria-label="Size"
    aria-expanded="true" onclick="const is = size.ariaExpanded === 'true'; size.ariaExpanded = String(!is); list.hidden = is">Small</div>
    <div id="list"><div style="cursor: pointer">Small</div><div style="cursor: pointer">Large</div></div>`,
  '/no-list': `<div id="size" aria-label="Size" style="cursor: pointer" onclick="document.title = 'clicked'">Size</div>`,
  '/plain': `<input aria-label="Size" list="sizes"><datalist id="sizes"><option>Large</datalist>`,
};
const workOn = sessionOn(PAGES);

async function take(work: OperationWork, lines: readonly string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  return runSteps(work, input, createStepListProgress(input), () => false);
}

describe('a custom drop-down list', () => {
  it.each([
    ['/div', 'choose "Size" = Large', `size.textContent`],
    ['/button', 'choose button "Size" = Large', `size.textContent`],
    ['/text', 'choose "Size" = large', `chosen.textContent`],
    ['/inline', 'choose listbox "Size" = Large', `document.querySelector('[aria-selected=true]').textContent`],
    ['/plain', 'choose "Size" = Large', `document.querySelector('input').value`],
    ['/divs', 'choose "Pick a size" = Large', `size.textContent`],
    ['/delegated', 'choose "Pick a size" = Large', `size.textContent`],
    ['/menu', 'choose button "Pick a size" = Large', `size.textContent`],
    ['/hides', 'choose "Size" = Large', `size.textContent`],
    ['/frame', 'choose "Size" = Large', `size.value`],
  ])('is opened, and its option clicked: %s', async (path, line, held) => {
    const work = await workOn(path);
    expect(await take(work, [line, 'press Tab'])).toMatchObject({ done: 2, stopped: null });
    expect(String(await inPage(work.tab, held)).toLowerCase()).toBe('large');
  });

  it('is scrolled if it draws only some of its options and describes others to assistive technology', async () => {
    const work = await workOn('/part');
    expect(await take(work, ['choose "Size" = Size 61'])).toMatchObject({ done: 1, stopped: null });
    expect(await inPage(work.tab, 'size.value')).toBe('Size 61');
    await inPage(work.tab, 'size.value = ""; open()');
    expect(await take(work, ['choose "Size" = Size 63'])).toMatchObject({ done: 1, stopped: null });
    expect(await inPage(work.tab, 'size.value')).toBe('Size 63');
    const { stopped } = await take(work, ['choose "Size" = Size 200']);
    expect(stopped).toMatchObject({ why: 'failed' });
  });

  it('is never confused with another element of the same name', async () => {
    const work = await workOn('/elsewhere');
    const { stopped } = await take(work, ['choose "Size" = Paid']);
    expect(stopped).toMatchObject({ why: 'failed' });
    expect(await inPage(work.tab, 'document.title')).not.toBe('paid');
  });

  it('is refused if it is no list, and the error says that it was clicked', async () => {
    const work = await workOn('/no-list');
    const input = { steps: parseStepLines(['choose "Size" = Large']), snapshot: false, expectsDialog: false };
    const progress = createStepListProgress(input);
    const begun = Date.now();
    await runSteps(work, input, progress, () => false);
    expect(progress.failure).toMatchObject({ problem: expect.stringContaining('was clicked and no options came') });
    expect(await inPage(work.tab, 'document.title')).toBe('clicked');
    // The two longest waits for options would take longer.
    expect(Date.now() - begun).toBeLessThan(2_600);
  });

  it('ends the list of steps when it keeps its previous value', async () => {
    const work = await workOn('/kept');
    const { stopped } = await take(work, ['choose "Size" = Large', 'press Tab']);
    expect(stopped).toMatchObject({
      why: 'unmet',
      problem: expect.stringContaining('the list did not accept the choice'),
      words: 'Small',
    });
  });

  it('can also be filled by name in a form, and is refused with its options', async () => {
    const given = (value: string) => ({ targets: ['Size'], values: [value], snapshot: false });
    const work = await workOn('/div');
    const { fields } = await fillFields(work, given('Extra large'), createFillProgress(given('')));
    expect(fields).toMatchObject([{ kind: 'choice', value: 'Extra large', differs: false }]);
    const failure = await failureOf(fillFields(work, given('Huge'), createFillProgress(given(''))));
    expect(failure).toMatchObject({
      code: 'invalid_argument',
      field: 'values',
      quoted: expect.stringContaining('Small | Large'),
    });
  });
});

describe('a drawn option', () => {
  it.each(['Lar', 'arge', 'Extra l'])('is not chosen by a part of a word: %s', async (value) => {
    const work = await workOn('/div');
    const given = { targets: ['Size'], values: [value], snapshot: false };
    const failure = await failureOf(fillFields(work, given, createFillProgress(given)));
    expect(failure).toMatchObject({ code: 'invalid_argument', field: 'values' });
    expect(await inPage(work.tab, 'size.textContent')).toBe('Small');
  });

  it('is named in the result if a word of its name was given', async () => {
    const work = await workOn('/div');
    const given = { targets: ['Size'], values: ['Extra'], snapshot: false };
    const { fields } = await fillFields(work, given, createFillProgress(given));
    expect(fields).toMatchObject([{ kind: 'choice', value: 'Extra large', differs: false }]);
  });
});
