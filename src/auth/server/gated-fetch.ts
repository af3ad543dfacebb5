import { AsyncLocalStorage } from 'node:async_hooks';

/** Set while the OAuth library works. */
const libraryAtWork = new AsyncLocalStorage<JudgeClientUrl | null>();
const platformFetch = globalThis.fetch.bind(globalThis);

/**
 * Runs the OAuth library so that whatever it fetches (the metadata document of a client, the keys it names) passes the
 * address gate first. Redirects are not followed: that is forbidden (draft-ietf-oauth-client-id-metadata-document-02
 * §5), and would lead past the gate.
 */
export function runWithGatedFetch<T>(judge: JudgeClientUrl, work: () => T): T {
  return libraryAtWork.run(judge, work);
}

/** Runs our own code that the library calls: it has gates of its own. */
export function runWithPlainFetch<T>(work: () => T): T {
  return libraryAtWork.run(null, work);
}

// The library calls the global `fetch`, takes no other, and follows redirects.
Object.defineProperty(globalThis, 'fetch', {
  configurable: true,
  writable: true,
  value: (input: RequestInfo | URL, init?: RequestInit) => {
    const judge = libraryAtWork.getStore() ?? null;
    return judge === null ? platformFetch(input, init) : runWithPlainFetch(() => gatedFetch(judge, input, init));
  },
});

async function gatedFetch(judge: JudgeClientUrl, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  if ((await judge(url)) !== 'allowed') throw new TypeError('The address gate refused this fetch');
  return platformFetch(input, { ...init, redirect: 'manual' });
}

/** Whether a client's metadata may be fetched from this URL. `unreachable`: its host could not be looked up. */
export type JudgeClientUrl = (url: string) => Promise<'allowed' | 'refused' | 'unreachable'>;

/** A client id that is the address of the client's metadata document (CIMD), as opposed to one we gave out. */
export function isDocumentUrl(clientId: string): boolean {
  return /^https?:/i.test(clientId);
}

/**
 * The metadata document that a token or revocation request would make us fetch: its client id, if that is a URL,
 * wherever the request has it. It is not verified.
 * @param authorization the header
 */
export function clientDocumentUrl(form: URLSearchParams, authorization: string | null): string | null {
  const candidates = [...form.getAll('client_id'), basicUser(authorization), issuerOf(form.get('client_assertion'))];
  return candidates.find((id) => id !== null && isDocumentUrl(id)) ?? null;
}

/** RFC 6749 §2.3.1: the client id is form-encoded inside HTTP Basic. */
function basicUser(authorization: string | null): string | null {
  const encoded = /^basic\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent((atob(encoded).split(':')[0] ?? '').replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** `iss` of a signed client assertion (RFC 7523 §3). */
function issuerOf(assertion: string | null): string | null {
  const payload = assertion?.split('.')[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const issuer: unknown = typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'iss') : null;
    return typeof issuer === 'string' ? issuer : null;
  } catch {
    return null;
  }
}
