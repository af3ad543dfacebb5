import { Browser, leftTo, pageOf } from './oauth-browser.ts';

/** The owner in front of a browser: opens the page a client sent them to, signs in, allows. @returns where that leads */
export async function allowAsOwner(asked: string, passphrase: string): Promise<URL> {
  const browser = new Browser(new URL(asked).origin, (url, init) => fetch(url, init));
  const signIn = pageOf(await browser.get(asked));
  const consent = pageOf(await browser.submit(signIn, '/sign-in', { passphrase }));
  return leftTo(await browser.submit(consent, '/authorize', { decision: 'allow' }));
}
