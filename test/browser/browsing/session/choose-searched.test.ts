import { describe, expect, it } from 'vitest';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const PEOPLE = ['Ada Holm', 'Bo Lind', 'Eva Lindgren'];
/** A field whose list has its own search field. `find`: the options for the typed words, after a request. */
const searched = (
  find: string,
  field = '<div id="size" role="combobox" tabindex="0" aria-label="Captain" aria-expanded="false">None</div>',
) => `${field}
  <div id="layer" hidden><input id="search" type="search"><ul role="listbox" id="rows"></ul></div><script>
  const find = ${find};
  const draw = (names) => { rows.innerHTML = names.map((name) => '<li role="option">' + name + '</li>').join('') || 'Type to search'; };
  size.onclick = () => { layer.hidden = !layer.hidden; size.ariaExpanded = String(!layer.hidden); if (!layer.hidden) { search.value = ''; draw(find('')); search.focus(); } };
  search.oninput = () => setTimeout(() => draw(find(search.value)), 300);
  rows.onmouseup = ({ target }) => { if (target.role === 'option') { size.textContent = target.textContent; layer.hidden = true; size.ariaExpanded = 'false'; } };</script>`;
const BY_WORDS = `(words) => words === '' ? [] : ${JSON.stringify(PEOPLE)}.filter((name) => name.toLowerCase().includes(words.toLowerCase()))`;
const PAGES: Record<string, string> = {
  '/asked': searched(BY_WORDS),
  '/button': searched(
    BY_WORDS,
    '<button id="size" aria-haspopup="listbox" aria-label="Captain" aria-expanded="false">None</button>',
  ),
  '/created': searched(`(words) => words === '' ? ['Ada Holm'] : [words]`),
  '/by-number': searched(`(words) => words === '' || words === '3' ? ${JSON.stringify(PEOPLE)} : []`),
  '/keeps-focus': `<textarea id="note" aria-label="Note">My words</textarea><div id="size" role="combobox" tabindex="0" aria-label="Size" aria-expanded="false">None</div>
    <ul id="list" role="listbox" hidden><li role="option">Red</li><li role="option">Blue</li></ul><script>note.focus(); size.onmousedown = (event) => event.preventDefault();
    size.onclick = () => { list.hidden = !list.hidden; size.ariaExpanded = String(!list.hidden) };</script>`,
  '/form': `<div id="size" role="combobox" tabindex="0" aria-haspopup="dialog" aria-label="Size">None</div><div id="layer" role="dialog" aria-label="New size" hidden><input id="name" aria-label="Name" value="My words"><ul role="listbox"><li role="option">Red</li><li role="option">Blue</li></ul></div>
    <script>size.onclick = () => { layer.hidden = false; document.getElementById('name').focus() };</script>`,
  '/several': `<div id="tags" role="combobox" tabindex="0" aria-label="Tags" aria-expanded="false">None</div><ul id="list" role="listbox" aria-multiselectable="true" hidden>
    <li role="option" aria-selected="false">Red</li><li role="option" aria-selected="false">Blue</li></ul><script>
    tags.onclick = () => { list.hidden = !list.hidden; tags.ariaExpanded = String(!list.hidden) };
    list.onclick = ({ target }) => { target.ariaSelected = 'true'; tags.textContent = target.textContent };</script>`,
};
const workOn = sessionOn(PAGES);

async function take(work: OperationWork, ...lines: string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  const progress = createStepListProgress(input);
  const taken = await runSteps(work, input, progress, () => false);
  return { ...taken, failure: progress.failure };
}

describe('a list with its own search field', () => {
  it.each([
    ['/asked', 'Eva Lindgren'],
    ['/button', 'Bo Lind'],
    ['/created', 'Per Adamsen'],
    ['/by-number', 'Eva Lindgren'],
  ])('is searched for an option that it does not show: %s', async (path, name) => {
    const work = await workOn(path);
    expect(await take(work, `choose "Captain" = ${name}`)).toMatchObject({ done: 1, stopped: null });
    expect(await inPage(work.tab, 'size.textContent')).toBe(name);
  });

  it('is refused with what it shows without a search', async () => {
    const work = await workOn('/by-number');
    expect((await take(work, 'choose "Captain" = Nobody')).failure).toMatchObject({
      code: 'invalid_argument',
      problem: 'the list has no such option, or several; it was opened and nothing was chosen',
      quoted: expect.stringContaining(PEOPLE.join(' | ')),
    });
  });
});

describe('a field that is no search field of a list', () => {
  it.each([
    ['/keeps-focus', 'note.value'],
    ['/form', "document.getElementById('name').value"],
  ])('keeps its text: %s', async (path, text) => {
    const work = await workOn(path);
    await take(work, 'choose "Size" = Green');
    expect(await inPage(work.tab, text)).toBe('My words');
  });
});

describe('several options of a list', () => {
  it('are reported as chosen up to the one that the list does not have', async () => {
    const work = await workOn('/several');
    expect((await take(work, 'choose "Tags" = Red | Green')).failure).toMatchObject({
      problem: expect.stringMatching(/^value 2 of 2: the list has no such option.*; value 1 was chosen before$/u),
    });
    expect(await inPage(work.tab, 'tags.textContent')).toBe('Red');
  });
});
