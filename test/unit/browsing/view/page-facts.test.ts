import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

let browser: TestBrowser;
let context: string;
let body = '';

beforeAll(async () => {
  browser = await browserWith(() => `<!doctype html><title>T</title><body>${body}`);
  context = await browser.openContext();
});

afterAll(() => browser.close());

async function shown(html: string): Promise<string> {
  body = html;
  return new PageWithRefs(await browser.openTab(context, 'http://site.example/')).text();
}

describe('what only the DOM tells of a page', () => {
  it('is found beside forms whose fields hide what the browser offers of them', async () => {
    const text =
      await shown(`<form><input name="getAttribute" aria-label="One"><input name="parentNode" aria-label="Two">
      <input name="matches" aria-label="Three" type="password" value="hunter2"></form><div onclick="1">Go</div>`);
    expect(text.split('\n')).toEqual([
      '@e1 textbox "One"',
      '@e2 textbox "Two"',
      '@e3 textbox "Three" = "••••"',
      '@e4 clickable "Go"',
    ]);
  });

  it('is told of an element that is a clickable thing and a field with a secret at once', async () => {
    const text = await shown(
      '<input type="password" value="hunter2" aria-current="step" aria-label="One"><div onclick="1">Go</div>',
    );
    expect(text).toBe('@e1 textbox "One" = "••••" current\n@e2 clickable "Go"');
  });

  it('has nothing of a part that is not displayed, though another names it', async () => {
    const text = await shown(`<div id="name" style="display:none">Save <span style="cursor:pointer">it</span></div>
      <button aria-labelledby="name">x</button>`);
    expect(text).toBe('@e1 button "Save it"');
  });
});
