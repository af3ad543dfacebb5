import { describe, expect, it } from 'vitest';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import { sessionOn } from '#support/session-work.ts';

const list = (onStar: string) => `<ul id="list"></ul><script>
  let names = ['Ada', 'Bob', 'Cid'], starred = '';
  const draw = () => { list.innerHTML = names.map((name) => '<li>' + name + ' <button aria-pressed="' + (starred === name) + '" data-name="' + name + '">Star</button></li>').join('') };
  list.onclick = ({ target: { dataset: { name } } }) => { starred = name; ${onStar}; draw() };
  draw();</script>`;
const PAGES: Record<string, string> = {
  '/same': list(''),
  '/less': list(`names = names.filter((one) => one !== 'Bob')`),
  '/other': list(`names = ['Dan', 'Eve', 'Fay']`),
  '/dialogs': `<h1>Accounts</h1><div id="shown"></div><script>
    const show = (name, next) => { shown.innerHTML = '<div class="box"><h3>' + name + '</h3><label>Reason <textarea></textarea></label><button>Cancel</button><button class="next">Deny</button></div>'; shown.querySelector('.next').onclick = next };
    show('Deny the request of Ada', () => show('Deny the request of Bob', () => show('Done', null)));</script>`,
  '/words': `<div id="everything"><h1>Words</h1><button onclick="everything.remove()">Empty</button></div>`,
};
const workOn = sessionOn(PAGES);

async function clicked(path: string, target: string) {
  const work = await workOn(path);
  await viewTabOnRequest(work, {});
  return clickElement(work, { target, snapshot: false, button: 'left', clickCount: 1, modifiers: [] });
}

describe('a click that makes the page redraw a list', () => {
  it('is reported with the new refs of the same records', async () => {
    const { changes } = await clicked('/same', '@e1');
    expect(changes?.lines).toEqual(['~ @e4 button "Star" pressed in: Ada']);
    expect(changes).toMatchObject({
      recreated: 2,
      renamed: [1, 2, 3].map((at) => ({ ref: `@e${at}`, now: `@e${at + 3}` })),
      voided: [],
    });
  });

  it('is reported without refs of records that are gone', async () => {
    const { changes } = await clicked('/less', '@e1');
    expect(changes).toMatchObject({
      renamed: [
        { ref: '@e1', now: '@e4' },
        { ref: '@e3', now: '@e5' },
      ],
    });
    expect((await clicked('/other', '@e1')).changes).toMatchObject({
      renamed: [],
      replaced: ['@e4 button "Star" in: Dan', '@e5 button "Star" in: Eve', '@e6 button "Star" in: Fay'],
    });
  });
});

describe('a click that opens a second dialog of the same kind', () => {
  it('is reported with the refs of all its controls', async () => {
    const { changes } = await clicked('/dialogs', 'button "Deny"');
    const told = [...(changes?.lines ?? []), ...(changes?.replaced ?? [])].join('\n');
    for (const control of ['textbox "Reason"', 'button "Cancel"', 'button "Deny"']) expect(told).toContain(control);
    expect(told).not.toMatch(/@e[123] /u);
  });
});

describe('a click that empties the page', () => {
  it('is reported as such', async () => {
    expect((await clicked('/words', 'button "Empty"')).isEmptied).toBe(true);
    expect((await clicked('/same', '@e1')).isEmptied).toBeUndefined();
  });
});
