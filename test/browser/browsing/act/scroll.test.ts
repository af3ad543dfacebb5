import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scrollAndSettle, scrollTo } from '#browsing/act/scroll.ts';
import { startActing } from '#support/acting.ts';
import { patience } from '#support/page-calls.ts';

const PAGES = {
  '/long': `<body style="margin: 0"><div style="height: 5000px; width: 4000px"></div>
    <div style="height: 200px; overflow: auto"><div style="height: 1000px"><p id="inside">inside</p></div></div><p id="end">end</p>`,
  '/app': `<body style="margin: 0; overflow: hidden"><nav style="height: 50px; overflow: auto"><div style="height: 400px"></div></nav>
    <main id="main" style="height: 500px; overflow-y: scroll"><div style="height: 4000px"></div></main>`,
  '/endless': `<style>html { scroll-behavior: smooth }</style><div id="list"></div><p id="more">…</p><script>
    const add = () => { for (let n = 0; n < 20; n += 1) list.append(Object.assign(document.createElement('p'), { style: 'height: 60px' })) };
    add();
    new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) fetch('/data').then(add) }).observe(more);</script>`,
  '/data': 'data',
  '/wheel': `<p id="out"></p><script>addEventListener('wheel', ({ deltaY }) => { out.textContent = deltaY })</script>`,
};

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing(PAGES);
});

afterAll(() => browser.close());

describe('scrolling', () => {
  it('reports its position, the total height, and when it is at an end', async () => {
    const { tab } = await browser.open('/long');
    const first = await scrollAndSettle(tab, null, { direction: 'down', amount: 1, unit: 'pages' }, patience());
    expect(first).toMatchObject({ atStart: false, atEnd: false, moved: first.y });
    expect(first.y).toBeGreaterThan(first.shownHeight * 0.8);
    const last = await scrollAndSettle(tab, null, { direction: 'down', amount: 99_999, unit: 'px' }, patience());
    expect(last.atEnd).toBe(true);
    expect(last.y).toBeGreaterThan(first.y);
    expect(await scrollAndSettle(tab, null, { direction: 'right', amount: 500, unit: 'px' }, patience())).toMatchObject(
      {
        x: 500,
        moved: 500,
      },
    );
    expect(await scrollAndSettle(tab, null, { direction: 'up', amount: 50, unit: 'pages' }, patience())).toMatchObject({
      y: 0,
      atStart: true,
    });
  });

  it('scrolls the pane that contains the element', async () => {
    const page = await browser.open('/long');
    const element = await page.find('#inside');
    const place = await scrollAndSettle(page.tab, element, { direction: 'down', amount: 300, unit: 'px' }, patience());
    expect(place).toMatchObject({ y: 300, totalHeight: expect.closeTo(1000, -2), shownHeight: 200 });
    expect(await page.ask('scrollY')).toBe(0);
  });

  it('scrolls the main pane of a page that cannot scroll itself', async () => {
    const page = await browser.open('/app');
    await scrollAndSettle(page.tab, null, { direction: 'down', amount: 1, unit: 'pages' }, patience());
    expect(await page.ask('main.scrollTop')).toBe(450);
  });

  it('waits for the items that an endless list loads', async () => {
    const { tab } = await browser.open('/endless');
    const place = await scrollAndSettle(tab, null, { direction: 'down', amount: 50, unit: 'pages' }, patience());
    expect(place).toMatchObject({ atEnd: false });
    expect(place.totalHeight).toBeGreaterThan(2_500);
  });

  it('turns the wheel if nothing scrolls', async () => {
    const page = await browser.open('/wheel');
    await scrollAndSettle(page.tab, null, { direction: 'down', amount: 300, unit: 'px' }, patience());
    expect(await page.ask('out.textContent')).toBe('300');
  });

  it('brings an element into view', async () => {
    const page = await browser.open('/long');
    await scrollTo(await page.find('#end'), patience());
    expect(await page.ask('end.getBoundingClientRect().top < innerHeight')).toBe(true);
  });
});
