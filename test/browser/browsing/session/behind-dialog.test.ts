import { describe, expect, it, vi } from 'vitest';
import { refuseNamedBehind } from '#browsing/locate/resolve.ts';
import { clickElement } from '#browsing/session/operations/operations.ts';
import { takeLook } from '#browsing/session/operations/acting.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const workOn = sessionOn({
  '/dialog': `<button id="go">Go on</button><button aria-label="Archive">A</button><label>City <input value="Bergen"></label>
    <ul><li>Order 17 <button>Open</button><li>Order 18 <button>Open</button></ul><button hidden>Unseen</button>
    <dialog id="sure"><h2>Leave berth 7?</h2><button>Yes</button></dialog>
 <dialog id="open-order"><h2>Open order 18?</h2><button>Cancel</button><button>Open</button></dialog>
    <dialog id="upper" aria-label="Really leave?"><button>No</button></dialog>`,
  '/slotted': `<div><template shadowrootmode="open"><dialog><slot></slot></dialog></template><button>Inside</button></div>
    <button>Outside</button>`,
  '/framed': `<iframe srcdoc="<button>Outside</button><dialog aria-label='Leave berth 7?'></dialog>
    <script>document.querySelector('dialog').showModal()</script>"></iframe>`,
  '/unnamed': '<button>Outside</button><dialog id="sure"><p contenteditable>Typed by a person</p></dialog>',
  '/members': `<form aria-label="Harbour">Moorings ${fieldsNamed(['getAttribute', 'closest', 'checkVisibility'])}
    ${fieldsNamed(['querySelectorAll', 'getBoundingClientRect', 'shadowRoot'])}</form><dialog id="sure"><h2>Leave berth 7?</h2></dialog>
    <button id="go">Go on</button>`,
});

function fieldsNamed(names: readonly string[]): string {
  return names.map((name) => `<input name="${name}">`).join('');
}

const NAMES = ['querySelectorAll', 'getElementById', 'elementFromPoint', 'createTreeWalker'];
const CLICK = { snapshot: false, button: 'left', clickCount: 1, modifiers: [] } as const;
const BEHIND = {
  code: 'element_not_found',
  reason: 'behind',
  quoted: expect.stringMatching(/^\S+ dialog "Leave berth 7\?" \S+$/u),
};

describe('an element behind an open modal dialog', () => {
  it.each(['button "Go on"', 'Archive', 'archive', '"City"', 'button "Open" in row "Order 18"', 'text=Go on'])(
    'is refused as behind the dialog, with its name: %s',
    async (target) => {
      const work = await workOn('/dialog');
      await inPage(work.tab, 'sure.showModal()');
      expect(await failureOf(clickElement(work, { ...CLICK, target }))).toMatchObject(BEHIND);
    },
  );

  it.each(['@e1', '@e4'])('is refused in the same way if a ref names it: %s', async (target) => {
    const work = await workOn('/dialog');
    await takeLook(work);
    await inPage(work.tab, 'sure.showModal()');
    const click = () => failureOf(clickElement(work, { ...CLICK, target }));
    expect(await click()).toMatchObject(BEHIND);
    await takeLook(work);
    expect(await click()).toMatchObject(BEHIND);
    await inPage(work.tab, 'sure.close()');
    await expect(clickElement(work, { ...CLICK, target })).resolves.toBeDefined();
  });

  it('is refused in the same way on a page whose elements hide members of the document', async () => {
    const work = await workOn('/dialog');
    await inPage(
      work.tab,
      `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(NAMES.map((name) => `<form name="${name}"></form>`).join(''))})`,
    );
    await inPage(work.tab, 'sure.setAttribute("aria-labelledby", "go"); sure.showModal()');
    const failure = await failureOf(clickElement(work, { ...CLICK, target: 'Archive' }));
    expect(failure).toMatchObject({ ...BEHIND, quoted: expect.stringContaining('Go on') });
  });

  it.each(['button "Open" in row "Order 17"', 'button "Open" in "Order 17"', 'link "Open" in "Order 17"'])(
    'is never answered with a control of the dialog that has the same name: %s',
    async (target) => {
      const work = await workOn('/dialog');
      await inPage(work.tab, 'document.getElementById("open-order").showModal()');
      const failure = await failureOf(clickElement(work, { ...CLICK, target }));
      expect(failure).toMatchObject({ code: 'element_not_found', reason: 'behind' });
      expect(failure).not.toHaveProperty('alike');
    },
  );

  it.each(['button "Open" in dialog "Open order 18?"', 'button "Open" in "Open order 18?"'])(
    'does not hide the control of the dialog: %s',
    async (target) => {
      const work = await workOn('/dialog');
      await inPage(work.tab, 'document.getElementById("open-order").showModal()');
      await expect(clickElement(work, { ...CLICK, target })).resolves.toBeDefined();
    },
  );

  it('is reported as missing if no row behind the dialog has the words of the target', async () => {
    const work = await workOn('/dialog');
    await inPage(work.tab, 'document.getElementById("open-order").showModal()');
    const failure = await failureOf(clickElement(work, { ...CLICK, target: 'button "Open" in row "Order 99"' }));
    expect(failure).not.toHaveProperty('reason');
  });

  it('is refused with the name of the uppermost dialog, which may come first in the document', async () => {
    const work = await workOn('/dialog');
    await inPage(work.tab, 'upper.showModal(); sure.showModal()');
    expect(await failureOf(clickElement(work, { ...CLICK, target: 'button "No"' }))).toMatchObject(BEHIND);
  });

  it.each(['button "Nope"', 'button "Unseen"', 'textbox "Bergen"', 'button "Go"'])(
    'is still reported as missing if the page does not show that name: %s',
    async (target) => {
      const work = await workOn('/dialog');
      await inPage(work.tab, 'sure.showModal()');
      const failure = await failureOf(clickElement(work, { ...CLICK, target }));
      expect(failure).toMatchObject({ code: 'element_not_found' });
      expect(failure).not.toHaveProperty('reason');
    },
  );

  it('does not include slotted content of a dialog in a shadow tree', async () => {
    const work = await workOn('/slotted');
    await inPage(work.tab, 'document.querySelector("div").shadowRoot.querySelector("dialog").showModal()');
    expect(await failureOf(clickElement(work, { ...CLICK, target: 'link "Inside"' }))).not.toHaveProperty('reason');
    expect(await failureOf(clickElement(work, { ...CLICK, target: 'link "Outside"' }))).toHaveProperty(
      'reason',
      'behind',
    );
  });

  it('is refused although another frame does not answer', async () => {
    const work = await workOn('/framed');
    const { tab } = work;
    const world = tab.world.bind(tab);
    vi.spyOn(tab, 'world').mockImplementation((frame) =>
      frame.parentId === null ? new Promise(() => undefined) : world(frame),
    );
    const refused = refuseNamedBehind({ words: 'Outside' }, 'Outside', tab, work.signal);
    expect(await failureOf(refused)).toMatchObject(BEHIND);
  });

  it('is refused without the text of an unnamed dialog, which a person may have typed', async () => {
    const work = await workOn('/unnamed');
    await inPage(work.tab, 'sure.showModal()');
    const failure = await failureOf(clickElement(work, { ...CLICK, target: 'button "Outside"' }));
    expect(failure).toMatchObject({ reason: 'behind', quoted: expect.stringMatching(/ dialog "dialog" /u) });
  });

  it('is found although fields of its form hide the members that a search reads', async () => {
    const work = await workOn('/members');
    await expect(clickElement(work, { ...CLICK, target: '#go' })).resolves.toBeDefined();
    await inPage(work.tab, 'document.getElementById("sure").showModal()');
    for (const target of ['button "Harbour"', 'button "Moorings"'])
      expect(await failureOf(clickElement(work, { ...CLICK, target }))).toMatchObject(BEHIND);
  });
});
