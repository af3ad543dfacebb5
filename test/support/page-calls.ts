import { PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

const PATIENCE_MS = 25_000;

export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

/** Navigates a tab to an address and waits until it has loaded, including its frames. */
export async function go(tab: OpenTab, url: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const loads: string[] = [];
  let wanted: string | undefined;
  const off = tab.session.on('Page.lifecycleEvent', ({ name, loaderId }) => {
    if (name === 'load') loads.push(loaderId);
    if (wanted !== undefined && loads.includes(wanted)) resolve();
  });
  wanted = (await tab.session.send('Page.navigate', { url })).loaderId;
  if (wanted !== undefined && !loads.includes(wanted)) await promise;
  off();
}

/** The value of an expression in the page's main world, awaited, as JSON. */
export async function inPage(tab: Tab, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await tab.session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const value = await promise.catch((error: unknown) => error);
  if (value instanceof PeriscopeError) return value.failure;
  throw new Error(`no failure, but ${String(value)}`);
}
