import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click } from '#browsing/act/click.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { startActing } from '#support/acting.ts';
import { failureOf, patience } from '#support/page-calls.ts';

const DRAWERS = {
  left: 'position: fixed; left: -300px; top: 0; width: 250px',
  right: 'position: fixed; right: 0; top: 0; width: 200px; transform: translateX(100%)',
  above: 'position: absolute; top: -500px',
  below: 'position: fixed; top: 100%',
};
const PAGES = {
  '/drawers': Object.entries(DRAWERS)
    .map(([where, style]) => `<div style="${style}"><button id="${where}">Inbox</button></div>`)
    .join(''),
  '/overlay': `<div style="position: fixed; top: 0; left: 0; width: 100%; height: 100vh">
      <div id="list" style="position: absolute; top: 100%"><button id="hanging">Flu</button></div>
      <div style="height: 1200px"></div><button id="last">Save</button>
    </div>`,
  '/framed': `<iframe srcdoc="<div style='position: fixed; top: 0'><div style='height: 900px'></div><button id='go'>Go</button></div>"></iframe>`,
  '/box': `<label>Agree <input type="checkbox" id="box" style="position: absolute; left: -9999px"></label>
    <input type="radio" id="up" style="position: absolute; top: -9999px"><label for="up">Fast</label>`,
};

describe('an element outside the window', () => {
  let browser: Awaited<ReturnType<typeof startActing>>;
  const ONCE = { button: 'left', clickCount: 1, modifiers: [] } as const;
  beforeAll(async () => {
    browser = await startActing(PAGES);
  });
  afterAll(() => browser.close());

  it.each(['left', 'right', 'above', 'below'] as const)(
    'is refused with the side on which it lies: %s',
    async (where) => {
      const page = await browser.open('/drawers');
      const failure = await failureOf(click(await page.find(`#${where}`), ONCE, patience()));
      expect(failure).toMatchObject({ code: 'element_not_found', reason: 'hidden', where });
      const { message, hint, extra } = describeFailure(failure);
      expect(message).toContain(
        where === 'left' || where === 'right' ? `${where} of the window` : `${where} the window`,
      );
      expect(hint).toContain('drawer');
      expect(extra).toMatchObject({ where });
    },
  );

  it.each([
    ['at the end of a layer as high as the window', '/overlay', '#hanging'],
    ['in a layer that begins below the window', '/drawers', '#below'],
    ['in a layer that begins right of the window', '/drawers', '#right'],
  ])('is reported as out of reach of any window: %s', async (_, path, selector) => {
    const page = await browser.open(path);
    const { hint } = describeFailure(await failureOf(click(await page.find(selector), ONCE, patience())));
    expect(hint).not.toContain('browser_launch');
    expect(hint).toContain('A larger window does not help');
  });

  it('is reported with a larger window only until the window is as large', async () => {
    const page = await browser.open('/overlay');
    const press = async () => describeFailure(await failureOf(click(await page.find('#last'), ONCE, patience()))).hint;
    expect(await press()).toContain('browser_launch {"height": 1600}');
    await page.resize(1280, 1600);
    await page.ask("document.querySelector('#last').style.marginTop = '1000px'");
    expect(await press()).toContain('A larger window does not help');
  });

  it('is judged by the window, not by its frame', async () => {
    const page = await browser.open('/framed');
    const press = async () => describeFailure(await failureOf(click(await page.find('#go'), ONCE, patience()))).hint;
    expect(await press()).toContain('browser_launch {"height": 1600}');
    await page.resize(1280, 1600);
    expect(await press()).toContain('A larger window does not help');
  });

  it.each(['box', 'up'])('is clicked on its label if it is a box that the page moved away: %s', async (id) => {
    const page = await browser.open('/box');
    expect(await click(await page.find(`#${id}`), ONCE, patience())).toEqual({ landed: 'click' });
    expect(await page.ask(`document.querySelector('#${id}').checked`)).toBe(true);
  });
});
