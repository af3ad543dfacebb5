import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESULT_TEXT_BYTES_MAX } from '#core/limits.ts';
import { HOST_RESULT_BYTES_MAX } from '#support/hosts.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import { jpegSize } from '#extract/image/header.ts';
import type { Screenshot, ScreenshotOptions } from '#browsing/see/screenshot.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { inPage } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

const NOISE = `<body style="margin:0"><canvas id="c" width="2000" height="2000"></canvas><script>
  const pixels = new ImageData(2000, 2000);
  for (let at = 0; at < pixels.data.length; at += 65536) crypto.getRandomValues(pixels.data.subarray(at, at + 65536));
  for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255;
  c.getContext('2d').putImageData(pixels, 0, 0);
</script>`;

const PAGES: Record<string, string> = {
  '/plain': `<body style="margin:0;background:#0a0"><h1>Plain</h1>`,
  '/noise': NOISE,
  '/tall': `<body style="margin:0"><header style="position:fixed;top:0;left:0;right:0;height:60px;background:#00f"></header><div style="height:9900px;background:#f00"></div><div id="end" style="height:100px;background:#0f0"></div>`,
  '/taller': `<body style="margin:0"><div style="height:100000px;background:#f00"></div>`,
  '/wide': `<body style="margin:0"><div style="width:7680px;height:4320px;background:linear-gradient(90deg,#f00,#00f)"></div>`,
  '/elements': `<body style="margin:0;height:3000px"><div id="small" style="position:absolute;left:100px;top:200px;width:300px;height:150px;background:#f0f"></div>
    <div id="big" style="position:absolute;left:0;top:600px;width:1000px;height:2000px;background:#0ff"></div>
    <div id="empty"></div><div id="gone" style="display:none">x</div>
    <iframe id="frame" src="https://inner.example/inner" style="position:absolute;left:500px;top:100px;width:400px;height:300px;border:5px solid #000;padding:0"></iframe>`,
  '/inner': `<body style="margin:0"><div id="deep" style="margin:50px 0 0 30px;width:1000px;height:40px;background:#ff0"></div>`,
};

let browser: TestBrowser;
let context: string;

beforeAll(async () => {
  browser = await browserWith(({ pathname }) => PAGES[pathname] ?? null);
  context = await browser.openContext();
});

afterAll(async () => {
  await browser.close();
});

describe('a screenshot', () => {
  it('shows the tab, pixel for pixel', async () => {
    const tab = await open('/plain');
    const shot = await take(tab);
    expect(shot).toMatchObject({ width: 1280, height: 800, scale: 1, quality: 85 });
    expect(shot.note).toBeUndefined();
    expect(await pixel(tab, shot, 640, 700)).toEqual('green');
  });

  it('shows the scrolled part of the tab, including a fixed header', async () => {
    const tab = await open('/tall');
    await inPage(tab, 'scrollTo(0, 9300)');
    const shot = await take(tab);
    expect(await pixel(tab, shot, 600, 30)).toBe('blue');
    expect(await pixel(tab, shot, 600, 300)).toBe('red');
    expect(await pixel(tab, shot, 600, 790)).toBe('green');
  });

  it.each([
    ['/tall', 10_000],
    ['/taller', 100_000],
    ['/wide', 7_680],
    ['/noise', 2_000],
  ])('of the whole page %s stays within every limit', async (path, _longest) => {
    const tab = await open(path);
    for (const maxSide of [2_000, undefined, 200]) {
      const shot = await take(tab, { fullPage: true, maxSide });
      expect(Math.max(shot.width, shot.height)).toBeLessThanOrEqual(maxSide ?? 1_568);
      expect(Math.max(shot.width, shot.height)).toBeGreaterThan((maxSide ?? 1_568) * 0.4);
      expect(shot.bytes).toBe(decode(shot).byteLength);
      expect(jpegSize(decode(shot))).toEqual({ width: shot.width, height: shot.height });
      expect(shot.quality).toBeGreaterThanOrEqual(35);
      expect(shot.jpegBase64.length + 2 * RESULT_TEXT_BYTES_MAX).toBeLessThan(HOST_RESULT_BYTES_MAX);
    }
  });

  it('of a whole page covers it from top to bottom, and reports unreadable text', async () => {
    const tab = await open('/tall');
    const shot = await take(tab, { fullPage: true });
    expect(shot.height).toBe(1_568);
    expect(await pixel(tab, shot, 50, 1_565)).toBe('green');
    expect(await pixel(tab, shot, 50, 800)).toBe('red');
    expect(shot.note).toContain('16 %');
  });

  it('of a whole page with a cross-site frame reports that the frame may be blank', async () => {
    const tab = await open('/elements');
    expect((await take(tab, { fullPage: true })).note).toContain('Frames from other sites can be blank');
    expect((await take(tab)).note).toBeUndefined();
  });

  it('of a page beyond the limit of Chromium shows the beginning, and reports this', async () => {
    const tab = await open('/taller');
    const shot = await take(tab, { fullPage: true });
    expect(shot.note).toContain('100000');
    expect(shot.note).toContain('16384');
    expect(await pixel(tab, shot, 10, shot.height - 3)).toBe('red');
  });

  it('leaves size, scroll position, focus and DOM of the page unchanged', async () => {
    const tab = await open('/tall');
    await inPage(
      tab,
      `scrollTo(0, 500); window.seen = []; new MutationObserver(() => seen.push('dom')).observe(document, { subtree: true, childList: true, attributes: true });
       for (const name of ['scroll', 'focus', 'blur', 'visibilitychange']) addEventListener(name, () => seen.push(name), true);
       addEventListener('resize', () => seen.push(innerWidth + 'x' + innerHeight)); new Promise((done) => setTimeout(done, 100))`,
    );
    await inPage(tab, 'seen.length = 0');
    const before = await inPage(
      tab,
      '[innerWidth, innerHeight, scrollX, scrollY, devicePixelRatio, document.body.offsetWidth]',
    );
    await take(tab, { labels: [] });
    await take(tab);
    expect(await inPage(tab, 'seen')).toEqual([]);
    await take(tab, { fullPage: true });
    expect(
      await inPage(tab, '[innerWidth, innerHeight, scrollX, scrollY, devicePixelRatio, document.body.offsetWidth]'),
    ).toEqual(before);
    // Beyond the viewport, Chromium sets the size again and then restores it.
    expect(await inPage(tab, 'seen.filter((what) => !/^\\d+x\\d+$/.test(what))')).toEqual([]);
  });

  it('of a background tab is taken without activating it', async () => {
    const behind = await open('/plain');
    const front = await open('/wide');
    await inPage(front, `addEventListener('blur', () => { window.blurred = true; })`);
    expect(await pixel(front, await take(behind), 640, 700)).toBe('green');
    expect(await inPage(front, 'window.blurred === true')).toBe(false);
  });
});

describe('a screenshot of an element', () => {
  it('shows the element and nothing else', async () => {
    const tab = await open('/elements');
    const shot = await take(tab, { element: await element(tab, '#small') });
    expect(shot).toMatchObject({ width: 300, height: 150 });
    for (const [x, y] of [
      [2, 2],
      [297, 147],
      [150, 75],
    ] as const)
      expect(await pixel(tab, shot, x, y)).toBe('magenta');
  });

  it('shows the whole element even if it is larger than the tab', async () => {
    const tab = await open('/elements');
    const shot = await take(tab, { element: await element(tab, '#big') });
    expect(shot.height).toBe(1_568);
    expect(shot.width).toBe(784);
    expect(await pixel(tab, shot, 390, 1_560)).toBe('cyan');
  });

  it('shows the visible part of an element in a frame, scrolled to it', async () => {
    const tab = await open('/elements');
    const frame = tab.frames().find(({ url }) => url.endsWith('/inner'));
    const shot = await take(tab, { element: await element(tab, '#deep', frame?.id) });
    expect(shot).toMatchObject({ width: 400, height: 40 });
    for (const [x, y] of [
      [2, 2],
      [395, 37],
    ] as const)
      expect(await pixel(tab, shot, x, y)).toBe('yellow');
  });

  it.each(['#empty', '#gone'])('is refused if the element has no area: %s', async (selector) => {
    const tab = await open('/elements');
    const refused: unknown = await take(tab, { element: await element(tab, selector) }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(PeriscopeError);
    if (!(refused instanceof PeriscopeError)) return;
    expect(refused.failure).toMatchObject({ code: 'element_not_found', reason: 'hidden' });
  });
});

function open(path: string): Promise<OpenTab> {
  return browser.openTab(context, `https://shop.example${path}`);
}

/** On a busy machine, a large picture may take longer than a call waits for it: it is asked for again. */
async function take(tab: OpenTab, options: ScreenshotOptions = {}, tries = 4): Promise<Screenshot> {
  try {
    return await takeScreenshot(tab, options, AbortSignal.timeout(25_000));
  } catch (error) {
    if (tries === 1 || !(error instanceof PeriscopeError) || error.failure.code !== 'timeout') throw error;
    return take(tab, options, tries - 1);
  }
}

async function element(tab: OpenTab, selector: string, frameId = tab.main().id) {
  const frame = tab.frame(frameId);
  if (frame === null) throw new Error('no such frame');
  const contextId = await tab.world(frame);
  const expression = `document.querySelector('${selector}')`;
  const { result } = await frame.session.send('Runtime.evaluate', { expression, contextId });
  const { node } = await frame.session.send('DOM.describeNode', { objectId: result.objectId ?? '' });
  return { frame, backendNodeId: node.backendNodeId, role: 'generic' };
}

function decode({ jpegBase64 }: Screenshot): Uint8Array {
  return Uint8Array.from(atob(jpegBase64), (char) => char.charCodeAt(0));
}

/** The name of the colour that a pixel of an image has, read by Chromium itself. */
async function pixel(tab: OpenTab, { jpegBase64 }: Screenshot, x: number, y: number): Promise<unknown> {
  return inPage(
    tab,
    `createImageBitmap(new Blob([Uint8Array.from(atob('${jpegBase64}'), (char) => char.charCodeAt(0))])).then((image) => {
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      const bits = [...context.getImageData(${x}, ${y}, 1, 1).data].slice(0, 3).map((value) => value > 127 ? 1 : 0).join('');
      return { '000': 'black', '100': 'red', '010': 'green', '001': 'blue', '110': 'yellow', '101': 'magenta', '011': 'cyan', '111': 'white' }[bits];
    })`,
  );
}
