import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { SiteEnv } from '#web/page-response.ts';
import { createPublicPages } from '#web/public/pages.tsx';

async function site(
  origin: string,
  more = new Hono<SiteEnv>(),
  reported: unknown[] = [],
  webSearch: string | null = null,
) {
  const app = await createPublicPages({
    origin,
    mcpUrl: `${origin}/mcp`,
    kept: { activityDays: 30, wholeUrls: false, webSearch },
    more: [more],
    reportUnexpected: (error) => void reported.push(error),
  });
  return (path: string, init?: RequestInit) => app.request(origin + path, init);
}

const PUBLIC = 'https://periscope.acme.dev';
const LAPTOP = 'http://localhost:8787';

async function textOf(origin: string, path: string, webSearch: string | null = null): Promise<string> {
  return (await (await site(origin, new Hono<SiteEnv>(), [], webSearch))(path)).text();
}

const clientsOf = (html: string) =>
  Array.from(html.matchAll(/<label for="client-[\w-]+">([^<]+)/g), ([, name]) => name);

describe('the landing page', () => {
  it('has the connector URL and instructions for every client that can reach it', async () => {
    const html = await textOf(PUBLIC, '/');
    expect(clientsOf(html)).toEqual(['Claude', 'ChatGPT', 'Claude Code', 'Cursor', 'VS Code', 'Other']);
    expect(html).toContain('<code>https://periscope.acme.dev/mcp</code>');
    expect(html).toContain('claude mcp add --transport http periscope https://periscope.acme.dev/mcp</code>');
    expect(html).toContain('<html lang="en">');
    expect(clientsOf(await textOf(LAPTOP, '/'))).toEqual(['Claude Code', 'Cursor', 'VS Code', 'Other']);
  });

  it('shows the options of its URL to everyone, and missing web search to the owner', async () => {
    const headings = async (webSearch: string | null) =>
      Array.from((await textOf(PUBLIC, '/', webSearch)).matchAll(/<h2[^>]*>([^<]+)/g), ([, text]) => text).slice(3);
    expect(await headings('Brave')).toEqual(['Options in the connector URL']);
    expect(await headings(null)).toEqual(['Options in the connector URL', 'For the owner of this server']);
  });

  it('has links that install its own URL in editors', async () => {
    const links = Array.from((await textOf(LAPTOP, '/')).matchAll(/<a class="button" href="([^"]+)"/g), ([, to]) =>
      (to ?? '').replaceAll('&amp;', '&'),
    );
    const [cursor, code] = links.map((link) => new URL(link));
    const config = atob(cursor?.searchParams.get('config') ?? '');
    expect([cursor?.protocol, JSON.parse(config)]).toEqual(['cursor:', { url: `${LAPTOP}/mcp` }]);
    const server = JSON.parse(decodeURIComponent(code?.search.slice(1) ?? ''));
    expect([code?.protocol, server]).toEqual(['vscode:', { name: 'periscope', type: 'http', url: `${LAPTOP}/mcp` }]);
  });

  it('is complete without a script, except for the copy buttons', async () => {
    const html = await textOf(PUBLIC, '/');
    expect(html).not.toMatch(/\son\w+=/iu);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html.match(/<button[^>]*>/g)?.every((button) => button.includes(' hidden'))).toBe(true);
  });

  it('states whether a search covers the web, and through which provider', async () => {
    expect(await textOf(PUBLIC, '/')).toContain('Search is not web search yet');
    const searching = await textOf(PUBLIC, '/', 'the web, through Brave');
    expect(searching).toContain('The web, through Brave;');
    expect(searching).not.toContain('Search is not web search yet');
  });

  it('has every picture that it shows, for light and dark themes', async () => {
    const at = await site(PUBLIC);
    const html = await (await at('/')).text();
    const shown = Array.from(html.matchAll(/(?:src|srcset)="(\/pictures\/[^"]+)"/gu), ([, path = '']) => path);
    expect(shown).toHaveLength(4);
    const types = await Promise.all(shown.map(async (path) => (await at(path)).headers.get('content-type')));
    expect(new Set(types)).toEqual(new Set(['image/webp']));
  });

  it('gives chats a picture and a sentence, and clients on other sites the logo', async () => {
    const html = await textOf(PUBLIC, '/');
    const image = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const get = await site(PUBLIC);
    const picture = await get(new URL(image).pathname);
    expect([new URL(image).origin, picture.status, picture.headers.get('content-type')]).toEqual([
      PUBLIC,
      200,
      'image/png',
    ]);
    const mark = await get('/favicon.svg');
    expect(await mark.text()).toMatch(/^<svg /);
    expect(mark.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const icon = await get('/favicon.ico');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/vnd.microsoft.icon']);
    expect(icon.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const bytes = new Uint8Array(await icon.arrayBuffer());
    const [kind, pictures, width, height] = [bytes[2], bytes[4], bytes[6], bytes[7]];
    expect([kind, pictures, width, height]).toEqual([1, 1, 48, 48]);
    expect(new TextDecoder().decode(bytes.subarray(23, 26))).toBe('PNG');
    expect(new DataView(bytes.buffer).getUint32(14, true)).toBe(bytes.length - 22);
  });
});

describe('the privacy page', () => {
  it('states what this server stores in its configuration', async () => {
    const html = await textOf(PUBLIC, '/privacy');
    expect(html).toContain('for 30 days');
    expect(html).toContain('web search is not set up here');
    expect(await textOf(PUBLIC, '/privacy', 'the web, through Brave')).toContain('go to a provider: Brave.');
  });
});

describe('every page', () => {
  it('forbids frames, foreign scripts and foreign forms, and requires https where it is served over https', async () => {
    for (const [origin, transport] of [
      ['https://periscope.acme.dev', 'max-age=31536000'],
      ['http://localhost:8787', null],
    ] as const) {
      const get = await site(origin);
      for (const path of ['/', '/nowhere']) {
        const { headers } = await get(path);
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy).toMatch(
          /^default-src 'none'; style-src 'sha256-[\w+/]+=*' 'sha256-[\w+/]+=*'; script-src 'sha256-[\w+/]+=*'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
        );
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('referrer-policy')).toBe('same-origin');
        expect(headers.get('strict-transport-security')).toBe(transport);
      }
    }
  });

  it('leads from an address that is not found back to where its user was', async () => {
    expect(await textOf(PUBLIC, '/console/nothing')).toContain('<a href="/console">Back to the console</a>');
    expect(await textOf(PUBLIC, '/nothing')).toContain('<a href="/">About Periscope and how to connect</a>');
  });

  it('reports a failure without its reason, which is logged', async () => {
    const reported: unknown[] = [];
    const failing = new Hono<SiteEnv>().get('/sign-in', () => {
      throw new Error('secret details');
    });
    const response = await (await site('https://periscope.acme.dev', failing, reported))('/sign-in');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret details');
    expect(reported).toHaveLength(1);
  });

  it('accepts forms from its own origin and from clients that are not browsers', async () => {
    const app = new Hono<SiteEnv>().post('/sign-in', (c) => c.text('taken'));
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
