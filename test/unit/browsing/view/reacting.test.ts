import { describe, expect, it, vi } from 'vitest';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';

let body = '';
const pages = recordedPages(
  'view/reacting',
  ({ host, pathname }) =>
    `<!doctype html><title>T</title><body>${pathname === '/in' ? `<div class="on">In ${host}</div>${LISTENS}` : body}</body>`,
);

const NOT_KNOWN =
  '(elements that react to clicks only through event listeners could not be detected: they have no refs here)';

const LISTENS = `<script>for (const element of document.querySelectorAll('.on')) element.addEventListener('click', () => {})</script>`;

async function opened(html: string): Promise<PageWithRefs<RecordedTab>> {
  body = html + LISTENS;
  return pages.open('http://site.example/docs/page?id=1');
}

async function shown(html: string): Promise<string[]> {
  return (await (await opened(html)).text()).split('\n');
}

describe('an element that reacts to a click', () => {
  it('has a ref even if only a listener shows it', async () => {
    expect(await shown('<div class="on">Open</div><p class="on">Read on</p><div>Nothing</div>')).toEqual([
      '@e1 clickable "Open"',
      '@e2 paragraph "Read on"',
      'Nothing',
    ]);
  });

  it('has a ref for each cell of a table that listens for clicks, with one line per row', async () => {
    expect(await shown('<table class="on"><tr><td>X</td><td></td></tr><tr><td></td><td>O</td></tr></table>')).toEqual([
      '| [@e1 cell "X"] | [@e2 cell]',
      '| [@e3 cell] | [@e4 cell "O"]',
    ]);
  });

  it('is a single row when the row itself listens, and shows the controls in it', async () => {
    const row = (name: string) => `<tr class="on"><td>${name}</td><td>9</td><td><input type="checkbox"></td></tr>`;
    expect(await shown(`<table>${row('Meteor')}${row('Kestrel')}</table>`)).toEqual([
      '@e1 row | Meteor | 9 | [@e2 checkbox]',
      '@e3 row | Kestrel | 9 | [@e4 checkbox]',
    ]);
  });

  it('excludes a frame around one control, whatever receives pointer or keyboard input in it, and an arrow next to a field', async () => {
    const arrow = '<span aria-hidden="true"> </span>';
    const select = `<div class="on" tabindex="-1"><div class="on" style="cursor: pointer"><div><input role="combobox" aria-label="Size"></div><span>Pick one</span>${arrow}</div></div>`;
    expect(
      await shown(`<div class="on" style="cursor: pointer"><button role="tab">Orders</button></div>${select}`),
    ).toEqual(['@e1 tab "Orders"', '@e2 combobox "Size"', 'Pick one']);
  });

  it.each([
    ['a box that it may draw', '<input type="checkbox" aria-label="Active">', '@e2 checkbox "Active"'],
    ['words of its own', '<a href="/a">Meteor</a> built 1932', '[@e2 Meteor] built 1932'],
    ['two controls', '<button>Meteor</button><button>Kestrel</button>', '@e2 button "Meteor"'],
  ])('is a frame that contains more than one control: %s', async (_, inside, line) => {
    const [frame, first] = await shown(`<div class="on" style="cursor: pointer">${inside}</div>`);
    expect([frame, first]).toEqual(['@e1 clickable', ` ${line}`]);
  });

  it('is not shown in a layer that is no longer displayed, even if the layer is hidden from assistive technology', async () => {
    const layer = (attributes: string) =>
      `<div ${attributes}><p>Sure?</p><button class="on">Cancel</button><label class="on"><span class="on">Yes</span><input type="radio"></label></div>`;
    expect(
      await shown(
        `<p>Shown</p>${layer('style="display: none"')}${layer('style="display: none" aria-hidden="true"')}${layer('hidden aria-hidden="true"')}`,
      ),
    ).toEqual(['Shown']);
  });

  it('can be a box in a part of a cell that listens for clicks on it', async () => {
    const cell = `<div role="gridcell"><span class="on" style="cursor: pointer; padding: 9px"><input type="checkbox" aria-label="Select row" checked></span></div>`;
    expect(await shown(`<div role="grid"><div role="row">${cell}<div role="gridcell">1003</div></div></div>`)).toEqual([
      '| [@e1 checkbox "Select row" checked] | 1003',
    ]);
  });

  it('gets no ref on a page behind a layer that hides the page from assistive technology', async () => {
    const page =
      '<h1>Orders</h1><div class="on" style="cursor: pointer">Order 1</div><button class="on">New</button><div tabindex="-1">A</div>';
    const list = '<ul role="listbox"><li role="option" tabindex="0">Any</li></ul>';
    const lines = await shown(`<main aria-hidden="true">${page}</main><div>${list}</div>`);
    expect(lines.filter((line) => line.includes('@'))).toEqual(['@e1 listbox', ' @e2 option "Any"']);
  });

  it('is not shown when it is hidden inside a container that listens for all its content', async () => {
    const step = (name: string, hidden: string) => `<fieldset ${hidden}><label>${name} <input></label></fieldset>`;
    expect(
      await shown(`<form class="on">${step('Boat', '')}${step('Stay', 'hidden')}${step('Mail', 'hidden')}</form>`),
    ).toEqual(['@e1 textbox "Boat"']);
  });

  it('shows both the name and the content of a cell when they differ', async () => {
    const day = '<td tabindex="0" aria-label="April 6">6 <span>Dredging</span></td>';
    expect(await shown(`<table><tr>${day}<td tabindex="0" aria-label="April 7">7</td></tr></table>`)).toEqual([
      '| [@e1 cell "April 6"] 6 Dredging | [@e2 cell "April 7"]',
    ]);
  });

  it.each(['', 'tabindex="0"'])('can be a cell even if a handle in the cell reacts, too: %s', async (focusable) => {
    const header = (name: string) =>
      `<th class="on" ${focusable}>${name}<span class="on" style="padding: 3px"></span></th>`;
    expect(
      await shown(`<table><tr>${header('Boat')}${header('Fee')}</tr><tr><td>Meteor</td><td>9</td></tr></table>`),
    ).toEqual([
      '| [@e1 columnheader "Boat"] [@e2 clickable] | [@e3 columnheader "Fee"] [@e4 clickable]',
      '| Meteor | 9',
    ]);
  });

  it('has a ref for each item of a list that listens for clicks', async () => {
    expect(await shown('<ul class="on"><li>One</li><li>Two</li></ul>')).toEqual([
      '@e1 listitem "One"',
      '@e2 listitem "Two"',
    ]);
  });

  it('has a ref for each part of a small container that listens for clicks, but one ref for a card with a pointer cursor', async () => {
    expect(
      await shown(`<div class="on"><div>One</div><div>Two</div></div>
      <div class="on" style="cursor: pointer"><div>Ada</div><div>12 posts</div></div>`),
    ).toEqual(['@e1 clickable "One"', '@e2 clickable "Two"', '@e3 clickable "Ada 12 posts"']);
  });

  it('has one ref if all but one of its few parts only decorate it, and otherwise one for each part', async () => {
    const knob = '<div style="width: 9px; height: 9px"></div>';
    expect(await shown(`<div class="on"><div>inject</div>${knob}${knob}</div>`)).toEqual(['@e1 clickable "inject"']);
    expect(await shown(`<div class="on"><div>X</div>${knob.repeat(8)}</div>`)).toHaveLength(9);
  });

  it('is not a page whose body listens, nor a part that only contains clickable elements', async () => {
    expect(
      await shown(
        `<section class="on"><p>Some words</p><a href="/a">Go</a></section><script>document.body.addEventListener('click', () => {})</script>`,
      ),
    ).toEqual(['Some words', '@e1 link "Go" /a']);
  });

  it('is not named by all its content when more than one part of it reacts', async () => {
    expect(await shown('<div style="cursor: pointer"><h3>Card</h3><button>Delete</button></div>')).toEqual([
      '@e1 clickable',
      ' ### Card',
      ' @e2 button "Delete"',
    ]);
  });

  it('has a ref inside a drawing, and is named by the text next to it', async () => {
    const text = await shown(
      `<svg width="300" height="60"><g><rect class="on" width="60" height="30"/><text y="20">timer</text></g>
      <circle class="on" cx="200" cy="20" r="9"/><circle class="on" cx="240" cy="20" r="9"/></svg>`,
    );
    expect(text).toContain('@e1 shape (beside "timer")');
    expect(text.filter((line) => / shape \(\d\w\w of \d/u.test(line))).toHaveLength(2);
  });

  it('has a ref in a document that a script put in place of another', async () => {
    const page = await opened('<iframe></iframe>');
    expect(await page.text()).toBe('');
    const written = JSON.stringify('<p id="new">New</p><script>document.all.new.onclick = () => {}</script>');
    await page.run(
      `(() => { const inner = document.querySelector('iframe').contentDocument; inner.open(); inner.write(${written}); inner.close(); })()`,
    );
    expect((await page.text()).split('\n')).toEqual(['@e1 iframe', ' @e2 paragraph "New"']);
  });

  it('is reported as not known when the browser refuses to list listeners', async () => {
    const page = await opened('<div class="on">One</div><div onclick="1">Two</div>');
    expect(await page.text()).toBe('@e1 clickable "One"\n@e2 clickable "Two"');
    vi.spyOn(page.tab, 'document').mockRejectedValue(new CdpError('Runtime.evaluate', 'Cannot find context'));
    expect(await page.text()).toBe(`${NOT_KNOWN}\nOne\n@e2 clickable "Two"`);
    expect(await page.text({ find: 'two' })).toBe(`${NOT_KNOWN}\n@e2 clickable "Two"`);
    expect(await page.text({ find: 'three' })).toBe('');
  });

  it('is marked as draggable if it can be dragged', async () => {
    expect(await shown('<div draggable="true">Card</div>')).toEqual(['@e1 group "Card" draggable']);
  });
});

describe('a control without a name', () => {
  it('is described by its tooltip or icon, marked as such', async () => {
    expect(
      await shown(`<button data-tooltip="Copy"></button><button><i class="fa fa-trash"></i></button>
      <button><svg width="9" height="9"><use href="/icons.svg#icon-edit"/></svg></button>`),
    ).toEqual(['@e1 button (tooltip "Copy")', '@e2 button (icon "trash")', '@e3 button (icon "edit")']);
  });

  it.each(['\u2800', ' \u2800\u2800', '\u200b', '\u3164'])(
    'has no description when its tooltip is blank: %j',
    async (blank) => {
      const named = (name: string) =>
        shown(`<button aria-label="${name}" data-tooltip="${name}"><i class="fa fa-trash"></i></button>
      <a href="/next" aria-label="${name}">${name}</a><label for="f">${name}</label><input id="f">
      <fieldset><legend>${name}</legend><button>${name}</button><button>${name}</button></fieldset>`);
      const without = await named('');
      expect(without.join()).toContain('(icon "trash")');
      expect(await named(blank)).toEqual(without);
    },
  );

  it('is described by its position among similar controls', async () => {
    expect(await shown('<fieldset><legend>Stars</legend><button></button><button></button></fieldset>')).toEqual([
      'group "Stars"',
      ' @e1 button (1st of 2 in "Stars")',
      ' @e2 button (2nd of 2 in "Stars")',
    ]);
  });

  it('shows no role that only Chromium uses', async () => {
    expect(await shown('<label class="on">Words</label>')).toEqual(['@e1 clickable "Words"']);
  });
});

describe('a link', () => {
  it('shows the part of its query that differs from other links to the same page', async () => {
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

  it('shows the full name next to initials', async () => {
    expect(await shown('<a href="/gh" title="Grace Hopper">GH</a>')).toEqual(['@e1 link "GH" ("Grace Hopper") /gh']);
  });
});

describe('a sorted column', () => {
  it('shows its sort order', async () => {
    expect(await shown('<table><tr><th aria-sort="descending">Name<th>Age<tr><td>Al<td>3</table>')).toEqual([
      '| Name (descending) | Age',
      '| Al | 3',
    ]);
  });
});
