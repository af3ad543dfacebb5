import { describe, expect, it, vi } from 'vitest';
import { createSecretMask } from '#browsing/secrets/mask.ts';
import { CdpSession } from '#browsing/cdp/connection.ts';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { takeTabView } from '#browsing/session/operations/look-operations.ts';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import { sessionOn } from '#support/session-work.ts';

const MB = 1_000_000;
/** Characters of all answers of the browser to one call. Chromium's own description of these texts has six times theirs. */
const ANSWERED_MAX = 0.2 * MB;
/** The same for a field, whose whole value is read once. */
const FIELD_ANSWERED_MAX = 1.1 * MB;

/** The same for an attribute, which is read once. */
const NAME_ANSWERED_MAX = 1.3 * MB;
/** The same for an option, whose text is read twice. */
const OPTION_ANSWERED_MAX = 2.2 * MB;
/** The same for an attribute of a field. */
const FIELD_NAME_ANSWERED_MAX = 6 * MB;

const TEXT = `${'kelp '.repeat(MB / 10)}anchor ${'kelp '.repeat(MB / 10)}`;
const LEFT = /\(\+\d{6,7} characters: browser_read\)/u;
const PAGES: Readonly<Record<string, string>> = {
  'a paragraph': `<p>${TEXT}</p>`,
  'a text that a script wrote': `<p></p><script>document.querySelector('p').textContent = ${JSON.stringify(TEXT)}</script>`,
  'preformatted texts': [TEXT, ...Array.from({ length: 3 }, () => TEXT.replace('anchor ', ''))]
    .map((text) => `<pre>${text.replaceAll('kelp kelp ', 'kelp\n')}</pre>`)
    .join(''),
  'text between elements': `<div>Before <b>it</b>, ${TEXT} after <i>it</i></div>`,
  'text after a word': `<div>Before <b>it</b> ${TEXT}</div>`,
};
const FIELDS: Readonly<Record<string, string>> = {
  'a text area': `<textarea aria-label="Note">${TEXT}</textarea>`,
  'an editor': `<div contenteditable aria-label="Note">${TEXT}</div>`,
};
/** Pages with elements that are named by the text, with the greatest number of characters of answers. */
const NAMED: Readonly<Record<string, [html: string, answeredMax: number, line: RegExp]>> = {
  'a link': [`<a href="/x">${TEXT}</a>`, ANSWERED_MAX, /^@e1 link "kelp .*…" \/x$/mu],
  'a button': [`<button>${TEXT}</button>`, ANSWERED_MAX, /^@e1 button "kelp .*…"$/mu],
  'a heading': [`<h2>${TEXT}</h2>`, ANSWERED_MAX, /^## kelp .*…$/mu],
  'the head of a drop-down': [
    `<details open><summary>${TEXT}</summary></details>`,
    ANSWERED_MAX,
    /^@e1 summary "kelp .*…"$/mu,
  ],
  'an alternative text': [`<img src="data:," alt="${TEXT}">`, NAME_ANSWERED_MAX, /^\[img kelp .*…\]$/mu],
  'a tooltip': [`<button title="${TEXT}">Go</button>`, NAME_ANSWERED_MAX, /^@e1 button "Go"$/mu],
  'a label': [`<button aria-label="${TEXT}">Go</button>`, NAME_ANSWERED_MAX, /^@e1 button "kelp .*…"$/mu],
  'a placeholder': [`<input placeholder="${TEXT}">`, FIELD_NAME_ANSWERED_MAX, /^@e1 textbox "kelp .*…"$/mu],
  'the value of a field': [
    `<input value="${TEXT}">`,
    FIELD_NAME_ANSWERED_MAX,
    /^@e1 textbox = "kelp .*…" \(1\d{6} characters/mu,
  ],
  'an option': [
    `<select><option>One<option>${TEXT}</select>`,
    OPTION_ANSWERED_MAX,
    /^@e1 combobox = "One" of "One" "kelp .*…"$/mu,
  ],
};
const all = { ...PAGES, ...FIELDS, ...Object.fromEntries(Object.entries(NAMED).map(([name, [html]]) => [name, html])) };
const path = (name: string) => `/${name.replaceAll(' ', '-')}`;
const workOn = sessionOn({
  '/': '',
  '/after-bold': `<p><b>Hunter2-</b>and-more anchor ${TEXT}</p>`,
  '/two-nodes': `<p></p><script>document.querySelector('p').append(${JSON.stringify(`${TEXT}Hunter2-`)}, ${JSON.stringify(`and-more zebra ${TEXT}`)})</script>`,
  '/seen-only': `<p>Seen</p><div aria-hidden="true">${TEXT}</div><p>After</p>`,
  '/hidden': `<p style="opacity: 0">${TEXT}</p><p style="display: none">${TEXT}</p><button>Save</button>`,
  ...Object.fromEntries(
    Object.entries(all).map(([name, html]) => [path(name), `<h1>Top</h1>${html}<button>Save</button>`]),
  ),
});
const PATIENCE_MS = 100_000;

async function open(address: string) {
  const work = await workOn('/', AbortSignal.timeout(PATIENCE_MS));
  const sent = vi.spyOn(CdpSession.prototype, 'send');
  const went = await navigateTab(work, {
    url: `http://site.example${address}`,
    history: undefined,
    newTab: false,
    waitUntil: 'load',
    timeoutMs: PATIENCE_MS,
    snapshot: true,
  });
  const answered = JSON.stringify(sent.mock.settledResults.map(({ value }) => value)).length;
  return { work, text: went.snapshot?.text ?? '', answered };
}

describe('a text of a million characters', () => {
  it.each(Object.keys(PAGES))('is shown from its beginning, and found in its middle, in %s', async (name) => {
    const { work, text, answered } = await open(path(name));
    expect(answered).toBeLessThan(ANSWERED_MAX);
    expect(text).toMatch(/^# Top\n(?:Before it,? )?kelp kelp /u);
    expect(text).toMatch(LEFT);
    expect(text).toMatch(/button "Save"$/u);
    expect((await takeTabView(work, { find: 'anchor' })).text).toMatch(/^# Top\n… .*kelp anchor kelp/u);
    const click = { button: 'left', clickCount: 1, modifiers: [], snapshot: false } as const;
    await expect(clickElement(work, { ...click, target: 'text=anchor kelp' })).resolves.toMatchObject({
      landed: 'click',
    });
    await expect(clickElement(work, { ...click, target: 'button "Save"' })).resolves.toMatchObject({ landed: 'click' });
  });

  it.each(Object.keys(FIELDS))('is shown from its beginning, and found in its middle, in %s', async (name) => {
    const { work, text, answered } = await open(path(name));
    expect(answered).toBeLessThan(FIELD_ANSWERED_MAX);
    expect(text).toMatch(/^# Top\n@e1 textbox "Note" = "kelp .*…" \(\d{7} characters: browser_read .*\)\n.*"Save"$/u);
    expect((await takeTabView(work, { find: 'anchor' })).text).toMatch(
      /textbox "Note" \(of 1 lines, line 1: ".*anchor/u,
    );
  });

  it.each(Object.entries(NAMED))('is shown from its beginning as %s', async (name, [, answeredMax, line]) => {
    const { work, text, answered } = await open(path(name));
    expect(answered).toBeLessThan(answeredMax);
    expect(text).toMatch(line);
    const [, save = ''] = /(@e\d) button "Save"$/u.exec(text) ?? [];
    for (const target of new Set([save, /@e1 (?:link|button)/u.test(text) ? '@e1' : save])) {
      const click = { button: 'left', clickCount: 1, modifiers: [], snapshot: false, target } as const;
      await expect(clickElement(work, click)).resolves.toMatchObject({ landed: 'click' });
    }
  });

  it.each([
    ['/after-bold', 'anchor'],
    ['/two-nodes', 'zebra'],
  ])('shows no part of a secret that begins before it: %s', async (address, words) => {
    const { work } = await open(address);
    const mask = createSecretMask(['Hunter2-and-more']);
    work.active.browser.connection.mask = () => mask;
    const { text } = await takeTabView(work, { find: words });
    expect(text).toMatch(/•••• (?:anchor|zebra) kelp/u);
    expect(text).not.toContain('and-more');
    work.active.browser.connection.mask = () => null;
  });

  it('is shown from its beginning if it is hidden from accessibility only', async () => {
    const { text, answered } = await open('/seen-only');
    expect(answered).toBeLessThan(ANSWERED_MAX);
    expect(text).toMatch(/^Seen\nkelp .*… \(\+99\d{4} characters: browser_read\)\nAfter$/u);
  });

  it('is not shown if it is invisible', async () => {
    const { text } = await open('/hidden');
    expect(text).toMatch(/^@e1 button "Save"$/u);
  });
});
