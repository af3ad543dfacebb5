import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { troublesOf } from '#support/peoples-pages.ts';
import { startProvider } from '#support/provider-port.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';

/**
 * An owner invites a user, who signs in, and deletes them, in Chromium, in both colour schemes and on both screen
 * sizes.
 */

const person = { sub: 'sub-ana', email: 'ana@acme.dev', email_verified: true };
let provider: Awaited<ReturnType<typeof startProvider>>;
let server: TestServer;
let owner: RealBrowser;
let guest: RealBrowser;
let origin = '';

beforeAll(async () => {
  provider = await startProvider(person);
  server = await startServer({
    OWNER_PASSPHRASE: 'two bitterns in the reeds',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    ALLOWED_USERS: 'ana@acme.dev',
  });
  origin = new URL(server.mcpUrl).origin;
  [owner, guest] = await Promise.all([startRealBrowser(), startRealBrowser()]);
  await owner.goTo(`${origin}/console/people`);
  if (await owner.see<boolean>(`document.querySelector('button[value=oidc]') !== null`)) {
    await owner.click('button[value=oidc]');
  }
});
afterAll(async () => {
  await owner?.close();
  await guest?.close();
  await server?.close();
  provider?.close();
});

const bodyText = (browser: RealBrowser) => browser.see<string>('document.body.innerText');

describe('the people pages', () => {
  it('lead from an invitation to a guest whom the owner sees, and the link works for nobody else', async () => {
    await owner.goTo(`${origin}/console/people`);
    await owner.type('note', 'Eva from design');
    await owner.click('form[action="/console/people"] button.primary');
    expect(await troublesOf(owner)).toEqual([]);
    const link = await owner.see<string>(`document.querySelector('.copy code').textContent`);
    Object.assign(person, { sub: 'sub-eva', email: 'eva@elsewhere.dev' });
    await guest.goTo(link);
    expect(await troublesOf(guest)).toEqual([]);
    await guest.click('button[value=oidc]');
    expect(new URL(await guest.address()).pathname).toBe('/console');
    await owner.goTo(`${origin}/console/people`);
    expect(await bodyText(owner)).toContain('Eva from design');
    expect(await troublesOf(owner)).toEqual([]);
    await guest.goTo(link);
    expect(await bodyText(guest)).toContain('This invitation is no longer valid');
  });

  it('ask before they delete a guest, and confirm it afterwards', async () => {
    await guest.goTo(`${origin}/console/account`);
    expect(await bodyText(guest)).toContain('Download your data');
    await owner.goTo(`${origin}/console/people`);
    await owner.click('button[aria-label^="Delete data"]');
    expect(await bodyText(owner)).toContain('Delete all data of this person?');
    await owner.click('button.primary');
    expect(await bodyText(owner)).toContain('All data of this person is deleted.');
    await expect.poll(() => owner.see('document.activeElement.className')).toBe('done');
    await guest.goTo(`${origin}/console/account`);
    expect(await bodyText(guest)).not.toContain('Delete everything');
  });
});
