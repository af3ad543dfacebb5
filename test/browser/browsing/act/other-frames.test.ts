import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click } from '#browsing/act/click.ts';
import { fill } from '#browsing/act/fields/fill.ts';
import { typeText } from '#browsing/act/fields/type-text.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { startActing } from '#support/acting.ts';
import type { Acting } from '#support/acting.ts';
import { patience } from '#support/page-calls.ts';

const BOX = 'position: absolute; left: 20px; top: 100px; width: 200px; height: 100px; border: 0; margin: 0';
const HOSTS = ['http://other.example', ''];

const around = (host: string, path: string) =>
  `<label>Name <input id="name"></label><iframe id="frame" src="${host}${path}"></iframe>`;

const PAGES = {
  '/thief': `<input id="x"><script>const got = []; for (const kind of ['keydown', 'input']) x.addEventListener(kind, () => got.push(kind));
    setInterval(() => x.focus(), 0);</script>`,
  '/quiet': '<input id="x"><script>const got = [];</script>',
  '/pays': `<body style="margin: 0"><button style="width: 200px; height: 100px">Pay</button><script>const got = [];
    for (const kind of ['pointerdown', 'mousedown', 'mouseup', 'click']) addEventListener(kind, () => got.push(kind));</script>`,
  ...Object.fromEntries(
    HOSTS.flatMap((host, at) => [
      [`/stolen${at}`, around(host, '/thief')],
      [`/beside${at}`, around(host, '/quiet')],
      [
        `/covered${at}`,
        `<button id="play" style="${BOX}">Play</button><iframe id="frame" style="${BOX}; left: 2000px" src="${host}/pays"></iframe>`,
      ],
    ]),
  ),
};

/** Resolves once the compositor knows the new place of a frame, by which it sends the mouse events. */
const DRAWN =
  'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn, 100))))';
const TAKEN = { code: 'element_not_found', reason: expect.stringMatching(/^(?:focus_taken|unfocusable)$/u) };

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing(PAGES);
});

afterAll(() => browser.close());

/** Evaluates an expression in the scripts of the page's frame. */
async function inFrame({ tab }: Acting, expression: string): Promise<unknown> {
  const frame = tab.frames().find(({ parentId }) => parentId !== null);
  const context = frame === undefined ? null : tab.pageContext(frame);
  if (frame === undefined || context === null) throw new Error('the frame has no document');
  const asked = { expression, uniqueContextId: context.uniqueId, returnByValue: true };
  return (await frame.session.send('Runtime.evaluate', asked)).result.value;
}

/** The failure of an act; `null` if it was done. */
async function failureIfAny(act: Promise<unknown>): Promise<Failure | null> {
  try {
    await act;
    return null;
  } catch (error) {
    if (error instanceof PeriscopeError) return error.failure;
    throw error;
  }
}

describe.each([0, 1])('a frame (of another site, of the same site: %i)', (at) => {
  it('that takes the focus receives no text of a field that is filled', async () => {
    const page = await browser.open(`/stolen${at}`);
    for (const text of ['one', 'two', 'three', 'four']) {
      let differs = false;
      const filled = fill(await page.find('#name'), text, patience()).then((result) => ({ differs } = result));
      const failure = await failureIfAny(filled);
      const held = await page.ask('document.querySelector("#name").value');
      if (failure === null) expect(held === text).toBe(!differs);
      else expect(failure).toMatchObject(TAKEN);
    }
    expect(await inFrame(page, '[x.value, ...got]')).toEqual(['']);
  });

  it('that takes the focus receives no typed text, and the act fails', async () => {
    const page = await browser.open(`/stolen${at}`);
    const name = await page.find('#name');
    const failure = await failureIfAny(typeText(page.tab, name, { text: 'secret words', submit: true }, patience()));
    if (failure === null) expect(await page.ask('document.querySelector("#name").value')).toBe('secret words');
    else expect(failure).toMatchObject(TAKEN);
    expect(await inFrame(page, '[x.value, ...got]')).toEqual(['']);
  });

  it('receives the keys that follow the Tab key into it', async () => {
    const page = await browser.open(`/beside${at}`);
    await typeText(page.tab, await page.find('#name'), { text: 'a', key: 'Tab b' }, patience());
    expect(await page.ask('document.querySelector("#name").value')).toBe('a');
    expect(await inFrame(page, 'x.value')).toBe('b');
    await fill(await page.find('#name'), 'c', patience());
    await typeText(page.tab, null, { key: 'Tab d' }, patience());
    expect(await inFrame(page, 'x.value')).toMatch(/d/u);
  });

  it('that comes under the pointer at the press receives no press', async () => {
    const page = await browser.open(`/covered${at}`);
    const play = await page.find('#play');
    // The check for an approval is the last work before the press.
    Object.defineProperty(page.tab, 'askFirst', { value: () => page.ask(`frame.style.left = '20px'; ${DRAWN}`) });
    const failure = await failureIfAny(click(play, { button: 'left', clickCount: 1, modifiers: [] }, patience()));
    if (failure !== null) expect(failure).toMatchObject({ code: 'element_not_found', reason: 'covered' });
    expect(await inFrame(page, 'got')).toEqual([]);
  });
});
