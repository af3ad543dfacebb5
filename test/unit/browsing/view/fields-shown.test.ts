import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

let body = '';

const pages = recordedPages(
  'view/fields-shown',
  () => `<!doctype html><meta charset="utf-8"><title>T</title><body>${body}`,
);

function openPage(html: string) {
  body = html;
  return pages.open('http://site.example/');
}

async function shown(html: string): Promise<string[]> {
  return (await (await openPage(html)).text()).split('\n');
}

describe('the value of a field', () => {
  it('keeps its line breaks', async () => {
    expect(await shown('<textarea aria-label="Notes">one\ntwo</textarea>')).toEqual([
      '@e1 textbox "Notes" = "one⏎two"',
    ]);
    expect(await shown('<div contenteditable role="textbox" aria-label="Text"><p>one</p><p>two</p></div>')).toEqual([
      '@e1 textbox "Text" = "one⏎two"',
    ]);
  });

  it.each([
    [
      'among its text',
      '<p><span contenteditable="false" style="position:absolute;pointer-events:none">Say it</span><span>\uFEFF<br></span></p>',
      '',
    ],
    ['as a widget', '<div><b contenteditable="false" style="user-select:none">Say it</b><br></div>', ''],
    ['in an attribute of its first line', '<p data-placeholder="Say it"><br></p>', ''],
    ['in an attribute of its own', '<p><br></p>', 'data-placeholder="Say it"'],
  ])('is not the placeholder that an editor stores %s', async (_, inner, attribute) => {
    const editor = `<div contenteditable role="textbox" aria-label="Message" ${attribute}>${inner}</div>`;
    expect(await shown(editor)).toEqual(['@e1 textbox "Message" (placeholder "Say it")']);
  });

  it('is shown next to a part that cannot be edited', async () => {
    const editor =
      '<div contenteditable role="textbox" aria-label="Message">To <b contenteditable="false" style="user-select:none">Ada</b></div>';
    expect(await shown(editor)).toEqual(['@e1 textbox "Message" = "To Ada"']);
  });

  it('is a short number even if Chromium stores a long one', async () => {
    expect(await shown('<meter value="0.7"></meter>')).toEqual(['meter = 0.7 (0–1)']);
  });
});

describe('a box without a name', () => {
  it('is named by the words next to it, and found by them', async () => {
    const page = await openPage(
      '<div><span><input type="checkbox"></span><span>Act on it</span></div><p><input type="checkbox"> Plain<br><input type="checkbox"> Other</p>',
    );
    expect((await page.text()).split('\n').filter((line) => line.startsWith('@'))).toEqual([
      '@e1 checkbox (beside "Act on it")',
      '@e2 checkbox (beside "Plain")',
      '@e3 checkbox (beside "Other")',
    ]);
    for (const [target, place] of [
      ['"Act on it"', 0],
      ['checkbox "Other"', 2],
    ] as const) {
      const found = await page.resolve(target);
      expect(await page.ask(found, `[...document.querySelectorAll('input')].indexOf(this)`)).toBe(place);
    }
  });

  it('is named by the words before it, where labels are placed there', async () => {
    const lines = await shown('<p>First <input type="radio"> Second <input type="radio"></p>');
    expect(lines.join('\n')).toContain('radio (beside "Second")');
    expect(lines.join('\n')).toContain('radio (beside "First")');
  });

  it('is not identified by words that may belong to another', async () => {
    const lines = await shown('<p>Send <input type="checkbox"> daily</p>');
    expect(lines.join('\n')).not.toContain('beside');
  });
});
