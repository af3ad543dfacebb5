import { describe, expect, it, vi } from 'vitest';
import { CdpError } from '#browsing/cdp/connection.ts';
import { clickElement, scrollPage, typeInto } from '#browsing/session/operations/act-operations.ts';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import { viewTabOnRequest, waitOnPage } from '#browsing/session/operations/look-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const boats = Array.from({ length: 50 }, (_, at) => `<p>Boat ${at} lies at a berth of the old harbour</p>`).join('');

const PAGES: Record<string, string> = {
  '/far': `<button id="go" onclick="view.insertAdjacentHTML('beforeend', '<p>Boat…</p>')">Add</button><div id="view">${boats.repeat(16)}</div>`,
  '/star': `<div class="row"><button id="go" class="star" onclick="this.classList.toggle('filled'); this.closest('.row').classList.add('is-chosen')"
    onmousemove="this.classList.add('hovered')"><svg width="9" height="9"><path d="M0 0h9"></path></svg><span hidden>Star</span></button></div>`,
  '/clobbered': `<form id="f"><input type="hidden" name="attributes"><input type="hidden" name="parentNode"><input type="hidden" name="parentElement"><input type="hidden" name="localName">
    <button type="button" id="go" onclick="HTMLElement.prototype.setAttribute.call(f, 'data-state', 'chosen')">Star</button></form>`,
  '/icon': `<button id="go" aria-label="Star" onclick="this.innerHTML = '<svg width=9 height=9><path d=M0,0h9v9z></path></svg>'"><svg width="9" height="9"><path d="M0 0h9"></path></svg></button>`,
  '/hover': `<button id="go" onmousemove="this.classList.add('is-hover')" onfocus="this.dataset.focused = ''">Go</button>`,
  '/nothing': '<button id="go" onclick="1">Go</button>',
  '/dialog': `<button id="go" onclick="sure.showModal()">Delete</button><p>Behind</p>
    <dialog id="sure"><p>Really?</p><button id="no" onclick="sure.close()">No</button></dialog>`,
  '/rows': `<ul><li>Anna <button>Delete</button><li>Berta <button id="go" onclick="sure.showModal()">Delete</button></ul>
    <dialog id="sure"><h2>Delete this boat?</h2><p>Berta</p><button id="keep" onclick="sure.close()">Keep</button><button>Delete</button></dialog>`,
  '/settings': `<button id="go" onclick="panel.hidden = false">Settings</button><p id="out"></p>
    <div id="panel" role="dialog" aria-label="Settings" hidden><p>Mail</p><button id="save" onclick="out.textContent += 'Saved. '">Save</button>
    <button id="end" onclick="panel.hidden = true">Close</button></div>`,
  '/wizard': `<form id="one"><h2>Step 1</h2><button type="button" id="go" onclick="one.hidden = true; two.hidden = false">Next</button></form>
    <form id="two" hidden><h2>Step 2</h2><button type="button">Back</button><button type="button">Next</button></form>`,
  '/slow': `<button id="go" onclick="setTimeout(() => { out.textContent = 'Report: 37 boats' }, 1500)">Go</button>
    <p id="out"></p>`,
  '/words': `<button id="go" onclick="out.textContent = 'Try (2nd of 5)'; gone.remove(); late.hidden = false">Go</button>
    <p id="out">Try (1st of 5)</p><p id="gone">He focused on it</p><p>Then</p><p id="late" hidden>menu of the day</p>`,
  '/leaves': `<button id="go" onclick="row.animate([{ opacity: 1 }, { opacity: 0 }], 400).finished.then(() => row.remove());
    out.textContent = 'Leaving'">Go</button><p id="row">On its way out</p><p id="out"></p>`,
  '/filter': `<input id="go" oninput="clearTimeout(self.timer); timer = setTimeout(() => { out.textContent = 'For ' + go.value }, 290)">
    <p id="out"></p>`,
  '/wheel': '<div id="go" style="height: 200px" onwheel="go.textContent = \'Rows from 10\'">Rows from 1</div>',
  '/more': `<div style="height: 3000px">Tall</div><p id="out"></p>
    <script>onscroll = () => setTimeout(() => { out.innerHTML = '<div style="height: 3000px">More of it</div>' }, 290)</script>`,
  '/unsaved': `<label>Message <textarea id="go"></textarea></label><label>Title <input value="As it came"></label>
    <script>onbeforeunload = (event) => event.preventDefault()</script>`,
};

const open = sessionOn(PAGES);

async function workOn(path: string): Promise<OperationWork> {
  const work = await open(path);
  // On a busy machine an action does not wait for its look at the page before.
  await viewTabOnRequest(work, {});
  return work;
}

async function click(work: OperationWork, selector = '#go', snapshot = false) {
  return clickElement(work, { target: selector, button: 'left', clickCount: 1, modifiers: [], snapshot });
}

async function changed(work: OperationWork, selector = '#go'): Promise<readonly string[] | undefined> {
  return (await click(work, selector)).changes?.lines;
}

const away = { history: undefined, newTab: false, waitUntil: 'load', timeoutMs: 9_000, snapshot: false } as const;

describe('an action reports what it changed', () => {
  it('with the controls of a dialog or step that have the names of controls behind it', async () => {
    const rows = await workOn('/rows');
    const opened = (await click(rows)).changes;
    expect(opened?.recreated).toBe(0);
    expect(opened?.lines.map((line) => line.replace(/@e\d+ /u, ''))).toEqual([
      '+ dialog modal',
      '+ ## Delete this boat?',
      '+ Berta',
      '+ button "Keep" focused',
      '+ button "Delete"',
    ]);
    await click(rows, '#keep');
    await expect(click(rows, '@e1')).resolves.toBeDefined();
    const next = (await click(await workOn('/wizard'))).changes;
    expect(next?.recreated).toBe(0);
    expect(next?.lines).toContainEqual(expect.stringMatching(/^\+ @e\d+ button "Next"$/u));
  });

  it('with the dialog around it, which is still open or closed', async () => {
    const work = await workOn('/settings');
    await click(work);
    expect(await changed(work, '#save')).toEqual([
      expect.stringContaining('Saved.'),
      '= dialog "Settings" is still open',
    ]);
    expect(await changed(work, '#end')).toEqual([expect.stringMatching(/^- dialog "Settings" closed/u)]);
  });

  it('as marks of the page when no line of a view differs', async () => {
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

  it('together with a view that has no room for the line, whatever the line looks like', async () => {
    const { changes, changesInView, snapshot } = await click(await workOn('/far'), '#go', true);
    expect(snapshot?.text).not.toContain('Boat…');
    expect([changes?.lines, changesInView]).toEqual([['+ Boat…'], 0]);
  });

  it('even if it only waited for the change', async () => {
    const work = await workOn('/slow');
    await click(work);
    const wanted = { kind: 'text' as const, value: 'Report', isGone: false };
    const { changes } = await waitOnPage(work, { wanted, timeoutMs: 10_000, snapshot: false });
    expect(changes?.lines).toEqual(['+ Report: 37 boats']);
  });

  it('since its own document was opened, not since an earlier one was viewed', async () => {
    const work = await workOn('/dialog');
    await click(work);
    await navigateTab(work, { ...away, url: 'http://site.example/dialog' });
    expect(await changed(work)).toContain('+ Really?');
  });

  it('after fading elements have disappeared', async () => {
    const { snapshot } = await click(await workOn('/leaves'), '#go', true);
    expect(snapshot?.text).toContain('Leaving');
    expect(snapshot?.text).not.toContain('On its way out');
  });

  it('after a field that delays its filter has settled', async () => {
    const work = await workOn('/filter');
    const { changes } = await typeInto(work, { target: '#go', text: 'ab', snapshot: false });
    expect(changes?.lines).toContain('+ For ab');
    expect(await inPage(work.tab, `setTimeout.toString()`)).toContain('[native code]');
  });

  it('when a page draws other rows as the wheel turns', async () => {
    const work = await workOn('/wheel');
    const scrolled = { direction: 'down', amount: 100, unit: 'px', intoView: false, snapshot: false } as const;
    const { changes } = await scrollPage(work, { ...scrolled, target: '#go' });
    expect(changes?.lines).toContain('+ Rows from 10');
  });

  it('without treating a page that soon loads more as ended', async () => {
    const work = await workOn('/more');
    const scrolled = { direction: 'down', amount: 10, unit: 'pages', intoView: false, snapshot: false } as const;
    const { place } = await scrollPage(work, { ...scrolled, target: undefined });
    expect(place.atEnd).toBe(false);
  });
});

describe('a page that asks before the user leaves it', () => {
  it('stays open, and the fields that would be lost are listed', async () => {
    const work = await workOn('/unsaved');
    await typeInto(work, { target: '#go', text: 'Half a letter', snapshot: false });
    const left = navigateTab(work, { ...away, url: 'http://site.example/nothing' });
    const error = await left.catch((thrown: unknown) => thrown);
    expect(error instanceof PeriscopeError && error.failure).toMatchObject({
      code: 'invalid_argument',
      field: 'dialog',
      quoted: expect.stringMatching(/ Message /u),
    });
    // The error reports the question, so the next result must not report it again.
    expect(work.tab.log.since(0).filter(({ kind }) => kind === 'dialog')).toEqual([]);
    expect(await inPage(work.tab, 'go.value')).toBe('Half a letter');
    expect((await viewTabOnRequest(work, {})).text).toContain('Half a letter');
  });

  it('reports the refused leave in the next result if the error cannot', async () => {
    const work = await workOn('/unsaved');
    await typeInto(work, { target: '#go', text: 'Half a letter', snapshot: false });
    const gone = vi.spyOn(work.tab, 'world').mockRejectedValue(new CdpError('Runtime.evaluate', 'gone'));
    await expect(navigateTab(work, { ...away, url: 'http://site.example/nothing' })).rejects.toMatchObject({
      failure: { code: 'element_not_found' },
    });
    gone.mockRestore();
    expect(work.tab.log.since(0).filter(({ kind }) => kind === 'dialog')).toHaveLength(1);
  });

  it('is left when the call confirms it', async () => {
    const work = await workOn('/unsaved');
    await typeInto(work, { target: '#go', text: 'Half a letter', snapshot: false });
    work.tab.dialogAnswer = { accept: true };
    await navigateTab(work, { ...away, url: 'http://site.example/nothing' });
    expect((await viewTabOnRequest(work, {})).text).toContain('Go');
  });
});
