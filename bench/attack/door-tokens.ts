import { formFields, pageOf, textOf as wordsOf } from '#support/oauth-browser.ts';
import type { Browser } from '#support/oauth-browser.ts';
import { letsIn } from './bearer.ts';
import { makeToken, newBrowser, signedInAsOwner } from './rig.ts';
import type { Rig } from './rig.ts';
import type { Part, Try } from './try.ts';
import { Caller, send } from './wire.ts';

/** Tokens, sessions and forms: forged, stolen, revoked, or used for another purpose than theirs. */
export async function doorTokens(rig: Rig): Promise<Part> {
  return {
    name: 'tokens, sessions, forms',
    tries: [control(rig), ...bearers(rig), ...cookies(rig), ...forms(rig)],
  };
}

function control(rig: Rig): Try {
  return {
    name: 'control: the tokens of the owner and of Ana work',
    run: async () => {
      const all = await Promise.all(
        [rig.local, rig.owner.caller, rig.ana.caller].map(({ token }) => letsIn(rig.port, token)),
      );
      return all.every(Boolean) ? null : 'one of them does not';
    },
  };
}

function bearers(rig: Rig): Try[] {
  const real = rig.ana.caller.token;
  const local = rig.server.token;
  const flipped = `${real.slice(0, -1)}${real.endsWith('A') ? 'B' : 'A'}`;
  const jwt = (header: unknown, payload: unknown) =>
    `${[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
  const forged: Record<string, string> = {
    'another last character': flipped,
    'a prefix of a token': real.slice(0, 30),
    'a token with more behind it': `${real}x`,
    'a token in capitals': real.toUpperCase(),
    'a made-up token': `psc_${'A'.repeat(43)}`,
    'a hash of a token': `psc_${'0'.repeat(64)}`,
    'an unsigned JWT': jwt({ alg: 'none' }, { sub: 'owner', aud: `${rig.origin}/mcp` }),
    'a wildcard': 'psc_%',
    SQL: "psc_' OR 1=1 --",
    nothing: '',
    'the local token without its end': local.slice(0, -1),
    'the local token twice': `${local},${local}`,
    'a token of 100 kB': 'a'.repeat(12_000),
    'a grant-like token': `u_${'a'.repeat(20)}:${'b'.repeat(16)}:${'c'.repeat(32)}`,
  };
  return [
    ...Object.entries(forged).map(([name, token]) => ({
      name: `bearer: ${name}`,
      run: async () => ((await letsIn(rig.port, token)) ? 'it gets in' : null),
    })),
    {
      name: 'a token in the query, a cookie, a form, or another scheme',
      run: async () => {
        for (const path of [`/mcp?access_token=${real}`, `/mcp?token=${local}`, `/mcp?authorization=Bearer%20${real}`])
          if (await letsIn(rig.port, '', {}, path)) return path.split('=')[0] ?? path;
        for (const headers of [
          { authorization: `Basic ${Buffer.from(`x:${real}`).toString('base64')}` },
          { authorization: '', cookie: `access_token=${real}` },
          { authorization: '', 'x-api-key': real },
          { authorization: `token ${real}` },
        ])
          if (await letsIn(rig.port, '', headers)) return Object.keys(headers).join();
        return null;
      },
    },
    {
      name: 'a revoked token, and one of another that one revokes',
      run: async () => {
        const { bob, ana, origin } = rig;
        const made = await makeToken(bob.browser, origin, 'to be revoked', ['web:read']);
        const page = pageOf(await bob.browser.get(`${origin}/console/tokens`));
        if (!/t_[\w-]{12}/.test(page.html)) return 'no ids on the page';
        const form = formField(page.html, '/console/tokens');
        const anas = pageOf(await ana.browser.get(`${origin}/console/tokens`)).html;
        for (const id of anas.match(/t_[\w-]{12}/g) ?? [])
          await bob.browser.post('/console/tokens/revoke', [
            ['form', form],
            ['id', id],
          ]);
        if (!(await letsIn(rig.port, ana.caller.token))) return 'Bob ended Ana’s token';
        const named = /to be revoked[\s\S]*?(t_[\w-]{12})/.exec(page.html)?.[1] ?? '';
        await bob.browser.post('/console/tokens/revoke', [
          ['form', form],
          ['id', named],
        ]);
        return (await letsIn(rig.port, made)) ? 'it still works' : null;
      },
    },
    {
      name: 'the tokens page shows only one’s own',
      run: async () => {
        await makeToken(rig.ana.browser, rig.origin, 'anas-agent-name', ['web:read']);
        for (const who of [rig.bob, rig.owner]) {
          const { html } = pageOf(await who.browser.get(`${rig.origin}/console/tokens`));
          if (html.includes('anas-agent-name')) return `${who.name} sees it`;
        }
        return null;
      },
    },
    {
      name: 'cache:purge in the form of somebody who is no owner',
      run: async () => {
        const token = await makeToken(rig.bob.browser, rig.origin, 'wants more', ['web:read', 'cache:purge']).catch(
          () => '',
        );
        if (token === '') return null;
        const answer = await new Caller(rig.port, token).call('cache_purge', { keep_newest: 0 });
        return answer.isRefused ? null : 'the token can purge';
      },
    },
  ];
}

function cookies(rig: Rig): Try[] {
  const { origin, port } = rig;
  const names = (browser: Browser) => [...browser.cookies.keys()];
  const isIn = async (browser: Browser) =>
    !pageOf(await browser.get(`${origin}/console/tokens`)).html.includes('action="/sign-in');
  const withCookies = (entries: readonly (readonly [string, string])[]) => {
    const made = newBrowser(origin);
    for (const [name, value] of entries) made.cookies.set(name, value);
    return made;
  };
  return [
    {
      name: 'a session cookie with another payload, another seal, or none',
      run: async () => {
        const name = names(rig.bob.browser).find((one) => one.endsWith('session')) ?? '';
        const value = rig.bob.browser.cookies.get(name) ?? '';
        const [payload = '', mac = ''] = value.split('.');
        if (!(await isIn(withCookies([[name, value]])))) return 'the real one does not work: nothing is shown by this';
        const text = Buffer.from(payload, 'base64url').toString();
        const other = Buffer.from(text.replace(/"subject":"[^"]*"/, '"subject":"owner"')).toString('base64url');
        for (const forged of [
          `${other}.${mac}`,
          `${payload}.`,
          payload,
          `${payload}.${'A'.repeat(43)}`,
          `${payload}.${mac}.x`,
          `${payload}=.${mac}`,
        ])
          if (await isIn(withCookies([[name, forged]]))) return 'a forged one works';
        return null;
      },
    },
    {
      name: 'a cookie of one purpose used for another',
      run: async () => {
        const browser = await signedInAsOwner(origin);
        const all = [...browser.cookies];
        const session = all.find(([name]) => name.endsWith('session'))?.[0] ?? '';
        for (const [name, value] of all.filter(([one]) => one !== session))
          if (await isIn(withCookies([[session, value]]))) return `the cookie ${name} signs in`;
        return null;
      },
    },
    {
      name: 'pages of the owner, for others',
      run: async () => {
        for (const browser of [rig.bob.browser, newBrowser(origin)]) {
          for (const path of ['/console/health', '/console']) {
            const visit = await browser.get(origin + path);
            if (visit.page !== null && visit.page.status === 200 && /D1|KV|Durable/.test(wordsOf(visit.page.html)))
              return path;
          }
        }
        return null;
      },
    },
    {
      name: 'GET of what changes things',
      run: async () => {
        for (const path of ['/sign-out', '/console/tokens/revoke', '/sign-in/upstream', '/revoke', '/token']) {
          const reply = await send(port, { path });
          if (reply.status === 200) return path;
        }
        return null;
      },
    },
  ];
}

/** Marks of a form from elsewhere: another site, a page without an origin, another port of this machine. */
const ELSEWHERE: readonly Record<string, string>[] = [
  { origin: 'https://evil.acme.dev' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
  { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'cross-site' },
  { origin: 'https://claude.ai', 'sec-fetch-site': 'cross-site' },
];

function forms({ ana, bob, origin }: Rig): Try[] {
  const fields: [string, string][] = [
    ['name', 'x'],
    ['days', '7'],
    ['scope', 'web:read'],
  ];
  const made = async (form: string, headers: Record<string, string> = {}) => {
    const visit = await ana.browser.post('/console/tokens', [['form', form], ...fields], headers);
    return visit.page?.html.includes('psc_') === true ? 'a token was made' : null;
  };
  const formOf = async (browser: Browser) =>
    formField(pageOf(await browser.get(`${origin}/console/tokens`)).html, '/console/tokens');
  return [
    { name: 'a token form without its token', run: () => made('') },
    { name: 'a token form with that of another browser', run: async () => made(await formOf(bob.browser)) },
    ...ELSEWHERE.map((headers) => ({
      name: `a token form from ${headers['origin']}`,
      run: async () => made(await formOf(ana.browser), headers),
    })),
    {
      name: 'a form token planted by another port of this machine, which shares its cookies',
      run: async () => {
        const [name = '', planted = ''] = [...bob.browser.cookies].find(([one]) => one.endsWith('form')) ?? [];
        const own = ana.browser.cookies.get(name) ?? '';
        ana.browser.cookies.set(name, planted);
        const visit = await ana.browser.post('/console/tokens', [['form', await formOf(bob.browser)], ...fields], {
          origin: 'http://localhost:3000',
          'sec-fetch-site': 'same-site',
        });
        ana.browser.cookies.set(name, own);
        return visit.page?.html.includes('psc_') === true ? 'a token was made' : null;
      },
    },
  ];
}

function formField(html: string, action: string): string {
  return formFields(html, action).find(([name]) => name === 'form')?.[1] ?? '';
}
