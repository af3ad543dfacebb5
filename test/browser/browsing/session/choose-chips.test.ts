import { describe, expect, it, vi } from 'vitest';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

type Variant = { field?: string; item?: string; onPick?: string; where?: string; stays?: boolean; start?: string };

/** A field whose chosen suggestions become chips. The field is empty afterwards. */
const chips = ({
  field = '',
  item = '',
  onPick = 'add(x)',
  where = 'box.insertBefore(chip, input)',
  stays = false,
  start = '',
}: Variant = {}) => `
  <p>Red is a colour.</p><div><label for="input">Tags</label>
    <div id="box">${start}<input id="input" autocomplete="off" ${field}></div><div id="below"></div></div>
  <label>Name <input id="name"></label><button onclick="window.sent = [...document.querySelectorAll('.chip')].map((c) => c.dataset.of).join()">Send</button>
  <div id="list" hidden></div><script>
  const all = ['Red', 'Green', 'Blue'];
  const add = (x, words = x) => { const chip = document.createElement('span'); chip.className = 'chip'; chip.dataset.of = x; chip.append(words);
    const remove = document.createElement('button'); remove.textContent = '×'; remove.ariaLabel = 'Remove ' + words; remove.onclick = () => chip.remove(); chip.append(remove);
    ${where}; input.value = ''; list.hidden = ${!stays} };
  input.oninput = () => setTimeout(() => { const typed = input.value.toLowerCase();
    list.replaceChildren(...all.filter((x) => typed !== '' && x.toLowerCase().startsWith(typed)).map((x) => {
      const item = document.createElement('div'); ${item}; item.append(x); item.addEventListener('mousedown', (event) => { event.preventDefault(); ${onPick} }); return item }));
    list.hidden = list.childElementCount === 0; input.setAttribute('aria-expanded', String(!list.hidden)) }, 300)</script>`;

const COMBOBOX = 'role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="list"';
const OPTION = `list.setAttribute('role', 'listbox'); item.setAttribute('role', 'option')`;
const LOST = `input.value = ''; list.hidden = true`;
const PAGES: Record<string, string> = {
  '/plain': chips(),
  '/below': chips({ where: 'below.append(chip)' }),
  '/combobox': chips({ field: COMBOBOX, item: OPTION }),
  '/combobox-below': chips({ field: COMBOBOX, item: OPTION, where: 'below.append(chip)' }),
  '/stays': chips({ field: COMBOBOX, item: OPTION, stays: true }),
  '/plain-stays': chips({ stays: true }),
  '/shortened': chips({ item: `item.title = x; x = x + ' (colour)'`, onPick: `add(x.replace(' (colour)', ''))` }),
  '/late': chips({ onPick: 'input.value = ""; list.hidden = true; setTimeout(add, 200, x)' }),
  '/rebuilt': chips({
    where: `box.insertBefore(chip, input); const copy = input.cloneNode(); copy.oninput = input.oninput; input.replaceWith(copy)`,
  }),
  '/colour': chips({ field: COMBOBOX, item: OPTION, onPick: "add(x, x + ', a colour')" }),
  '/tag': chips({ field: COMBOBOX, item: OPTION, onPick: "add(x, 'Tag: ' + x)" }),
  '/number': chips({ field: COMBOBOX, item: OPTION, onPick: "add(x, x + ' (12)')" }),
  '/sentence': chips({ field: COMBOBOX, item: OPTION, onPick: "add(x, 'You chose ' + x + '.')" }),
  '/plain-number': chips({ onPick: "add(x, x + ' (12)')" }),
  '/lost': chips({ onPick: LOST }),
  '/lost-combobox': chips({ field: COMBOBOX, item: OPTION, onPick: LOST }),
  '/lost-stays': chips({ onPick: `input.value = ''` }),
  '/lost-named': chips({ onPick: LOST, start: '<em>Red and other tags</em>' }),
  '/lost-combobox-named': chips({ field: COMBOBOX, item: OPTION, onPick: LOST, start: '<em>Red and other tags</em>' }),
  '/other': chips({ onPick: `add('Green')` }),
  '/other-combobox': chips({ field: COMBOBOX, item: OPTION, onPick: `add('Green')` }),
  '/longer-combobox': chips({ field: COMBOBOX, item: OPTION, onPick: `add('Redwood')` }),
  '/taken': chips({
    field: COMBOBOX,
    item: `${OPTION}; item.ariaSelected = String([...document.querySelectorAll('.chip')].some((c) => c.dataset.of === x))`,
  }),
};
const workOn = sessionOn(PAGES);

async function take(work: OperationWork, value: string) {
  const lines = [`choose "Tags" = ${value}`, 'fill "Name" = Ann', 'click "Send"'];
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  const progress = createStepListProgress(input);
  return { ...(await runSteps(work, input, progress, () => false)), failure: progress.failure };
}

describe('a choice that becomes a chip', () => {
  it.each([
    '/plain',
    '/below',
    '/combobox',
    '/combobox-below',
    '/stays',
    '/plain-stays',
    '/shortened',
    '/late',
    '/rebuilt',
    '/colour',
    '/tag',
    '/number',
    '/sentence',
    '/plain-number',
  ])('is reported as made, and so are several: %s', async (path) => {
    const work = await workOn(path);
    expect(await take(work, 'Red')).toMatchObject({ failure: null, done: 3, stopped: null, held: [] });
    expect(await inPage(work.tab, 'sent')).toBe('Red');
    expect(await take(work, 'Green | Blue')).toMatchObject({ failure: null, done: 3, stopped: null, held: [] });
    expect(await inPage(work.tab, 'sent')).toBe('Red,Green,Blue');
  });

  it.each([
    '/lost',
    '/lost-combobox',
    '/lost-stays',
    '/lost-named',
    '/lost-combobox-named',
    '/other',
    '/other-combobox',
    '/longer-combobox',
  ])('ends the list if no chip with its words appears: %s', async (path) => {
    const work = await workOn(path);
    const { done, stopped } = await take(work, 'Red');
    expect({ done, why: stopped?.why }).toEqual({ done: 0, why: 'unmet' });
    expect(await inPage(work.tab, 'window.sent')).toBeUndefined();
  });

  it('is not awaited for an option that was chosen before', async () => {
    const work = await workOn('/taken');
    const send = vi.spyOn(work.tab.main().session, 'send');
    const readsFor = async (value: string) => {
      send.mockClear();
      expect(await take(work, value)).toMatchObject({ failure: null, done: 3, stopped: null });
      return send.mock.calls.filter(([method]) => method.startsWith('Accessibility.')).length;
    };
    const one = await readsFor('Red');
    await readsFor('Red | Green');
    // A wait for a chip that never appears reads the page again and again: then this is more than three times as many.
    expect(await readsFor('Red | Green')).toBeLessThan(2.5 * one);
    expect(await inPage(work.tab, 'sent')).toBe('Red,Green');
  });
});
