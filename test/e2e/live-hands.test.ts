import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHandsSite } from '#support/hands-site.ts';
import type { HandsSite } from '#support/hands-site.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { newPerson, newSitePort, sharedServer } from '#support/shared.ts';

/** The hands of a person in a session, from the live view in a Chromium of theirs: real input at one end, real events at the other. */

const WAIT = { interval: 50 };

let site: HandsSite;
let model: TestClient;
let person: RealBrowser;
let origin = '';

beforeAll(async () => {
  ({ origin } = await sharedServer());
  const account = await newPerson('hands');
  [site, model, person] = await Promise.all([
    newSitePort().then(startHandsSite),
    connectModern(account),
    startRealBrowser(account),
  ]);
});
afterAll(async () => {
  for (const { session } of [DESK, PHONE]) await model?.call('browser_close', { session });
  await person?.close();
  await model?.close();
  await site?.close();
});

/** Sessions for all tests of the file: starting a browser takes longer than most of them. */
const DESK = { session: 'desk' };
const PHONE = { session: 'phone', device: 'phone', width: 400, height: 800 };

/** The session shows the page, and the person drives it. */
async function drive(path: string, { session, ...settings }: typeof DESK = DESK): Promise<void> {
  await model.call('browser_launch', { session, ...settings });
  await model.call('browser_navigate', { session, url: site.url + path });
  await person.goTo(`${origin}/live/${session}`);
  await expect.poll(() => person.see('document.getElementById("canvas").hidden'), WAIT).toBe(false);
  await expect.poll(felt, WAIT).toBe('nothing yet');
  await expect.poll(() => person.see('document.getElementById("take").disabled'), WAIT).toBe(false);
  await person.click('#take');
  await expect.poll(driver, WAIT).toBe('you');
}

/** Gives control back, for the next test, in which the model opens another page. */
async function giveBack(): Promise<void> {
  await person.click('#give');
  await expect.poll(driver, WAIT).toBe('nobody');
}
afterEach(giveBack);

const driver = () => person.see('document.body.dataset.driver');
/** Events that the page received, from the title in the live view's tab. */
const felt = () => person.see<string>('document.querySelector("[role=tab][aria-selected=true]").textContent');
const choices = () =>
  person.see<string[]>(`document.getElementById('choices').hidden ? [] :
    [...document.querySelectorAll('#choices button')].map((button) => button.textContent)`);

/** The position of a point of the session on the user's screen. */
async function onScreen(x: number, y: number, { width = 1280, height = 800 } = {}): Promise<{ x: number; y: number }> {
  return person.see(`(() => {
    const { left, top, width, height } = document.getElementById('canvas').getBoundingClientRect();
    return { x: left + (${x} * width) / ${width}, y: top + (${y} * height) / ${height} };
  })()`);
}

async function clickAt(x: number, y: number): Promise<void> {
  const place = await onScreen(x, y);
  for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) {
    const button = type === 'mouseMoved' ? 'none' : 'left';
    await person.input('dispatchMouseEvent', { type, ...place, button, clickCount: 1 });
  }
}

async function press(key: string, code: string, more: Record<string, unknown> = {}): Promise<void> {
  await person.input('dispatchKeyEvent', { type: 'rawKeyDown', key, code, ...more });
  await person.input('dispatchKeyEvent', { type: 'keyUp', key, code, ...more });
}

async function touch(points: readonly { x: number; y: number }[], lift = true): Promise<void> {
  for (const [index, point] of points.entries())
    await person.input('dispatchTouchEvent', { type: index === 0 ? 'touchStart' : 'touchMove', touchPoints: [point] });
  if (lift) await person.input('dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Sends both events together, so that a busy machine does not turn them into a long press. */
async function tap(point: { x: number; y: number }): Promise<void> {
  await Promise.all([
    person.input('dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] }),
    person.input('dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ]);
}

describe('a drop-down list that a user opens', () => {
  it.each([
    ['in the page itself', 250, 520, ['Bonn', 'Lyon'], 'own:Lyon', 'Lyon'],
    ['in a frame', 250, 40, ['Oslo', 'Turin', 'Split'], 'near:Split', 'Split'],
    ['in a frame of a frame of another site', 250, 240, ['Oslo', 'Turin', 'Split'], 'far:Turin', 'Turin'],
  ])('shows its choices next to the picture, and accepts one: %s', async (_, x, y, labels, says, wanted) => {
    await drive('/lists');
    await clickAt(x, y);
    await expect.poll(choices, WAIT).toEqual(labels);
    await person.see(
      `[...document.querySelectorAll('#choices button')].find((one) => one.textContent === '${wanted}').click()`,
    );
    await expect.poll(felt, WAIT).toContain(says);
    await clickAt(900, 700);
    await expect.poll(choices, WAIT).toEqual([]);
  });

  it('shows its choices to users of the keyboard, too', async () => {
    await drive('/lists');
    await clickAt(900, 700);
    // Over the lists of both frames to that of the page.
    for (let index = 0; index < 3; index += 1) await press('Tab', 'Tab', { windowsVirtualKeyCode: 9 });
    await press(' ', 'Space', { windowsVirtualKeyCode: 32, text: ' ' });
    await expect.poll(choices, WAIT).toEqual(['Bonn', 'Lyon']);
  });

  it('shows its choices on the screen of a phone, too', async () => {
    await drive('/lists', PHONE);
    await tap(await onScreen(250, 520, { width: 400 }));
    await expect.poll(choices, WAIT).toEqual(['Bonn', 'Lyon']);
  });
});

describe('text that a user types', () => {
  async function write(): Promise<void> {
    await drive('/write');
    await clickAt(200, 120);
  }

  it('with an input method is composed in the page, and stays there once committed', async () => {
    await write();
    for (const text of ['に', 'にほ', 'にほん'])
      await person.input('imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await expect.poll(felt, WAIT).toContain('value=にほん');
    expect(await felt()).toContain('compositionstart=');
    await person.input('insertText', { text: '日本' });
    await expect.poll(felt, WAIT).toMatch(/value=日本 compositionend=日本$/);
    await person.input('imeSetComposition', { text: 'ご', selectionStart: 1, selectionEnd: 1 });
    await expect.poll(felt, WAIT).toMatch(/value=日本ご$/);
    await person.input('imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
    await expect.poll(felt, WAIT).toMatch(/value=日本 compositionend=$/);
  });

  it('arrives unchanged by pasting', async () => {
    await write();
    await person.see(`(() => { const field = document.getElementById('address'); field.value = 'ten öre, ten øre'; field.select();
      document.execCommand('copy'); document.getElementById('keys').focus(); })()`);
    await press('v', 'KeyV', { modifiers: 2, windowsVirtualKeyCode: 86, commands: ['paste'] });
    await expect.poll(felt, WAIT).toMatch(/value=ten öre, ten øre$/);
  });
});

describe('the picture of a session', () => {
  it('has the same place and size with fewer pixels, as over a slow connection', async () => {
    await drive('/touch');
    const place = () => person.see<object>('document.getElementById("canvas").getBoundingClientRect().toJSON()');
    const whole = await place();
    await person.see(`{ const real = createImageBitmap;
      window.createImageBitmap = (picture) => real(picture, { resizeWidth: 640, resizeHeight: 400 }); }`);
    await clickAt(200, 120);
    await expect.poll(() => person.see('document.getElementById("canvas").width'), WAIT).toBe(640);
    expect(await place()).toEqual(whole);
  });
});

describe('the fingers of a user', () => {
  beforeAll(() => person.touch(true));

  it('click with a tap, scroll with a drag and right-click with a long press in a session with a mouse', async () => {
    await drive('/touch');
    const at = await onScreen(200, 120);
    await tap(at);
    await expect.poll(felt, WAIT).toMatch(/click$/);
    expect(await felt()).not.toContain('touch');
    await touch([at], false);
    await expect.poll(felt, WAIT).toMatch(/contextmenu$/);
    await person.input('dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    const from = await onScreen(600, 600);
    await touch([0, 60, 120, 180, 240].map((up) => ({ x: from.x, y: from.y - up })));
    await expect.poll(felt, WAIT).toMatch(/scrolled$/);
  });

  it('touch the screen of a phone session, and click there with a tap', async () => {
    await drive('/touch', PHONE);
    await tap(await onScreen(200, 120, { width: 400 }));
    await expect.poll(felt, WAIT).toMatch(/touchstart touchend.* click/);
    const from = await onScreen(200, 600, { width: 400 });
    await touch([0, 60, 120, 180, 240].map((up) => ({ x: from.x, y: from.y - up })));
    await expect.poll(felt, WAIT).toMatch(/scrolled$/);
  });
});
