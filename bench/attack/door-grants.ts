import { formFields } from '#support/oauth-browser.ts';
import { letsIn } from './bearer.ts';
import {
  authorizePath,
  codeFields,
  codeOf,
  consentPage,
  newClient,
  tokenRequest,
  tokensIn,
  tokensOf,
} from './grant.ts';
import { newBrowser } from './rig.ts';
import type { Rig } from './rig.ts';
import type { Part, Try } from './try.ts';
import { Caller, send } from './wire.ts';

/** The rights of a client: codes, access and refresh tokens, and the consent behind them. */
export async function doorGrants(rig: Rig): Promise<Part> {
  return { name: 'codes, grants, consent', tries: await grants(rig) };
}

async function grants(rig: Rig): Promise<Try[]> {
  const { ana, bob } = rig;
  const first = await newClient(rig);
  const second = await newClient(rig);
  const tokens = await tokensOf(rig, ana.browser, first);
  const bad = (reply: { status: number; body: string }) =>
    reply.status === 200 && tokensIn({ ...reply, headers: {} }).access !== '' ? 'a token was given' : null;
  const exchange = async (changes: Record<string, string>) => {
    const code = await codeOf(rig, ana.browser, first);
    return bad(await tokenRequest(rig, { ...codeFields(rig, first, code), ...changes }));
  };
  const refresh = (changes: Record<string, string>) =>
    tokenRequest(rig, { grant_type: 'refresh_token', client_id: first.id, refresh_token: tokens.refresh, ...changes });
  return [
    { name: 'code: by another client', run: () => exchange({ client_id: second.id }) },
    { name: 'code: with another verifier', run: () => exchange({ code_verifier: 'w'.repeat(64) }) },
    { name: 'code: with an empty verifier', run: () => exchange({ code_verifier: '' }) },
    { name: 'code: for another address', run: () => exchange({ redirect_uri: 'https://evil.acme.dev/callback' }) },
    { name: 'code: for another resource', run: () => exchange({ resource: 'https://evil.acme.dev/mcp' }) },
    {
      name: 'code: a second time ends what the first gave',
      run: async () => {
        const code = await codeOf(rig, ana.browser, first);
        const fields = codeFields(rig, first, code);
        const given = tokensIn(await tokenRequest(rig, fields));
        const again = bad(await tokenRequest(rig, fields));
        if (again !== null) return again;
        return (await letsIn(rig.port, given.access)) ? 'the first token still works' : null;
      },
    },
    {
      name: 'code as a bearer',
      run: async () => ((await letsIn(rig.port, await codeOf(rig, ana.browser, first))) ? 'it gets in' : null),
    },
    {
      name: 'refresh token as a bearer',
      run: async () => ((await letsIn(rig.port, tokens.refresh)) ? 'it gets in' : null),
    },
    { name: 'access token as a refresh token', run: async () => bad(await refresh({ refresh_token: tokens.access })) },
    { name: 'refresh token by another client', run: async () => bad(await refresh({ client_id: second.id })) },
    {
      name: 'refresh with more permissions',
      run: async () => {
        const reply = await refresh({ scope: 'web:read browser:use browser:evaluate cache:purge' });
        const { access } = tokensIn(reply);
        if (access === '') return null;
        const list = await new Caller(rig.port, access).rpc('tools/list');
        return /browser_evaluate|cache_purge/.test(list.body) ? 'it has them' : null;
      },
    },
    {
      name: 'control: her refresh token works for its client',
      run: async () => {
        const fresh = await tokensOf(rig, ana.browser, first);
        return bad(await refresh({ refresh_token: fresh.refresh })) === null ? 'no token was given' : null;
      },
    },
    {
      name: 'a consent form of Ana, sent by Bob’s browser and by none',
      run: async () => {
        const page = await consentPage(rig, ana.browser, first);
        const fields = [...formFields(page.html, '/authorize'), ['decision', 'allow']] satisfies string[][];
        const pairs = fields.map(([name = '', value = '']): [string, string] => [name, value]);
        for (const browser of [bob.browser, newBrowser(rig.origin)]) {
          const visit = await browser.post('/authorize', pairs);
          if (visit.left !== null && visit.left.searchParams.has('code')) return 'a code was given';
        }
        return null;
      },
    },
    {
      name: 'a consent form from another site, and one without its token',
      run: async () => {
        for (const change of ['origin', 'token', 'site'] as const) {
          const page = await consentPage(rig, ana.browser, first);
          const pairs = formFields(page.html, '/authorize').filter(([name]) => change !== 'token' || name !== 'form');
          const headers: Record<string, string> =
            change === 'origin'
              ? { origin: 'https://evil.acme.dev' }
              : change === 'site'
                ? { 'sec-fetch-site': 'cross-site', origin: 'null' }
                : {};
          const visit = await ana.browser.post('/authorize', [...pairs, ['decision', 'allow']], headers);
          if (visit.left?.searchParams.has('code') === true) return `allowed with the wrong ${change}`;
        }
        return null;
      },
    },
    {
      name: 'permissions added to the consent form',
      run: async () => {
        const page = await consentPage(rig, bob.browser, first, 'web:read');
        const visit = await bob.browser.submit(page, '/authorize', {
          decision: 'allow',
          scope: ['web:read', 'cache:purge', 'browser:evaluate'],
        });
        const code = visit.left?.searchParams.get('code') ?? '';
        const { access } = tokensIn(await tokenRequest(rig, codeFields(rig, first, code)));
        const list = await new Caller(rig.port, access).rpc('tools/list');
        return list.body.includes('cache_purge') ? 'cache_purge was given' : null;
      },
    },
    {
      name: 'cache:purge asked for by a client of somebody who is no owner',
      run: async () => {
        const { access } = await tokensOf(rig, bob.browser, first, 'web:read cache:purge');
        return (await new Caller(rig.port, access).rpc('tools/list')).body.includes('cache_purge') ? 'given' : null;
      },
    },
    {
      name: 'a consent form read by a frame or a client’s page',
      run: async () => {
        const { headers } = await consentPage(rig, ana.browser, first);
        const policy = headers.get('content-security-policy') ?? '';
        return policy.includes("frame-ancestors 'none'") ? null : 'it can be framed';
      },
    },
    {
      name: 'consent left out for a session that is not signed in',
      run: async () => {
        for (const more of [{ prompt: 'none' }, { auto: '1' }, { decision: 'allow' }]) {
          const reply = await send(rig.port, { path: authorizePath(rig, first, more) });
          if (String(reply.headers['location'] ?? '').includes('code=')) return 'a code was given';
        }
        return null;
      },
    },
  ];
}
