import { describe, expect, it, vi } from 'vitest';
import { CdpSession } from '#browsing/cdp/connection.ts';
import { StepChanges } from '#browsing/session/steps/step-changes.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import type { RunStepsInput } from '#browsing/session/steps/step-list.ts';
import { scanTab } from '#browsing/session/operations/acting.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const FORM = `<form onsubmit="event.preventDefault(); said.textContent = 'Saved ' + who.value + ' ' + size.value">
  <label>Name <input id="who" required></label><label>Size <select id="size"><option>Small<option>Large</select></label>
  <label><input id="gift" type="checkbox"> Gift</label><button>Save</button></form><p id="said"></p>`;
/** A list that reuses its buttons for other names, some animation frames after a click on `Sort`. */
const SORTED = `<div id="list"><button>Sort</button><button class="d">Delete Ann</button><button class="d">Delete Bob</button></div>
  <p id="said"></p><script>function start(root) {
    const [sort, one, two] = root.querySelectorAll('button');
    for (const button of [one, two]) button.onclick = () => { said.textContent = button.textContent };
    const swap = () => { [one.textContent, two.textContent] = [two.textContent, one.textContent] };
    sort.onclick = () => { sort.textContent = 'Sorting'; let n = 0; const next = () => { if (++n < 6) requestAnimationFrame(next); else swap() }; next() };
  }</script>`;
const PAGES: Record<string, string> = {
  '/form': FORM,
  '/orders': `<table><tr><th>Order<th>State<tr><td>Order 17<td id="state">Open<tr><td>Order 18<td>Paid</table>
    <button onclick="setTimeout(() => { state.textContent = 'Paid' }, 600)">Pay</button>`,
  '/asks': `<button onclick="if (confirm('Delete it?')) said.textContent = 'Deleted'">Delete</button>
    <button onclick="said.textContent += 'x'">Count</button><p id="said"></p>`,
  '/leaves': `<a href="/form">Away</a><button>Stay</button>`,
  '/closes': `<input type="file" id="f"><button onclick="f.click()">Choose</button><button>Stay</button>`,
  '/counts': `<button onclick="said.textContent = Number(said.textContent) + 1">Count</button><p id="said">0</p>`,
  '/toasts': `<button id="a" onclick="toast('Order 17 saved', 900)">Save</button><button onclick="toast('Order 18 is locked', 99999)">Lock</button>
    <button onclick="hint.textContent = 'Item 3 of 9'; setTimeout(() => { hint.textContent = '' }, 400)">Next</button><p>Here</p>
    <div id="toasts" aria-live="polite"></div><form id="forms"><input type="hidden" name="closest"><input type="hidden" name="matches"></form><div id="hint" role="status" style="position: absolute; width: 1px; height: 1px; overflow: hidden"></div>
    <script>function toast(words, ms) { const one = document.createElement('div'); one.textContent = words; toasts.append(one); forms.append(' '); setTimeout(() => one.remove(), ms); }</script>`,
  '/redraws': `<button onclick="said.textContent += 'a'">First</button><p id="said"></p><div style="height: 3000px"></div>
    <div id="box"><button onclick="said.textContent += 'b'">Second</button></div>
    <script>onscroll = () => { onscroll = null; box.innerHTML = box.innerHTML }</script>`,
  '/sorts': `${SORTED}<script>start(document)</script>`,
  '/sorts-in-shadow': `<div id="host"></div>${SORTED}<script>
    const root = host.attachShadow({ mode: 'open' }); root.append(list); start(root)</script>`,
  '/wizard': `<h1>Order</h1><button onclick="step('Choose a size', 'Next')">Start</button><div id="part"></div>
    <script>function step(words, name) { part.innerHTML = '<p>' + words + '</p><button>' + name + '</button>';
      part.lastChild.onclick = () => step(words === 'Choose a size' ? 'Size 38 is sold out' : 'Thank you', 'Go on') }</script>`,
  '/slow': `<button onclick="said.textContent += 'x'">Count</button><p id="said"></p>`,
  '/secret': `<label>Password <input type="password" id="p" value="abc"></label>`,
};

/** Boxes and lists whose state a page resets, immediately or a moment later. */
const KEPT = {
  'check checkbox "Gift"': `<label><input type="checkbox" onchange="this.checked = false"> Gift</label>`,
  'uncheck checkbox "Gift"': `<label><input type="checkbox" checked onclick="return false"> Gift</label>`,
  'check switch "Wifi"': `<button role="switch" aria-checked="false">Wifi</button>`,
  'check radio "Fast"': `<label><input type="radio" onclick="return false"> Fast</label>`,
  'choose radio "Fast"': `<label><input type="radio" onclick="return false"> Fast</label>`,
  'choose "Size" = Large': `<label>Size <select onchange="this.value = 'Small'"><option>Small<option>Large</select></label>`,
  'fill "Code" = 17': `<label>Code <input oninput="this.value = ''"></label>`,
  'choose "Size" = L': `<label>Size <select onchange="setTimeout(() => { this.selectedIndex = 0 }, 50)">
    <option>Small<option value="L">Large</select></label>`,
};
Object.entries(KEPT).forEach(([, body], at) => Object.assign(PAGES, { [`/kept${at}`]: body + PAGES['/counts'] }));
PAGES['/many'] = `<label>Sizes <select multiple><option>S<option>M<option value="L">Large</select></label>`;

const workOn = sessionOn(PAGES);
const nobody = () => false;

async function take(
  work: OperationWork,
  lines: readonly string[],
  options: Partial<RunStepsInput> = {},
  drives = nobody,
) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false, ...options };
  const progress = createStepListProgress(input);
  const result = await runSteps(work, input, progress, drives);
  return { ...result, failure: progress.failure };
}

const said = (work: OperationWork) => inPage(work.tab, 'document.querySelector("#said").textContent');

describe('a list of steps', () => {
  it('runs in order, and each change is reported once', async () => {
    const work = await workOn('/form');
    // A look for which a busy machine may take its time; the list's own has a limit.
    await scanTab(work);
    const { done, stopped, changes } = await take(work, [
      'fill textbox "Name" = Ann',
      'choose combobox "Size" = Large',
      'check checkbox "Gift"',
      'click button "Save"',
      'wait text=Saved',
      'expect "Saved Ann Large"',
      'expect checkbox "Gift" is checked',
      'expect textbox "Name" = Ann',
    ]);
    expect(stopped).toBeNull();
    expect(done).toBe(8);
    expect(await said(work)).toBe('Saved Ann Large');
    expect(changes?.lines.filter((line) => line.includes('Saved Ann Large'))).toHaveLength(1);
    expect(changes?.lines.join('\n')).toMatch(/~ @e\d+ textbox "Name" = "Ann"/u);
  });

  it('finds the element of a step in the page that was read for the effect of the step before', async () => {
    const work = await workOn('/counts');
    await scanTab(work);
    const sent = vi.spyOn(CdpSession.prototype, 'send');
    const { stopped } = await take(
      work,
      Array.from({ length: 4 }, () => 'click "Count"'),
    );
    const reads = sent.mock.calls.filter(([method]) => method === 'Accessibility.getFullAXTree');
    sent.mockRestore();
    expect(stopped).toBeNull();
    expect(await said(work)).toBe('4');
    // One for the first step, one after each step.
    expect(reads).toHaveLength(5);
  });

  it('reads a page again that has changed since the effect of the step before was read', async () => {
    const work = await workOn('/counts');
    const changes = new StepChanges(work, await scanTab(work));
    await changes.note(1, true, false);
    expect(await changes.takePage()).not.toBeNull();
    expect(await changes.takePage()).toBeNull();
    await changes.note(2, true, false);
    await inPage(work.tab, `document.querySelector('button').textContent = 'Delete'`);
    expect(await changes.takePage()).toBeNull();
  });

  it.each(['/sorts', '/sorts-in-shadow'])('presses the named button of a list that %s frames later', async (path) => {
    const work = await workOn(path);
    const { stopped } = await take(work, ['click "Sort"', 'click "Delete Ann"']);
    expect(stopped).toBeNull();
    expect(await said(work)).toBe('Delete Ann');
  });

  it('finds fields by their labels and types where the focus is', async () => {
    const work = await workOn('/form');
    const { stopped } = await take(work, [
      'click "Name"',
      'type Ann',
      'press Control+A',
      'type Bea',
      'press Enter',
      'expect "Saved Bea Small"',
    ]);
    expect(stopped).toBeNull();
  });

  it('reports the messages that appeared and disappeared, with the step after which each was seen', async () => {
    const work = await workOn('/toasts');
    const lines = ['click "Save"', 'click "Next"', 'wait gone text=Order 17 saved', 'click "Lock"'];
    const { announced, changes, stopped } = await take(work, lines);
    expect(stopped).toBeNull();
    expect(announced).toEqual([{ step: 1, words: 'Order 17 saved' }]);
    expect(changes?.lines.join('\n')).toContain('Order 18 is locked');
    expect((await take(work, ['click "Here"', 'click "Next"'])).announced).toEqual([]);
  });

  it('reports the steps that typed where no field had the focus', async () => {
    const work = await workOn('/form');
    const { missed, stopped } = await take(work, ['type Ann', 'click "Name"', 'type Bea']);
    expect({ missed, stopped }).toEqual({ missed: [{ step: 1, what: 'nothing' }], stopped: null });
  });

  it('reports the effects of steps that the changes at the end do not show', async () => {
    const work = await workOn('/wizard');
    const { changes, between, stopped } = await take(work, ['click "Start"', 'click "Next"', 'click "Go on"']);
    expect(stopped).toBeNull();
    expect(changes?.lines.join('\n')).toContain('Thank you');
    expect(between).toEqual([
      { step: 1, words: '+ Choose a size + button "Next"' },
      { step: 2, words: '+ Size 38 is sold out' },
    ]);
  });

  it('reports no effect in between that a check or a set field makes, or that is still there at the end', async () => {
    const work = await workOn('/form');
    const lines = ['fill "Name" = Ann', 'click checkbox "Gift"', 'expect checkbox "Gift" is checked', 'click "Save"'];
    expect((await take(work, lines)).between).toEqual([]);
  });

  it('names the page that a step opened if the list goes on', async () => {
    const work = await workOn('/leaves');
    const { between } = await take(work, ['click "Away"', 'wait "Name"', 'fill "Name" = Ann', 'click "Save"']);
    expect(between).toEqual([{ step: 1, words: expect.stringMatching(/^= /u) }]);
  });

  it('gives refs only to what is there at the end, whatever the number of steps', async () => {
    const work = await workOn('/counts');
    const { refs } = work.active;
    await take(work, ['click "Count"']);
    const before = refs.next;
    const { changes } = await take(
      work,
      Array.from({ length: 6 }, () => 'click button "Count"'),
    );
    expect(changes?.lines).toEqual(['- 1', '+ 7']);
    expect(refs.next).toBe(before);
  });

  it('waits for the expected text of a row, and stops if it never appears', async () => {
    const work = await workOn('/orders');
    const paid = await take(work, ['click "Pay"', 'expect row "Order 17" has "Paid"']);
    expect(paid.stopped).toBeNull();
    const open = await take(work, ['expect row "Order 18" has "Open"', 'click "Pay"']);
    expect(open).toMatchObject({ done: 0, stopped: { why: 'unmet', words: expect.stringContaining('Order 18') } });
    const not = await take(work, ['expect row "Order 18" has no "Paid"']);
    expect(not.stopped).toMatchObject({ why: 'unmet', problem: 'it has just that' });
    const gone = await take(work, ['expect no text=Order 18']);
    expect(gone.stopped).toMatchObject({ why: 'unmet' });
  });

  it('ends at a dialog that no step expects, and dismisses it', async () => {
    const work = await workOn('/asks');
    const { done, stopped } = await take(work, ['click "Count"', 'click "Delete"', 'click "Count"']);
    expect({ done, stopped }).toEqual({ done: 2, stopped: { why: 'dialog' } });
    expect(await said(work)).toBe('x');
  });

  it('continues after a dialog that the call accepts', async () => {
    const work = await workOn('/asks');
    work.tab.dialogAnswer = { accept: true };
    const { stopped } = await take(work, ['click "Delete"', 'click "Count"'], { expectsDialog: true });
    expect(stopped).toBeNull();
    expect(await said(work)).toBe('Deletedx');
  });

  it('ends at another page unless the next step waits for it or expects something there', async () => {
    const lost = await take(await workOn('/leaves'), ['click "Away"', 'click "Stay"']);
    expect(lost).toMatchObject({ done: 1, stopped: { why: 'moved' }, isNewDocument: true });
    const work = await workOn('/leaves');
    const led = await take(work, [
      'click "Away"',
      'wait button "Save"',
      'fill "Name" = Ann',
      'click "Save"',
      'expect "Saved Ann"',
    ]);
    expect(led.stopped).toBeNull();
  });

  it.each([
    ['a file chooser', '/closes', 'click "Choose"', 'chooser'],
    ['a form that is not sent', '/form', 'click "Save"', 'invalid'],
  ])('ends at %s', async (_, path, line, why) => {
    const { done, stopped } = await take(await workOn(path), [line, 'press Tab']);
    expect({ done, stopped }).toEqual({ done: 1, stopped: { why } });
  });

  it.each(Object.keys(KEPT).map((line, at) => [line, at] as const))(
    'ends at a box or a list that does not change: %s',
    async (line, at) => {
      const work = await workOn(`/kept${at}`);
      const { done, stopped } = await take(work, [line, 'click button "Count"']);
      expect({ done, stopped }).toMatchObject({
        done: 0,
        stopped: { why: 'unmet', problem: expect.stringMatching(/did not (?:accept|change)/u) },
      });
      expect(await said(work)).toBe('0');
    },
  );

  it('accepts options by value and in any order', async () => {
    const { stopped } = await take(await workOn('/many'), ['choose "Sizes" = L\nS', 'press Tab']);
    expect(stopped).toBeNull();
  });

  it('clicks an element that the page redraws before the press, once', async () => {
    const work = await workOn('/redraws');
    const { stopped } = await take(work, ['click button "First"', 'click button "Second"']);
    expect(stopped).toBeNull();
    expect(await said(work)).toBe('ab');
  });

  it('ends at a refused step, with its failure', async () => {
    const work = await workOn('/counts');
    const { done, stopped, failure } = await take(work, ['click "Count"', 'click button "None"', 'click "Count"']);
    expect({ done, stopped }).toEqual({ done: 1, stopped: { why: 'failed' } });
    expect(failure).toMatchObject({ code: 'element_not_found', target: 'button "None"' });
    expect(await said(work)).toBe('1');
  });

  it('takes no more steps once a user has taken over', async () => {
    const work = await workOn('/counts');
    let asked = 0;
    const drives = () => ++asked > 2;
    const { done, stopped } = await take(work, ['click "Count"', 'click "Count"', 'click "Count"'], {}, drives);
    expect({ done, stopped }).toEqual({ done: 2, stopped: { why: 'person' } });
    expect(await said(work)).toBe('2');
  });

  it('ends when its time is over, in the middle of a step, and takes no further step', async () => {
    const work = await workOn('/slow', AbortSignal.timeout(100_000));
    work.endsAt = Date.now() + 9_000;
    const { stopped } = await take(work, ['click "Count"', 'wait text=never', 'click "Count"']);
    expect(stopped).toMatchObject({ why: 'time' });
    expect(await said(work)).not.toBe('xx');
  });

  it('stays in its tab: a ref of another tab is refused', async () => {
    const counts = await workOn('/counts');
    const form = { ...counts, tab: (await workOn('/form')).tab };
    const refIn = async (work: OperationWork) =>
      /@e\d+(?= button)/u.exec((await viewTabOnRequest(work, {})).text)?.[0] ?? '';
    const [one, other] = [await refIn(counts), await refIn(form)];
    const { done, failure } = await take(form, [`click ${one}`, `hover ${other}`]);
    expect(done).toBe(1);
    expect(failure).toMatchObject({ code: 'invalid_argument', problem: expect.stringContaining('in another tab') });
    expect(await said(counts)).toBe('1');
  });

  it('does not reveal the value of a password field on request', async () => {
    const work = await workOn('/secret', AbortSignal.timeout(100_000));
    for (const line of [
      'expect "Password" = abc',
      'expect textbox "Password" has "abc"',
      'expect textbox "Password" has "bc"',
    ]) {
      const { stopped } = await take(work, [line]);
      expect(stopped).toMatchObject({ why: 'unmet' });
      expect(JSON.stringify(stopped)).not.toContain('abc');
    }
  });
});
