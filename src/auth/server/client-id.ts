/** Whether what describes a client may be fetched from this URL. `unreachable`: its host could not be looked up. */
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
export function claimedClientId(form: URLSearchParams, authorization: string | null): string | null {
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
