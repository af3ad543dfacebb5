import { describe, expect, it } from 'vitest';
import { comparePageScans, addLinesBehindDialog } from '#browsing/view/changes/compare-looks.ts';
import { writeViewChanges } from '#browsing/view/changes/write-changes.ts';
import { scanPage, paginateScanWithLines } from '#browsing/view/view.ts';
import type { PageScan } from '#browsing/view/view.ts';
import { patience } from '#support/page-calls.ts';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';

const boats = (heading: string) =>
  `${heading}${Array.from({ length: 50 }, (_, at) => `<p>Boat ${at} lies at a berth of the old harbour</p>`).join('')}`;

const PAGES: Record<string, string> = {
  '/other-view': `<button id="go" onclick="view.innerHTML = boats.innerHTML">Open</button><div id="view"><h2>Start</h2></div><template id="boats">${boats('<h2>Boats</h2>')}</template>`,
  '/other-rows': `<button id="go" onclick="view.innerHTML = boats.innerHTML">Open</button><h2>All</h2><div id="view"></div><template id="boats">${boats('')}</template>`,
  '/nothing': '<button id="go" onclick="1">Go</button>',
  '/box': '<label><input id="go" type="checkbox">Agree</label><p>Other words</p>',
  '/dialog': `<button id="go" onclick="sure.showModal()">Delete</button><p>Behind</p>
    <dialog id="sure"><p>Really?</p><button id="no" onclick="sure.close()">No</button></dialog>`,
  '/menu': `<button id="go" onclick="later.hidden = false; more.hidden = false">More</button>
    <p id="later" hidden>Seen later</p><div id="more" role="menu" hidden><div role="menuitem">Rename</div></div>`,
  '/words': `<button id="go" onclick="out.textContent = 'Try (2nd of 5)'; gone.remove(); late.hidden = false">Go</button>
    <p id="out">Try (1st of 5)</p><p id="gone">He focused on it</p><p>Then</p><p id="late" hidden>menu of the day</p>`,
  '/sort': `<button id="go" onclick="list.append(list.firstElementChild)">Sort</button>
    <ul id="list"><li>One</li><li>Two</li></ul>`,
  '/tray': `<button id="go" onclick="for (const part of document.querySelectorAll('p')) part.hidden = false">Edit</button>
    <i onclick="1">.</i><p><i onclick="1"></i><i onclick="1"></i></p><p hidden><i onclick="1"></i></p><p hidden><input aria-label="Name"></p>`,
  '/redrawn': `<div id="all"></div><script>
    const draw = (asks) => { all.innerHTML = '<ul>' + ['Bow', 'Keel', 'Mast', 'Oar', 'Rope'].map((name) => '<li onclick="1">' + name + '</li>').join('') +
      '</ul><button id="go" onclick="draw(true)">Delete</button>' + (asks ? '<div><h2>Really?</h2><button>Yes</button></div>' : ''); };
    draw(false)</script>`,
  '/redrawn-state': `<div id="all"></div><script>
    const draw = (on) => { all.innerHTML = '<button id="go" onclick="draw(true)">All</button>' + ['Bow', 'Keel'].map((name) =>
      '<p>' + name + '</p><label><input type="checkbox"' + (on && name === 'Keel' ? ' checked' : '') + '>Ready</label>').join(''); };
    draw(false)</script>`,
  '/redrawn-order': `<div id="all"></div><script>
    const draw = (names) => { all.innerHTML = '<button id="go" onclick="draw(sorted)">Sort</button>' + names.map((name) => '<button>' + name + '</button>').join(''); };
    const sorted = ['Keel', 'Mast', 'Bow']; draw(['Bow', 'Keel', 'Mast'])</script>`,
  '/swapped': `<button id="go" onclick="for (const box of document.querySelectorAll('input')) box.checked = !box.checked">Swap</button>
    <label><input type="checkbox" checked>Ready</label><label><input type="checkbox">Ready</label>`,
  '/row-menu': `<button id="go" onclick="rows.innerHTML = '<p>Row</p>'.repeat(30); menu.style.display = 'block'">More</button>
    <div id="rows"></div><div id="menu" style="display: none; position: fixed; z-index: 9; left: 40px; top: 40px; background: white"><div onclick="1">Put on hold</div><div onclick="1">Export</div></div>`,
  '/toast': `<p id="top">0 boats</p><button id="go" onclick="top0.textContent = '1 boat'; told.textContent = 'Boat added'">Add</button>
    <div role="status" id="told">Nothing yet</div><script>var top0 = document.getElementById('top')</script>`,
  '/near': `<p id="first">0 boats</p>${'<p>Boat</p>'.repeat(30)}<button id="go" onclick="first.textContent = '1 boat'; beside.textContent = 'Added'">Add</button><p id="beside">Not added</p>`,
};

/** Limits of a report next to a view, and of one without a view. */
const BESIDE_VIEW = { maxChars: 250, wholeCharsMax: 250, viewCharsMax: 250 };
const ROOM = { maxChars: 700, wholeCharsMax: 1_600, viewCharsMax: 3_200 };

const pages = recordedPages('view/changed-pages', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
});

type Looked = { page: PageWithRefs<RecordedTab>; last: PageScan };

async function workOn(path: string): Promise<Looked> {
  const page = await pages.open(`http://site.example${path}`);
  return { page, last: await look(page) };
}

const look = ({ tab, refs }: PageWithRefs<RecordedTab>) => scanPage(tab, refs, null, {}, patience());

/** Focuses the element first, as a click does. */
async function click(looked: Looked, selector = '#go', withSnapshot = false) {
  const { page, last } = looked;
  const { tab, refs } = page;
  const at = refs.refOf(await page.resolve(selector));
  await page.run(`(() => { const one = document.querySelector('${selector}'); one.focus(); one.click(); })()`);
  looked.last = addLinesBehindDialog(last, await look(page));
  const comparison = comparePageScans(last, looked.last, { own: new Set(), at, still: new Set() });
  if (comparison === null) throw new Error(`${tab.main().url} is another document`);
  const view = withSnapshot ? paginateScanWithLines(looked.last, {}) : null;
  const room = withSnapshot ? BESIDE_VIEW : ROOM;
  return { ...writeViewChanges(comparison, room, new Set(view?.lines)), snapshot: view?.view ?? null };
}

async function changed(looked: Looked, selector = '#go'): Promise<readonly string[]> {
  return (await click(looked, selector)).changes.lines;
}

describe('a report of the changes after an action', () => {
  it('does not repeat the attached view, and reports what disappeared and how much is new', async () => {
    const work = await workOn('/words');
    const { changes, changesInView, snapshot } = await click(work, '#go', true);
    expect(changes.lines).toEqual(['- Try (1st of 5)', '- He focused on it']);
    expect(changesInView).toBe(2);
    expect(snapshot?.text).toContain('menu of the day');
    const still = await workOn('/nothing');
    await click(still);
    const again = await click(still, '#go', true);
    expect(again).toMatchObject({ changesInView: 0, changes: { lines: [] } });
  });

  it('never treats words of the page as the server’s own', async () => {
    expect(await changed(await workOn('/words'))).toEqual([
      '- Try (1st of 5)',
      '- He focused on it',
      '+ Try (2nd of 5)',
      '+ menu of the day',
    ]);
  });

  it('has the changed line with its ref', async () => {
    expect(await changed(await workOn('/box'))).toEqual(['~ @e1 checkbox "Agree" checked focused']);
  });

  it('is in page order, without elements whose ordinal alone changed', async () => {
    expect(await changed(await workOn('/tray'))).toEqual(['+ @e5 clickable (1st of 3)', '+ @e6 textbox "Name"']);
  });

  it('is complete where a new heading begins another view, and limited otherwise', async () => {
    const view = (await click(await workOn('/other-view'))).changes;
    expect([view.left, view.lines.length]).toEqual([0, 52]);
    const rows = (await click(await workOn('/other-rows'))).changes;
    expect(rows.left + rows.lines.length).toBe(50);
    expect(rows.left).toBeGreaterThan(25);
  });

  it('can come together with a view', async () => {
    const { changes, changesInView, snapshot } = await click(await workOn('/box'), '#go', true);
    expect([changes.lines, changesInView]).toEqual([[], 1]);
    expect(snapshot?.text).toContain('Other words');
  });

  it('is empty when nothing changed', async () => {
    const work = await workOn('/nothing');
    await click(work);
    expect(await changed(work)).toEqual([]);
  });

  it('has the focus when nothing else changed', async () => {
    expect(await changed(await workOn('/nothing'))).toEqual(['~ @e1 button "Go" focused']);
  });

  it('has a dialog that opened, without reporting the page behind it as removed or restored', async () => {
    const work = await workOn('/dialog');
    expect(await changed(work)).toEqual([
      expect.stringMatching(/^\+ (?:@e\d+ )?dialog modal$/u),
      '+ Really?',
      expect.stringMatching(/^\+ @e\d+ button "No" focused$/u),
    ]);
    const closed = await changed(work, '#no');
    expect(closed.join('\n')).not.toContain('Behind');
    expect(closed.join('\n')).toContain('- dialog modal');
  });

  it('begins with a menu, even if other lines precede it', async () => {
    expect(await changed(await workOn('/menu'))).toEqual([
      '+ menu',
      expect.stringMatching(/^\+ @e\d+ menuitem "Rename"$/u),
      '+ Seen later',
    ]);
  });

  it('reports when the same lines are in another order', async () => {
    expect(await changed(await workOn('/sort'))).toEqual(['~ - Two', '~ - One']);
  });

  it('has the new lines, even if the page redraws everything, and their number', async () => {
    const { changes } = await click(await workOn('/redrawn'));
    expect(changes).toEqual({
      lines: ['+ ## Really?', expect.stringMatching(/^\+ @e\d+ button "Yes"$/u)],
      left: 0,
      recreated: 6,
      moved: 0,
    });
  });

  it('has the state of redrawn elements, too', async () => {
    expect(await changed(await workOn('/redrawn-state'))).toEqual([
      expect.stringMatching(/^~ @e\d+ checkbox "Ready" checked$/u),
    ]);
  });

  it('reports when redrawn elements are in another order', async () => {
    const { changes } = await click(await workOn('/redrawn-order'));
    expect(changes.lines.map((line) => line.replace(/@e\d+ /u, ''))).toEqual([
      '~ button "Keel"',
      '~ button "Mast"',
      '~ button "Bow"',
    ]);
  });

  it('has elements that still exist, even if they have swapped their states', async () => {
    expect(await changed(await workOn('/swapped'))).toEqual([
      '~ @e2 checkbox "Ready"',
      '~ @e3 checkbox "Ready" checked',
    ]);
  });

  it('begins with content that covers the page, whatever it is made of', async () => {
    const lines = await changed(await workOn('/row-menu'));
    expect(lines.slice(0, 3).map((line) => line.replace(/@e\d+ /u, ''))).toEqual([
      '+ clickable "Put on hold"',
      '+ clickable "Export"',
      '+ 12 × Row',
    ]);
  });

  it('begins with the announcements of the page', async () => {
    expect(await changed(await workOn('/toast'))).toEqual(['+ Boat added', '- 0 boats', '+ 1 boat', '- Nothing yet']);
  });

  it('has near and far changes in page order', async () => {
    expect(await changed(await workOn('/near'))).toEqual(['- 0 boats', '+ 1 boat', '- Not added', '+ Added']);
  });
});
