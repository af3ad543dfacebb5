import { describe, expect, it } from 'vitest';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { scanTab } from '#browsing/session/operations/acting.ts';
import { failureOf } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const OVER = 'position: absolute; inset: 0';
const BARS = `<header style="position: sticky; top: 0; height: 100px; background: #eee; z-index: 5">Bar</header>
  <footer style="position: fixed; bottom: 0; left: 0; right: 0; height: 150px; background: #ddd; z-index: 6">Cookie bar</footer>`;
const under = (over: string) =>
  `<div style="position: relative; width: 300px"><button id="go">Go</button>${over}</div>`;
const PAGES: Record<string, string> = {
  '/between-bars': `${BARS}<div style="height: 2000px"></div>${under(`<div class="veil" style="${OVER}" onclick="1"></div>`)}<div style="height: 2000px"></div>`,
  '/first-place': under(`<div class="veil" style="${OVER}" onclick="1"></div>`),
  '/inner': under(
    `<div role="button" tabindex="0" aria-label="Close the veil" style="${OVER}"><span style="${OVER}">Veil</span></div>`,
  ),
  '/dialog': `${under('')}<div id="back" style="position: fixed; inset: 0"><div role="dialog" aria-label="Sure?"><button>Yes</button></div></div>`,
  '/plain': under(`<div class="veil" style="${OVER}"></div>`),
};
const workOn = sessionOn(PAGES);
const CLICK = { target: '#go', snapshot: false, button: 'left', clickCount: 1, modifiers: [] } as const;

describe('the refusal of a covered element', () => {
  it.each(['/between-bars', '/first-place'])(
    'on %s names the cover in its place, with its ref, and omits a bar at an edge',
    async (path) => {
      const work = await workOn(path);
      const failure = await failureOf(clickElement(work, CLICK));
      expect(failure).toMatchObject({ reason: 'covered', quoted: expect.stringMatching(/ @e\d+ div\.veil "" /u) });
    },
  );

  it('gives the ref of the control that the cover is a part of', async () => {
    const work = await workOn('/inner');
    const look = await scanTab(work);
    const failure = await failureOf(clickElement(work, CLICK));
    const ref = /@e\d+(?= button "Close the veil")/u.exec(JSON.stringify(look.lines))?.[0] ?? '@e';
    expect(failure).toMatchObject({ quoted: expect.stringContaining(ref) });
  });

  it('names the dialog that a cover belongs to', async () => {
    const failure = await failureOf(clickElement(await workOn('/dialog'), CLICK));
    expect(failure).toMatchObject({ quoted: expect.stringContaining('dialog "Sure?"') });
  });

  it('names a cover without a ref in words', async () => {
    const failure = await failureOf(clickElement(await workOn('/plain'), CLICK));
    expect(failure).toMatchObject({ quoted: expect.stringMatching(/^\S+ div\.veil "" \S+$/u) });
  });
});
