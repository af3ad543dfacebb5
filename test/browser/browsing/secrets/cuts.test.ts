import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInTab } from '#browsing/session/operations/perform.ts';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import {
  readPageHtml,
  readPageLog,
  readTabHtml,
  viewTabOnRequest,
} from '#browsing/session/operations/look-operations.ts';
import { OPERATIONS } from '#browsing/session/operations/table.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { evaluate } from '#browsing/act/evaluate.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { createSecretMask } from '#browsing/secrets/mask.ts';
import { failureOf, inPage, patience } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

/** Secrets in a page's texts are masked before the texts are cut, so no letter of a secret across a cut is shown. */

const VALUE = 'xqvzkwjybpfgmdthrs';
const SHOWN_MAX = 2;
/** A text whose first `chars` characters end within the value, `letters` of it. */
const across = (chars: number, letters: number) => `${'. '.repeat(chars).slice(0, chars - letters - 1)} ${VALUE} end`;
const LETTERS = [3, 9];
const OPENS_MS = 60_000;

const PAGES = {
  ...Object.fromEntries(
    LETTERS.map((letters) => [
      `/${letters}`,
      `<div id="attributes" data-state="${across(300, letters)}" title="${across(300, letters)}">x</div>
      <select id="list">${`<option>${across(60, letters)}`.repeat(2)}</select>
      <form><input id="asked" required aria-label="${across(100, letters)}"><button id="send">Send</button></form>
      <button id="under" style="position:absolute;left:9px;top:300px">Under</button>
      <div aria-label="${across(80, letters)}" style="position:absolute;left:0;top:290px;width:500px;height:90px">Over</div>
      <button id="icon" data-tooltip="${across(40, letters)}"></button>
      <p id="value">${VALUE}</p><script>document.title = ${JSON.stringify(across(200, letters))}; console.log(${JSON.stringify(across(300, letters))}); document.querySelector('form').onsubmit = () => false</script>`,
    ]),
  ),
  '/line': `<p id="line" style="font:20px monospace;position:absolute;left:0;top:100px;margin:0;white-space:nowrap">Welcome ${VALUE} again</p>`,
};

const workOn = sessionOn(PAGES);

/** The number of consecutive letters of the value in a text. */
function lettersIn(text: string): number {
  for (let length = VALUE.length; length > 0; length -= 1) {
    for (let at = 0; at + length <= VALUE.length; at += 1)
      if (text.includes(VALUE.slice(at, at + length))) return length;
  }
  return 0;
}

async function hidingOn(path: string): Promise<OperationWork> {
  const work = await workOn(path);
  const hide = createSecretMask([VALUE]);
  work.active.browser.connection.mask = () => hide;
  return work;
}

describe.each(LETTERS)('a secret across a cut, %i letters before it', (letters) => {
  let work: OperationWork;
  beforeAll(async () => {
    work = await hidingOn(`/${letters}`);
  }, OPENS_MS);
  afterAll(() => work.active.tabs.close(work.tab));

  it.each<[string, (work: OperationWork) => Promise<unknown>]>([
    ['an attribute', (at) => readPageHtml(at, { target: '#attributes', maxBytes: 20_000, keepsScripts: false })],
    [
      'all of the HTML',
      async (at) => {
        const { html } = await readPageHtml(at, { target: undefined, maxBytes: 60_000, keepsScripts: true });
        const maxBytes = html.indexOf('••••') + letters;
        return readPageHtml(at, { target: undefined, maxBytes: Math.max(maxBytes, 20), keepsScripts: true });
      },
    ],
    ['what is read', (at) => readTabHtml(at, { target: '#attributes' }, 5_000)],
    [
      'the title',
      async ({ active, tab }) => {
        const bounds = { effect: 'look' as const, isLook: true, callMs: 20_000, texts: OPERATIONS.snapshot.origins };
        return runInTab('default', active, { tab: tab.id }, null, bounds, (at) => viewTabOnRequest(at, {}));
      },
    ],
    [
      'the options of a list',
      (at) => {
        const input = { targets: ['#list'], values: ['none of these'], snapshot: false };
        return failureOf(fillFields(at, input, createFillProgress(input)));
      },
    ],
    [
      'the name of a field',
      async (at) => {
        await clickElement(at, { target: '#send', button: 'left', clickCount: 1, modifiers: [], snapshot: false });
        return at.tab.log.since(0);
      },
    ],
    [
      'what covers an element',
      (at) =>
        failureOf(
          clickElement(at, { target: '#under', button: 'left', clickCount: 1, modifiers: [], snapshot: false }),
        ),
    ],
    ['what an icon is known by', (at) => viewTabOnRequest(at, { compact: false })],
    ['the console', (at) => readPageLog(at, { kind: 'console', filter: undefined, after: 0 })],
    [
      'the result of a script',
      async ({ tab, signal }) => {
        const context = tab.pageContext(tab.main());
        if (context === null) throw new Error('The page runs no scripts.');
        const script = `'. '.repeat(10_000).slice(0, ${20_000 - letters}) + document.querySelector('#value').textContent`;
        return evaluate({ tab, element: null, context }, script, { timeoutMs: 5_000 }, signal);
      },
    ],
  ])('is masked in %s', async (_, look) => {
    const told = JSON.stringify(await look({ ...work, signal: patience() }));
    expect(told.length).toBeGreaterThan(2);
    expect({ told: lettersIn(told) <= SHOWN_MAX ? '' : told }).toEqual({ told: '' });
  });
});

describe('a selected text', () => {
  it('shows no part of a secret, wherever the selection begins and ends', async () => {
    const { tab, signal } = await hidingOn('/line');
    const shown: string[] = [];
    for (const [from, to] of [
      [0, 17],
      [0, 26],
      [12, 20],
      [9, 26],
      [20, 32],
      [0, 32],
      [27, 32],
    ] as const) {
      await inPage(tab, `getSelection().setBaseAndExtent(line.firstChild, ${from}, line.firstChild, ${to})`);
      shown.push(await callIn(tab, tab.main(), pageScripts.readSelectedText, [300], signal));
    }
    const field = `document.body.append(Object.assign(document.createElement('input'), { value: 'it is ${VALUE}' }));`;
    await inPage(
      tab,
      `${field} document.querySelector('input').focus(); document.querySelector('input').setSelectionRange(2, 12)`,
    );
    shown.push(await callIn(tab, tab.main(), pageScripts.readSelectedText, [300], signal));
    expect(shown).toEqual([
      'Welcome ••••',
      'Welcome ••••',
      '••••',
      '••••',
      '•••• again',
      'Welcome •••• again',
      'again',
      ' is ••••',
    ]);
  });
});
