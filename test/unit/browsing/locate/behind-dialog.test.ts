import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const PAGES: Readonly<Record<string, string>> = {
  '/dialog': `<button id="go">Go on</button><button aria-label="Archive">A</button><label>City <input value="Bergen"></label>
    <ul><li>Order 17 <button>Open</button><li>Order 18 <button>Open</button></ul><button hidden>Unseen</button>
    <dialog id="sure"><h2>Leave berth 7?</h2><button>Yes</button></dialog>
    <dialog id="open-order"><h2>Open order 18?</h2><button>Cancel</button><button>Open</button></dialog>
    <dialog id="upper" aria-label="Really leave?"><button>No</button></dialog>`,
  '/slotted': `<div><template shadowrootmode="open"><dialog><slot></slot></dialog></template><button>Inside</button></div>
    <button>Outside</button>`,
  '/unnamed': '<button>Outside</button><dialog id="sure"><p contenteditable>Typed by a person</p></dialog>',
  '/members': `<form aria-label="Harbour">Moorings ${fieldsNamed(['getAttribute', 'closest', 'checkVisibility'])}
    ${fieldsNamed(['querySelectorAll', 'getBoundingClientRect', 'shadowRoot'])}</form><dialog id="sure"><h2>Leave berth 7?</h2></dialog>
    <button id="go">Go on</button>`,
};

function fieldsNamed(names: readonly string[]): string {
  return names.map((name) => `<input name="${name}">`).join('');
}

const pages = recordedPages('locate/behind-dialog', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
});

const open = (path: string) => pages.open(`http://site.example${path}`);

/** The page with orders while one of its dialogs is open. */
async function withDialog(id: string) {
  const page = await open('/dialog');
  await page.run(`document.getElementById("${id}").showModal()`);
  return page;
}

const NAMES = ['querySelectorAll', 'getElementById', 'elementFromPoint', 'createTreeWalker'];
const BEHIND = {
  code: 'element_not_found',
  reason: 'behind',
  quoted: expect.stringMatching(/^\S+ dialog "Leave berth 7\?" \S+$/u),
};

describe('an element behind an open modal dialog', () => {
  it.each(['button "Go on"', 'Archive', 'archive', '"City"', 'button "Open" in row "Order 18"', 'text=Go on'])(
    'is refused as behind the dialog, with its name: %s',
    async (target) => {
      expect(await (await withDialog('sure')).failure(target)).toMatchObject(BEHIND);
    },
  );

  it.each(['@e1', '@e4'])('is refused in the same way if a ref names it, until the dialog closes: %s', async (ref) => {
    const page = await open('/dialog');
    await page.snapshot();
    const before = await page.resolve(ref);
    await page.run('document.getElementById("sure").showModal()');
    expect(await page.failure(ref)).toMatchObject(BEHIND);
    await page.snapshot();
    expect(await page.failure(ref)).toMatchObject(BEHIND);
    await page.run('sure.close()');
    expect((await page.resolve(ref)).backendNodeId).toBe(before.backendNodeId);
  });

  it('is refused in the same way on a page whose elements hide members of the document', async () => {
    const page = await open('/dialog');
    const forms = NAMES.map((name) => `<form name="${name}"></form>`).join('');
    await page.run(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(forms)})`);
    await page.run('sure.setAttribute("aria-labelledby", "go"); sure.showModal()');
    expect(await page.failure('Archive')).toMatchObject({ ...BEHIND, quoted: expect.stringContaining('Go on') });
  });

  it.each(['button "Open" in row "Order 17"', 'button "Open" in "Order 17"', 'link "Open" in "Order 17"'])(
    'is never answered with a control of the dialog that has the same name: %s',
    async (target) => {
      const failure = await (await withDialog('open-order')).failure(target);
      expect(failure).toMatchObject({ code: 'element_not_found', reason: 'behind' });
      expect(failure).not.toHaveProperty('alike');
    },
  );

  it.each(['button "Open" in dialog "Open order 18?"', 'button "Open" in "Open order 18?"'])(
    'does not hide the control of the dialog: %s',
    async (target) => {
      const page = await withDialog('open-order');
      expect(await page.resolve(target)).toMatchObject({ role: 'button', name: 'Open' });
    },
  );

  it('is reported as missing if no row behind the dialog has the words of the target', async () => {
    const failure = await (await withDialog('open-order')).failure('button "Open" in row "Order 99"');
    expect(failure).not.toHaveProperty('reason');
  });

  it('is refused with the name of the uppermost dialog, which may come first in the document', async () => {
    const page = await open('/dialog');
    await page.run('upper.showModal(); sure.showModal()');
    expect(await page.failure('button "No"')).toMatchObject(BEHIND);
  });

  it.each(['button "Nope"', 'button "Unseen"', 'textbox "Bergen"', 'button "Go"'])(
    'is still reported as missing if the page does not show that name: %s',
    async (target) => {
      const failure = await (await withDialog('sure')).failure(target);
      expect(failure).toMatchObject({ code: 'element_not_found' });
      expect(failure).not.toHaveProperty('reason');
    },
  );

  it('does not include slotted content of a dialog in a shadow tree', async () => {
    const page = await open('/slotted');
    await page.run('document.querySelector("div").shadowRoot.querySelector("dialog").showModal()');
    expect(await page.failure('link "Inside"')).not.toHaveProperty('reason');
    expect(await page.failure('link "Outside"')).toHaveProperty('reason', 'behind');
  });

  it('is refused without the text of an unnamed dialog, which a person may have typed', async () => {
    const page = await open('/unnamed');
    await page.run('sure.showModal()');
    const failure = await page.failure('button "Outside"');
    expect(failure).toMatchObject({ reason: 'behind', quoted: expect.stringMatching(/ dialog "dialog" /u) });
  });

  it('is found although fields of its form hide the members that a search reads', async () => {
    const page = await open('/members');
    expect(await page.resolve('#go')).toMatchObject({ name: 'Go on' });
    await page.run('document.getElementById("sure").showModal()');
    for (const target of ['button "Harbour"', 'button "Moorings"'])
      expect(await page.failure(target)).toMatchObject(BEHIND);
  });
});
