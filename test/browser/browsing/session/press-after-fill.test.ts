import { describe, expect, it } from 'vitest';
import { typeInto } from '#browsing/session/operations/act-operations.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const DELETE = '<button type="button" id="delete" onclick="window.pressed = true">Delete</button>';
const NAME = '<label>Name <input id="name"></label>';
const moves = (to: string, later = '') =>
  `<script>document.querySelector('#name').oninput = () => { ${later} setTimeout(() => ${to}.focus(), 60) }</script>`;
const PAGES: Record<string, string> = {
  '/button': `${NAME}${DELETE}${moves(`document.querySelector('#delete')`)}`,
  '/same-form': `<form onsubmit="window.sent = true; return false">${NAME}${DELETE}<button>Save</button></form>${moves(`document.querySelector('#delete')`)}`,
  '/other-form': `${NAME}<form onsubmit="window.pressed = true; return false"><input id="pay"><button>Pay</button></form>${moves('pay')}`,
  '/frame': `${NAME}<iframe id="frame" src="/inner"></iframe>${moves('frame.contentWindow')}`,
  '/inner': `<button onclick="parent.pressed = true">Pay</button><script>onfocus = () => document.querySelector('button').focus()</script>`,
  '/redrawn': `<div id="part">${NAME}</div>${DELETE}${moves(`document.querySelector('#delete')`, 'part.innerHTML = part.innerHTML;')}`,
  '/default': `<form onsubmit="window.sent = true; return false">${NAME}<button id="save">Save</button></form>${moves('save')}`,
  '/next': `<form onsubmit="window.sent = true; return false">${NAME}<label>Town <input id="town"></label><button>Save</button></form>${moves('town')}`,
  '/still': `${NAME}<button onclick="window.sent = true">Next</button>${DELETE}`,
};
const SEARCHES = {
  overlay: `q.value = query.value; q.focus()`,
  moved: `q.value = query.value; query.value = ''; q.focus()`,
  cleared: `q.value = query.value; q.focus(); q.onkeydown = ({ key }) => { if (key === 'Enter') { q.form.requestSubmit(); q.value = '' } }`,
  other: `q.value = query.value + ' and dogs'; q.focus()`,
  slider: `q.type = 'range'; q.value = query.value; q.focus()`,
};
for (const [name, script] of Object.entries(SEARCHES))
  PAGES[`/search-${name}`] = `<label>Search <input id="query"></label><div id="over"></div>
    <script>const search = () => { over.innerHTML = '<form onsubmit="window.sent = true; return false"><input name="q" aria-label="Query"></form>';
    const q = over.querySelector('input'); ${script} }; query.oninput = search</script>`;
const workOn = sessionOn(PAGES);

async function take(path: string, lines: readonly string[]) {
  const work = await workOn(path);
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  const progress = createStepListProgress(input);
  const { done, stopped } = await runSteps(work, input, progress, () => false);
  const [pressed, sent] = JSON.parse(
    String(await inPage(work.tab, 'JSON.stringify([window.pressed === true, window.sent === true])')),
  );
  return { done, why: stopped?.why, failure: progress.failure, pressed, sent };
}

describe('a key without a target, after a field was filled', () => {
  it.each([
    ['/button', 'focus_moved'],
    ['/same-form', 'focus_moved'],
    ['/other-form', 'focus_moved'],
    ['/redrawn', 'focus_moved'],
    ['/frame', 'focus_taken'],
  ])('presses nothing to which the page has moved the focus: %s', async (path, reason) => {
    for (const key of path === '/other-form' ? ['Enter'] : ['Enter', 'Space']) {
      const taken = await take(path, ['fill "Name" = Ann', `press ${key}`]);
      expect(taken).toMatchObject({ done: 1, why: 'failed', failure: { reason }, pressed: false });
    }
  });

  it.each([
    ['/search-other', 'cats'],
    ['/search-slider', '60'],
  ])('submits no other form whose field lacks the text: %s', async (path, text) => {
    const taken = await take(path, [`fill "Search" = ${text}`, 'press Enter']);
    expect(taken).toMatchObject({ done: 1, failure: { reason: 'focus_moved' }, sent: false });
  });

  it.each([
    ['/default', ['fill "Name" = Ann', 'press Enter']],
    ['/next', ['fill "Name" = Ann', 'press Enter']],
    ['/still', ['fill "Name" = Ann', 'press Tab', 'press Enter']],
    ['/still', ['fill "Name" = Ann', 'press Tab Enter']],
    ['/still', ['type "Name" = Ann', 'click button "Next"']],
    ['/search-overlay', ['fill "Search" = cats', 'press Enter']],
    ['/search-overlay', ['type "Search" = cats', 'press Enter']],
    ['/search-cleared', ['fill "Search" = cats', 'press Enter']],
  ])('is pressed where the focus is meant to be: %s %s', async (path, lines) => {
    expect(await take(path, lines)).toMatchObject({ done: lines.length, failure: null, pressed: false, sent: true });
  });

  it.each(['overlay', 'moved'])(
    'is pressed in the field that took over the text while it was typed: %s',
    async (how) => {
      const work = await workOn(`/search-${how}`);
      await typeInto(work, { target: '#query', text: 'cats', submit: true, snapshot: false });
      expect(await inPage(work.tab, `[window.sent, document.querySelector('[name=q]').value].join(' ')`)).toBe(
        'true cats',
      );
    },
  );
});
