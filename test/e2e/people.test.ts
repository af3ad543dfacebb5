import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { troublesOf } from '#support/peoples-pages.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { sharedServer } from '#support/shared.ts';

/**
 * An owner invites a user, who signs in, and deletes them, in Chromium, in both colour schemes and on both screen
 * sizes.
 */

const NOTE = 'Eva from design';
/** Not among those who may sign in without an invitation. */
const email = `eva-${crypto.randomUUID().slice(0, 8)}@elsewhere.dev`;
let owner: RealBrowser;
let guest: RealBrowser;
let origin = '';

beforeAll(async () => {
  const server = await sharedServer();
  ({ origin } = server);
  [owner, guest] = await Promise.all([startRealBrowser(), startRealBrowser()]);
  await guest.atProvider(email);
  await owner.goTo(`${origin}/console/people`);
  await owner.type('passphrase', server.passphrase);
  await owner.click('form[action="/sign-in"] button');
});
afterAll(async () => {
  await owner?.close();
  await guest?.close();
});

const bodyText = (browser: RealBrowser) => browser.see<string>('document.body.innerText');

describe('the people pages', () => {
  it('lead from an invitation to a guest whom the owner sees, and the link works for nobody else', async () => {
    await owner.goTo(`${origin}/console/people`);
    await owner.type('note', NOTE);
    await owner.click('form[action="/console/people"] button.primary');
    expect(await troublesOf(owner)).toEqual([]);
    const link = await owner.see<string>(`document.querySelector('.copy code').textContent`);
    await guest.goTo(link);
    expect(await troublesOf(guest)).toEqual([]);
    await guest.click('button[value=oidc]');
    expect(new URL(await guest.address()).pathname).toBe('/console');
    await owner.goTo(`${origin}/console/people`);
    expect(await bodyText(owner)).toContain(NOTE);
    expect(await troublesOf(owner)).toEqual([]);
    await guest.goTo(link);
    expect(await bodyText(guest)).toContain('This invitation is no longer valid');
  });

  it('ask before they delete a guest, and confirm it afterwards', async () => {
    await guest.goTo(`${origin}/console/account`);
    expect(await bodyText(guest)).toContain('Download your data');
    await owner.goTo(`${origin}/console/people`);
    await owner.click(`button[aria-label^="Delete data"][aria-label*="${email}"]`);
    expect(await bodyText(owner)).toContain('Delete all data of this person?');
    await owner.click('button.primary');
    expect(await bodyText(owner)).toContain('All data of this person is deleted.');
    await expect.poll(() => owner.see('document.activeElement.className')).toBe('done');
    await guest.goTo(`${origin}/console/account`);
    expect(await bodyText(guest)).not.toContain('Delete everything');
  });
});
