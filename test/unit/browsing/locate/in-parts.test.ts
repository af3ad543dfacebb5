import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const OVER = 'style="position:fixed;inset:100px;background:#fff"';
const IN_DIALOG = `<p>Change it</p><form><label>Name <input class="d-name"></label></form>
  <div><button class="d-edit">Edit</button><button class="d-save">Save</button></div></div>`;
const BEHIND = `<button class="save">Save</button><div><button class="e1">Edit</button><button class="e2">Edit</button></div>
  <table><tr><td>Order 17<td><button class="o17">Open</button><input type="checkbox" aria-label="Select" class="s17">
  <tr><td>Order 18<td><button class="o18">Open</button><input type="checkbox" aria-label="Select" class="s18"></table>
  <section aria-label="Billing"><p>Card</p><button class="b-open">Open</button></section>
  <section><h3>Team</h3><p>Ann</p><button class="t-open">Open</button></section>`;
const MODAL = `<div role="dialog" aria-modal="true" aria-label="Edit user" ${OVER}>`;
/** A layer with a header, a body and a footer, over a page whose headings all have different levels. */
function layered(title: string, style: string, more = ''): string {
  return `<h1>Wallet</h1><div><h3>Cards</h3><p>Visa</p><button class="behind">Remove</button></div>
    <div style="${style}"><div><div>${title}<button>&times;</button></div>
    <div>${more}<p>Your card ending in 4242 is removed.</p></div><div><button>Cancel</button><button class="ok">Remove</button></div></div></div>`;
}
const COVER = 'position:fixed;inset:0;background:#0006';

const SITES: Record<string, string> = {
  'modal.example': `${BEHIND}${MODAL}${IN_DIALOG}`,
  'shown.example': `${BEHIND}<dialog id="m"><h2>Edit user</h2>${IN_DIALOG.replace('</div></div>', '</div>')}</dialog><script>m.showModal()</script>`,
  'two.example': `${BEHIND}${MODAL}<button class="d1">Edit</button>${IN_DIALOG}`,
  'none.example': `${BEHIND}${MODAL}<button>Close</button></div>`,
  'labelled.example': `${BEHIND}<div role="dialog" aria-labelledby="h" ${OVER}><h2 id="h">Edit user</h2>${IN_DIALOG}`,
  'listed.example': `<section><h3>Crew</h3><ul><li>Ann <button class="ann">Open</button><li>Bob <button class="bob">Open</button></ul></section>
    <section><h3>Guests</h3><ul><li>Cleo <button class="cleo">Open</button><li>Crew <button class="dan">Open</button></ul></section>`,
  'counted.example': `<h1>Board</h1><div class="board">${[
    'To do (0)',
    'Doing <span>2</span>',
    'Done today · 12',
    '3 Blocked',
    'Doing well 4 cards',
  ]
    .map(
      (name, at) =>
        `<div class="col"><div><h2>${name}</h2></div><ul><li><h3>Doing the dishes</h3><button class="edit${at}">Edit</button><li>Try</ul><button class="add${at}">Add</button></div>`,
    )
    .join('')}</div>`,
  'plain-counts.example': ['Doing', 'Doing well', 'Phase 2']
    .map(
      (name, at) =>
        `<section><h3>${name}${at === 2 ? '' : `<span aria-label="3 cards">3</span>`}</h3><p>Fix</p><button class="add${at}">Add</button></section>`,
    )
    .join(''),
  'named.example': `<section aria-label="Doing (2)"><button class="doing">Add</button></section><div role="group" aria-label="Done, 3 cards"><button class="done">Add</button></div>
    <div role="dialog" ${OVER}><h2>Members 4</h2><button class="members">Add</button></div>`,
  'both-counts.example': `<section><h3>Doing 2</h3><button class="two">Add</button></section><section><h3>Doing</h3><button class="bare">Add</button></section>`,
  'numbered.example': ['Sprint 1', 'Sprint 12']
    .map(
      (name, at) =>
        `<section><h2>${name}</h2><p>Fix</p><button class="b${at}">${at === 0 ? 'Close' : 'Start'}</button></section>`,
    )
    .join(''),
  'framed.example': ['Payment', 'Delivery 2']
    .map(
      (name, at) =>
        `<section><h2>${name}</h2><iframe srcdoc='<h2>Card</h2><div><label>Number <input class="n${at}"></label></div>'></iframe></section>`,
    )
    .join(''),
  'scopes.example': `<header><a href="#h" class="h-inbox">Inbox</a></header><nav><a href="#n" class="n-inbox">Inbox</a></nav>
    <main><ul><li><button class="l-go">Go</button></ul><button class="m-go">Go</button></main><aside><button class="a-go">Go</button></aside>
    <footer><a href="#f" class="f-inbox">Inbox</a></footer><div role="dialog" ${OVER}><button class="d-go">Go</button></div>`,
  'flat.example': `<div><h2>Fruit</h2><p>Fresh</p><ul><li>Apple <button class="apple">Add</button></ul><h3>Dried</h3><button class="fig">Add</button>
    <h2>Bread</h2><ul><li>Rye <button class="rye">Add</button></ul></div><button class="last">Add</button>`,
  'menu.example': `<table>${['Order 17', 'Order 18']
    .map(
      (name, at) =>
        `<tr><td>${name}<td><button aria-haspopup="menu" aria-expanded="${at === 1}">More</button><button class="del${at}">Remove</button>`,
    )
    .join('')}</table><div role="menu"><div role="menuitem" tabindex="0" class="menu-del">Delete</div></div>`,
  'titled.example': layered('<h2>Remove Card</h2>', COVER),
  'card.example': layered('<h2>Remove Card</h2>', 'position:relative;z-index:1'),
  'app.example': `<a href="#main">Skip</a><div style="${COVER}"><div><h2>Mail</h2><button class="a">Archive</button></div>
    <div><h2>Sent</h2><button class="b">Remove</button></div></div>`,
  'root.example': `<a href="#main">Skip</a><div style="${COVER}"><h1>Account</h1><h2>Danger</h2><button>Delete</button></div>`,
  'main.example': `<header style="height:20px"><a href="/">Shop</a></header>
    <main style="position:relative;z-index:1;min-height:2000px"><h1>Account</h1><button>Delete</button></main>`,
  'rows.example': `<h1>Wallet</h1><button>Remove</button><div style="${COVER}"><h2>Orders</h2>
    <ul><li>Orders of May <button class="may">Open</button><li>June <button>Open</button></ul></div>`,
  'headed.example': `${BEHIND}<div role="dialog" ${OVER}><h2>Edit user 17</h2>${IN_DIALOG}`,
};

describe('an element in a part of the page', () => {
  const pages = recordedPages(
    'locate/in-parts',
    ({ hostname }) => `<!doctype html><title>P</title>${SITES[hostname] ?? ''}`,
  );
  const on = (host: string) => pages.open(`http://${host}/`);
  const found = async (host: string, target: string) => {
    const page = await on(host);
    return page.ask(await page.resolve(target), 'this.className');
  };

  it.each([
    ['labelled', 'button "Save" in dialog "Edit user"', 'd-save'],
    ['labelled', 'button "Save" in "Edit user"', 'd-save'],
    ['labelled', '"Name" in the dialog "Edit user"', 'd-name'],
    ['labelled', 'textbox in dialog "Edit user"', 'd-name'],
    ['labelled', 'textbox in dialog Edit user', 'd-name'],
    ['headed', 'button "Edit" in "Edit user 17"', 'd-edit'],
    ['headed', 'button "Edit" in dialog "Edit user"', 'd-edit'],
    ['titled', 'button "Remove" in "Remove Card"', 'ok'],
  ])('is found in a dialog by its name or its heading, on a page that is %s: %s', async (host, target, id) => {
    expect(await found(`${host}.example`, target)).toBe(id);
  });

  it.each([
    ['button in row "Order 17"', 'o17'],
    ['button in the row "Order 18"', 'o18'],
    ['button in row Order 17', 'o17'],
    ['checkbox in row "Order 18" nth=1', 's18'],
    ['checkbox nth=1 in "Order 18"', 's18'],
    ['checkbox nth=2', 's18'],
    ['button "Open" in row with "Order 17"', 'o17'],
    ['button in region "Billing"', 'b-open'],
    ['button in "Billing"', 'b-open'],
    ['button in section "Team"', 't-open'],
    ['text=Open in row "Order 18"', 'o18'],
  ])('needs no name of its own in a row or another part: %s', async (target, id) => {
    expect(await found('labelled.example', target)).toBe(id);
  });

  it.each([
    ['button "Open" in row "Crew" in section "Guests"', 'dan'],
    ['button "Open" in row "Ann" in section "Crew" in list', 'ann'],
    ['"Open" in "Bob" in section "Crew"', 'bob'],
    ['button in row "Cleo" in section "Guests"', 'cleo'],
  ])('is found in a row of a section: %s', async (target, id) => {
    expect(await found('listed.example', target)).toBe(id);
  });

  it('is found in a row of an overlay whose heading has the same words', async () => {
    expect(await found('rows.example', 'button "Open" in "Orders"')).toBe('may');
  });

  it.each([
    ['card', 'button "Remove" in dialog "Remove Card"'],
    ['app', 'button "Remove" in "Mail"'],
    ['app', 'button "Remove" in dialog "Mail"'],
    ['root', 'button "Delete" in dialog "Account"'],
    ['main', 'button "Delete" in dialog "Account"'],
  ])('is not found in a dialog if that is a card or the whole page: %s: %s', async (host, target) => {
    expect(await (await on(`${host}.example`)).failure(target)).toMatchObject({ code: 'element_not_found' });
  });

  it('is not found in a row of another section', async () => {
    const page = await on('listed.example');
    const failure = await page.failure('button "Open" in row "Ann" in section "Guests"');
    expect(failure).toMatchObject({ code: 'element_not_found' });
  });

  it.each([
    ['link "Inbox" in nav', 'n-inbox'],
    ['link "Inbox" in the navigation', 'n-inbox'],
    ['text=/^Inbox$/ in header', 'h-inbox'],
    ['"Inbox" in footer', 'f-inbox'],
    ['link in nav', 'n-inbox'],
    ['button "Go" in list', 'l-go'],
    ['button "Go" in main nth=2', 'm-go'],
    ['button "Go" in aside', 'a-go'],
    ['button "Go" in dialog', 'd-go'],
    ['button "Go" in modal', 'd-go'],
    ['.a-go in aside', 'a-go'],
    ['css=.n-inbox', 'n-inbox'],
    ['role=link[name="Inbox"] in nav', 'n-inbox'],
    ['css=.h-inbox in header', 'h-inbox'],
  ])('is found in a part that only its kind names: %s', async (target, id) => {
    expect(await found('scopes.example', target)).toBe(id);
  });

  it.each(['.a-go in nav', 'button "Go" in nav', 'button "Go" in footer'])(
    'is not found outside a part of that kind: %s',
    async (target) => {
      const page = await on('scopes.example');
      expect(await page.failure(target)).toMatchObject({ code: 'element_not_found' });
    },
  );

  it.each([
    ['button "Add" in list "Bread"', 'rye'],
    ['button "Add" in "Bread"', 'rye'],
    ['button "Add" in section "Fruit" nth=2', 'fig'],
    ['button "Add" in section "Dried"', 'fig'],
  ])('is found under a heading without a container of its own: %s', async (target, id) => {
    expect(await found('flat.example', target)).toBe(id);
  });

  it('is found in the menu that a control of the row opened, and only for that row', async () => {
    expect(await found('menu.example', 'menuitem "Delete" in row "Order 18"')).toBe('menu-del');
    expect(await found('menu.example', '"Delete" in "Order 18"')).toBe('menu-del');
    const page = await on('menu.example');
    expect(await page.failure('menuitem "Delete" in row "Order 17"')).toMatchObject({ code: 'element_not_found' });
    page.tab.lastClicked = { ...(await page.resolve('button "More" in row "Order 17"')), frameId: page.tab.main().id };
    expect(await page.ask(await page.resolve('menuitem "Delete" in row "Order 17"'), 'this.className')).toBe(
      'menu-del',
    );
  });

  it.each([
    ['//button', 'XPath'],
    ['button:has-text("Go")', 'pseudo-classes'],
    ['.a >> .b', 'Chains with >>'],
  ])('is refused in a syntax of others, with the forms that work: %s', async (target, hint) => {
    const page = await on('scopes.example');
    expect(await page.failure(target)).toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringMatching(new RegExp(`${hint}.*Write button "Save"`, 'u')),
    });
  });

  it.each([
    ['button "Open" in section "Crew" nth=2', 'bob'],
    ['button "Open" in list "Guests" nth=1', 'cleo'],
    ['button "Open" in row "Crew"', 'dan'],
    ['button "Open" in item "Crew"', 'dan'],
  ])('is found by the heading of a section, which is not a heading of its rows: %s', async (target, id) => {
    expect(await found('listed.example', target)).toBe(id);
  });

  it.each([
    ['counted', 'button "Add" in "Doing"', 'add1'],
    ['counted', 'button "Add" in section "Doing"', 'add1'],
    ['counted', 'button "Edit" in "Doing"', 'edit1'],
    ['counted', 'button "Edit" in section "To do"', 'edit0'],
    ['counted', 'button "Edit" in "Blocked"', 'edit3'],
    ['counted', 'button "Add" in "Doing well"', 'add4'],
    ['named', 'button "Add" in region "Doing"', 'doing'],
    ['named', 'button "Add" in "Done"', 'done'],
    ['named', 'button "Add" in dialog "Members"', 'members'],
    ['counted', 'button "Add" in list "To do"', 'add0'],
    ['counted', 'button "Add" in "Doing 2"', 'add1'],
    ['counted', 'button "Add" in column "Done today"', 'add2'],
    ['plain-counts', 'button "Add" in section "Doing"', 'add0'],
    ['plain-counts', 'button "Add" in "Doing"', 'add0'],
    ['both-counts', 'button "Add" in section "Doing"', 'bare'],
    ['both-counts', 'button "Add" in "Doing"', 'bare'],
  ])('is found by a heading with a count: %s, %s', async (host, target, id) => {
    expect(await found(`${host}.example`, target)).toBe(id);
  });

  it.each([
    ['textbox "Number" in section "Payment"', 'n0'],
    ['textbox "Number" in section "Delivery"', 'n1'],
    ['textbox "Number" in "Delivery"', 'n1'],
  ])('is found in a frame by the heading of the section around the frame: %s', async (target, id) => {
    expect(await found('framed.example', target)).toBe(id);
  });

  it.each(['button "Start" in "Sprint 1"', 'button "Start" in section "Sprint 1"'])(
    'is not found by a heading with another number: %s',
    async (target) => {
      const page = await on('numbered.example');
      expect(await page.failure(target)).toMatchObject({ code: 'element_not_found' });
    },
  );

  it.each(['modal.example', 'shown.example'])('is found in the open modal dialog first: %s', async (host) => {
    expect(await found(host, 'button "Save"')).toBe('d-save');
    expect(await found(host, 'button "Edit"')).toBe('d-edit');
    expect(await found(host, 'text=Edit nth=1')).toBe('d-edit');
  });

  it('is counted only in the dialog, and the matches behind it are listed', async () => {
    const page = await on('two.example');
    const failure = await page.failure('button "Edit"');
    expect(failure).toMatchObject({
      problem: expect.stringContaining('matches 2 elements in the dialog that is open (and 2'),
    });
    expect('quoted' in failure && failure.quoted?.match(/button "Edit"/gu)).toHaveLength(2);
    expect(await found('two.example', 'button "Edit" nth=2')).toBe('d-edit');
    expect(await page.failure('button "Edit" nth=3')).toMatchObject({ code: 'element_not_found' });
  });

  it('is listed with its dialog if the dialog does not block the others', async () => {
    const page = await on('labelled.example');
    const failure = await page.failure('button "Save"');
    expect('quoted' in failure && failure.quoted).toMatch(/button "Save" in: Edit user/u);
  });

  it.each([
    ['labelled', 'button "Open"', ['Order 17 Open', 'Order 18 Open', 'Billing', 'Team Ann Open']],
    ['labelled', 'button "Edit"', ['', '', 'Edit user']],
    ['both-counts', 'button "Add"', ['Doing 2 Add', 'Doing Add']],
    ['named', 'button "Add"', ['Doing (2)', 'Done, 3 cards', 'Members 4']],
  ])('is listed with its row, section or dialog if its name is ambiguous: %s, %s', async (host, target, parts) => {
    const failure = await (await on(`${host}.example`)).failure(target);
    const lines = ('quoted' in failure && failure.quoted?.match(/@e\d+ .*/gu)) || [];
    expect(lines.map((line) => / in: (.*)/u.exec(line)?.[1] ?? '')).toEqual(parts);
  });

  it('is found behind a modal dialog that does not contain it', async () => {
    expect(await found('none.example', 'button "Edit" nth=2')).toBe('e2');
  });

  it.each([
    'button "Open" in dialog "Edit user"',
    'button "Edit" in row "Edit user"',
    'button "Save" in "Change it now"',
  ])('does not match an element outside of that part: %s', async (target) => {
    const page = await on('labelled.example');
    expect(await page.failure(target)).toMatchObject({ code: 'element_not_found' });
  });
});
