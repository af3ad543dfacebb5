import { describe, expect, it } from 'vitest';
import { clickElement, scrollPage } from '#browsing/session/operations/act-operations.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const DECK = (
  onclick: string,
) => `<style>html, body { margin: 0; height: 100%; overflow: hidden } #main { height: 400px; overflow: hidden; position: relative }
  #slides button { display: block; height: 90px } #notes { position: absolute; left: 200px; top: 60px; width: 300px; height: 100px; overflow: auto }</style>
  <div id="main"><div id="slides">${Array.from({ length: 15 }, (_, at) => `<button onclick="${onclick}">Slide ${at + 1}</button>`).join('')}</div>
  <div id="notes"><p>Dues of the harbour</p></div></div>`;

const PAGES: Record<string, string> = {
  '/deck': DECK('document.title = this.textContent'),
  '/carousel': DECK('main.scrollTop = 300'),
  '/pane': `<div id="pane" style="height: 200px; overflow: auto"><div style="height: 900px"></div><button onclick="document.title = 'Pressed'">Deep</button></div>`,
  '/long': `<body style="margin: 0"><div style="height: 1500px"></div><button style="display: block; height: 40px" onclick="document.title = 'Pressed'">Low</button><div style="height: 3000px"></div>`,
};

const open = sessionOn(PAGES);

async function click(work: OperationWork, selector: string) {
  return clickElement(work, { target: selector, button: 'left', clickCount: 1, modifiers: [], snapshot: false });
}

describe('scrolling for an action', () => {
  it('is undone for containers that no user could scroll, and views lose nothing', async () => {
    const work = await open('/deck');
    await click(work, 'button "Slide 12"');
    expect(await inPage(work.tab, '[document.title, main.scrollTop, scrollY]')).toEqual(['Slide 12', 0, 0]);
    expect((await viewTabOnRequest(work, { find: 'dues' })).text).toBe('Dues of the harbour');
  });

  it('is left unchanged if the page has scrolled since', async () => {
    const work = await open('/carousel');
    await click(work, 'button "Slide 12"');
    expect(await inPage(work.tab, 'main.scrollTop')).toBe(300);
  });

  it('is kept if a call asked for it', async () => {
    const work = await open('/deck');
    const scrolled = { direction: 'down', amount: 1, unit: 'px', intoView: true, snapshot: false } as const;
    await scrollPage(work, { ...scrolled, target: 'button "Slide 12"' });
    expect(await inPage(work.tab, 'main.scrollTop')).toBeGreaterThan(0);
  });

  it('is just enough to show the element, and is kept', async () => {
    const work = await open('/long');
    await click(work, 'button "Low"');
    expect(await inPage(work.tab, '[document.title, scrollY - (1540 - innerHeight)]')).toEqual(['Pressed', 0]);
  });

  it('scrolls a pane that hides the element, even if the window would have room for it', async () => {
    const work = await open('/pane');
    await click(work, 'button "Deep"');
    expect(await inPage(work.tab, '[document.title, pane.scrollTop > 600, scrollY]')).toEqual(['Pressed', true, 0]);
  });
});

describe('a page without scrolling', () => {
  it('reports if all of it is in view', async () => {
    const down = {
      direction: 'down',
      amount: 1,
      unit: 'pages',
      intoView: false,
      snapshot: false,
      target: undefined,
    } as const;
    const { place } = await scrollPage(await open('/deck'), down);
    expect(place).toMatchObject({ atStart: true, atEnd: true, cutsOff: true });
    const small = await open('/pane');
    await inPage(small.tab, 'pane.remove()');
    expect((await scrollPage(small, down)).place).toMatchObject({ atStart: true, atEnd: true, cutsOff: false });
  });
});
