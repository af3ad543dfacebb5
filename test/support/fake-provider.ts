/**
 * An OpenID Connect provider with fresh keys and real signatures. It is honest unless a test asks it to do something
 * wrong. It is a function of requests, so it replaces the network in workerd and runs behind a port in Node.
 */

type Claims = Record<string, unknown>;
type Header = Record<string, unknown>;

/** Parameters of one sign-in, stored until the code is redeemed. */
type Asked = { nonce: string; challenge: string; redirectUri: string; clientId: string; claims: Claims };

/** Ways in which the provider misbehaves. */
export type Wrongs = {
  metadata?: Record<string, unknown>;
  /** Claims that replace the correct ones. */
  claims?: Claims;
  header?: Header;
  /** The token's signature: none, with the public key as an HMAC secret, or with an unpublished key. */
  signature?: 'none' | 'hmac' | 'unpublished';
  /** Replacement answers of endpoints, by path. */
  answers?: Record<string, (request: Request) => Response | Promise<Response>>;
};

export type FakeProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  wrongs: Wrongs;
  /** Number of requests for each path. */
  asked: Map<string, number>;
  fetch: (
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string | null },
  ) => Promise<Response>;
  /** Plays the user at the provider. @returns where the browser is redirected to */
  authorize: (url: URL, person: Claims) => URL;
  /** Publishes new keys under a new id, and withdraws the old ones. */
  rotateKeys: () => Promise<void>;
};

const ALGORITHMS = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
  PS256: {
    name: 'RSA-PSS',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    saltLength: 32,
  },
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  EdDSA: { name: 'Ed25519' },
} as const;
export type Algorithm = keyof typeof ALGORITHMS;
export const SIGNING_ALGORITHMS: readonly Algorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];

type Keys = { id: string; pair: CryptoKeyPair; jwk: Record<string, unknown> };

export async function fakeProvider(issuer: string, algorithm: Algorithm = 'ES256'): Promise<FakeProvider> {
  const base = issuer.replace(/\/$/, '');
  let keys = await makeKeys(algorithm);
  const codes = new Map<string, Asked>();
  const tokens = new Map<string, Claims>();

  const endpoints: Record<string, (request: Request) => Response | Promise<Response>> = {
    '/.well-known/openid-configuration': () =>
      Response.json({
        issuer,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/keys`,
        userinfo_endpoint: `${base}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [algorithm],
        authorization_response_iss_parameter_supported: true,
        ...provider.wrongs.metadata,
      }),
    '/keys': () => Response.json({ keys: [keys.jwk] }),
    '/token': async (request) => {
      const form = new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));
      const asked = codes.get(form.get('code') ?? '');
      if (secretOf(request, form) !== `${provider.clientId}:${provider.clientSecret}`)
        return error('invalid_client', 401);
      if (asked === undefined || form.get('redirect_uri') !== asked.redirectUri) return error('invalid_grant', 400);
      if ((await s256(form.get('code_verifier') ?? '')) !== asked.challenge) return error('invalid_grant', 400);
      codes.delete(form.get('code') ?? '');
      const accessToken = crypto.randomUUID();
      tokens.set(accessToken, asked.claims);
      const idToken = await makeIdToken(asked);
      return Response.json({ access_token: accessToken, token_type: 'Bearer', expires_in: 60, id_token: idToken });
    },
    '/userinfo': (request) => {
      const claims = tokens.get(request.headers.get('authorization')?.replace('Bearer ', '') ?? '');
      return claims === undefined ? error('invalid_token', 401) : Response.json(claims);
    },
  };

  async function makeIdToken({ nonce, clientId, claims }: Asked): Promise<string> {
    const { wrongs } = provider;
    const now = Math.floor(Date.now() / 1000);
    const { hidden, ...shown } = claims;
    const payload = { iss: issuer, aud: clientId, iat: now, exp: now + 300, nonce, ...shown, ...wrongs.claims };
    for (const name of Array.isArray(hidden) ? hidden : []) Reflect.deleteProperty(payload, name);
    const named = { none: { alg: 'none' }, hmac: { alg: 'HS256', kid: keys.id } };
    const { signature: kind } = wrongs;
    const header = {
      ...(kind === 'none' || kind === 'hmac' ? named[kind] : { alg: algorithm, kid: keys.id }),
      ...wrongs.header,
    };
    const signed = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(payload))}`;
    return `${signed}.${encode(await signatureOf(signed, kind))}`;
  }

  async function signatureOf(text: string, kind: Wrongs['signature']): Promise<Uint8Array> {
    const bytes = new TextEncoder().encode(text);
    if (kind === 'none') return new Uint8Array();
    if (kind === 'hmac') {
      const publicKey = new TextEncoder().encode(JSON.stringify(keys.jwk));
      const secret = await crypto.subtle.importKey('raw', publicKey, { name: 'HMAC', hash: 'SHA-256' }, false, [
        'sign',
      ]);
      return new Uint8Array(await crypto.subtle.sign('HMAC', secret, bytes));
    }
    const { pair } = kind === 'unpublished' ? await makeKeys(algorithm) : keys;
    return new Uint8Array(await crypto.subtle.sign(ALGORITHMS[algorithm], pair.privateKey, bytes));
  }

  const provider: FakeProvider = {
    issuer,
    clientId: 'periscope-at-the-provider',
    clientSecret: 'a-secret-for-tests',
    wrongs: {},
    asked: new Map(),
    fetch: async (url, init) => {
      const pathname = url.startsWith(`${base}/`) ? url.slice(base.length) : url;
      provider.asked.set(pathname, (provider.asked.get(pathname) ?? 0) + 1);
      const answer = provider.wrongs.answers?.[pathname] ?? endpoints[pathname];
      return answer === undefined ? new Response('not here', { status: 404 }) : answer(new Request(url, init));
    },
    authorize: (url, person) => {
      const at = (name: string) => url.searchParams.get(name) ?? '';
      const code = crypto.randomUUID();
      const redirectUri = at('redirect_uri');
      codes.set(code, {
        nonce: at('nonce'),
        challenge: at('code_challenge'),
        redirectUri,
        clientId: at('client_id'),
        claims: person,
      });
      const back = new URL(redirectUri);
      back.search = new URLSearchParams({ code, state: at('state'), iss: issuer }).toString();
      return back;
    },
    rotateKeys: async () => {
      keys = await makeKeys(algorithm);
    },
  };
  return provider;
}

/** Client id and secret, from the header or the body (RFC 6749 §2.3.1). */
function secretOf(request: Request, form: URLSearchParams): string {
  const basic = request.headers.get('authorization')?.replace('Basic ', '');
  if (basic === undefined) return `${form.get('client_id')}:${form.get('client_secret')}`;
  return atob(basic).split(':').map(decodeURIComponent).join(':');
}

async function makeKeys(algorithm: Algorithm): Promise<Keys> {
  const id = crypto.randomUUID();
  const pair = (await crypto.subtle.generateKey(ALGORITHMS[algorithm], true, ['sign', 'verify'])) as CryptoKeyPair;
  const exported = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const { kty, n, e, crv, x, y } = exported as unknown as Record<string, unknown>;
  return { id, pair, jwk: { kty, n, e, crv, x, y, kid: id, use: 'sig', alg: algorithm } };
}

function error(code: string, status: number): Response {
  return Response.json({ error: code, error_description: 'UNCONTROLLED <b>text</b> of the provider' }, { status });
}

async function s256(text: string): Promise<string> {
  return encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

function encode(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
