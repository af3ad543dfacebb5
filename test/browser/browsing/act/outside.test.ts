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

  it.each(['box', 'up'])('is clicked on its label if it is a box that the page moved away: %s', async (id) => {
    const page = await browser.open('/box');
    expect(await click(await page.find(`#${id}`), ONCE, patience())).toEqual({ landed: 'click' });
    expect(await page.ask(`document.querySelector('#${id}').checked`)).toBe(true);
  });
});
