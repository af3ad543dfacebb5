import { describe, expect, it } from 'vitest';
import { deployment } from '../../support/deployment.ts';
import { formFields, pageOf, textOf } from '../../support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '../../support/oauth-journey.ts';

const CONSOLE = `${ORIGIN}/console`;

describe('the console', () => {
  it('asks the visitor to sign in, and then leads the owner to its pages', async () => {
    const browser = personsBrowser();
    const asked = pageOf(await browser.get(CONSOLE));
    expect(asked.html).not.toContain('/console/tokens');
    const page = pageOf(await browser.submit(asked, '/sign-in', { passphrase: PASSPHRASE }));
    expect(page.url).toBe(CONSOLE);
    expect(page.headers.get('cache-control')).toBe('no-store');
    for (const [, to = ''] of page.html.matchAll(/<a href="([^"]+)"/gu)) {
      expect({ to, status: pageOf(await browser.get(ORIGIN + to)).status }).toEqual({ to, status: 200 });
    }
    expect(page.html).toContain('href="/console/health"');
    expect(formFields(page.html, '/sign-out')).toHaveLength(1);
    expect(textOf(pageOf(await browser.submit(page, '/sign-out', {})).html)).toContain('Signed out');
    expect(pageOf(await browser.get(CONSOLE)).html).toContain('action="/sign-in"');
  });

  it('exists when no user can sign in, and says so', async () => {
    const at = deployment({}, () => Promise.reject(new Error('nothing is asked')));
    expect(pageOf(await at.browser().get(`${CONSOLE}/tokens`)).status).toBe(501);
  });
});
