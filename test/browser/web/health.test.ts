import { describe, expect, it } from 'vitest';
import { pageOf, textOf } from '#support/oauth-browser.ts';
import type { Browser } from '#support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '#support/oauth-journey.ts';

const HEALTH = '/console/health';

async function ownersBrowser(): Promise<Browser> {
  const browser = personsBrowser();
  const form = pageOf(await browser.get(`${ORIGIN}/sign-in`));
  await browser.submit(form, '/sign-in', { passphrase: PASSPHRASE });
  return browser;
}

describe('the health check page', () => {
  it('checks the browser step by step, each with its time, when its button was pressed', async () => {
    const browser = await ownersBrowser();
    const page = pageOf(await browser.get(ORIGIN + HEALTH));
    expect(page.html).toContain('Try the browser');
    const tried = pageOf(await browser.submit(page, HEALTH, { look: 'browser' }));
    const text = textOf(tried.html);
    expect(text).toContain('Everything that can be checked from here works.');
    const steps = [
      /1\. Start a browser\. It started, and accepts a connection\. [\d,]+ ms\./u,
      /2\. Guard its requests\. It guards the browser as a whole\. [\d,]+ ms\./u,
      /3\. Open an isolated context\. .* ms\./u,
      /4\. Open a tab\. .* ms\./u,
      /5\. Show a page\. It was shown, and its request to a private address was blocked\. [\d,]+ ms\./u,
      /6\. Read its accessibility tree\. It says what the page shows\. [\d,]+ ms\./u,
      /7\. Take a screenshot\. 1280 × 800 pixels, \d+ KB\. [\d,]+ ms\./u,
      /8\. Ask for its version\. \S*Chrome\S*\. [\d,]+ ms\./u,
      /9\. Close the browser\. The service confirmed it\. [\d,]+ ms\./u,
      /10\. Render a page for reading\. Its text includes what its script added\. [\d,]+ ms\./u,
    ];
    for (const step of steps) expect(text).toMatch(step);
  });
});
