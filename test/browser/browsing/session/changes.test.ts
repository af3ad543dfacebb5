import { describe, expect, it } from 'vitest';
import {
  clickElement,
  navigateTab,
  scrollPage,
  typeInto,
  viewTab,
  waitOnPage,
} from '#browsing/session/operations/operations.ts';
import type { Work } from '#browsing/session/operations/perform.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { inPage } from '#support/pretend-sites.ts';
import { sessionOn } from '#support/session-work.ts';

const boats = (heading: string) =>
  `${heading}${Array.from({ length: 50 }, (_, at) => `<p>Boat ${at} lies at a berth of the old harbour</p>`).join('')}`;

const PAGES: Record<string, string> = {
  '/other-view': `<button id="go" onclick="view.innerHTML = boats.innerHTML">Open</button><div id="view"><h2>Start</h2></div><template id="boats">${boats('<h2>Boats</h2>')}</template>`,
  '/far': `<button id="go" onclick="view.insertAdjacentHTML('beforeend', '<p>Boat…</p>')">Add</button><div id="view">${boats('').repeat(16)}</div>`,
  '/other-rows': `<button id="go" onclick="view.innerHTML = boats.innerHTML">Open</button><h2>All</h2><div id="view"></div><template id="boats">${boats('')}</template>`,
  '/star': `<div class="row"><button id="go" class="star" onclick="this.classList.toggle('filled'); this.closest('.row').classList.add('is-chosen')"
    onmousemove="this.classList.add('hovered')"><svg width="9" height="9"><path d="M0 0h9"></path></svg><span hidden>Star</span></button></div>`,
  '/clobbered': `<form id="f"><input type="hidden" name="attributes"><input type="hidden" name="parentNode"><input type="hidden" name="parentElement"><input type="hidden" name="localName">
    <button type="button" id="go" onclick="HTMLElement.prototype.setAttribute.call(f, 'data-state', 'chosen')">Star</button></form>`,
  '/icon': `<button id="go" aria-label="Star" onclick="this.innerHTML = '<svg width=9 height=9><path d=M0,0h9v9z></path></svg>'"><svg width="9" height="9"><path d="M0 0h9"></path></svg></button>`,
  '/hover': `<button id="go" onmousemove="this.classList.add('is-hover')" onfocus="this.dataset.focused = ''">Go</button>`,
  '/nothing': '<button id="go" onclick="1">Go</button>',
  '/box': '<label><input id="go" type="checkbox">Agree</label><p>Other words</p>',
  '/dialog': `<button id="go" onclick="sure.showModal()">Delete</button><p>Behind</p>
    <dialog id="sure"><p>Really?</p><button id="no" onclick="sure.close()">No</button></dialog>`,
  '/menu': `<button id="go" onclick="later.hidden = false; more.hidden = false">More</button>
    <p id="later" hidden>Seen later</p><div id="more" role="menu" hidden><div role="menuitem">Rename</div></div>`,
  '/slow': `<button id="go" onclick="setTimeout(() => { out.textContent = 'Report: 37 boats' }, 1500)">Go</button>
    <p id="out"></p>`,
  '/words': `<button id="go" onclick="out.textContent = 'Try (2nd of 5)'; gone.remove(); late.hidden = false">Go</button>
    <p id="out">Try (1st of 5)</p><p id="gone">He focused on it</p><p>Then</p><p id="late" hidden>menu of the day</p>`,
  '/sort': `<button id="go" onclick="list.append(list.firstElementChild)">Sort</button>
    <ul id="list"><li>One</li><li>Two</li></ul>`,
  '/tray': `<button id="go" onclick="for (const part of document.querySelectorAll('p')) part.hidden = false">Edit</button>
    <i onclick="1">.</i><p><i onclick="1"></i><i onclick="1"></i></p><p hidden><i onclick="1"></i></p><p hidden><input aria-label="Name"></p>`,
  '/leaves': `<button id="go" onclick="row.animate([{ opacity: 1 }, { opacity: 0 }], 400).finished.then(() => row.remove());
    out.textContent = 'Leaving'">Go</button><p id="row">On its way out</p><p id="out"></p>`,
  '/filter': `<input id="go" oninput="clearTimeout(self.timer); timer = setTimeout(() => { out.textContent = 'For ' + go.value }, 290)">
    <p id="out"></p>`,
  '/wheel': '<div id="go" style="height: 200px" onwheel="go.textContent = \'Rows from 10\'">Rows from 1</div>',
  '/more': `<div style="height: 3000px">Tall</div><p id="out"></p>
    <script>onscroll = () => setTimeout(() => { out.innerHTML = '<div style="height: 3000px">More of it</div>' }, 290)</script>`,
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
  '/unsaved': `<label>Message <textarea id="go"></textarea></label><label>Title <input value="As it came"></label>
    <script>onbeforeunload = (event) => event.preventDefault()</script>`,
};

const open = sessionOn(PAGES);

async function workOn(path: string): Promise<Work> {
  const work = await open(path);
  // On a busy machine an action does not wait for its look at the page before.
  await viewTab(work, {});
  return work;
}

async function click(work: Work, selector = '#go', snapshot = false) {
  return clickElement(work, { target: selector, button: 'left', clickCount: 1, modifiers: [], snapshot });
}

async function changed(work: Work, selector = '#go'): Promise<readonly string[] | undefined> {
  return (await click(work, selector)).changes?.lines;
}

const away = { history: undefined, newTab: false, waitUntil: 'load', timeoutMs: 9_000, snapshot: false } as const;

describe('an action tells what it changed', () => {
  it('that no line of a view shows, by what the page has marked otherwise', async () => {
    const star = await click(await workOn('/star'));
    expect(star.marks).toEqual({ came: ['class filled', 'around it (1): class is-chosen'], went: [] });
    const { marks } = await click(await workOn('/clobbered'));
    expect(marks).toEqual({ came: ['around it (1): data-state chosen'], went: [] });
    const icon = await workOn('/icon');
    expect((await click(icon)).marks).toEqual({ came: ['d M0,0h9v9z'], went: ['d M0 0h9'] });
    expect((await click(icon)).marks).toBeUndefined();
    for (const path of ['/hover', '/nothing', '/words'])
      expect((await click(await workOn(path))).marks).toBeUndefined();
  });

  it('leaves out beside a view what stands in it, and tells what went and how much is new', async () => {
    const work = await workOn('/words');
    const { changes, changesInView, snapshot } = await click(work, '#go', true);
    expect(changes?.lines).toEqual(['- Try (1st of 5)', '- He focused on it']);
    expect(changesInView).toBe(2);
    expect(snapshot?.text).toContain('menu of the day');
    const still = await workOn('/nothing');
    await click(still);
    const again = await click(still, '#go', true);
    expect(again).toMatchObject({ changesInView: 0, changes: { lines: [] } });
  });

  it('and takes no words of the page for ours', async () => {
    expect(await changed(await workOn('/words'))).toEqual([
      '+ Try (2nd of 5)',
      '+ menu of the day',
      '- Try (1st of 5)',
      '- He focused on it',
    ]);
  });

  it('by the line that changed, with its ref', async () => {
    expect(await changed(await workOn('/box'))).toEqual(['~ @e1 checkbox "Agree" checked focused']);
  });

  it('with what has a name before what has none, and without places that others have changed', async () => {
    expect(await changed(await workOn('/tray'))).toEqual(['+ @e6 textbox "Name"', '+ @e5 clickable (1st of 3)']);
  });

  it('whole where another view of the page begins with a heading, and else as far as it is needed', async () => {
    const view = (await click(await workOn('/other-view'))).changes;
    expect([view?.left, view?.lines.length]).toEqual([0, 52]);
    const rows = (await click(await workOn('/other-rows'))).changes;
    expect((rows?.left ?? 0) + (rows?.lines.length ?? 0)).toBe(50);
    expect(rows?.left).toBeGreaterThan(25);
  });

  it('also together with a view', async () => {
    const { changes, changesInView, snapshot } = await click(await workOn('/box'), '#go', true);
    expect([changes?.lines, changesInView]).toEqual([[], 1]);
    expect(snapshot?.text).toContain('Other words');
  });

  it('together with a view that has no room for the line, whatever the line reads like', async () => {
    const { changes, changesInView, snapshot } = await click(await workOn('/far'), '#go', true);
    expect(snapshot?.text).not.toContain('Boat…');
    expect([changes?.lines, changesInView]).toEqual([['+ Boat…'], 0]);
  });

  it('when it only waited for that', async () => {
    const work = await workOn('/slow');
    await click(work);
    const wanted = { kind: 'text' as const, value: 'Report', isGone: false };
    const { changes } = await waitOnPage(work, { wanted, timeoutMs: 10_000, snapshot: false });
    expect(changes?.lines).toEqual(['+ Report: 37 boats']);
  });

  it('since its own document was opened, not since an earlier one was looked at', async () => {
    const work = await workOn('/dialog');
    await click(work);
    await navigateTab(work, { ...away, url: 'http://site.example/dialog' });
    expect(await changed(work)).toContain('+ Really?');
  });

  it('not at all when nothing changed', async () => {
    const work = await workOn('/nothing');
    await click(work);
    expect(await changed(work)).toEqual([]);
  });

  it('with the focus, when nothing else changed', async () => {
    expect(await changed(await workOn('/nothing'))).toEqual(['~ @e1 button "Go" focused']);
  });

  it('by a dialog that opened, and says neither that the page behind it went nor that it came back', async () => {
    const work = await workOn('/dialog');
    expect(await changed(work)).toEqual([
      expect.stringMatching(/^\+ (?:@e\d+ )?dialog modal$/u),
      '+ Really?',
      expect.stringMatching(/^\+ @e\d+ button "No" focused$/u),
    ]);
    const closed = await changed(work, '#no');
    expect(closed?.join('\n')).not.toContain('Behind');
    expect(closed?.join('\n')).toContain('- dialog modal');
  });

  it('by a menu first, though other lines stand before it', async () => {
    expect(await changed(await workOn('/menu'))).toEqual([
      '+ menu',
      expect.stringMatching(/^\+ @e\d+ menuitem "Rename"$/u),
      '+ Seen later',
    ]);
  });

  it('when the same lines stand in another order', async () => {
    expect(await changed(await workOn('/sort'))).toEqual(['~ - Two', '~ - One']);
  });

  it('by what is new, though the page draws everything anew, and says how much that is', async () => {
    const { changes } = await click(await workOn('/redrawn'));
    expect(changes).toEqual({
      lines: ['+ ## Really?', expect.stringMatching(/^\+ @e\d+ button "Yes"$/u)],
      left: 0,
      recreated: 6,
      moved: 0,
    });
  });

  it('by the state of what is drawn anew, too', async () => {
    expect(await changed(await workOn('/redrawn-state'))).toEqual([
      expect.stringMatching(/^~ @e\d+ checkbox "Ready" checked$/u),
    ]);
  });

  it('when what is drawn anew stands in another order', async () => {
    const { changes } = await click(await workOn('/redrawn-order'));
    expect(changes?.lines.map((line) => line.replace(/@e\d+ /u, ''))).toEqual([
      '~ button "Keel"',
      '~ button "Mast"',
      '~ button "Bow"',
    ]);
  });

  it('of elements that are still there, even if each is now as the other was', async () => {
    expect(await changed(await workOn('/swapped'))).toEqual([
      '~ @e2 checkbox "Ready"',
      '~ @e3 checkbox "Ready" checked',
    ]);
  });

  it('by what lies over the page first, whatever it is made of', async () => {
    const lines = await changed(await workOn('/row-menu'));
    expect(lines?.slice(0, 3).map((line) => line.replace(/@e\d+ /u, ''))).toEqual([
      '+ clickable "Put on hold"',
      '+ clickable "Export"',
      '+ Row',
    ]);
  });

  it('by what the page announces first', async () => {
    expect(await changed(await workOn('/toast'))).toEqual(['+ Boat added', '+ 1 boat', '- 0 boats', '- Nothing yet']);
  });

  it('by what is near before what is far', async () => {
    expect((await changed(await workOn('/near')))?.slice(0, 2)).toEqual(['+ Added', '+ 1 boat']);
  });

  it('after what fades out has gone', async () => {
    const { snapshot } = await click(await workOn('/leaves'), '#go', true);
    expect(snapshot?.text).toContain('Leaving');
    expect(snapshot?.text).not.toContain('On its way out');
  });

  it('after a field that waits a moment before it filters', async () => {
    const work = await workOn('/filter');
    const { changes } = await typeInto(work, { target: '#go', text: 'ab', snapshot: false });
    expect(changes?.lines).toContain('+ For ab');
    expect(await inPage(work.tab, `setTimeout.toString()`)).toContain('[native code]');
  });

  it('when a page draws other rows as the wheel is turned over it', async () => {
    const work = await workOn('/wheel');
    const scrolled = { direction: 'down', amount: 100, unit: 'px', intoView: false, snapshot: false } as const;
    const { changes } = await scrollPage(work, { ...scrolled, target: '#go' });
    expect(changes?.lines).toContain('+ Rows from 10');
  });

  it('and is not at the end of a page that loads more a moment later', async () => {
    const work = await workOn('/more');
    const scrolled = { direction: 'down', amount: 10, unit: 'pages', intoView: false, snapshot: false } as const;
    const { place } = await scrollPage(work, { ...scrolled, target: undefined });
    expect(place.atEnd).toBe(false);
  });
});

describe('a page that asks before it is left', () => {
  it('is not left, and the fields that would be lost are named', async () => {
    const work = await workOn('/unsaved');
    await typeInto(work, { target: '#go', text: 'Half a letter', snapshot: false });
    const left = navigateTab(work, { ...away, url: 'http://site.example/nothing' });
    const error = await left.catch((thrown: unknown) => thrown);
    expect(error instanceof PeriscopeError && error.failure).toMatchObject({
      code: 'invalid_argument',
      field: 'dialog',
      quoted: expect.stringMatching(/ Message /u),
    });
    expect(await inPage(work.tab, 'go.value')).toBe('Half a letter');
    expect((await viewTab(work, {})).text).toContain('Half a letter');
  });

  it('is left when the call says so', async () => {
    const work = await workOn('/unsaved');
    await typeInto(work, { target: '#go', text: 'Half a letter', snapshot: false });
    work.tab.dialogAnswer = { accept: true };
    await navigateTab(work, { ...away, url: 'http://site.example/nothing' });
    expect((await viewTab(work, {})).text).toContain('Go');
  });
});
