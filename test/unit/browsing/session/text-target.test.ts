import { describe, expect, it } from 'vitest';
import { findTextTarget } from '#browsing/session/operations/act-operations.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const MAIL = `<h1>Compose</h1><form id="form" onsubmit="return false"><label>Subject <input id="subject" value="Hi"></label>
  <label>Text <textarea id="text"></textarea></label><p id="words">Some words</p></form>`;

const PAGES: Readonly<Record<string, string>> = {
  '/mail': MAIL,
  '/controls': `${MAIL}<button id="send" onclick="window.sent = true">Send</button> <a id="link" href="#there">Link</a>
    <input type="checkbox" id="box"> <input type="range" id="range"> <input type="color" id="color"> <input type="submit" id="submit">
    <details><summary id="summary">More</summary></details> <div role="button" tabindex="0" id="drawn">Drawn</div>
    <div role="switch" tabindex="0" id="switch" aria-checked="false">Dark</div> <div tabindex="0" id="plain">Plain</div>`,
  '/dialog': `<div id="dialog" role="dialog" aria-label="Invite" tabindex="-1"><label>Mail <input id="mail"></label></div>`,
};

const pages = recordedPages('session/text-target', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
});

async function targetOn(path: string, selector: string, hasText = true) {
  const page = await pages.open(`http://site.example${path}`);
  const work = { tab: page.tab, active: page, signal: patience() };
  return findTextTarget(work, await page.resolve(selector), hasText);
}

describe('typing into an element that accepts no text', () => {
  it.each(['body', 'html', '#form', 'h1', 'p', 'form'])(
    'is refused with the fields of the page: %s',
    async (selector) => {
      expect(await failureOf(targetOn('/mail', selector))).toMatchObject({
        code: 'invalid_argument',
        field: 'selector',
        problem: expect.stringContaining('takes no text; nothing was typed'),
        quoted: expect.stringMatching(/@e\d+ textbox "Subject".*\n@e\d+ textbox "Text"/u),
      });
    },
  );

  it.each([
    ['#send', 'a button'],
    ['#link', 'a link'],
    ['#box', 'a checkbox'],
    ['#range', 'a slider'],
    ['#color', 'a color'],
    ['#submit', 'a button'],
    ['#summary', 'a summary'],
    ['#drawn', 'a button'],
    ['#switch', 'a switch'],
    ['#plain', 'an element'],
  ])('is refused for a control, and the error names its kind: %s', async (selector, what) => {
    expect(await failureOf(targetOn('/controls', selector))).toMatchObject({
      problem: `is ${what}, which takes no text; nothing was typed`,
    });
  });

  it('is refused for a dialog that takes the focus, and the error names the field in it', async () => {
    expect(await failureOf(targetOn('/dialog', '#dialog'))).toMatchObject({
      problem: 'is a dialog, which takes no text; nothing was typed',
      quoted: expect.stringMatching(/textbox "Mail"/u),
      hint: expect.stringContaining('in it'),
    });
  });
});

describe('the target of keys', () => {
  it.each(['#subject', '#text'])('is the field itself: %s', async (selector) => {
    const { element, isField } = await targetOn('/mail', selector);
    expect([element.role, isField]).toEqual(['textbox', true]);
  });

  it('is a control without text, if there is no text', async () => {
    expect(await targetOn('/controls', '#send', false)).toMatchObject({ element: { role: 'button' }, isField: false });
  });
});
