import { describe, expect, it } from 'vitest';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const TAGS = ['Red', 'Green', 'Blue'];
/** A list that draws only the rows in sight and 3 more. `more`: how many it loads at its end. */
const long = (
  count: number,
  more = 0,
) => `<style>#rows { height: 200px; width: 200px; overflow: auto } [role=option] { height: 20px; position: absolute }</style>
  <div id="size" role="combobox" tabindex="0" aria-label="Size" aria-expanded="false">None</div><div id="list" role="listbox" hidden><div id="rows"><div id="all" style="position: relative"></div></div></div><script>
  let count = ${count};
  const draw = () => { const first = Math.floor(rows.scrollTop / 20); all.style.height = count * 20 + 'px';
    all.innerHTML = Array.from({ length: Math.min(13, count - first) }, (_, n) => '<div role="option" style="top: ' + (first + n) * 20 + 'px">Size ' + (first + n) + '</div>').join('');
    if (${more} > 0 && count < ${count + more} && first + 10 >= count) { count += ${more}; setTimeout(draw, 100) } };
  rows.onscroll = () => requestAnimationFrame(draw);
  size.onclick = () => { list.hidden = !list.hidden; size.ariaExpanded = String(!list.hidden); draw(); rows.scrollTop = Number(size.dataset.at ?? 0); draw() };
  all.onclick = ({ target }) => { size.textContent = target.textContent; size.click() };</script>`;
const PAGES: Record<string, string> = {
  '/boxes': `<form id="f"><select name="i" aria-label="Interests" multiple size="3"><option selected>Art<option>Biology<option>Chess<option>Dance</select>
    <select name="t" aria-label="Teams" size="3"><option>Red<option>Blue</select><select name="d" aria-label="Drop"><option>One<option>Two</select></form>`,
  '/drawn': `<div><div id="tags" role="combobox" tabindex="0" aria-label="Tags" aria-expanded="false">Red</div></div><ul id="list" role="listbox" aria-multiselectable="true" hidden>${TAGS.map(
    (name) => `<li role="option" aria-selected="${name === 'Red'}">${name}</li>`,
  ).join('')}</ul><script>
    tags.onclick = () => { list.hidden = !list.hidden; tags.ariaExpanded = String(!list.hidden) };
    list.onclick = ({ target }) => { target.ariaSelected = String(target.ariaSelected !== 'true');
      tags.textContent = [...list.children].filter((one) => one.ariaSelected === 'true').map((one) => one.textContent).join(', ') };</script>`,
  '/long': long(2_000),
  '/more': long(30, 40),
  '/endless': long(2_000_000),
};
const workOn = sessionOn(PAGES);

async function take(work: OperationWork, ...lines: string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  const progress = createStepListProgress(input);
  const taken = await runSteps(work, input, progress, () => false);
  return { ...taken, failure: progress.failure };
}

const held = (work: OperationWork) =>
  inPage(work.tab, `[...new FormData(f)].map(([name, value]) => name + value).join(' ')`);
const shown = (work: OperationWork, id: string) => inPage(work.tab, `${id}.textContent`);
const click = (target: string, modifiers: readonly 'Control'[] = []) => ({
  target,
  snapshot: false,
  button: 'left' as const,
  clickCount: 1 as const,
  modifiers,
});

describe('several options at once', () => {
  it('are chosen in a list box, by name or by clicks', async () => {
    const work = await workOn('/boxes');
    expect(await take(work, 'choose "Interests" = Chess | Dance')).toMatchObject({ done: 1, stopped: null });
    expect(await held(work)).toBe('iChess iDance dOne');
    await clickElement(work, click('option "Blue"'));
    await clickElement(work, click('option "Biology"', ['Control']));
    expect(await held(work)).toBe('iBiology iChess iDance tBlue dOne');
  });

  it('are refused in a single-choice list, and so is a click in a drop-down list or in the middle of a list box', async () => {
    const work = await workOn('/boxes');
    expect((await take(work, 'choose "Teams" = Red | Blue')).failure).toMatchObject({
      problem: 'only one option of this list can be chosen',
    });
    expect(await failureOf(clickElement(work, click('option "Two"')))).toMatchObject({
      problem: expect.stringContaining('drop-down list'),
    });
    expect(await failureOf(clickElement(work, click('listbox "Teams"')))).toMatchObject({
      problem: expect.stringContaining('whichever option'),
    });
    expect(await held(work)).toBe('iArt dOne');
  });

  it('are chosen in a custom list, and chosen ones stay chosen', async () => {
    const work = await workOn('/drawn');
    expect(await take(work, 'choose "Tags" = Red | Blue')).toMatchObject({ done: 1, stopped: null });
    expect(await shown(work, 'tags')).toBe('Red, Blue');
  });
});

describe('a long list that draws only visible options', () => {
  it.each(['Size 1203', 'Size 7'])(
    'is searched for %s, from its position to the end and then from the beginning',
    async (name) => {
      const work = await workOn('/long');
      await inPage(work.tab, `size.dataset.at = '12000'`);
      expect(await take(work, `choose "Size" = ${name}`)).toMatchObject({ failure: null, done: 1, stopped: null });
      expect(await shown(work, 'size')).toBe(name);
    },
  );

  it('is searched further if it loads more at its end', async () => {
    const work = await workOn('/more');
    expect(await take(work, 'choose "Size" = Size 66')).toMatchObject({ done: 1, stopped: null });
    expect(await shown(work, 'size')).toBe('Size 66');
  });

  it('is reported as searched to its end if it has no such option', async () => {
    const { failure } = await take(await workOn('/more'), 'choose "Size" = Size 99');
    expect(failure).toMatchObject({
      problem: expect.stringContaining('searched to its end'),
      quoted: expect.stringContaining('Size 69'),
    });
  });

  it('reports how far it was searched when the time is up', async () => {
    const work = await workOn('/endless');
    work.endsAt = Date.now() + 6_000;
    const given = { targets: ['combobox "Size"'], values: ['Size 1999990'], snapshot: false };
    const failure = await failureOf(fillFields(work, given, createFillProgress(given)));
    expect(failure).toMatchObject({
      problem: expect.stringMatching(/searched up to \d+ % of its length/u),
      hint: expect.stringContaining('Repeat the call to search on from there'),
    });
  });
});
