import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleLabelTargets } from '#browsing/see/ref-labels.ts';
import type { LabelTarget } from '#browsing/see/ref-labels.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import type { Frame } from '#browsing/tabs/tab.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { inPage } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

const PAGES: Record<string, string> = {
  '/': `<body style="margin:0;height:3000px"><button id="plain" style="position:absolute;left:100px;top:50px;width:120px;height:40px">Save</button>
    <button id="covered" style="position:absolute;left:100px;top:200px;width:120px;height:40px">Under</button>
    <div style="position:absolute;left:90px;top:190px;width:200px;height:80px;background:#ccc"></div>
    <button id="hidden" style="visibility:hidden">Hidden</button>
    <button id="below" style="position:absolute;left:100px;top:2500px;width:120px;height:40px">Below</button>
    <label id="label" style="position:absolute;left:100px;top:300px;width:200px;height:30px"><input id="box" type="checkbox" style="width:200px;height:30px;margin:0">
      <span style="position:absolute;inset:0;background:#eee">Agree</span></label>
    <div id="host" style="position:absolute;left:400px;top:50px"></div>
    <script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button style="width:80px;height:30px">In</button>'</script>
    <iframe src="https://inner.example/inner" style="position:absolute;left:600px;top:100px;width:300px;height:200px;border:10px solid #000"></iframe>`,
  '/turned': `<body style="margin:0"><div style="height:2000px"></div>
    <iframe src="/inner" style="display:block;width:300px;height:200px;border:0;transform:scale(0.5);transform-origin:0 0"></iframe>
    <iframe src="/inner" style="display:block;width:300px;height:200px;border:0;transform:rotate(180deg)"></iframe>`,
  '/named': `<body style="margin:0"><form name="elementFromPoint"></form>
    <form id="form" style="position:absolute;left:100px;top:50px;width:120px;height:40px"><input type="hidden" name="shadowRoot"></form>
    <button id="plain" style="position:absolute;left:300px;top:50px;width:120px;height:40px">Save</button>`,
  '/inner': `<body style="margin:0"><button id="inside" style="position:absolute;left:20px;top:30px;width:100px;height:40px">Inside</button>
    <button id="outside" style="position:absolute;left:20px;top:1000px;width:100px;height:40px">Scrolled away</button>`,
};

let browser: TestBrowser;
let tab: OpenTab;

beforeAll(async () => {
  browser = await browserWith(({ pathname }) => PAGES[pathname] ?? null);
  tab = await browser.openTab(await browser.openContext(), 'https://shop.example/');
});

afterAll(async () => {
  await browser.close();
});

const VIEW = { clip: { x: 0, y: 0, width: 1280, height: 800 }, scroll: { x: 0, y: 0 } };
const signal = () => AbortSignal.timeout(20_000);

describe('the labels of a screenshot', () => {
  it('mark each visible element in its place, also in shadow trees and frames', async () => {
    const found = await visibleLabelTargets(tab, await everyTarget(), VIEW, signal());
    expect(Object.fromEntries(found.map(({ name, box }) => [name, box]))).toEqual({
      e1: { x: 100, y: 50, width: 120, height: 40 },
      e5: { x: 100, y: 300, width: 200, height: 30 },
      e6: { x: 400, y: 50, width: 80, height: 30 },
      e7: { x: 630, y: 140, width: 100, height: 40 },
    });
  });

  it('follow the scroll position of the page', async () => {
    await inPage(tab, 'scrollTo(0, 2200)');
    const clip = { ...VIEW.clip, y: 2200 };
    const found = await visibleLabelTargets(tab, await everyTarget(), { clip, scroll: { x: 0, y: 2200 } }, signal());
    expect(found).toEqual([{ name: 'e4', box: { x: 100, y: 2500, width: 120, height: 40 } }]);
    await inPage(tab, 'scrollTo(0, 0)');
  });

  it('follow frames that are scaled and rotated, even those shown only in a full-page screenshot', async () => {
    const page = await browser.openTab(await browser.openContext(), 'https://shop.example/turned');
    const clip = { x: 0, y: 0, width: 1280, height: 2400 };
    const inner = page.frames().filter(({ url }) => url.endsWith('/inner'));
    const targets = inner.map((frame, at) => targetOf(page, frame, `@e${at + 1}`, "document.getElementById('inside')"));
    const found = await visibleLabelTargets(page, await Promise.all(targets), { ...VIEW, clip }, signal());
    expect(found.map(({ box }) => box)).toEqual([
      { x: 10, y: 2015, width: 50, height: 20 },
      { x: 180, y: 2330, width: 100, height: 40 },
    ]);
  });

  it('mark elements of a page whose form and field shadow DOM members', async () => {
    const page = await browser.openTab(await browser.openContext(), 'https://shop.example/named');
    const [frame] = page.frames();
    if (frame === undefined) throw new TypeError('the page has a frame');
    const targets = ['form', 'plain'].map((id, at) =>
      targetOf(page, frame, `@e${at + 1}`, `document.getElementById('${id}')`),
    );
    const found = await visibleLabelTargets(page, await Promise.all(targets), VIEW, signal());
    expect(found.map(({ name }) => name)).toEqual(['e1', 'e2']);
  });

  it('are missing for documents that are gone', async () => {
    const stale = (await everyTarget()).map(({ ref, target }) => ({ ref, target: { ...target, loaderId: 'before' } }));
    expect(await visibleLabelTargets(tab, stale, VIEW, signal())).toEqual([]);
  });

  it('are drawn on the image, without any effect in the page', async () => {
    await inPage(
      tab,
      `window.seen = 0; new MutationObserver((records) => { seen += records.length; }).observe(document, { subtree: true, childList: true, attributes: true })`,
    );
    const elements = await inPage(tab, 'document.querySelectorAll("*").length');
    const bare = await takeScreenshot(tab, {}, signal());
    const shot = await takeScreenshot(tab, { labels: await everyTarget() }, signal());
    expect(shot).toMatchObject({ labelled: 4, width: bare.width, height: bare.height });
    expect(shot.jpegBase64).not.toBe(bare.jpegBase64);
    expect(await inPage(tab, '[seen, document.querySelectorAll("*").length]')).toEqual([0, elements]);
    // A white button's upper edge now has the colour of a frame around it.
    expect(await redness(shot.jpegBase64, 160, 50)).toBeGreaterThan((await redness(bare.jpegBase64, 160, 50)) + 40);
  });
});

/** `@e1` … in the order of the pages above. */
async function everyTarget(): Promise<LabelTarget[]> {
  const main = tab.main();
  const inner = tab.frames().find(({ url }) => url.endsWith('/inner'));
  if (inner === undefined) throw new Error('no frame');
  const byId = (id: string) => `document.getElementById('${id}')`;
  const places: [Frame, string][] = [
    ...['plain', 'covered', 'hidden', 'below', 'box'].map((id): [Frame, string] => [main, byId(id)]),
    [main, `${byId('host')}.shadowRoot.firstChild`],
    ...['inside', 'outside'].map((id): [Frame, string] => [inner, byId(id)]),
  ];
  return Promise.all(places.map(([frame, expression], at) => targetOf(tab, frame, `@e${at + 1}`, expression)));
}

async function targetOf(of: OpenTab, frame: Frame, ref: string, expression: string): Promise<LabelTarget> {
  const contextId = await of.world(frame);
  const { result } = await frame.session.send('Runtime.evaluate', { expression, contextId });
  const { node } = await frame.session.send('DOM.describeNode', { objectId: result.objectId ?? '' });
  const { id: frameId, loaderId } = frame;
  return { ref, target: { frameId, loaderId, backendNodeId: node.backendNodeId } };
}

/** The difference between the red and the green of a pixel. */
async function redness(jpegBase64: string, x: number, y: number): Promise<number> {
  const expression = `createImageBitmap(new Blob([Uint8Array.from(atob('${jpegBase64}'), (char) => char.charCodeAt(0))])).then((image) => {
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const [red, green] = context.getImageData(${x}, ${y}, 1, 1).data;
    return red - green;
  })`;
  return Number(await inPage(tab, expression));
}
