import { describe, expect, it } from 'vitest';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

let body = '';
const pages = recordedPages(
  'view/controls-inside',
  () => `<!doctype html><meta charset="utf-8"><title>T</title><body>${body}`,
);

async function shown(html: string, options: Parameters<PageWithRefs['text']>[0] = {}): Promise<string[]> {
  body = html;
  const text = await (await pages.open('http://site.example/')).text(options);
  return text.split('\n');
}

const CARD =
  '<a href="/boat" style="display:block"><h3>Boat</h3><p>12 m</p><button aria-label="Add Boat to the list">+</button><select aria-label="Days"><option>1<option>2</select></a>';

describe('a control inside an interactive element', () => {
  it('has a line and a ref under the link of a card', async () => {
    expect(await shown(CARD)).toEqual([
      '@e1 link "Boat 12 m Add Boat to the list 1" /boat',
      ' @e2 button "Add Boat to the list"',
      ' @e3 combobox "Days" = "1" of "1" "2"',
    ]);
  });

  it('is under a link whose label leaves out words of its card', async () => {
    const card = '<div>Lamp</div><div>€20 <s>€30</s></div>';
    const link = '<a href="/lamp" aria-label="Lamp" style="display:block">';
    expect(await shown(`${link}${card}<button>Add</button></a>`)).toEqual([
      '@e1 link "Lamp" /lamp',
      ' €20 ~~€30~~',
      ' @e2 button "Add"',
    ]);
    expect(await shown(`${link}${card}</a>`)).toEqual(['@e1 link "Lamp" /lamp', ' €20 ~~€30~~']);
    const figure = '<figure><figcaption>Lamp</figcaption></figure><span>€20</span>';
    expect((await shown(`<a href="/lamp" style="display:block">${figure}<button>Add</button></a>`)).join()).toMatch(
      /^@e1 link .*Lamp.*€20.*button "Add"$/u,
    );
  });

  it('leaves a link with a label in its sentence', async () => {
    expect(await shown('<p>By <a href="/ann" aria-label="Profile of Ann Lee">AL</a> today</p>')).toEqual([
      'By [@e1 Profile of Ann Lee] today',
    ]);
    const report = (words: string) =>
      shown(`<p>See <a href="/r" aria-label="Annual report, PDF">${words}</a> for more.</p>`);
    const line = ['See [@e1 Annual report, PDF] for more.'];
    expect(await report('the <b>annual</b> report')).toEqual(line);
    expect(await report('the <code>annual</code> <span style="display:inline-block">new</span>')).toEqual(line);
    const cart = '<a href="/c" aria-label="3 items in cart"';
    expect(await shown(`<p>Top ${cart}><span>Cart</span><span>3</span></a> end</p>`)).toEqual([
      'Top [@e1 3 items in cart] end',
    ]);
    expect(
      await shown(`<p>Top ${cart} style="display:inline-flex"><span>Bag</span><span>3</span></a> end</p>`),
    ).toEqual(['Top [@e1 3 items in cart] end']);
  });

  it('leaves out the letters that draw the icon of a link', async () => {
    const icon = '<a href="/f" aria-label="Facebook"><i>f</i><i>b</i></a>';
    expect(
      await shown(`<ul><li>${icon}<li><a href="/m" aria-label="Mail"><div><i>m</i><i>x</i></div></a></ul>`),
    ).toEqual(['@e1 link "Facebook" /f', '@e2 link "Mail" /m']);
  });

  it.each([
    ['<h3>Lamp</h3><p>€20</p>', ''],
    ['<h3>Lamp</h3> €20', ''],
    ['<div>Lamp</div><div>€20</div>', 'display:flex'],
    ['<span style="display:block">Lamp</span><span style="display:block">€20</span>', ''],
  ])('is not needed for a card to show its other words: %s', async (card, style) => {
    expect(await shown(`<a href="/lamp" aria-label="Lamp" style="${style}">${card}</a>`)).toEqual([
      '@e1 link "Lamp" /lamp',
      ' €20',
    ]);
  });

  it('leaves the mark of a list item out of the text after a card', async () => {
    const item = '<ul><li><a href="/lamp">Lamp <b>€20</b> <button>Add</button></a> In stock</ul>';
    expect(await shown(item)).toEqual(['@e1 link "Lamp €20 Add" /lamp', '  @e2 button "Add"', ' In stock']);
  });

  it('has a line and a ref if only interactive elements are shown', async () => {
    const lines = await shown(CARD, { interactiveOnly: true });
    expect(lines).toContain(' @e2 button "Add Boat to the list"');
    expect(lines).toContain(' @e3 combobox "Days" = "1" of "1" "2"');
  });

  it('has a ref next to the link in the cell of a table', async () => {
    expect(await shown('<table><tr><td>Boat<td><a href="/b">Open <button>Rent</button></a></table>')).toEqual([
      '| Boat | [@e1 Open Rent] [@e2 button "Rent"]',
    ]);
  });

  it('has a ref if it is a link without an address in a row that a style sheet makes a control', async () => {
    const row = (cells: string) => shown(`<table><tr style="cursor:pointer">${cells}</tr></table>`);
    expect(await row('<td><a class="link">INV-60</a><td>Ada<td>€20')).toEqual(['@e1 row | [@e2 INV-60] | Ada | €20']);
    expect(await row('<td><input type="checkbox"><td><div><a class="link">INV-60</a></div><td>€20')).toEqual([
      '@e1 row | [@e2 checkbox] | [@e3 INV-60] | €20',
    ]);
    const form = '<form><input type="hidden" name="nextSibling"><input type="hidden" name="textContent"></form>';
    expect(await row(`<td>${form}<a class="link">INV-60</a><td>€20`)).toContain(' @e2 link "INV-60"');
  });

  it('has no ref if it is such a link and the row has no other text, or its clickable parts are others', async () => {
    const row = async (cells: string) => (await shown(`<table><tr style="cursor:pointer">${cells}</table>`)).join();
    expect(await row('<td><a>INV-60</a><td><a>Ada</a>')).toBe('@e1 row | INV-60 | Ada');
    const hidden = '<style>p{}</style><script>var a = 1</script><i style="display:none">x</i>';
    expect(await row(`<td>${hidden}<a>INV-60</a><td><button>Edit</button>`)).toContain('| INV-60 |');
    expect(await row('<td><a name="i60">INV-60</a><td>€20')).toBe('@e1 row | INV-60 | €20');
    expect(await row('<td><a></a>INV-60<td>€20')).toBe('@e1 row | INV-60 | €20');
    expect(await row('<td><a>INV-60</a><td style="opacity:0">x')).toBe('@e1 row INV-60');
    expect(await row('<td><a style="pointer-events:none">INV-60</a><td>€20')).toBe('@e1 row | INV-60 | €20');
    expect(await row('<td><i role="menuitem" tabindex="0"><a>INV-60</a></i><td>€20')).toBe(
      '@e1 row | [@e2 menuitem "INV-60"] | €20',
    );
    expect(await row('<td><button><a>INV-60</a></button><td>€20')).toBe('@e1 row | [@e2 button "INV-60"] | €20');
  });

  it('has a line and a ref in an option of a list that the page draws', async () => {
    const list = '<ul role="listbox" aria-label="Tags"><li role="option">Red <button>Drop</button></ul>';
    expect(await shown(list)).toEqual(['@e1 listbox "Tags"', ' @e2 option "Red Drop"', '  @e3 button "Drop"']);
  });

  it('has a line and a ref if only a style sheet makes it a control', async () => {
    const mail = '<a href="/m/1" style="display:block">Ada <i onclick="event.preventDefault()">star</i> Minutes</a>';
    expect(await shown(mail)).toEqual(['@e1 link "Ada star Minutes" /m/1', ' @e2 clickable "star"']);
  });

  it('is not shown twice if it is the only content of a link', async () => {
    expect(await shown('<p>See <a href="/a"><span onclick="1">the list</span></a> now</p>')).toEqual([
      'See [@e1 the list] now',
    ]);
  });

  it('leaves running text with plain links unchanged', async () => {
    expect(await shown('<p>See <a href="/a"><b>the</b> list</a>, or <a href="/b">more</a>.</p>')).toEqual([
      'See [@e1 the list], or [@e2 more].',
    ]);
  });
});

describe('a row of a grid', () => {
  it('shows its text next to its cells', async () => {
    const week = `<div role="grid"><div role="row"><div role="rowheader">All day</div><div style="overflow:auto">
      <div tabindex="0">Dry dock</div><a href="/crew">Crew</a></div></div></div>`;
    expect(await shown(week)).toEqual(['All day', '@e1 clickable "Dry dock"', '@e2 link "Crew" /crew']);
  });

  it('is one line if its cells have a wrapper', async () => {
    const row =
      '<div role="grid"><div role="row"><div style="overflow:auto"><div role="gridcell">Ada</div><div role="gridcell">42</div></div></div></div>';
    expect(await shown(row)).toEqual(['| Ada | 42']);
  });

  it('shows a button next to wrapped cells', async () => {
    const row =
      '<div role="grid"><div role="row"><div style="overflow:auto"><div role="gridcell">Ada</div></div><button>Edit</button></div></div>';
    expect(await shown(row)).toEqual(['Ada', '@e1 button "Edit"']);
  });

  it('stays a row when handles without words stand between its cells', async () => {
    const handle = '<span class="handle" style="display:inline-block;width:6px;height:20px;cursor:ew-resize"></span>';
    const cell = (text: string) => `<div role="gridcell" style="display:inline-block">${text}</div>${handle}`;
    const row = `<div role="grid"><div role="row">${cell('Ada')}${cell('first')}${cell('42')}</div></div>
      <script>for (const one of document.querySelectorAll('.handle')) one.addEventListener('mousedown', () => {})</script>`;
    const lines = await shown(row);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\| Ada \| first \| 42 \| .*clickable/u);
  });

  it('shows ticked cells', async () => {
    const row =
      '<div role="grid"><div role="row"><div role="gridcell" aria-checked="true"></div><div role="gridcell">Ada</div></div><div role="row"><div role="gridcell" aria-checked="mixed" tabindex="0"></div><div role="gridcell" aria-checked="false">Bob</div></div></div>';
    expect(await shown(row)).toEqual(['| (checked) | Ada', '| [@e1 gridcell mixed] | Bob']);
  });

  it('is identified by its first words if only interactive elements are shown', async () => {
    const rows = `<table><tr><th>Name<th></tr><tr><td>${'Ada Lovelace '.repeat(8)}<td><button>Edit</button></tr>
      <tr><td>Bob<td><button>Edit</button></tr></table><ul><li>Tea <button>Drop</button><li><a href="/x">Salt</a></ul>`;
    expect(await shown(rows, { interactiveOnly: true })).toEqual([
      `row "${'Ada Lovelace '.repeat(8).slice(0, 59)}…"`,
      ' @e1 button "Edit"',
      'row "Bob Edit"',
      ' @e2 button "Edit"',
      'listitem "Tea Drop"',
      ' @e3 button "Drop"',
      '@e4 link "Salt"',
    ]);
  });
});
