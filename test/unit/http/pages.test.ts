import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { Site } from '#web/answers.ts';
import { pages } from '#web/public/pages.tsx';

async function site(
  origin: string,
  more = new Hono<Site>(),
  reported: unknown[] = [],
  webSearch: string | null = null,
) {
  const app = await pages({
    origin,
    mcpUrl: `${origin}/mcp`,
    webSearch,
    more: [more],
    reportUnexpected: (error) => void reported.push(error),
  });
  return (path: string, init?: RequestInit) => app.request(origin + path, init);
}

describe('the start page', () => {
  it('has the connector URL ready to paste for every kind of client, and no script', async () => {
    const get = await site('https://periscope.acme.dev');
    const html = await (await get('/')).text();
    for (const heading of ['Claude', 'ChatGPT', 'Claude Code', 'VS Code', 'Cursor', 'Any other client']) {
      expect(html).toContain(`<h2>${heading}</h2>`);
    }
    expect(html).toContain('<code>https://periscope.acme.dev/mcp</code>');
    expect(html).toContain('claude mcp add --transport http periscope https://periscope.acme.dev/mcp</code>');
    expect(html).toContain('<html lang="en">');
    expect(html).not.toMatch(/<script|\son\w+=/iu);
  });

  it('says whether a search covers the web, and through whom', async () => {
    const origin = 'https://periscope.acme.dev';
    expect(await (await (await site(origin))('/')).text()).toContain(
      'The web, once this server has a search provider.',
    );
    const searching = await site(origin, new Hono<Site>(), [], 'the web, through Brave');
    expect(await (await searching('/')).text()).toContain('The web, through Brave;');
  });

  it('says, on a laptop only, that hosts in the cloud cannot reach it', async () => {
    const hint = 'This address works on this machine only';
    expect(await (await (await site('http://localhost:8787'))('/')).text()).toContain(hint);
    expect(await (await (await site('https://periscope.acme.dev'))('/')).text()).not.toContain(hint);
  });
});

describe('every page', () => {
  it('forbids frames, scripts and foreign forms, and is told to stay on https where it is', async () => {
    for (const [origin, transport] of [
      ['https://periscope.acme.dev', 'max-age=31536000'],
      ['http://localhost:8787', null],
    ] as const) {
      const get = await site(origin);
      for (const path of ['/', '/nowhere']) {
        const { headers } = await get(path);
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy).toMatch(
          /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
        );
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('referrer-policy')).toBe('same-origin');
        expect(headers.get('strict-transport-security')).toBe(transport);
      }
    }
  });

  it('that fails says so without the reason, which is reported', async () => {
    const reported: unknown[] = [];
    const failing = new Hono<Site>().get('/sign-in', () => {
      throw new Error('secret details');
    });
    const response = await (await site('https://periscope.acme.dev', failing, reported))('/sign-in');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret details');
    expect(reported).toHaveLength(1);
  });

  it('accepts forms from its own origin and from clients that are not browsers', async () => {
    const app = new Hono<Site>().post('/sign-in', (c) => c.text('taken'));
    const get = await site('https://periscope.acme.dev', app);
    const post = async (headers: Record<string, string>) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await get('/sign-in', { method: 'POST', headers: { ...type, ...headers }, body: 'a=b' })).status;
    };
    expect(await post({ origin: 'https://periscope.acme.dev' })).toBe(200);
    expect(await post({})).toBe(200);
    for (const origin of [
      'null',
      'http://periscope.acme.dev',
      'https://periscope.acme.dev:8443',
      'https://claude.ai',
    ]) {
      expect(await post({ origin })).toBe(403);
    }
    expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await post({ 'sec-fetch-site': 'same-site' })).toBe(403);
  });
});
