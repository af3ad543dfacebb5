import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chooseRendererObjectName } from '#browsing/rendering/port.ts';
import { DRAWING_URL } from '#browsing/rendering/draw-file.ts';
import { DRAW_MS_MAX } from '#browsing/rendering/limits.ts';
import { jpegSize } from '#extract/image/header.ts';
import { fromBase64 } from '#core/text/base64.ts';
import { endBrowser } from '#support/ended-browser.ts';
import { HOST_RESULT_BYTES_MAX } from '#support/hosts.ts';
import { QUARTERS } from '#support/make-image.ts';
import { callTool } from '#support/mcp-call.ts';
import { inPage } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';

const SITE = 'http://pictures.acme.dev';
const SIDE_MAX = 1_568;
const FIELDS = QUARTERS.map((colour) => [...colour]);

/** Time for each picture to be drawn, also on a busy machine. */
const PATIENCE_MS = 2 * DRAW_MS_MAX;

let browser: TestBrowser;
/** Looks at the colours of pictures. */
let eye: OpenTab;

const renderer = () => env.PAGE_RENDERER.get(env.PAGE_RENDERER.idFromName(chooseRendererObjectName(SITE)));
const limit = (ms: number) =>
  runInDurableObject(renderer(), (instance) => {
    instance.msMax = ms;
  });

beforeAll(async () => {
  browser = await browserWith(() => '<title>Eye</title>');
  eye = await browser.openLastingTab(await browser.openContext(), 'https://eye.example/');
});
afterAll(() => browser.close());

type Block = { type: string; text?: string; data?: string; mimeType?: string };

/** Sets the time limit each time: an object that rests forgets it. */
async function view(path: string, args: Record<string, unknown> = {}, msMax = PATIENCE_MS) {
  await limit(msMax);
  const answer = await callTool('modern', 'view_image', { url: SITE + path, ...args });
  const blocks: readonly Block[] = answer.result?.content ?? [];
  const text = blocks.find(({ type }) => type === 'text')?.text ?? '';
  const image = blocks.find(({ type }) => type === 'image');
  return { answer, text, image, base64: image?.data ?? '' };
}

/** The id of the renderer's browser, as soon as there is one, other than `other`, and it draws. */
async function drawingBrowser({ isDrawing = false, other = '' } = {}): Promise<string> {
  return vi.waitFor(
    async () => {
      const id = await runInDurableObject(renderer(), (_, { storage }) => storage.get<string>('browser'));
      if (id === undefined || id === other) throw new Error('The renderer has no such browser.');
      const list = await env.BROWSER.fetch(`https://browser/v1/devtools/browser/${id}/json/list`);
      if (isDrawing && !(await list.text()).includes(DRAWING_URL)) throw new Error('The browser does not draw.');
      return id;
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
}

/** The colours in the middle of the four quarters. */
async function fields(base64: string): Promise<unknown> {
  return inPage(
    eye,
    `(async () => {
      const image = await createImageBitmap(await (await fetch('data:image/jpeg;base64,${base64}')).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return [[1, 1], [3, 1], [1, 3], [3, 3]].map(([x, y]) =>
        [...context.getImageData((image.width * x) / 4, (image.height * y) / 4, 1, 1).data.slice(0, 3)]);
    })()`,
  );
}

/** JPEG changes colours a little. */
const NEAR = 24;

/** The largest difference between parts of colours. */
function difference(found: unknown, wanted: readonly (readonly number[])[]): number {
  const parts = (colours: unknown) => [colours].flat(2).map(Number);
  const ours = parts(found);
  const theirs = parts(wanted);
  if (ours.length !== theirs.length) return Infinity;
  return Math.max(...ours.map((value, at) => Math.abs(value - (theirs[at] ?? NaN))));
}

describe('view_image', () => {
  it.each([
    ['/a.png', 'PNG', FIELDS],
    ['/a.gif', 'GIF', FIELDS],
    ['/a.bmp', 'BMP', FIELDS],
    ['/a.avif', 'AVIF', FIELDS],
    [
      '/a.webp',
      'WebP',
      [
        [16, 48, 224],
        [16, 48, 224],
        [16, 48, 224],
        [16, 48, 224],
      ],
    ],
    [
      '/a.jpg',
      'JPEG',
      [
        [32, 32, 32],
        [224, 224, 224],
        [32, 32, 32],
        [224, 224, 224],
      ],
    ],
    ['/mislabelled', 'PNG', FIELDS],
    ['/moving.gif', 'GIF', FIELDS],
    ['/moving.png', 'PNG', FIELDS],
  ])('shows %s unchanged', async (path, format, wanted) => {
    const { text, image, base64, answer } = await view(path);
    expect(text).toMatch(
      new RegExp(
        `^URL: ${SITE}${path}\n${format} image, 64 × 48 px, \\d+ bytes\\. Shown as a JPEG of 64 × 48 px\\.`,
        'u',
      ),
    );
    expect(image?.mimeType).toBe('image/jpeg');
    expect(answer.result).not.toHaveProperty('structuredContent');
    expect(jpegSize(fromBase64(base64))).toEqual({ width: 64, height: 48 });
    expect(difference(await fields(base64), wanted)).toBeLessThanOrEqual(NEAR);
    expect(text.includes('its first frame')).toBe(path.startsWith('/moving'));
  });

  it('shows the inks of a CMYK photograph as colours', async () => {
    const { base64 } = await view('/cmyk.jpg');
    // Much magenta and yellow, and no other ink.
    const red = [255, 32, 32];
    expect(difference(await fields(base64), [red, red, red, red])).toBeLessThanOrEqual(NEAR);
  });

  it('enlarges a small drawing to a useful size, and a wide picture only to a useful width', async () => {
    const drawing = await view('/a.svg');
    expect(drawing.text).toContain('SVG image, 400 × 300 px');
    expect(jpegSize(fromBase64(drawing.base64))).toEqual({ width: 512, height: 384 });
    expect(difference(await fields(drawing.base64), FIELDS)).toBeLessThanOrEqual(NEAR);
    const wide = await view('/wide.png');
    expect(jpegSize(fromBase64(wide.base64))).toEqual({ width: SIDE_MAX, height: 20 });
    expect(JSON.stringify(wide.answer).length).toBeLessThan(HOST_RESULT_BYTES_MAX);
  });

  it('shows a light transparent picture on a dark background', async () => {
    const { text, base64 } = await view('/light.png');
    expect(text).toContain('Note: It is light and see-through, so it is shown on dark grey.');
    const [[red = 255] = []] = (await fields(base64)) as number[][];
    expect(red).toBeLessThan(150);
  });

  it('shows a page of a PDF', async () => {
    const { text, base64 } = await view('/a.pdf', { page: 2 });
    expect(text).toMatch(/PDF, page 2 of 2, \d+ bytes\. Shown as a JPEG of 1176 × 1568 px\./u);
    expect(
      difference(await fields(base64), [
        [0, 0, 255],
        [255, 0, 0],
        [255, 0, 0],
        [255, 0, 0],
      ]),
    ).toBeLessThanOrEqual(NEAR);
    const first = await view('/a.pdf');
    expect(
      difference(await fields(first.base64), [
        [255, 255, 255],
        [255, 255, 255],
        [255, 255, 255],
        [255, 255, 255],
      ]),
    ).toBeLessThanOrEqual(NEAR);
  });

  it('shows a scan', async () => {
    const { base64 } = await view('/scan.pdf', { page: 1 });
    expect(difference(await fields(base64), FIELDS)).toBeLessThanOrEqual(NEAR);
  });

  it('reports how many pages a PDF has', async () => {
    const { answer } = await view('/a.pdf', { page: 3 });
    expect(answer.result?.structuredContent).toMatchObject({
      error: 'invalid_argument',
      hint: 'Pass a page from 1 to 2.',
    });
  });

  it('reports that page has no effect on a picture', async () => {
    expect((await view('/a.png', { page: 2 })).text).toContain('page had no effect');
  });
});

describe('a malicious picture', () => {
  it('runs no script and sends no request', async () => {
    const { base64 } = await view('/script.svg');
    expect(difference(await fields(base64), FIELDS)).toBeLessThanOrEqual(NEAR);
    const visits = await callTool('modern', 'web_open', { url: `${SITE}/visits`, refresh: true });
    expect(visits.result?.content?.[0]?.text).toContain('\n0\n');
  });

  it('has the type of its first bytes', async () => {
    expect(difference(await fields((await view('/polyglot.gif')).base64), FIELDS)).toBeLessThanOrEqual(NEAR);
  });

  it.each([
    ['/huge.png', /40000 × 40000 pixels, more than the 40 million/u],
    ['/huge.webp', /16383 × 16383 pixels/u],
  ])('is refused if it has too many pixels: %s', async (path, says) => {
    const { answer } = await view(path);
    expect(answer.result?.structuredContent).toMatchObject({
      error: 'view_failed',
      message: expect.stringMatching(says),
    });
  });

  it('is abandoned in time if it never finishes, and the next one is shown', async () => {
    const { answer } = await view('/endless.svg', {}, 4_000);
    expect(answer.result?.structuredContent).toMatchObject({ error: 'timeout', after_ms: 4_000 });
    expect(difference(await fields((await view('/a.png')).base64), FIELDS)).toBeLessThanOrEqual(NEAR);
    expect(await runInDurableObject(renderer(), (instance) => instance.pagesUnderWay())).toBe(0);
  });

  it('is abandoned when its browser ends twice, and the hint shows a call for a picture', async () => {
    await view('/a.png');
    const first = await drawingBrowser();
    const drawn = view('/endless.svg');
    await endBrowser(await drawingBrowser({ isDrawing: true }));
    await endBrowser(await drawingBrowser({ isDrawing: true, other: first }));
    const { answer, text } = await drawn;
    expect(answer.result?.structuredContent).toMatchObject({ error: 'view_failed' });
    expect(text).toContain('Call open_url for the facts and text of the file');
    expect(text).not.toContain('mode');
  });

  it('is drawn if it has the maximum number of pixels', async () => {
    const { base64 } = await view('/limit.png');
    expect(jpegSize(fromBase64(base64))).toEqual({ width: SIDE_MAX, height: SIDE_MAX });
  });

  it('is shown as far as it was decoded, or refused, if it is truncated', async () => {
    const { answer, base64 } = await view('/cut.png');
    const failed = answer.result?.structuredContent;
    if (failed === undefined) expect(jpegSize(fromBase64(base64))).toEqual({ width: 64, height: 48 });
    else expect(failed).toMatchObject({ error: 'view_failed' });
  });
});
