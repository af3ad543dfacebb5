import { describe, expect, it } from 'vitest';
import { createFillProgress, fillFields } from '#browsing/session/operations/filling/fill-fields.ts';
import { ACTIONABLE_WAIT_MS_MAX } from '#core/limits.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const GROUPS = `<optgroup label="Illinois"><option value="il">Springfield<option value="ch">Chicago</optgroup>
  <optgroup label="Oregon"><option value="or">Springfield</optgroup>`;
const drawn = (names: string[]) =>
  `<ul role="listbox" aria-label="City">${names.map((name, at) => `<li role="option" id="o${at}" aria-selected="false" onclick="this.ariaSelected = 'true'">${name}</li>`).join('')}</ul>`;
const opened = (names: string[]) =>
  `<div role="combobox" tabindex="0" aria-label="City" aria-haspopup="listbox" aria-expanded="false" onclick="this.ariaExpanded = 'true'; list.hidden = false">Pick</div><div id="list" hidden>${drawn(names)}</div>`;
const PAGES: Record<string, string> = {
  '/select': `<label>City <select id="city"><option value="">None</option>${GROUPS}</select></label>`,
  '/many': `<label>City <select id="city" multiple>${GROUPS}</select></label>`,
  '/case': `<label>City <select id="city"><option value="">None<option value="1">RED<option value="2">Red</select></label>`,
  '/equal': `<label>City <select id="city"><option value="">None<option value="de">Germany<option value="fr">France<option value="de">Germany</select></label>`,
  '/suggested': `<label>City <input id="city" list="all"></label><datalist id="all"><option value="il">Springfield<option value="or">Springfield</datalist>`,
  '/numbers': `<label>City <select id="city"><option value="">None<option value="3">2<option value="4">2<option value="9">4</select></label>`,
  '/drawn': drawn(['Springfield', 'Chicago', 'Springfield']),
  '/drawn-case': drawn(['us', 'US', 'Us']),
  '/opened': opened(['Springfield', 'Chicago', 'Springfield']),
  '/opened-case': opened(['us', 'US']),
  '/typed-case': `<label>City <input id="city" oninput="found.hidden = false"></label><div id="found" hidden>${['us', 'US'].map((name) => `<div role="option" tabindex="0" onclick="city.value = this.textContent; found.hidden = true">${name}</div>`).join('')}</div>`,
};
const workOn = sessionOn(PAGES);

async function choose(path: string, value: string) {
  const work = await workOn(path);
  const input = { targets: ['City'], values: [value], isChoice: true, snapshot: false };
  const filling = fillFields(work, input, createFillProgress(input));
  return {
    filling,
    held: () => inPage(work.tab, `[...city.selectedOptions ?? [city]].map((one) => one.value).join()`),
    work,
  };
}

describe('several options with the wanted name', () => {
  it.each([
    ['/select', 'Springfield', 'Illinois > Springfield (value=il) | Oregon > Springfield (value=or)'],
    ['/many', 'Springfield', 'Illinois > Springfield (value=il) | Oregon > Springfield (value=or)'],
    ['/case', 'red', 'RED (value=1) | Red (value=2)'],
    ['/suggested', 'Springfield', 'Springfield (value=il) | Springfield (value=or)'],
  ])('are listed with what tells them apart, and none is chosen: %s', async (path, value, listed) => {
    const { filling, held } = await choose(path, value);
    expect(await failureOf(filling)).toMatchObject({
      code: 'invalid_argument',
      problem: expect.stringContaining('several options of the list have this name'),
      quoted: expect.stringContaining(listed),
    });
    expect(await held()).toBe('');
  });

  it.each([
    ['/select', 'or', 'or'],
    ['/select', 'Oregon > Springfield', 'or'],
    ['/many', 'Chicago | Oregon > Springfield', 'ch,or'],
    ['/case', 'Red', '2'],
    ['/select', 'value=or', 'or'],
    ['/suggested', 'value=or', 'or'],
    ['/numbers', 'value=4', '4'],
    ['/numbers', '4', '9'],
    ['/equal', 'Germany', 'de'],
    ['/suggested', 'or', 'or'],
  ])('are told apart by value, group or case: %s %s', async (path, value, chosen) => {
    const { filling, held } = await choose(path, value);
    expect((await filling).fields).toMatchObject([{ differs: false }]);
    expect(await held()).toBe(chosen);
  });

  it('are not clicked in a list that the page draws', async () => {
    const { filling, work } = await choose('/drawn', 'Springfield');
    expect(await failureOf(filling)).toMatchObject({
      problem: expect.stringContaining('several options of the list have this name'),
    });
    expect(await inPage(work.tab, `document.querySelectorAll('[aria-selected=true]').length`)).toBe(0);
  });

  it('are refused as soon as the opened list shows them', async () => {
    const { filling } = await choose('/opened', 'Springfield');
    const begun = performance.now();
    expect(await failureOf(filling)).toMatchObject({
      problem: expect.stringContaining('several options of the list have this name'),
    });
    expect(performance.now() - begun).toBeLessThan(ACTIONABLE_WAIT_MS_MAX);
  });

  it.each(['/drawn-case', '/opened-case'])('are told apart by case in a list that the page draws: %s', async (path) => {
    const { filling, work } = await choose(path, 'US');
    expect((await filling).fields).toHaveLength(1);
    expect(await inPage(work.tab, `document.querySelector('[aria-selected=true]').textContent`)).toBe('US');
  });

  it('are told apart by case among suggestions', async () => {
    const { filling, work } = await choose('/typed-case', 'US');
    expect((await filling).fields).toMatchObject([{ value: 'US' }]);
    expect(await inPage(work.tab, 'city.value')).toBe('US');
  });
});
