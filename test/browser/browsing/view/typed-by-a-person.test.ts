import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { acquireBrowser, closeBrowserAndConnection } from '#browsing/cdp/connect.ts';
import { readHtmlOfPage, readVisibleHtml } from '#browsing/read/html.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import { evaluateScript } from '#browsing/session/operations/evaluate-script.ts';
import { PageRules } from '#browsing/rules/page-rules.ts';
import { openActiveSession } from '#browsing/session/active-session.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import { navigate } from '#browsing/session/operations/navigate.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { takeView } from '#browsing/view/view.ts';
import { failureOf } from '#support/page-calls.ts';
import { testDownloads } from '#support/test-downloads.ts';
import { testSecrets } from '#support/test-secrets.ts';

/** A document in which a person types and that models then view. */
const PAGE = `<!doctype html><title>Fields</title><style>* { caret-color: transparent } :focus { outline: 0 }</style>
<input aria-label="Code" oninput="this.setAttribute('value', this.value); console.warn('typed ' + this.value)"><br>
<textarea aria-label="Letter"></textarea><div contenteditable aria-label="Note" style="min-height: 2em"></div>
<input type="number" aria-label="Number"><select aria-label="Kind"><option>One</select>`;

const opened: ActiveSession[] = [];
afterEach(async () => {
  for (const { browser } of opened.splice(0)) await closeBrowserAndConnection(env.BROWSER, browser);
});

const soon = () => AbortSignal.timeout(20_000);

async function typed(digits: string): Promise<{ active: ActiveSession; tab: OpenTab }> {
  const browser = await acquireBrowser(env.BROWSER);
  const active = await openActiveSession(
    browser,
    async () => null,
    { nextRef: 1, lastTab: 0 },
    testDownloads(),
    testSecrets(),
    new PageRules(),
  );
  opened.push(active);
  const tab = await active.tabs.open(active.contextId);
  const url = `data:text/html,${encodeURIComponent(PAGE)}`;
  await navigate(tab, url, { waitUntil: 'load', timeoutMs: 20_000 }, soon());
  active.tabs.driver.isDriving = true;
  for (const at of [0, 1, 2, 3]) {
    const expression = `document.querySelectorAll('input, textarea, [contenteditable]')[${at}].focus()`;
    await tab.session.send('Runtime.evaluate', { expression });
    tab.noteTyped();
    await tab.session.send('Input.insertText', { text: digits });
  }
  await tab.session.send('Runtime.evaluate', { expression: 'document.activeElement.blur()' });
  active.tabs.driver.isDriving = false;
  return { active, tab };
}

describe('a document in which a user has typed', () => {
  it('shows models its fields without their values, in every kind of view', async () => {
    const { active, tab } = await typed('731942');
    const { text } = (await takeView(tab, active.refs, null, {}, soon())).view;
    expect(text).toContain('textbox "Code" = "••••"');
    expect(text).toMatch(
      /^\(all field values are masked, because a secret or a person's text was typed on this page; they show again/u,
    );
    expect(text).toContain('"One"');
    const seen = [
      text,
      (await readVisibleHtml(tab, null, 100_000, soon())).html,
      (await readHtmlOfPage(tab, { element: null, maxBytes: 100_000, keepsScripts: true }, soon())).html,
      JSON.stringify(tab.log.since(0)),
      JSON.stringify(tab.record.console),
    ];
    for (const one of seen) expect(one).not.toContain('731942');
  });

  it('looks the same in a screenshot whatever was typed, and unchanged to the user', async () => {
    const pictures: string[] = [];
    for (const digits of ['731942', '208560']) {
      const { tab } = await typed(digits);
      pictures.push((await takeScreenshot(tab, {}, soon())).jpegBase64);
      const { result } = await tab.session.send('Runtime.evaluate', {
        expression: `document.adoptedStyleSheets.length + getComputedStyle(document.querySelector('input')).webkitTextSecurity`,
      });
      expect(result.value).toBe('0none');
    }
    expect(pictures[0]).toBe(pictures[1]);
  });

  it('belongs to a site where scripts of models no longer run, in the next document and in another tab', async () => {
    const browser = await acquireBrowser(env.BROWSER);
    const active = await openActiveSession(
      browser,
      async () => null,
      { nextRef: 1, lastTab: 0 },
      testDownloads(),
      testSecrets(),
      new PageRules(),
    );
    opened.push(active);
    const tab = await active.tabs.open(active.contextId);
    const other = await active.tabs.open(active.contextId);
    const go = (to: OpenTab, url: string) => navigate(to, url, { waitUntil: 'load', timeoutMs: 20_000 }, soon());
    const evaluate = (on: OpenTab) =>
      evaluateScript(
        { active, tab: on, effect: 'script', signal: soon(), endsAt: Infinity },
        { script: '1', target: undefined, timeoutMs: 5_000 },
      );
    // A key in an empty tab is typed nowhere.
    tab.noteTyped();
    await go(tab, 'http://login.acme.dev/who');
    tab.noteTyped();
    await go(tab, 'http://login.acme.dev/');
    await go(other, 'http://docs.acme.dev/alarms');
    for (const on of [tab, other]) expect(await failureOf(evaluate(on))).toMatchObject({ code: 'script_blocked' });
    await go(other, 'http://www.acme.org/');
    expect(await evaluate(other)).toMatchObject({ json: '1' });
  });
});
