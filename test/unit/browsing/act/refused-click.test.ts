import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { click } from '#browsing/act/click.ts';
import { LOGGED } from '#support/logged.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const PAGES: Readonly<Record<string, string>> = {
  '/plain': `${LOGGED}<button id="off" disabled>Off</button>
    <div id="nothing"></div><button id="nil" style="width: 0; height: 0; padding: 0; border: 0; overflow: hidden">Nil</button><div id="deaf" style="pointer-events: none">Deaf</div>
    <p style="display: none"><button id="gone">Gone</button></p>`,
  '/fields': `${LOGGED}<select id="list"><option id="option">One</select>
    <input type="file" id="file"><label for="file" id="file-label">Upload</label><input type="color" id="color">`,
};

const pages = recordedPages('act/refused-click', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
});

async function refused(path: string, target: string) {
  const page = await pages.open(`http://site.example${path}`);
  const element = await page.resolve(target);
  const failure = await failureOf(click(element, { button: 'left', clickCount: 1, modifiers: [] }, patience()));
  expect(await page.run('window.log')).toEqual([]);
  return failure;
}

// Commands contain the time that is left for them.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('a click that cannot reach its element', () => {
  it.each([
    ['#off', 'disabled'],
    ['#gone', 'hidden'],
    ['#nothing', 'hidden'],
    ['#nil', 'hidden'],
    ['#deaf', 'disabled'],
  ])('reports for %s that it is %s', async (target, reason) => {
    expect(await refused('/plain', target)).toMatchObject({ code: 'element_not_found', reason });
  });

  it.each([
    ['#option', /browser_fill/u],
    ['#list', /browser_fill/u],
    ['#color', /browser_fill/u],
    ['#file', /browser_files/u],
    ['#file-label', /browser_files/u],
  ])('names for %s the tool that works instead', async (target, hint) => {
    expect(await refused('/fields', target)).toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringMatching(hint),
    });
  });
});
