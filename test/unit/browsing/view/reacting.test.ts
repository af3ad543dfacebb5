import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

let browser: TestBrowser;
let context: string;
let body = '';

beforeAll(async () => {
  browser = await browserWith(() => `<!doctype html><title>T</title><body>${body}</body>`);
  context = await browser.openContext();
});

afterAll(() => browser.close());

const LISTENS = `<script>for (const element of document.querySelectorAll('.on')) element.addEventListener('click', () => {})</script>`;

async function shown(html: string): Promise<string[]> {
  body = html + LISTENS;
  const page = new PageWithRefs(await browser.openTab(context, 'http://site.example/docs/page?id=1'));
  return (await page.text()).split('\n');
}

describe('what reacts to a click', () => {
  it('has a ref though only a listener tells', async () => {
    expect(await shown('<div class="on">Open</div><p class="on">Read on</p><div>Nothing</div>')).toEqual([
      '@e1 clickable "Open"',
      '@e2 paragraph "Read on"',
      'Nothing',
    ]);
  });

  it('has one for each cell of a table that listens for them, a line a row', async () => {
    expect(await shown('<table class="on"><tr><td>X</td><td></td></tr><tr><td></td><td>O</td></tr></table>')).toEqual([
      '| [@e1 cell "X"] | [@e2 cell]',
      '| [@e3 cell] | [@e4 cell "O"]',
    ]);
  });

  it('has one for each point of a list that listens for them', async () => {
    expect(await shown('<ul class="on"><li>One</li><li>Two</li></ul>')).toEqual([
      '@e1 listitem "One"',
      '@e2 listitem "Two"',
    ]);
  });

  it('has none for a page whose body listens, nor for a part that only holds what reacts', async () => {
    expect(
      await shown(
        `<section class="on"><p>Some words</p><a href="/a">Go</a></section><script>document.body.addEventListener('click', () => {})</script>`,
      ),
    ).toEqual(['Some words', '@e1 link "Go" /a']);
  });

  it('is not named after all it holds when more than one thing in it reacts', async () => {
    expect(await shown('<div style="cursor: pointer"><h3>Card</h3><button>Delete</button></div>')).toEqual([
      '@e1 clickable',
      ' ### Card',
      ' @e2 button "Delete"',
    ]);
  });

  it('has a ref in a drawing, and is known by the text beside it', async () => {
    const text = await shown(
      `<svg width="300" height="60"><g><rect class="on" width="60" height="30"/><text y="20">timer</text></g>
      <circle class="on" cx="200" cy="20" r="9"/><circle class="on" cx="240" cy="20" r="9"/></svg>`,
    );
    expect(text).toContain('@e1 shape (beside "timer")');
    expect(text.filter((line) => / shape \(\d\w\w of \d/u.test(line))).toHaveLength(2);
  });

  it('says that it can be dragged', async () => {
    expect(await shown('<div draggable="true">Card</div>')).toEqual(['@e1 group "Card" draggable']);
  });
});

describe('a control without a name', () => {
  it('is known by its tooltip or its icon, which are marked as such', async () => {
    expect(
      await shown(`<button data-tooltip="Copy"></button><button><i class="fa fa-trash"></i></button>
      <button><svg width="9" height="9"><use href="/icons.svg#icon-edit"/></svg></button>`),
    ).toEqual(['@e1 button (tooltip "Copy")', '@e2 button (icon "trash")', '@e3 button (icon "edit")']);
  });

  it('is known by its place among its like', async () => {
    expect(await shown('<fieldset><legend>Stars</legend><button></button><button></button></fieldset>')).toEqual([
      'group "Stars"',
      ' @e1 button (1st of 2 in "Stars")',
      ' @e2 button (2nd of 2 in "Stars")',
    ]);
  });

  it("shows no role that is Chromium's own", async () => {
    expect(await shown('<label class="on">Words</label>')).toEqual(['@e1 clickable "Words"']);
  });
});

describe('a link', () => {
  it('to the same page shows what of its query is its own', async () => {
    expect(
      await shown(`<main><a href="/docs/page?id=1&do=profile&token=0123456789abcdef">Profile</a>
      <a href="/docs/page?id=1&do=admin&token=0123456789abcdef">Admin</a><a href="/docs/page?id=1">Itself</a></main>`),
    ).toEqual([
      'main',
      ' @e1 link "Profile" /docs/page?…do=profile',
      ' @e2 link "Admin" /docs/page?…do=admin',
      ' @e3 link "Itself" /docs/page?id=1',
    ]);
  });

  it('that shows initials tells whose they are', async () => {
    expect(await shown('<a href="/gh" title="Grace Hopper">GH</a>')).toEqual(['@e1 link "GH" ("Grace Hopper") /gh']);
  });
});

describe('a column that is sorted', () => {
  it('says how', async () => {
    expect(await shown('<table><tr><th aria-sort="descending">Name<th>Age<tr><td>Al<td>3</table>')).toEqual([
      '| Name (descending) | Age',
      '| Al | 3',
    ]);
  });
});
