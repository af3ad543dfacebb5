import { Browser, leftTo, pageOf } from './oauth-browser.ts';

/**
 * Plays the owner in a browser: opens the page that a client asked for, signs in and allows access.
 * @returns the address of the final redirect
 */
export async function allowAsOwner(asked: string, passphrase: string): Promise<URL> {
  const browser = new Browser(new URL(asked).origin, (url, init) => fetch(url, init));
  const signIn = pageOf(await browser.get(asked));
  const consent = pageOf(await browser.submit(signIn, '/sign-in', { passphrase }));
  return leftTo(await browser.submit(consent, '/authorize', { decision: 'allow' }));
}
