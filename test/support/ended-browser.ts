import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

/** Ends a browser behind the back of whoever uses it, and waits until it is gone. */
export async function endBrowser(id: string): Promise<void> {
  await env.BROWSER.fetch(`https://browser/v1/devtools/browser/${id}`, { method: 'DELETE' });
  await vi.waitFor(async () => {
    if (!(await isGone(id))) throw new Error(`Browser ${id} still answers.`);
  }, WAIT);
}

/** Whether a browser has ended. */
export async function isGone(id: string): Promise<boolean> {
  const response = await env.BROWSER.fetch(`https://browser/v1/devtools/browser/${id}/json/version`);
  return !response.ok || !(await response.text()).includes('webSocketDebuggerUrl');
}

const WAIT = { timeout: 30_000, interval: 20 };
