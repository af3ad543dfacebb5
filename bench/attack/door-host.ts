import { formFields, pageOf } from '#support/oauth-browser.ts';
import { authorizePath, newClient, register } from './grant.ts';
import { newBrowser, SIGN_IN_KEY } from './rig.ts';
import type { Rig } from './rig.ts';
import type { Part, Try } from './try.ts';
import { send } from './wire.ts';
import type { Reply } from './wire.ts';

/** Host and Origin, headers of proxies, paths of the platform, registration, and guesses at the passphrase. */
export async function doorHost(rig: Rig): Promise<Part> {
  return {
    name: 'host, headers, registration',
    tries: [...hosts(rig), ...platformPaths(rig), ...redirects(rig), ...registrations(rig), lockOut(rig)],
  };
}

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

function mcp(rig: Rig, headers: Record<string, string>, path = '/mcp'): Promise<Reply> {
  return send(rig.port, {
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${rig.server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    body: LIST,
  });
}

function hosts(rig: Rig): Try[] {
  const { port } = rig;
  const strange = [
    `evil.acme.dev`,
    `evil.acme.dev:${port}`,
    `localhost.evil.acme.dev:${port}`,
    `localhost@evil.acme.dev`,
    `127.0.0.1.nip.io:${port}`,
    `127.0.0.1.evil.acme.dev`,
    `localhost.:${port}`,
    `0.0.0.0:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `2130706433.evil.acme.dev`,
    `periscope.internal`,
  ];
  const claims: Record<string, string>[] = [
    { 'mf-original-url': `http://localhost:${port}/mcp` },
    { 'mf-original-url': `http://127.0.0.1/mcp` },
    { 'x-forwarded-host': `localhost:${port}` },
    { forwarded: `host=localhost:${port};proto=http;for=127.0.0.1` },
    { 'x-original-host': 'localhost', 'x-host': 'localhost' },
    { 'x-original-url': `http://localhost:${port}/mcp`, 'x-rewrite-url': '/mcp' },
    { 'mf-original-hostname': 'localhost', 'mf-custom-service': 'x' },
    { 'cf-connecting-ip': '127.0.0.1', 'x-real-ip': '127.0.0.1', 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost' },
  ];
  const passes = (reply: Reply) => (reply.body.includes('"tools"') ? `HTTP ${reply.status} with the tools` : null);
  return [
    {
      name: 'control: with its own host it answers',
      run: async () => (passes(await mcp(rig, {})) === null ? 'it does not' : null),
    },
    ...strange.map((host) => ({
      name: `Host: ${host.replace(String(port), 'PORT')}`,
      run: async () => passes(await mcp(rig, { host })),
    })),
    ...claims.map((headers) => ({
      name: `a strange Host beside ${Object.keys(headers).join(', ')}`,
      run: async () => passes(await mcp(rig, { host: 'evil.acme.dev', ...headers })),
    })),
    ...[
      'https://evil.acme.dev',
      'null',
      'http://localhost.evil.acme.dev',
      'file://',
      'chrome-extension://abc',
      'http://localhost:x',
    ].map((origin) => ({ name: `Origin: ${origin}`, run: async () => passes(await mcp(rig, { origin })) })),
    {
      name: 'MF-Original-URL makes the server name another issuer',
      run: async () => {
        for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server']) {
          for (const claim of ['https://evil.acme.dev', 'http://localhost:1']) {
            const reply = await send(port, {
              path,
              headers: { 'mf-original-url': claim + path, 'x-forwarded-host': new URL(claim).host },
            });
            if (reply.body.includes(claim)) return `${path} names ${claim}`;
          }
        }
        return null;
      },
    },
  ];
}

/** Routes of the local platform, which must not be reachable for clients. */
function platformPaths(rig: Rig): Try[] {
  const paths = [
    '/cdn-cgi/handler/scheduled',
    '/cdn-cgi/handler/scheduled?cron=17+*+*+*+*',
    '/cdn-cgi/mf/scheduled',
    '/cdn-cgi/handler/email',
    '/cdn-cgi/handler/queue',
    '/cdn-cgi/mf/reload',
    '/cdn-cgi/mf/stream',
    '/cdn-cgi/local/stream',
    '/cdn-cgi/explorer',
    '/cdn-cgi/explorer/api/d1/database',
    '/cdn-cgi/platform-proxy',
    '/cdn-cgi/ProxyWorker/play',
    '/cdn-cgi/images',
    '/CDN-CGI/handler/scheduled',
    '/cdn-cgi//handler/scheduled',
    '/cdn-cgi/handler/scheduled/',
    '/%63dn-cgi/handler/scheduled',
    '/x/../cdn-cgi/handler/scheduled',
    '/__scheduled',
    '/core/platform-proxy',
  ];
  return paths.flatMap((path) =>
    (['GET', 'POST'] as const).map((method) => ({
      name: `${method} ${path}`,
      run: async () => {
        const before = sweeps(rig);
        const { status, body } = await send(rig.port, { method, path });
        if (status < 400) return `HTTP ${status}: ${body.slice(0, 40)}`;
        if (!/<!doctype|"error"|not found|does not|^$/i.test(body)) return `the platform answers: ${body.slice(0, 60)}`;
        return sweeps(rig) > before ? 'the hourly job ran' : null;
      },
    })),
  );
}

function sweeps({ server }: Rig): number {
  return server.output().split('"cache_swept"').length;
}

/** Our addresses must not redirect users to another site before they have seen a page. */
function redirects(rig: Rig): Try[] {
  const wrongs: Record<string, Record<string, string | null>> = {
    'response_type=token': { response_type: 'token' },
    'response_type=id_token': { response_type: 'id_token' },
    'no response_type': { response_type: null },
    'no PKCE': { code_challenge: null, code_challenge_method: null },
    'PKCE plain': { code_challenge_method: 'plain' },
    'another resource': { resource: 'https://evil.acme.dev/mcp' },
    'an unknown permission': { scope: 'everything' },
    'prompt=none': { prompt: 'none' },
    'a request object': { request: 'eyJ.x.y' },
    'response_mode=fragment': { response_mode: 'fragment', response_type: 'token' },
  };
  return Object.entries(wrongs).map(([name, changes]) => ({
    name: `/authorize with ${name} sends nobody away`,
    run: async () => {
      const client = await newClient(rig);
      const reply = await send(rig.port, { path: authorizePath(rig, client, changes) });
      const to = String(reply.headers['location'] ?? '');
      return to.startsWith('http') && !to.startsWith(rig.origin) ? `HTTP ${reply.status} to ${new URL(to).host}` : null;
    },
  }));
}

function registrations(rig: Rig): Try[] {
  const refused: Record<string, unknown> = {
    'a name of 875 kB': { client_name: 'n'.repeat(875_000) },
    'a name of 17 kB': { client_name: 'n'.repeat(17_000) },
    '3,000 addresses': {
      redirect_uris: Array.from({ length: 3_000 }, (_, index) => `https://client.acme.dev/${index}`),
    },
    'unknown fields of 100 kB': { notes: 'n'.repeat(100_000) },
    'javascript: as its address': { redirect_uris: ['javascript:alert(1)'] },
    'data: as its address': { redirect_uris: ['data:text/html,x'] },
    'plain http elsewhere': { redirect_uris: ['http://client.acme.dev/'] },
    'an address with a fragment': { redirect_uris: ['https://client.acme.dev/#x'] },
    'no address': { redirect_uris: [] },
    'an address that is no text': { redirect_uris: [{}] },
    null: null,
    'a list': [],
    'a number': 7,
  };
  return [
    ...Object.entries(refused).map(([name, metadata]) => ({
      name: `/register: ${name}`,
      run: async () => {
        const { status, body } = await register(rig, metadata);
        if (status >= 500) return `HTTP ${status}`;
        return status < 300 ? `accepted: ${body.slice(0, 60)}` : null;
      },
    })),
    {
      name: '/register: no JSON, no type, chunked rubbish',
      run: async () => {
        for (const [type, body] of [
          ['application/json', '{'],
          ['application/json', `{"jwks":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
          ['text/plain', '{}'],
          ['application/json', ''],
          ['application/json', '\u0000'.repeat(70_000)],
        ] as const) {
          const { status } = await send(rig.port, {
            method: 'POST',
            path: '/register',
            headers: { 'content-type': type },
            body,
          });
          if (status < 400 || status >= 500) return `HTTP ${status} to ${type}`;
        }
        return null;
      },
    },
    {
      name: '/token, /revoke, /sign-in, /authorize: bodies of 2 MB and odd ones',
      run: async () => {
        for (const path of ['/token', '/revoke', '/sign-in', '/authorize', '/console/tokens', '/sign-in/upstream']) {
          for (const [type, body] of [
            ['application/x-www-form-urlencoded', `form=${'x'.repeat(2_000_000)}`],
            ['application/x-www-form-urlencoded', '%'.repeat(1_000)],
            ['multipart/form-data; boundary=x', '--x\r\nrubbish'],
            ['application/json', '{"form":1}'],
            ['', 'a=b'],
          ] as const) {
            const { status } = await send(rig.port, {
              method: 'POST',
              path,
              headers: { 'content-type': type, origin: rig.origin },
              body,
            });
            if (status >= 500 || status < 300)
              return `HTTP ${status} from ${path} to ${type || 'no type'}, ${body.length} bytes`;
          }
        }
        return null;
      },
    },
  ];
}

const GUESSES = 130;
/** Most guesses of strangers that may be checked: the limit in a row, and those that become free meanwhile. */
const LOOKED_AT_MAX = 105;

function lockOut(rig: Rig): Try {
  return {
    name: 'wrong passphrases from made-up addresses do not keep the owner’s new browser out',
    run: async () => {
      const guesser = newBrowser(rig.origin);
      const page = pageOf(await guesser.get(`${rig.origin}/sign-in`));
      const form = formFields(page.html, '/sign-in').find(([name]) => name === 'form')?.[1] ?? '';
      let looked = 0;
      for (let index = 0; index < GUESSES; index += 1) {
        const headers = { 'cf-connecting-ip': `203.0.${index}.${index % 250}`, 'x-forwarded-for': `203.0.${index}.1` };
        const fields: [string, string][] = [
          ['form', form],
          ['next', '/'],
          ['passphrase', `wrong guess ${index}`],
        ];
        const visit = await guesser.post('/sign-in', fields, headers);
        if (visit.page?.status === 401) looked += 1;
      }
      if (looked > LOOKED_AT_MAX) return `${looked} of ${GUESSES} guesses were looked at`;
      const owner = newBrowser(rig.origin);
      const opened = pageOf(await owner.get(`${rig.origin}/sign-in?key=${SIGN_IN_KEY}`));
      const visit = await owner.submit(opened, '/sign-in', { passphrase: rig.passphrase });
      return visit.page?.status === 200 ? null : `the owner is kept out after ${looked} guesses`;
    },
  };
}
