import { describe, expect, it } from 'vitest';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';

type Variant = { event?: string; item?: string; onPick?: string; fits?: string; after?: string };

/** A plain field, under which a script shows what fits. `picked` is what the page has taken. */
const suggesting = ({
  event = 'input',
  item = '',
  onPick = 'take(x)',
  fits = 'x.toLowerCase().includes(typed)',
  after = '',
}: Variant = {}) => `
  <label>Address <input id="field" autocomplete="off"></label><label>Name <input id="name"></label>
  <button onclick="window.sent = window.picked ?? 'nothing'">Continue</button><div id="list" hidden></div>${after}<script>
  const all = ['10 Main Street, Springfield', '10 Main Street, Shelbyville', '10 Maine Road, Ogdenville'];
  const take = (x) => { field.value = window.picked = x; list.hidden = true };
  let timer;
  field.addEventListener('${event}', () => { clearTimeout(timer); timer = setTimeout(() => {
    const typed = field.value.toLowerCase(); list.replaceChildren(...all.filter((x) => typed !== '' && ${fits}).map((x) => {
      const item = document.createElement('div'); ${item}; item.append(x); item.addEventListener('mousedown', () => { ${onPick} }); return item }));
    list.hidden = list.childElementCount === 0 }, 500) });
  field.onblur = () => { list.hidden = true }</script>`;

const PAGES: Record<string, string> = {
  '/plain': suggesting(),
  '/words': suggesting({ fits: `typed.split(' ').every((word) => x.toLowerCase().includes(word))` }),
  '/keyup': suggesting({ event: 'keyup' }),
  '/options': suggesting({ item: `item.setAttribute('role', 'option')` }),
  '/echo': suggesting({
    after: `<output id="echo"></output><script>field.addEventListener('input', () => { echo.textContent = field.value })</script>`,
  }),
  '/begins': suggesting({ fits: 'typed.length < 9 && x.toLowerCase().startsWith(typed)' }),
  '/other': suggesting({ fits: `typed.startsWith('10')` }),
  '/opened': `<label>Address <input id="field"></label><label>Name <input id="name"></label><button onclick="window.sent = window.picked">Continue</button>
    <ul id="list" role="listbox" style="position: fixed; top: 60px; z-index: 9">${[
      '10 Main Street, Springfield',
      '10 Main Street, Shelbyville',
    ]
      .map(
        (name) =>
          `<li role="option" onclick="field.value = window.picked = this.textContent; list.hidden = true">${name}</li>`,
      )
      .join(
        '',
      )}</ul><script>field.oninput = () => { for (const one of list.children) one.hidden = !one.textContent.includes(field.value) }</script>`,
  '/dead': suggesting({ onPick: '' }),
  '/sticky': suggesting({ onPick: 'event.preventDefault()' }),
  '/renamed': suggesting({ onPick: `take('Shelbyville'); window.picked = x` }),
  '/covered': `<header style="position: fixed; top: 0; right: 0; z-index: 5"><a href="#out" onclick="window.sent = 'left'">Contact</a><a href="#out">10 Main Street, Shelbyville</a></header>
    <ul role="listbox"><li role="option" tabindex="0" onclick="window.sent = 'other'">Large</li></ul>${suggesting()}`,
  '/none': '<label>Address <input id="field"></label><label>Name <input id="name"></label>',
  '/data': `<label>Address <input id="field" list="known"></label><datalist id="known"><option>10 Main Street, Shelbyville<option value="b" label="Other"></datalist><input id="name" aria-label="Name">`,
};
const workOn = sessionOn(PAGES);
const WANTED = '10 Main Street, Shelbyville';

async function take(work: OperationWork, value = WANTED) {
  const lines = [`choose "Address" = ${value}`, 'fill "Name" = Ann', 'click "Continue"'];
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  const progress = createStepListProgress(input);
  return { ...(await runSteps(work, input, progress, () => false)), failure: progress.failure };
}

describe('a choice in a plain text field', () => {
  it.each(['/plain', '/keyup', '/options', '/echo', '/renamed'])('clicks the suggestion: %s', async (path) => {
    const work = await workOn(path);
    expect(await take(work)).toMatchObject({ done: 3, stopped: null });
    expect(await inPage(work.tab, 'sent')).toBe(WANTED);
  });

  it.each(['/begins', '/opened'])(
    'clicks the suggestion for a beginning, or in a list that is open: %s',
    async (path) => {
      const work = await workOn(path);
      expect(await take(work)).toMatchObject({ done: 3, stopped: null });
      expect(await inPage(work.tab, 'sent')).toBe(WANTED);
    },
  );

  it('never clicks what was over or on the page before, whatever it is called', async () => {
    const work = await workOn('/covered');
    for (const value of ['Contact', 'Large']) expect((await take(work, value)).failure?.code).toBe('invalid_argument');
    expect(await inPage(work.tab, 'window.sent')).toBeUndefined();
    expect(await take(work)).toMatchObject({ done: 3, stopped: null });
    expect(await inPage(work.tab, 'sent')).toBe(WANTED);
  });

  it('names the suggestions that came although none has the value', async () => {
    const work = await workOn('/other');
    const { failure } = await take(work, '10 Elm Road');
    expect(failure).toMatchObject({
      problem: expect.stringContaining('no suggestion, or more than one, has this name'),
      quoted: expect.stringContaining('10 Maine Road, Ogdenville | 10 Main Street, Springfield'),
    });
    expect(await inPage(work.tab, 'field.value')).toBe('10 Elm Road');
  });

  it('finds a suggestion by its words, whatever separates them', async () => {
    const work = await workOn('/words');
    for (const value of ['10 Maine Road Ogdenville', '10 maine']) {
      expect(await take(work, value)).toMatchObject({ done: 3 });
      expect(await inPage(work.tab, 'sent')).toBe('10 Maine Road, Ogdenville');
    }
  });

  it('is refused if several suggestions match, with the suggestions shown', async () => {
    const work = await workOn('/plain');
    const { done, failure } = await take(work, '10 Main Street');
    expect(done).toBe(0);
    expect(failure).toMatchObject({
      code: 'invalid_argument',
      problem: expect.stringContaining('nothing was chosen'),
      quoted: expect.stringContaining('10 Main Street, Springfield | 10 Main Street, Shelbyville'),
    });
    expect(await inPage(work.tab, '[name.value, window.sent].join()')).toBe(',');
  });

  it('is refused if no suggestion appears, and the error shows the value of the field', async () => {
    const work = await workOn('/none');
    const begun = Date.now();
    const { done, failure } = await take(work);
    // The longest waits for this text, and for its two parts that are typed, would take longer.
    expect(Date.now() - begun).toBeLessThan(3_900);
    expect(done).toBe(0);
    expect(failure).toMatchObject({
      problem: expect.stringContaining('no suggestion came'),
      hint: expect.stringContaining('fill'),
    });
    expect(await inPage(work.tab, `document.querySelector('#name').value`)).toBe('');
  });

  it.each(['/dead', '/sticky'])('ends the list of steps if the page does not accept the click: %s', async (path) => {
    const work = await workOn(path);
    const { done, stopped } = await take(work, '10 Main Street, Shel');
    expect({ done, why: stopped?.why }).toEqual({ done: 0, why: 'unmet' });
    expect(await inPage(work.tab, 'window.sent')).toBeUndefined();
  });

  it('accepts suggestions of the browser itself, and nothing else', async () => {
    const work = await workOn('/data');
    const { failure } = await take(work, 'Elsewhere');
    expect(failure).toMatchObject({ quoted: expect.stringContaining(`${WANTED} | Other`) });
    const lines = { steps: parseStepLines([`choose "Address" = Other`]), snapshot: false, expectsDialog: false };
    expect(await runSteps(work, lines, createStepListProgress(lines), () => false)).toMatchObject({
      done: 1,
      stopped: null,
    });
    expect(await inPage(work.tab, 'field.value')).toBe('b');
  });
});
