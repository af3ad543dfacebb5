import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click } from '#browsing/act/click.ts';
import type { ClickOptions, ClickResult } from '#browsing/act/click.ts';
import { DEVICE_SCREENS, DEFAULT_TAB_SETTINGS } from '#browsing/tabs/settings.ts';
import { startActing } from '#support/acting.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import type { Acting } from '#support/acting.ts';

const PHONE = { ...DEFAULT_TAB_SETTINGS, ...DEVICE_SCREENS.phone, device: 'phone' } as const;
/** Notes each event of a pointer that gets anywhere in the document, and what kind of pointer it is. */
const LOGGED = `<meta name="viewport" content="width=device-width"><script>window.log = [];
  for (const kind of 'pointerdown touchstart touchend touchcancel pointerup mousedown mouseup click dblclick contextmenu'.split(' '))
    document.addEventListener(kind, ({ type, target, pointerType }) => log.push([type, target.id || target.localName, pointerType].filter(Boolean).join(':')))</script>`;
const AT = 'position: absolute; left: 20px; top: 20px; width: 200px; height: 80px';
const GO = `<button id="go" style="${AT}">Go</button>`;
const TAP = [
  'pointerdown:go:touch',
  'touchstart:go',
  'pointerup:go:touch',
  'touchend:go',
  'mousedown:go',
  'mouseup:go',
  'click:go:touch',
];
const PAGES = {
  '/plain': `${LOGGED}${GO}`,
  '/touch-only': `${LOGGED}<div id="go" style="${AT}">Go</div><script>
    go.addEventListener('touchstart', (event) => event.preventDefault()); go.addEventListener('touchend', () => { go.textContent = 'Gone' })</script>`,
  '/swapped': `${LOGGED}<button id="pay" style="${AT}" onclick="this.textContent = 'Paid'">Pay</button>${GO}<script>
    go.addEventListener('pointerdown', () => { if (window.isArmed) go.style.display = 'none' }, true)</script>`,
  '/overlaid': `${LOGGED}${GO}<button id="pay" hidden style="${AT}" ontouchstart="this.textContent = 'Paid'">Pay</button><script>
    const watched = new IntersectionObserver(() => undefined); setInterval(() => { pay.hidden = !pay.hidden })</script>`,
  '/removed': `${LOGGED}<div id="pay" style="${AT}" onclick="this.textContent = 'Paid'">Pay</div>${GO}<script>
    go.addEventListener('touchstart', () => go.remove())</script>`,
  '/cross': `<iframe src="http://other.example/touch-only" style="position: absolute; left: 10px; top: 400px; border: 3px solid; scale: 0.8" width="300" height="200"></iframe>`,
  '/late-frame': `${LOGGED}${GO}<iframe id="pay" src="http://other.example/plain" style="${AT}; left: 2000px"></iframe><script>
    go.addEventListener('touchstart', () => { pay.style.left = '20px'; pay.getBoundingClientRect() })</script>`,
  '/late-button': `${LOGGED}${GO}<button id="pay" style="${AT}; left: 2000px" onclick="this.textContent = 'Paid'">Pay</button><script>
    go.addEventListener('touchend', () => { pay.style.left = '20px' })</script>`,
  '/wide': `${LOGGED.replace('width=device-width', 'width=1600')}<div style="height: 2000px"></div><button id="go" style="margin-left: 1200px">Go</button>`,
  '/long': `${LOGGED}<div id="go" style="${AT}">Go</div><script>let timer;
    go.addEventListener('touchstart', () => { timer = setTimeout(() => { go.textContent = 'Held' }, 400) });
    go.addEventListener('touchend', () => clearTimeout(timer))</script>`,
  '/twice': `${LOGGED}<div id="go" style="${AT}">Go</div><script>let last = -Infinity;
    go.addEventListener('touchend', ({ timeStamp }) => { if (timeStamp - last < 1000) go.textContent = 'Twice'; last = timeStamp })</script>`,
  '/held': `${LOGGED}${GO}<script>go.addEventListener('touchstart', () => { for (const end = performance.now() + 1500; performance.now() < end;); })</script>`,
};

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing(PAGES);
  await browser.tabs.applySettings(PHONE);
});
afterAll(() => browser.close());

const ONCE: ClickOptions = { button: 'left', clickCount: 1, modifiers: [] };

async function clickOn(page: Acting, options: Partial<ClickOptions> = {}): Promise<ClickResult> {
  return click(await page.find('#go'), { ...ONCE, ...options }, patience());
}

describe('a click on a device with a touch screen', () => {
  it('is a tap: touch events followed by mouse events', async () => {
    const page = await browser.open('/plain');
    expect(await clickOn(page)).toEqual({ landed: 'click' });
    expect(await page.log()).toEqual(TAP);
  });

  it('reaches elements that listen for touch only', async () => {
    const page = await browser.open('/touch-only');
    expect(await clickOn(page)).toEqual({ landed: 'click' });
    expect(await page.ask('go.textContent')).toBe('Gone');
  });

  it('reaches a cross-site frame, and a page that is laid out wider than the screen', async () => {
    const framed = await browser.open('/cross');
    const element = await framed.find('text=Go');
    expect(await click(element, ONCE, patience())).toEqual({ landed: 'click' });
    const functionDeclaration = 'function () { return this.textContent }';
    const { objectId } = element;
    const { result } = await element.frame.session.send('Runtime.callFunctionOn', { objectId, functionDeclaration });
    expect(result.value).toBe('Gone');
    const wide = await browser.open('/wide');
    expect(await clickOn(wide)).toEqual({ landed: 'click' });
    expect(await wide.log()).toEqual(TAP);
  });

  it('clicks no element that comes under the finger when the target disappears', async () => {
    const page = await browser.open('/removed');
    expect(await clickOn(page)).toEqual({ landed: 'press' });
    expect(await page.ask('pay.textContent')).toBe('Pay');
    const swapped = await browser.open('/swapped');
    await swapped.ask('window.isArmed = true');
    await clickOn(swapped);
    expect(await swapped.ask('pay.textContent')).toBe('Pay');
  });

  it.each(['/late-button', '/late-frame'])(
    'is no click if another element is there after the touch: %s',
    async (path) => {
      const page = await browser.open(path);
      expect(await clickOn(page)).toEqual({ landed: 'press' });
      expect(JSON.stringify(await page.log())).not.toContain('click');
      expect(await page.ask('pay.textContent')).not.toBe('Paid');
    },
  );

  it('touches no element that covers the target', async () => {
    const page = await browser.open('/overlaid');
    const clicked = clickOn(page);
    await clicked.catch(() => failureOf(clicked));
    expect(await page.ask('pay.textContent')).toBe('Pay');
  });

  it('is a mouse click when there is no equivalent touch', async () => {
    const page = await browser.open('/plain');
    await clickOn(page, { button: 'right' });
    const log = JSON.stringify(await page.log());
    expect(log).toContain('contextmenu:go:mouse');
    expect(log).not.toContain('touch');
  });

  it('is a long press with hold, and a double tap with a click count of two', async () => {
    const long = await browser.open('/long');
    expect(await clickOn(long, { holdMs: 1_000 })).toEqual({ landed: 'click' });
    expect(await long.ask('go.textContent')).toBe('Held');
    const twice = await browser.open('/twice');
    expect(await clickOn(twice, { clickCount: 2 })).toEqual({ landed: 'click' });
    expect(await twice.ask('go.textContent')).toBe('Twice');
    const plain = await browser.open('/plain');
    await clickOn(plain, { clickCount: 2 });
    expect(await plain.log()).toContain('dblclick:go');
  });

  it('ends without a click when it is cancelled while the finger is down', async () => {
    const page = await browser.open('/held');
    const stopping = new AbortController();
    const element = await page.find('#go');
    const clicked = click(element, ONCE, stopping.signal);
    const touched = page.ask(`new Promise((resolve) => go.addEventListener('touchstart', resolve, { once: true }))`);
    await touched;
    stopping.abort(new Error('stopped'));
    await expect(clicked).rejects.toThrow('stopped');
    await expect.poll(() => page.log()).toContain('touchcancel:go');
    expect(JSON.stringify(await page.log())).not.toContain('click');
  });

  it('is a mouse click again once the device is a desktop', async () => {
    await browser.tabs.applySettings(DEFAULT_TAB_SETTINGS);
    const page = await browser.open('/plain');
    await clickOn(page);
    expect(JSON.stringify(await page.log())).not.toContain('touch');
    await browser.tabs.applySettings(PHONE);
    await clickOn(page);
    expect(JSON.stringify(await page.log())).toContain('touchend:go');
  });
});
