import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { troublesOf } from '#support/peoples-pages.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { newPerson, newSitePort, sharedServer } from '#support/shared.ts';
import type { Person } from '#support/shared.ts';
import { startSite } from '#support/site.ts';
import type { Site } from '#support/site.ts';

/** A person opens what a model cites: `npm start`, an MCP client, and the person's Chromium. */

let site: Site;
let account: Person;
let model: TestClient;
let person: RealBrowser;
let origin = '';

beforeAll(async () => {
  ({ origin } = await sharedServer());
  [site, account] = await Promise.all([newSitePort().then(startSite), newPerson('citations')]);
  [model, person] = await Promise.all([connectModern(account), startRealBrowser()]);
});
afterAll(async () => {
  await person?.close();
  await model?.close();
  await site?.close();
});

const troublesHere = () => troublesOf(person);

const cited = () =>
  person.see<string[]>(`[...document.querySelectorAll('.text .cited')]
    .map((row) => [...row.querySelectorAll('mark')].map((mark) => mark.textContent).join(''))`);

describe('a user with the link of a citation', () => {
  it('signs in once, and sees the cited lines marked, at any size and without a mouse', async () => {
    const opened = await model.call('open_url', { url: `${site.url}/middle`, loc: 700 });
    const link = /】 (http\S+)/.exec(opened.text)?.[1] ?? '';
    const { cursor } = opened.structured;
    expect(link).toBe(`${origin}/c/${String(cursor)}/L700-L779`);
    await person.goTo(`${origin}/c/${String(cursor)}/L740-L741`);
    await person.atProvider(account.email);
    await person.click('button[value=oidc]');
    expect(await person.address()).toBe(`${origin}/c/${String(cursor)}/L740-L741`);
    const lines = String(opened.structured['text']).split('\n').slice(40, 42);
    expect(await cited()).toEqual(lines.filter((line) => line !== ''));
    for (const width of [360, 1280]) {
      await person.view(width, 'light');
      await person.goTo(`${origin}/c/${String(cursor)}/L740-L741`);
      // A script of the page scrolls to the lines once it has loaded.
      const isInView = () =>
        person.see<boolean>(
          `(({ top, bottom }) => top > 0 && bottom < innerHeight)((document.getElementById('L740') ?? document.getElementById('L741')).getBoundingClientRect())`,
        );
      await expect.poll(isInView).toBe(true);
    }
    expect(await troublesHere()).toEqual([]);
    const page = await fetch(await person.address(), { headers: { cookie: 'none' }, redirect: 'manual' });
    expect(page.status).toBe(302);
    await person.input('dispatchKeyEvent', {
      type: 'keyDown',
      key: 'Tab',
      code: 'Tab',
      windowsVirtualKeyCode: 9,
    });
    await expect.poll(() => person.see('document.activeElement.textContent')).toMatch(/^Lines from \d+ on$/);
    expect(await person.see<number>('document.documentElement.outerHTML.length')).toBeLessThan(100_000);
    await person.click('button[value=check]');
    const isAnswerInView = () =>
      person.see<boolean>(
        `(({ top }) => top >= 0 && top < innerHeight)(document.querySelector('.answer').getBoundingClientRect())`,
      );
    await expect.poll(isAnswerInView).toBe(true);
  });

  it('checks the live page, shares a line with anyone, and withdraws it', async () => {
    site.edit('The first edition speaks of a brass compass.');
    const opened = await model.call('open_url', { url: `${site.url}/edited` });
    const { cursor } = opened.structured;
    const at = String(opened.structured['text'])
      .split('\n')
      .findIndex((text) => text.includes('compass'));
    const path = `/c/${String(cursor)}/L${at}-L${at}`;
    await person.goTo(origin + path);
    await person.click('button[value=check]');
    expect(await person.see('document.querySelector(".answer h2").textContent')).toBe('Yes, it still says so');
    site.edit('The second edition speaks of a golden compass.');
    await person.click('button[value=check]');
    expect(await person.see('document.querySelector(".answer h2").textContent')).toBe('No, it says something else now');
    expect(await person.see(`[...document.querySelectorAll('del')].map((one) => one.textContent.trim())`)).toEqual(
      expect.arrayContaining(['first', 'brass']),
    );
    expect(await troublesHere()).toEqual([]);
    await person.goTo(origin + path);
    await person.see(`document.querySelector('summary + form').parentElement.open = true`);
    await person.see(`document.querySelector('[name=who][value=anyone]').click()`);
    await person.click('button[value=share]');
    const shared = await person.see<string>(`document.querySelector('a[href*="/q/"]').href`);
    const quote = await (await fetch(shared)).text();
    expect(quote).toContain('<mark>The first edition speaks of a brass compass.</mark>');
    await person.goTo(shared);
    expect(await troublesHere()).toEqual([]);
    await person.goTo(`${origin}/console/citations`);
    expect(await troublesHere()).toEqual([]);
    await person.click('form:has([value=unshare]) button');
    expect(await person.see('document.querySelector("h1").textContent')).toBe('Stop sharing this quote?');
    await person.click('form:has([value=unshare]) button');
    expect(new URL(await person.address()).search).toBe('?done=unshared');
    expect((await fetch(shared)).status).toBe(404);
    expect(person.complaints).toEqual([]);
  });
});
