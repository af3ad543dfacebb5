import { describe, expect, it, vi } from 'vitest';
import { createSecretMask } from '#browsing/secrets/mask.ts';
import { CdpSession } from '#browsing/cdp/connection.ts';
import { clickElement, typeInto } from '#browsing/session/operations/act-operations.ts';
import { takeTabView } from '#browsing/session/operations/look-operations.ts';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import { sessionOn } from '#support/session-work.ts';

const MB = 1_000_000;
/** Characters of all answers of the browser to one call. Chromium's own description of these texts has six times theirs. */
const ANSWERED_MAX = 0.2 * MB;
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
/** Pages with elements that are named by the text. */
const NAMED: Readonly<Record<string, [html: string, line: RegExp]>> = {
  'a link': [`<a href="/x">${TEXT}</a>`, /^@e1 link "kelp .*…" \/x$/mu],
  'a button': [`<button>${TEXT}</button>`, /^@e1 button "kelp .*…"$/mu],
  'a heading': [`<h2>${TEXT}</h2>`, /^## kelp .*…$/mu],
  'the head of a drop-down': [`<details open><summary>${TEXT}</summary></details>`, /^@e1 summary "kelp .*…"$/mu],
  'an alternative text': [`<img src="data:," alt="${TEXT}">`, /^\[img kelp .*…\]$/mu],
  'a tooltip': [`<button title="${TEXT}">Go</button>`, /^@e1 button "Go"$/mu],
  'a label': [`<button aria-label="${TEXT}">Go</button>`, /^@e1 button "kelp .*…"$/mu],
  'a placeholder': [`<input placeholder="${TEXT}">`, /^@e1 textbox "kelp .*…"$/mu],
  'an address': [`<a href="/x?${TEXT.replaceAll(' ', '-')}">Go</a>`, /^@e1 link "Go"/mu],
  'a description': [`<div title="${TEXT}">Go <b>on</b></div>`, /^Go on$/mu],
  'the value of a field': [`<input value="${TEXT}">`, /^@e1 textbox = "kelp .*…" \(1\d{6} characters/mu],
  'a chosen option': [
    `<select><option>One<option selected>${TEXT}</select>`,
    /^@e1 combobox = "kelp .*…" of "One" "kelp .*…"$/mu,
  ],
  'the only option': [`<select><option>${TEXT}</select>`, /^@e1 combobox = "kelp .*…"$/mu],
  'an option in a list': [
    `<select multiple><option>One<optgroup label="Group"><option selected>${TEXT}</optgroup></select>`,
    /^@e1 listbox of "One" "kelp .*…"\*$/mu,
  ],
  'the label of an option': [
    `<select><option>One<option label="${TEXT}">Two</select>`,
    /^@e1 combobox = "One" of "One" "kelp .*…"$/mu,
  ],
  'an option': [`<select><option>One<option>${TEXT}</select>`, /^@e1 combobox = "One" of "One" "kelp .*…"$/mu],
};
const all = { ...PAGES, ...FIELDS, ...Object.fromEntries(Object.entries(NAMED).map(([name, [html]]) => [name, html])) };
const path = (name: string) => `/${name.replaceAll(' ', '-')}`;
const workOn = sessionOn({
  '/': '',
  '/after-bold': `<p><b>Hunter2-</b>and-more anchor ${TEXT}</p>`,
  '/two-nodes': `<p></p><script>document.querySelector('p').append(${JSON.stringify(`${TEXT}Hunter2-`)}, ${JSON.stringify(`and-more zebra ${TEXT}`)})</script>`,
  '/cut-button': `<button>Send${' '.repeat(15_991)}Hunter2-and-more ${TEXT}</button>`,
  '/cut-label': `<p id="name">Note${' '.repeat(991)}Hunter2-and-more</p><textarea aria-labelledby="name">${TEXT}</textarea>`,
  '/seen-only': `<p>Seen</p><div aria-hidden="true">${TEXT}</div><p>After</p>`,
  '/lines': `<textarea aria-label="Note">${'kelp\n'.repeat(30_000)}anchor\n${'kelp\n'.repeat(30_000)}</textarea>`,
  '/private': `<input aria-label="Card" autocomplete="cc-number" required value="${TEXT}"><textarea disabled>${TEXT}</textarea><button disabled title="x">${TEXT}</button>`,
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
  /** Characters of all answers since the last call of this function. */
  const answered = () => {
    const { length } = JSON.stringify(sent.mock.settledResults.map(({ value }) => value));
    sent.mockClear();
    return length;
  };
  return { work, text: went.snapshot?.text ?? '', answered };
}

describe('a text of a million characters', () => {
  it.each(Object.keys(PAGES))('is shown from its beginning, and found in its middle, in %s', async (name) => {
    const { work, text, answered } = await open(path(name));
    expect(answered()).toBeLessThan(ANSWERED_MAX);
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

  it.each(Object.keys(FIELDS))('is not sent for clicks and keys in %s', async (name) => {
    const { work, answered } = await open(path(name));
    const click = { button: 'left', clickCount: 1, modifiers: [], snapshot: false, target: '@e1' } as const;
    await clickElement(work, click);
    answered();
    await clickElement(work, click);
    expect(answered()).toBeLessThan(ANSWERED_MAX);
    await typeInto(work, { target: '@e1', key: 'Home', snapshot: false });
    expect(answered()).toBeLessThan(ANSWERED_MAX);
  });

  it.each(Object.keys(FIELDS))('is shown from its beginning, and found in its middle, in %s', async (name) => {
    const { work, text, answered } = await open(path(name));
    expect(answered()).toBeLessThan(ANSWERED_MAX);
    expect(text).toMatch(/^# Top\n@e1 textbox "Note" = "kelp .*…" \(\d{7} characters: browser_read .*\)\n.*"Save"$/u);
    expect((await takeTabView(work, { find: 'anchor' })).text).toMatch(
      /textbox "Note" \(of 1 lines, line 1: ".*anchor/u,
    );
    expect(answered()).toBeLessThan(ANSWERED_MAX);
    const click = { button: 'left', clickCount: 1, modifiers: [], snapshot: false } as const;
    for (const target of ['button "Save"', '@e1'])
      await expect(clickElement(work, { ...click, target })).resolves.toMatchObject({ landed: 'click' });
    expect(answered()).toBeLessThan(2 * ANSWERED_MAX);
  });

  it.each(Object.entries(NAMED))('is shown from its beginning as %s', async (name, [, line]) => {
    const { work, text, answered } = await open(path(name));
    expect(answered()).toBeLessThan(ANSWERED_MAX);
    expect(text).toMatch(line);
    const [, save = ''] = /(@e\d) button "Save"$/u.exec(text) ?? [];
    for (const target of new Set([save, /@e1 (?:link|button)/u.test(text) ? '@e1' : save])) {
      const click = { button: 'left', clickCount: 1, modifiers: [], snapshot: false, target } as const;
      await expect(clickElement(work, click)).resolves.toMatchObject({ landed: 'click' });
      expect(answered()).toBeLessThan(ANSWERED_MAX);
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

  it.each(['/cut-button', '/cut-label'])(
    'shows no beginning of a secret at the end of an excerpt: %s',
    async (address) => {
      const { work } = await open(address);
      const mask = createSecretMask(['Hunter2-and-more']);
      work.active.browser.connection.mask = () => mask;
      const { text } = await takeTabView(work, {});
      expect(text).toMatch(/Send|Note/u);
      expect(text).not.toContain('Hunt');
      work.active.browser.connection.mask = () => null;
    },
  );

  it('is shown from its beginning if it is hidden from accessibility only', async () => {
    const { text, answered } = await open('/seen-only');
    expect(answered()).toBeLessThan(ANSWERED_MAX);
    expect(text).toMatch(/^Seen\nkelp .*… \(\+99\d{4} characters: browser_read\)\nAfter$/u);
  });

  it('is searched for a regular expression only at its beginning, and the result says so', async () => {
    const { work } = await open('/lines');
    const note = /only the first 8,000 characters of each long text/u;
    expect((await takeTabView(work, { find: '/anch.r/' })).text).toMatch(note);
    expect((await takeTabView(work, { find: 'anchor' })).text).not.toMatch(note);
    const short = await open('/hidden');
    expect((await takeTabView(short.work, { find: '/Sav./' })).text).not.toMatch(note);
  });

  it('is found by its line in a text area of many lines', async () => {
    const { work, text } = await open('/lines');
    expect(text).toMatch(/^@e1 textbox "Note" = "kelp⏎kelp⏎.*…" \(\d{6} characters/u);
    const found = await takeTabView(work, { find: 'anchor' });
    expect(found.text).toBe('@e1 textbox "Note" (of 60002 lines, line 30001: "anchor")');
  });

  it('in a field is masked if the field is private, and shows states', async () => {
    const { text } = await open('/private');
    expect(text).toMatch(/^@e1 textbox "Card" = "••••" required$/mu);
    expect(text).toMatch(/^@e2 textbox = "kelp .*…" \(1\d{6} characters: .*\) disabled$/mu);
    expect(text).toMatch(/^@e3 button "kelp .*…" disabled$/mu);
  });

  it('is not shown if it is invisible', async () => {
    const { text } = await open('/hidden');
    expect(text).toMatch(/^@e1 button "Save"$/u);
  });
});
