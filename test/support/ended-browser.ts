import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { FOR_GOOD } from './reused-browsers.ts';

/** The stub of a session object. */
type SessionObject = ReturnType<typeof env.BROWSER_SESSION.get>;

/**
 * Ends the browser of a session from outside, as a platform or the kernel would.
 * @param look a call that changes nothing. When it answers, everything that the call before it had to store is stored.
 */
export async function endBrowserOf(session: SessionObject, look: () => Promise<unknown>): Promise<void> {
  await look();
  await endBrowser((await browserOf(session)) ?? '');
}

export async function browserOf(session: SessionObject): Promise<string | null> {
  return runInDurableObject(session, async (_, { storage }) => {
    const kept = await storage.get<{ browserId: string | null }>('record');
    return kept?.browserId ?? null;
  });
}

/** Ends a browser without its client's knowledge, and waits until it is gone. */
export async function endBrowser(id: string): Promise<void> {
  await env.BROWSER.fetch(`https://browser/v1/devtools/browser/${id}${FOR_GOOD}`, { method: 'DELETE' });
  await vi.waitFor(async () => {
    if (!(await isGone(id))) throw new Error(`Browser ${id} still answers.`);
  }, WAIT);
}

export async function isGone(id: string): Promise<boolean> {
  const response = await env.BROWSER.fetch(`https://browser/v1/devtools/browser/${id}/json/version`);
  return !response.ok || !(await response.text()).includes('webSocketDebuggerUrl');
}

const WAIT = { timeout: 30_000, interval: 20 };
