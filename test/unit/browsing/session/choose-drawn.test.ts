import { describe, expect, it } from 'vitest';
import { startList, takeSteps } from '#browsing/session/operations/step-list.ts';
import { fillFields, startFilling } from '#browsing/session/operations/fill-fields.ts';
import type { Work } from '#browsing/session/operations/perform.ts';
import { failureOf } from '#support/acting.ts';
import { inPage } from '#support/pretend-sites.ts';
import { sessionOn } from '#support/session-work.ts';
import { readSteps } from '#tools/step-lines.ts';

/** A list in a layer at the end of the page, as libraries draw it. */
const layer = (onChoice: string, options = ['Small', 'Large', 'Extra large']) => `<script>
  const choose = (name) => { document.querySelector('#layer').remove(); ${onChoice} };
  const openList = (part = '') => { document.querySelector('#layer')?.remove(); setTimeout(() => { document.body.insertAdjacentHTML('beforeend',
    '<ul id="layer" role="listbox">' + ${JSON.stringify(options)}.filter((name) => name.toLowerCase().includes(part.toLowerCase()))
      .map((name) => '<li role="option" onclick="choose(this.textContent)">' + name + '</li>').join('') + '</ul>'); }, 200); };</script>`;
const SHOWN = `document.querySelector('#size').textContent = name`;
const PAGES: Record<string, string> = {
  '/div': `<p id="l">Size</p><div id="size" role="combobox" tabindex="0" aria-labelledby="l" onclick="openList()">Small</div>${layer(SHOWN)}`,
  '/button': `<p id="l">Size</p><button id="size" aria-haspopup="listbox" aria-labelledby="l" onclick="openList()">Small</button>${layer(SHOWN)}`,
  '/text': `<div><div id="chosen"></div><input role="combobox" aria-label="Size" oninput="openList(this.value)" onclick="openList()"></div>${layer(
    `document.querySelector('#chosen').textContent = name; document.querySelector('input').value = ''`,
  )}`,
  '/kept': `<p id="l">Size</p><div id="size" role="combobox" tabindex="0" aria-labelledby="l" onclick="openList()">Small</div><input aria-label="Other" value="Large">${layer('')}`,
  '/inline': `<ul role="listbox" aria-label="Size">${['Small', 'Large']
    .map(
      (name) =>
        `<li role="option" aria-selected="false" onclick="this.setAttribute('aria-selected', 'true')">${name}</li>`,
    )
    .join('')}</ul>`,
  '/plain': `<input aria-label="Size" list="sizes"><datalist id="sizes"><option>Large</datalist>`,
};
const workOn = sessionOn(PAGES);

async function take(work: Work, lines: readonly string[]) {
  const input = { steps: readSteps(lines), snapshot: false, expectsDialog: false };
  return takeSteps(work, input, startList(input), () => null);
}

describe('a list that a page draws itself', () => {
  it.each([
    ['/div', 'choose "Size" = Large', `size.textContent`],
    ['/button', 'choose button "Size" = Large', `size.textContent`],
    ['/text', 'choose "Size" = large', `chosen.textContent`],
    ['/inline', 'choose listbox "Size" = Large', `document.querySelector('[aria-selected=true]').textContent`],
    ['/plain', 'choose "Size" = Large', `document.querySelector('input').value`],
  ])('is opened, and its option clicked: %s', async (path, line, held) => {
    const work = await workOn(path);
    expect(await take(work, [line, 'press Tab'])).toMatchObject({ done: 2, stopped: null });
    expect(String(await inPage(work.tab, held)).toLowerCase()).toBe('large');
  });

  it('ends the list when it keeps what it had', async () => {
    const work = await workOn('/kept');
    const { stopped } = await take(work, ['choose "Size" = Large', 'press Tab']);
    expect(stopped).toMatchObject({ why: 'unmet', problem: expect.stringContaining('did not take'), words: 'Small' });
  });

  it('is filled by its name in a form, too, and refused with its options', async () => {
    const given = (value: string) => ({ selectors: ['Size'], values: [value], snapshot: false });
    const work = await workOn('/div');
    const { fields } = await fillFields(work, given('Extra large'), startFilling(given('')));
    expect(fields).toMatchObject([{ kind: 'choice', value: 'Extra large', differs: false }]);
    const failure = await failureOf(fillFields(work, given('Huge'), startFilling(given(''))));
    expect(failure).toMatchObject({
      code: 'invalid_argument',
      field: 'values',
      quoted: expect.stringContaining('Small | Large'),
    });
  });
});
