import { describe, expect, it } from 'vitest';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import { typeInto } from '#browsing/session/operations/act-operations.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const PAGES: Record<string, string> = {
  '/': `<label>City <input role="combobox" aria-expanded="false"></label><label>Town <input aria-autocomplete="list"></label>
    <label>Land <input list="lands"></label><datalist id="lands"><option>Peru</datalist><label>Name <input></label>
    <label>Note <input aria-autocomplete="inline"></label><label>Hill <input role="combobox" oninput="this.value = 'Chosen'"></label>
    <label>Find <textarea role="combobox" aria-autocomplete="both"></textarea></label><label>Seek <input type="search" role="combobox" list="lands"></label>
    <form role="search"><label>Query <input role="combobox"></label></form><search><label>Words <input aria-autocomplete="list"></label></search>
    <label>Look <input role="searchbox" aria-autocomplete="list"></label><label>Mail <input type="email" list="lands"></label>
    <label>Remark <textarea aria-autocomplete="list"></textarea></label>
    <div role="textbox" aria-label="Message" contenteditable="true" aria-autocomplete="list" style="height:20px"></div>
    <div role="listbox" aria-label="Cities"><div role="option">Paris</div></div><button>Send</button>`,
  '/late': `<label>People <input role="combobox" oninput="setTimeout(() => { people.hidden = false }, 1_000)"></label>
    <div role="listbox" id="people" hidden><div role="option" onclick="document.title = 'chosen'">Carla Gomez</div></div>`,
};
const workOn = sessionOn(PAGES);

async function fill(work: OperationWork, target: string, value: string) {
  const given = { targets: [target], values: [value], snapshot: false };
  return (await fillFields(work, given, createFillProgress(given))).fields[0]?.isOnlyText;
}

async function take(work: OperationWork, lines: readonly string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  return runSteps(work, input, createStepListProgress(input), () => false);
}

async function missedIn(work: OperationWork, lines: readonly string[]) {
  return (await take(work, lines)).missed;
}

describe('text in a field with a list', () => {
  it('is reported as text only', async () => {
    const work = await workOn('/');
    for (const target of ['City', 'Town', 'Land']) expect(await fill(work, target, 'Par')).toBe(true);
    const typed = { target: 'City', text: 'is', snapshot: false };
    expect(await typeInto(work, typed)).toMatchObject({ isOnlyText: true });
  });

  it.each([
    ['Name', 'Par'],
    ['Note', 'Par'],
    ['Land', 'Peru'],
    ['City', ''],
    ['Hill', 'Par'],
    ['Find', 'Par'],
    ['Seek', 'Par'],
    ['Query', 'Par'],
    ['Words', 'Par'],
    ['Look', 'Par'],
    ['Mail', 'a@b.example'],
    ['Remark', 'Par'],
    ['Message', 'Par'],
  ])('is not reported where no option is missing: %s = "%s"', async (target, value) => {
    expect(await fill(await workOn('/'), target, value)).toBeUndefined();
  });

  it('is not reported once keys were pressed, which may have chosen an option', async () => {
    const work = await workOn('/');
    const typed = { target: 'City', text: 'Par', key: 'ArrowDown Enter', snapshot: false };
    expect(await typeInto(work, typed)).not.toHaveProperty('isOnlyText');
  });

  it.each([
    [['fill "City" = Paris', 'fill "Name" = Ann'], [{ step: 1, what: 'text' }]],
    [['type "Paris" into "City"', 'hover "Send"'], [{ step: 1, what: 'text' }]],
    [['fill "City" = Paris', 'wait option "Paris"', 'hover option "Paris"'], []],
    [['fill "City" = Paris', 'press Enter'], []],
  ])('is reported in a list of steps unless the next step chooses: %j', async (lines, missed) => {
    expect(await missedIn(await workOn('/'), lines)).toEqual(missed);
  });

  it('waits for an option that the page shows later', async () => {
    const work = await workOn('/late');
    const taken = await take(work, ['fill "People" = Carla', 'click option "Carla Gomez"']);
    expect(taken).toMatchObject({ done: 2, stopped: null, missed: [] });
    expect(await inPage(work.tab, 'document.title')).toBe('chosen');
  });

  it('is reported if the step that would have chosen an option fails', async () => {
    const taken = await take(await workOn('/'), ['fill "City" = Paris', 'click option "Rome"']);
    expect(taken).toMatchObject({ done: 1, stopped: { why: 'failed' }, missed: [{ step: 1, what: 'text' }] });
  });
});
