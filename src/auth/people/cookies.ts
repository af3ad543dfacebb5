import { SECOND_MS } from '#core/limits.ts';

/**
 * Cookies of the sign-in pages: host-only, HttpOnly, SameSite=Lax. On https their names begin with `__Host-`, so that
 * no other host of the domain can set them. On http, browsers drop such cookies (Safari even on localhost), so the
 * names are plain and contain the port, because ports share cookies.
 */
export type CookieJar = {
  read: (request: Request, name: string) => string | null;
  /** Builds a `Set-Cookie` value. @param maxAgeMs lifetime in the browser; 0 deletes the cookie */
  write: (name: string, value: string, maxAgeMs: number) => string;
  /** On http, adapts the OAuth library's `Set-Cookie` values: renames `__Host-` cookies and drops `Secure`. */
  outgoing: (setCookie: string) => string;
  /** Reverses `outgoing`: a copy of the request, without body, with the cookie names that the library expects. */
  incoming: (request: Request) => Request;
};

const LIBRARY_PREFIX = '__Host-oauth-';

/** @param origin the public origin, because a request behind a proxy may arrive with another origin */
export function cookieJar(origin: string): CookieJar {
  const { protocol, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const fullName = (name: string) => (isSecure ? `__Host-periscope-${name}` : `periscope-${port}-${name}`);
  const plainLibraryPrefix = `periscope-${port}-oauth-`;
  return {
    read: (request, name) => cookies(request).find(([given]) => given === fullName(name))?.[1] ?? null,
    write: (name, value, maxAgeMs) =>
      [
        `${fullName(name)}=${value}`,
        'Path=/',
        `Max-Age=${Math.round(maxAgeMs / SECOND_MS)}`,
        'HttpOnly',
        'SameSite=Lax',
        ...(isSecure ? ['Secure'] : []),
      ].join('; '),
    outgoing: (setCookie) =>
      isSecure ? setCookie : setCookie.replace(LIBRARY_PREFIX, plainLibraryPrefix).replace(/;\s*Secure(?=;|$)/i, ''),
    incoming: (request) => {
      if (isSecure) return request;
      const renamed = cookies(request).map(([name, value]) =>
        name.startsWith(plainLibraryPrefix)
          ? `${LIBRARY_PREFIX}${name.slice(plainLibraryPrefix.length)}=${value}`
          : `${name}=${value}`,
      );
      const headers = new Headers(request.headers);
      headers.set('cookie', renamed.join('; '));
      return new Request(request.url, { headers });
    },
  };
}

function cookies(request: Request): [string, string][] {
  return (request.headers.get('cookie') ?? '').split(';').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

const encoder = new TextEncoder();

/** Compares digests of secrets, so that the timing does not reveal where the secrets differ. */
export async function isSameSecret(given: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all([digest(given), digest(expected)]);
  return crypto.subtle.timingSafeEqual(a, b);
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', encoder.encode(text));
}
