import { describe, expect, it, vi } from 'vitest';
import { refuseBehindDialog } from '#browsing/locate/resolve.ts';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { scanTab } from '#browsing/session/operations/acting.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

/** Tests on recorded pages cover the search for elements behind a dialog. */
const workOn = sessionOn({
  '/dialog': `<button id="go">Go on</button><dialog id="sure"><h2>Leave berth 7?</h2><button>Yes</button></dialog>`,
  '/framed': `<iframe srcdoc="<button>Outside</button><dialog aria-label='Leave berth 7?'></dialog>
    <script>document.querySelector('dialog').showModal()</script>"></iframe>`,
});

const CLICK = { snapshot: false, button: 'left', clickCount: 1, modifiers: [] } as const;
const BEHIND = {
  code: 'element_not_found',
  reason: 'behind',
  quoted: expect.stringMatching(/^\S+ dialog "Leave berth 7\?" \S+$/u),
};

describe('a click behind an open modal dialog', () => {
  it('is refused with the name of the dialog, and a click in the dialog is not', async () => {
    const work = await workOn('/dialog');
    await inPage(work.tab, 'sure.showModal()');
    expect(await failureOf(clickElement(work, { ...CLICK, target: 'button "Go on"' }))).toMatchObject(BEHIND);
    await expect(clickElement(work, { ...CLICK, target: 'button "Yes"' })).resolves.toBeDefined();
  });

  it('is refused in the same way if a ref names the element, until the dialog closes', async () => {
    const work = await workOn('/dialog');
    await scanTab(work);
    await inPage(work.tab, 'sure.showModal()');
    const click = () => failureOf(clickElement(work, { ...CLICK, target: '@e1' }));
    expect(await click()).toMatchObject(BEHIND);
    await scanTab(work);
    expect(await click()).toMatchObject(BEHIND);
    await inPage(work.tab, 'sure.close()');
    await expect(clickElement(work, { ...CLICK, target: '@e1' })).resolves.toBeDefined();
  });

  it('is refused although another frame does not answer', async () => {
    const { tab, signal } = await workOn('/framed');
    const world = tab.world.bind(tab);
    vi.spyOn(tab, 'world').mockImplementation((frame) =>
      frame.parentId === null ? new Promise(() => undefined) : world(frame),
    );
    const refused = refuseBehindDialog({ words: 'Outside' }, 'Outside', tab, signal);
    expect(await failureOf(refused)).toMatchObject(BEHIND);
  });
});
