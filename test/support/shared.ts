import { inject } from 'vitest';
import * as z from 'zod';
import { Browser, leftTo, pageOf } from './oauth-browser.ts';
import type { Shown } from './oauth-browser.ts';
import type { SharedServerFacts } from './shared-world.ts';

/**
 * The parts that end-to-end test files share (`shared-world.ts`). Each file makes its own people, sites and session
 * names, so that files do not affect each other.
 */
export type SharedServer = SharedServerFacts & {
  origin: string;
  /** Everything that it has printed so far. */
  output: () => Promise<string>;
};

/** A user whose account no other test uses. */
export type Person = {
  email: string;
  /** An access token for a model of this user, with every permission that people can give. */
  token: string;
  mcpUrl: string;
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
  checkKey: z.string(),
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

/** An unused e-mail address that may sign in. */
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

/** Signs in at the provider in a new browser, on the way to the page at `url`. */
export async function signIn(email: string, url: string): Promise<{ browser: Browser; page: Shown }> {
  const browser = new Browser(new URL(url).origin, (asked, init) => fetch(asked, init));
  const door = pageOf(await browser.get(url));
  const provider = leftTo(await browser.submit(door, '/sign-in/upstream', { way: 'oidc' }));
  return { browser, page: pageOf(await browser.get(await backFrom(provider, email))) };
}

/** Plays the provider when `email` signs in there. @returns the address it redirects to */
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
