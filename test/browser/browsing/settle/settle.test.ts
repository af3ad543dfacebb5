import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click } from '#browsing/act/click.ts';
import { actAndSettle } from '#browsing/settle/settle.ts';
import type { SettleResult } from '#browsing/settle/settle.ts';
import { startActing } from '#support/acting.ts';
import { patience } from '#support/page-calls.ts';
import type { Acting } from '#support/acting.ts';

const button = (script: string) => `<button id="go" onclick="${script}">Go</button><p id="out"></p>`;
const PAGES = {
  '/nothing': button(''),
  '/link': '<a id="go" href="/next">Go</a>',
  '/next': '<p id="out"></p><script>fetch("/data").then(() => { out.textContent = "loaded" })</script>',
  '/data': 'data',
  '/route': button("history.pushState({}, '', '/place'); fetch('/data').then(() => { out.textContent = 'answered' })"),
  '/steps': button(
    'let n = 0; const timer = setInterval(() => { out.textContent = ++n; if (n === 5) clearInterval(timer) }, 60)',
  ),
  '/timers': button(
    "out.textContent = 'first'; queueMicrotask(() => setTimeout(() => { setTimeout(() => { out.textContent = 'second' }, 120) }, 20))",
  ),
  '/slices': button(`out.textContent = 'first'; const { port1, port2 } = new MessageChannel(); let n = 0;
    port1.onmessage = () => { const end = performance.now() + 8; while (performance.now() < end); if (++n < 15) port2.postMessage(0); else out.textContent = 'drawn' };
    port2.postMessage(0)`),
  '/worker-answer': `${button("out.textContent = 'first'; worker.postMessage(0)")}
    <script>const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => setTimeout(() => postMessage(0), 90)'])));
    worker.onmessage = () => { out.textContent = 'answered' }</script>`,
  '/frames': button(
    "out.textContent = 'first'; let n = 0; const next = () => { if (++n < 7) requestAnimationFrame(next); else out.textContent = 'drawn' }; requestAnimationFrame(next)",
  ),
  '/early-interval': `${button("out.textContent = 'first'; asked = true")}
    <script>let asked = false; setInterval(() => { if (asked) { asked = false; out.textContent = 'polled' } }, 110)</script>`,
  '/clock': `${button("document.querySelector('#out').textContent = 'done'")}<p id="clock"></p>
    <script>setInterval(() => { clock.textContent = Math.random() }, 20)</script>`,
  '/embed': button(
    "const frame = document.createElement('iframe'); frame.src = 'http://other.example/nothing'; document.body.append(frame)",
  ),
  '/worker': button("new Worker(window.URL.createObjectURL(new Blob(['1'])))"),
  '/alert': button("alert('Sure?'); document.querySelector('#out').textContent = 'after'"),
};

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing(PAGES);
});

afterAll(() => browser.close());

async function goOn(page: Acting): Promise<SettleResult> {
  const element = await page.find('#go');
  const act = () => click(element, { button: 'left', clickCount: 1, modifiers: [] }, patience());
  return (await actAndSettle(page.tab, element, act, patience())).settled;
}

describe('waiting for the effects of an action', () => {
  it('ends at once when nothing happens', async () => {
    const page = await browser.open('/nothing');
    expect(await goOn(page)).toEqual({ isIdle: true, isQuiet: true, stillLoading: false });
  });

  it('leaves nothing on the page, also when the action fails', async () => {
    const page = await browser.open('/nothing');
    const isOwn = 'Object.getOwnPropertyNames(setTimeout).length + String([setTimeout, clearTimeout])';
    const before = await page.ask(isOwn);
    await goOn(page);
    expect(await page.ask(isOwn)).toBe(before);
    const failing = actAndSettle(page.tab, null, () => Promise.reject(new TypeError('refused')), patience());
    await expect(failing).rejects.toThrow('refused');
    expect(await page.ask(isOwn)).toBe(before);
  });

  it('includes the next document and the content that its scripts load', async () => {
    const page = await browser.open('/link');
    expect(await goOn(page)).toEqual({ isQuiet: true, stillLoading: false });
    expect(await page.ask("location.pathname + ' ' + out.textContent")).toBe('/next loaded');
  });

  it('includes the content that a route of the same document loads', async () => {
    const page = await browser.open('/route');
    expect(await goOn(page)).toMatchObject({ isQuiet: true });
    expect(await page.ask("location.pathname + ' ' + out.textContent")).toBe('/place answered');
  });

  it('lasts until the document has settled', async () => {
    const page = await browser.open('/steps');
    expect(await goOn(page)).toMatchObject({ isQuiet: true });
    expect(await page.ask('out.textContent')).toBe('5');
  });

  it('includes what a timer sets that another timer has set', async () => {
    const page = await browser.open('/timers');
    expect(await goOn(page)).toMatchObject({ isQuiet: true });
    expect(await page.ask('out.textContent')).toBe('second');
  });

  it('includes what scripts draw at the end of many short tasks', async () => {
    const page = await browser.open('/slices');
    expect(await goOn(page)).toMatchObject({ isQuiet: true });
    expect(await page.ask('out.textContent')).toBe('drawn');
  });

  it('includes what a page draws some animation frames later', async () => {
    const page = await browser.open('/frames');
    expect(await goOn(page)).toMatchObject({ isQuiet: true });
    expect(await page.ask('out.textContent')).toBe('drawn');
  });

  it('includes what an older interval draws about 100 ms later', async () => {
    const page = await browser.open('/early-interval');
    expect(await goOn(page)).toMatchObject({ isQuiet: true });
    expect(await page.ask('out.textContent')).toBe('polled');
  });

  it('includes the answer of a worker', async () => {
    const page = await browser.open('/worker-answer');
    expect(await goOn(page)).toMatchObject({ isQuiet: true });
    expect(await page.ask('out.textContent')).toBe('answered');
  });

  it('ends in time on a page that never settles, and reports this', async () => {
    const page = await browser.open('/clock');
    expect(await goOn(page)).toEqual({ isQuiet: false, stillLoading: false });
    expect(await page.ask('out.textContent')).toBe('done');
  });

  it('notices that a cross-site frame, which has a separate process, has loaded', async () => {
    const page = await browser.open('/embed');
    expect(await goOn(page)).toEqual({ isQuiet: true, stillLoading: false });
  });

  it('does not treat a worker as a pending load', async () => {
    const page = await browser.open('/worker');
    expect(await goOn(page)).toEqual({ isIdle: true, isQuiet: true, stillLoading: false });
  });

  it('continues after a dialog was answered', async () => {
    const page = await browser.open('/alert');
    expect(await goOn(page)).toMatchObject({ isQuiet: true });
    expect(await page.ask('out.textContent')).toBe('after');
  });
});
