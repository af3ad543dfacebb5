import { describe, expect, it } from 'vitest';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

/** Elements below the window. The page uses them for other names when they are scrolled into view before the press. */
const below = (elements: string, draw: string, after = 'names.reverse()') => `<p id="said"></p>
  <div style="height: 3000px"></div>${elements}<script>const names = ['Ann', 'Bob', 'Cid'];
  const all = [...document.querySelectorAll('.one')], say = (word) => { said.textContent += word + ' ' };
  const draw = () => all.forEach((one, at) => { const name = names[at] ?? 'Zoe'; ${draw} });
  draw(); addEventListener('scroll', () => { ${after}; draw() }, { once: true })</script>`;
const THREE = '<button class="one"></button>'.repeat(3);
const NAMED = `one.textContent = 'Delete ' + name; one.onclick = () => say(one.textContent)`;
const ROW = '<tr class="one"><td></td><td><button>Edit</button><button>Delete</button></td></tr>';
const IN_ROW = `one.firstChild.textContent = name; one.lastChild.lastChild.onclick = () => say(name)`;
const PAGES = {
  '/buttons': below(THREE, NAMED),
  '/labelled': below(
    THREE,
    `one.textContent = 'X'; one.ariaLabel = 'Delete ' + name; one.onclick = () => say(one.ariaLabel)`,
  ),
  '/inputs': below(
    '<input type="button" class="one">'.repeat(3),
    `one.setAttribute('value', 'Delete ' + name); one.onclick = () => say(one.value)`,
  ),
  '/pictures': below(
    '<button class="one"><img></button>'.repeat(3),
    `one.firstChild.alt = 'Delete ' + name; one.onclick = () => say(one.firstChild.alt)`,
  ),
  '/rows': below(`<table>${ROW.repeat(3)}</table>`, IN_ROW),
  '/cards': below(
    '<div class="one"><b></b><div><button>Edit</button><button>Delete</button></div></div>'.repeat(3),
    IN_ROW,
  ),
  '/removed': below(THREE, NAMED, 'names.shift()'),
  '/clock': below(
    '<ul><li>Ann <b id="clock"></b> <button onclick="say(1)">Delete</button></ul>',
    '',
    `let n = 0; const tick = () => { clock.textContent = n += 1; requestAnimationFrame(tick) }; tick()`,
  ),
  '/hover': `<button id="b" onclick="said.textContent += 'x'">Following</button><p id="said"></p><script>
    b.onmouseenter = () => { b.textContent = 'Unfollow' }; b.onmouseleave = () => { b.textContent = 'Following' }</script>`,
};

const workOn = sessionOn(PAGES);
const ONCE = { button: 'left', clickCount: 1, modifiers: [], snapshot: false } as const;

const said = async ({ tab }: OperationWork) => String(await inPage(tab, 'said.textContent')).trim();

async function refOf(work: OperationWork, words: string): Promise<string> {
  const { text } = await viewTabOnRequest(work, {});
  return new RegExp(`(@e\\d+)[^\\n]*"${words}"`, 'u').exec(text)?.[1] ?? '';
}

describe('an element that the page uses for another name before it is clicked', () => {
  it.each(['/buttons', '/labelled', '/inputs', '/pictures'])('is not clicked, the named one is (%s)', async (path) => {
    const work = await workOn(path);
    await clickElement(work, { ...ONCE, target: 'button "Delete Ann"' });
    expect(await said(work)).toBe('Delete Ann');
  });

  it('is not clicked if the name is in the row', async () => {
    const work = await workOn('/rows');
    await clickElement(work, { ...ONCE, target: 'button "Delete" in row "Ann"' });
    expect(await said(work)).toBe('Ann');
  });

  it('is not clicked if the name is in a card', async () => {
    const work = await workOn('/cards');
    await clickElement(work, { ...ONCE, target: 'button "Delete" in "Ann"' });
    expect(await said(work)).toBe('Ann');
  });

  it('is not clicked by its ref', async () => {
    const work = await workOn('/buttons');
    const failure = await failureOf(clickElement(work, { ...ONCE, target: await refOf(work, 'Delete Ann') }));
    expect(failure.code).toBe('stale_ref');
    expect(await said(work)).toBe('');
  });

  it('is not clicked if the name is gone', async () => {
    const work = await workOn('/removed');
    const failure = await failureOf(clickElement(work, { ...ONCE, target: 'button "Delete Ann"' }));
    expect(failure.code).toBe('element_not_found');
    expect(await said(work)).toBe('');
  });

  it('is not clicked by a step of a list', async () => {
    const work = await workOn('/buttons');
    const input = { steps: parseStepLines(['click "Delete Ann"']), snapshot: false, expectsDialog: false };
    const { stopped } = await runSteps(work, input, createStepListProgress(input), () => false);
    expect({ stopped, said: await said(work) }).toEqual({ stopped: null, said: 'Delete Ann' });
  });
});

describe('an element whose own words change', () => {
  it('is clicked although its row has a clock', async () => {
    const work = await workOn('/clock');
    await clickElement(work, { ...ONCE, target: 'button "Delete" in listitem "Ann"' });
    expect(await said(work)).toBe('1');
  });

  it('is clicked although the pointer renames it', async () => {
    const work = await workOn('/hover');
    await clickElement(work, { ...ONCE, target: 'button "Following"' });
    expect(await said(work)).toBe('x');
  });
});
