import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

const FRAMES = ['Delivery', 'Billing'].map(
  (name) => `<iframe title="${name} address" srcdoc="<label>Street <input class='${name}'></label>
    <iframe title=Card srcdoc='<button class=${name}-pay>Pay</button>'></iframe>"></iframe>`,
);
const PAGES: Record<string, string> = {
  '/framed': FRAMES.join(''),
  '/declared': `<style>li { cursor: pointer }</style><ul><li aria-current="true" tabindex="0" aria-label="page 1">1
    <li aria-current="false" tabindex="0" aria-label="page 2">2</ul>`,
};

let browser: TestBrowser;
const open = async (path: string) =>
  new PageWithRefs(await browser.openTab(await browser.openContext(), `http://site.example${path}`));

beforeAll(async () => {
  browser = await browserWith(({ pathname }) => PAGES[pathname] ?? null);
});

afterAll(() => browser.close());

describe('a part of the page', () => {
  it('is found as a frame by its title, with the frames inside it', async () => {
    const page = await open('/framed');
    const found = async (target: string) => page.ask(await page.resolve(target), 'this.className');
    expect(await found('"Street" in iframe "Billing address"')).toBe('Billing');
    expect(await found('textbox "Street" in "Delivery address"')).toBe('Delivery');
    expect(await found('button "Pay" in frame "Delivery address"')).toBe('Delivery-pay');
  });
});

describe('a state that a page declares as not set', () => {
  it('is not shown', async () => {
    const page = await open('/declared');
    expect((await page.text()).match(/"page \d"[^\n]* current/gu)).toEqual(['"page 1" current']);
  });
});
