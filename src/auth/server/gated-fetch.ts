import { AsyncLocalStorage } from 'node:async_hooks';

const libraryAtWork = new AsyncLocalStorage<JudgeClientUrl | null>();
const platformFetch = globalThis.fetch.bind(globalThis);

/**
 * Runs the OAuth library so that everything it fetches (a client's metadata document and the keys that it names) passes
 * the address gate first. Redirects are not followed: they are forbidden
 * (draft-ietf-oauth-client-id-metadata-document-02 §5) and would bypass the gate.
 */
export function runWithFetchGate<T>(judge: JudgeClientUrl, work: () => T): T {
  return libraryAtWork.run(judge, work);
}

/**
 * Runs this project's own handlers, which the library calls, with plain fetch, because these handlers have their own
 * gates.
 */
export function runWithoutFetchGate<T>(work: () => T): T {
  return libraryAtWork.run(null, work);
}

// Replaces the global `fetch`, because the library always calls it and follows redirects.
Object.defineProperty(globalThis, 'fetch', {
  configurable: true,
  writable: true,
  value: (input: RequestInfo | URL, init?: RequestInit) => {
    const judge = libraryAtWork.getStore() ?? null;
    return judge === null ? platformFetch(input, init) : runWithoutFetchGate(() => gatedFetch(judge, input, init));
  },
});

async function gatedFetch(judge: JudgeClientUrl, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  if ((await judge(url)) !== 'allowed') throw new TypeError('The address gate refused this fetch');
  return platformFetch(input, { ...init, redirect: 'manual' });
}

/** Decides whether the library may fetch a client's metadata from this URL. `unreachable`: the DNS lookup failed. */
export type JudgeClientUrl = (url: string) => Promise<'allowed' | 'refused' | 'unreachable'>;

/** True for a client ID that is the URL of the client's metadata document (CIMD), not an ID from a registration. */
export function isClientMetadataUrl(clientId: string): boolean {
  return /^https?:/i.test(clientId);
}
