import { describe, expect, it } from 'vitest';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { runSteps, createStepListProgress } from '#browsing/session/steps/step-list.ts';

const OPTIONS = '<option value=""></option><option>Spain</option><option>France</option>';
/** A widget that stands for an invisible `<select>`: it opens on a press, and its search field loses its text. */
const widget = (
  select: string,
  opener: string,
  shows: string,
) => `<style>.gone { position: absolute; width: 1px; height: 1px; clip: rect(0 0 0 0) }
    #drop[hidden] { display: none } li { cursor: pointer }</style><label for="land">Land</label>${select}
  <div id="box"><a id="top">${opener}</a><div id="drop" hidden><input id="part" autocomplete="off"><ul id="found"></ul></div></div><script>
  const list = () => { found.replaceChildren(...[...land.options].filter(({ text }) => text && text.toLowerCase().includes(part.value.toLowerCase())).map((option) => {
    const row = document.createElement('li'); row.textContent = option.text;
    row.onmouseup = () => { option.selected = true; part.value = ''; drop.hidden = true; ${shows} }; return row; })); };
  top.onmousedown = () => {}; document.querySelector('#top').onmousedown = () => { drop.hidden = !drop.hidden; list(); setTimeout(() => part.focus()) };
  part.oninput = () => { drop.hidden = false; list() };</script>`;
const hidden = `<select id="land" style="display: none">${OPTIONS}</select>`;
const clipped = `<select id="land" class="gone" aria-hidden="true" tabindex="-1">${OPTIONS}</select>`;
const SHOWN = `document.querySelector('#top').textContent = option.text`;

const PAGES: Record<string, string> = {
  '/hidden': widget(hidden, 'Choose', SHOWN),
  '/clipped': widget(clipped, 'Choose', SHOWN),
  '/silent': `${widget(hidden, 'Choose', '')}<script>drop.hidden = false; list(); part.placeholder = 'Search'</script>`,
  '/kept': `${widget(hidden, 'Choose', 'land.selectedIndex = 0')}<script>drop.hidden = false; list()</script>`,
  // The list of the first field takes nothing, and the second one has had the same choice before.
  '/beside': `<form><div><label for="pick">Seat</label><div id="pick" role="combobox" aria-label="Seat" aria-expanded="false" aria-controls="found" tabindex="0" onclick="found.hidden = !found.hidden; this.setAttribute('aria-expanded', !found.hidden)">Choose</div>
    <ul id="found" role="listbox" hidden><li role="option" onclick="found.hidden = true; pick.setAttribute('aria-expanded', false)">Window</li><li role="option">Aisle</li></ul></div>
    <div><label>View</label><select style="display: none"><option>None</option><option selected>Window</option></select><div>Shown</div></div></form>`,
  '/options': `<label>Size <select><option hidden selected>Pick</option><option>Small</option><option style="display: none">Large</option>
    <optgroup label="Old" hidden><option>Tiny</option></optgroup></select></label>`,
};
const workOn = sessionOn(PAGES);

async function choose(work: OperationWork, line: string) {
  const input = { steps: parseStepLines([line]), snapshot: false, expectsDialog: false };
  return runSteps(work, input, createStepListProgress(input), () => false);
}

describe('a widget in front of an invisible list', () => {
  it.each([
    ['/silent', 'choose "Search" = Spain'],
    ['/hidden', 'choose "Land" = Spain'],
    ['/clipped', 'choose "Land" = Spain'],
    ['/hidden', 'choose text=Choose = Spain'],
  ])('takes a choice: %s %s', async (path, line) => {
    const work = await workOn(path);
    expect(await choose(work, line)).toMatchObject({ done: 1, stopped: null });
    expect(await inPage(work.tab, 'land.value')).toBe('Spain');
    const shown = path === '/silent' ? 'Choose' : 'Spain';
    expect(await inPage(work.tab, `document.querySelector('#top').textContent`)).toBe(shown);
  });

  it('takes a choice by its label in a form, and refuses one that is not in its list', async () => {
    const work = await workOn('/hidden');
    const given = (value: string) => ({ targets: ['Land'], values: [value], snapshot: false });
    expect((await fillFields(work, given('France'), createFillProgress(given('')))).fields).toMatchObject([
      { value: 'France', differs: false },
    ]);
    expect(await inPage(work.tab, `document.querySelector('#top').textContent`)).toBe('France');
    const failure = await failureOf(fillFields(work, given('Italy'), createFillProgress(given(''))));
    expect(failure).toMatchObject({ code: 'invalid_argument', problem: 'the list has no such option' });
  });

  it('is not confused with the list of another field', async () => {
    const { stopped } = await choose(await workOn('/beside'), 'choose "Seat" = Window');
    expect(stopped).toMatchObject({
      why: 'unmet',
      problem: expect.stringContaining('the list did not accept the choice'),
    });
  });

  it('is reported if the list does not hold the choice', async () => {
    const { stopped } = await choose(await workOn('/kept'), 'choose #part = Spain');
    expect(stopped).toMatchObject({
      why: 'unmet',
      problem: expect.stringContaining('the list did not accept the choice'),
    });
  });
});

describe('an option that CSS hides', () => {
  it.each(['Pick', 'Large', 'Tiny'])('is neither chosen nor offered: %s', async (value) => {
    const work = await workOn('/options');
    const given = { targets: ['Size'], values: [value], snapshot: false };
    const failure = await failureOf(fillFields(work, given, createFillProgress(given)));
    expect(failure).toMatchObject({ code: 'invalid_argument', problem: 'the list has no such option' });
    expect('quoted' in failure && failure.quoted).toMatch(/^[^|]*Small[^|]*$/u);
  });
});
