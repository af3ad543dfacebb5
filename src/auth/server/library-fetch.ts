import { AsyncLocalStorage } from 'node:async_hooks';
import type { JudgeClientUrl } from './client-id.ts';

/** Set while the OAuth library works. */
const libraryAtWork = new AsyncLocalStorage<JudgeClientUrl | null>();
const platformFetch = globalThis.fetch.bind(globalThis);

/**
 * Runs the OAuth library so that whatever it fetches (the metadata document of a client, the keys it names) passes the
 * address gate first. Redirects are not followed: that is forbidden (draft-ietf-oauth-client-id-metadata-document-02
 * §5), and would lead past the gate.
 */
export function withLibraryGated<T>(judge: JudgeClientUrl, work: () => T): T {
  return libraryAtWork.run(judge, work);
}

/** Runs our own code that the library calls: it has its own gates. */
export function outsideLibrary<T>(work: () => T): T {
  return libraryAtWork.run(null, work);
}

// The library calls the global `fetch`, takes no other, and follows redirects.
Object.defineProperty(globalThis, 'fetch', {
  configurable: true,
  writable: true,
  value: (input: RequestInfo | URL, init?: RequestInit) => {
    const judge = libraryAtWork.getStore() ?? null;
    return judge === null ? platformFetch(input, init) : outsideLibrary(() => gatedFetch(judge, input, init));
  },
});

async function gatedFetch(judge: JudgeClientUrl, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  if ((await judge(url)) !== 'allowed') throw new TypeError('The address gate refused this fetch');
  return platformFetch(input, { ...init, redirect: 'manual' });
}
