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
  '/longer': below(
    `${THREE}<button class="one"></button><button onclick="say('Delete account')">Delete account</button>`,
    `one.textContent = name === 'Ann' ? 'Delete' : name; one.onclick = () => say(one.textContent)`,
    `names.shift()`,
  ),
  '/positions': below(
    `<ul>${'<li class="one"><b></b> <i>new</i> <button>Like</button></li>'.repeat(3)}</ul>`,
    `one.firstChild.textContent = name; one.lastChild.onclick = () => say(name)`,
    `document.querySelector('ul').prepend(document.querySelector('li').cloneNode(true));
      for (const one of document.querySelectorAll('i')) one.textContent = ''; return`,
  ),
  '/loading': below(
    '<div class="one"><b></b> <i></i> <button>Add to cart</button></div>'.repeat(2),
    `one.firstChild.textContent = name; one.lastChild.onclick = () => say(name)`,
    `for (const one of document.querySelectorAll('i')) one.textContent = '$5'; return`,
  ),
  '/more': below(
    '<div class="one"><b></b> <i>Price</i> <button>Add to cart</button></div>',
    `one.firstChild.textContent = name; one.lastChild.onclick = () => say(name)`,
    `document.querySelector('i').textContent = '$5';
      document.querySelector('.one').after(document.querySelector('.one').cloneNode(true)); return`,
  ),
  '/countdown': `<button id="b" disabled onclick="said.textContent = b.textContent">Skip in 1</button><p id="said"></p>`,
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

  it('is not clicked, nor is an element whose name only contains its name', async () => {
    const work = await workOn('/longer');
    const failure = await failureOf(clickElement(work, { ...ONCE, target: 'button "Delete"' }));
    expect({ failure, said: await said(work) }).toMatchObject({ failure: { reason: 'replaced' }, said: '' });
  });

  it('is not clicked, nor is the element that is at its position now', async () => {
    const work = await workOn('/positions');
    const failure = await failureOf(clickElement(work, { ...ONCE, target: 'button "Like" nth=2' }));
    expect({ failure, said: await said(work) }).toMatchObject({ failure: { reason: 'replaced' }, said: '' });
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

  it('is clicked by its ref although its card loads more text', async () => {
    const work = await workOn('/loading');
    await clickElement(work, { ...ONCE, target: await refOf(work, 'Add to cart') });
    expect(await said(work)).toBe('Ann');
  });

  it('is clicked by its name although its card loads other text and another element gets its name', async () => {
    const work = await workOn('/more');
    await clickElement(work, { ...ONCE, target: 'button "Add to cart"' });
    expect(await said(work)).toBe('Ann');
  });

  it('is clicked although it counts down until it is enabled', async () => {
    const work = await workOn('/countdown');
    await inPage(work.tab, `void setTimeout(() => { b.disabled = false; b.textContent = 'Skip' }, 1500)`);
    await clickElement(work, { ...ONCE, target: 'button "Skip in 1"' });
    expect(await said(work)).toBe('Skip');
  });

  it('is clicked although the pointer renames it', async () => {
    const work = await workOn('/hover');
    await clickElement(work, { ...ONCE, target: 'button "Following"' });
    expect(await said(work)).toBe('x');
  });
});
