import { inject } from 'vitest';
import * as z from 'zod';
import { Browser, leftTo, pageOf } from './oauth-browser.ts';
import type { Shown } from './oauth-browser.ts';
import type { SharedServerFacts } from './shared-world.ts';

/**
 * What the end-to-end files share (`shared-world.ts`), as one file sees it. A file makes people, sites and session names
 * of its own, so that no other file is in its way.
 */
export type SharedServer = SharedServerFacts & {
  origin: string;
  /** All that it has printed so far. */
  output: () => Promise<string>;
};

/** Somebody with an account that nobody else uses. */
export type Person = {
  email: string;
  /** An access token for a model of theirs, with every permission that people can give. */
  token: string;
  mcpUrl: string;
  /** Signed in. */
  browser: Browser;
};

const serverFacts = z.object({
  mcpUrl: z.string(),
  token: z.string(),
  passphrase: z.string(),
  home: z.string(),
  issuer: z.string(),
  providerSecret: z.string(),
  people: z.string(),
  sessionsPerPerson: z.number(),
});

export async function sharedServer(): Promise<SharedServer> {
  const facts = serverFacts.parse(await ask('/server'));
  return { ...facts, origin: new URL(facts.mcpUrl).origin, output: async () => z.string().parse(await ask('/output')) };
}

/** A port of this machine that the shared server may reach, and that no other file has had. */
export async function newSitePort(): Promise<number> {
  return z.number().parse(await ask('/site-port'));
}

/** The DevTools endpoint of the Chromium of this worker. */
export async function chromiumUrl(): Promise<string> {
  return z.string().parse(await ask(`/browser?worker=${process.env['VITEST_POOL_ID'] ?? ''}`));
}

/** An e-mail address that may sign in, and that nobody else has. */
export async function newEmail(name: string): Promise<string> {
  const { people } = await sharedServer();
  return `${name}-${crypto.randomUUID().slice(0, 8)}${people}`;
}

export async function newPerson(name: string): Promise<Person> {
  const { origin, mcpUrl } = await sharedServer();
  const email = await newEmail(name);
  const { browser, page } = await signIn(email, `${origin}/console/tokens`);
  const scope = ['web:read', 'browser:use', 'browser:evaluate', 'cite:share', 'library:follow'];
  const made = pageOf(await browser.submit(page, '/console/tokens', { name: `model of ${name}`, scope }));
  const token = /\bpsc_[\w-]{43}/u.exec(made.html)?.[0];
  if (token === undefined) throw new Error(`no token for ${email}`);
  return { email, token, mcpUrl, browser };
}

/** Signs in at the provider, in a browser that is not used otherwise, on the way to the page at `url`. */
export async function signIn(email: string, url: string): Promise<{ browser: Browser; page: Shown }> {
  const browser = new Browser(new URL(url).origin, (asked, init) => fetch(asked, init));
  const door = pageOf(await browser.get(url));
  const provider = leftTo(await browser.submit(door, '/sign-in/upstream', { way: 'oidc' }));
  return { browser, page: pageOf(await browser.get(await backFrom(provider, email))) };
}

/** What the provider does when `email` signs in there. @returns where it sends the browser */
export async function backFrom(provider: URL, email: string): Promise<string> {
  provider.searchParams.set('as', email);
  const answer = await fetch(provider, { redirect: 'manual' });
  return answer.headers.get('location') ?? '';
}

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(inject('sharedWorld') + path);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}
