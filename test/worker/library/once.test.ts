import { env } from 'cloudflare:workers';
import { zlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { asked, followed, page, write } from '#support/followed.ts';
import { callTool, structured } from '#support/mcp-call.ts';

const SCOPES = ['web:read', 'library:follow'] as const;
const words = (text: string) => `<p>${text} And it goes on for a while, as pages do.</p>`;

async function kept(site: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT url FROM follow_pages WHERE url LIKE '${site}%' AND state = 'stored' ORDER BY url`,
  ).all<{ url: string }>();
  return results.map(({ url }) => url.slice(site.length));
}

describe('a page with several URLs', () => {
  it('is followed once if it names one of them as canonical, known before or not', async () => {
    const site = 'https://once-1.acme.dev';
    const one = (path: string) =>
      page('One', words('The same under both.')).replace(
        '</head>',
        `<link rel="canonical" href="${site}${path}"></head>`,
      );
    await write(
      `${site}/d/`,
      page('All', `${words('Pages:')}<a href="/d/one?view=full">One</a> <a href="/d/other">Other</a>`),
    );
    await write(`${site}/d/one?view=full`, one('/d/one'));
    await write(`${site}/d/one`, one('/d/one'));
    await write(
      `${site}/d/other`,
      page('Other', `${words('Leads on.')}<a href="/d/one">One</a> <a href="/d/one?view=wide">wide</a>`),
    );
    await write(`${site}/d/one?view=wide`, one('/d/one'));
    await followed({ url: `${site}/d/`, scope: 'site' });
    expect(await kept(site)).toEqual(['/d/', '/d/one', '/d/other']);
    // Requested to open, to compare, and to learn what varies: no stored page is fresh in this deployment.
    expect((await asked(site)).filter((path) => path === '/d/one')).toHaveLength(3);
  });

  it('is not assumed if a site names one canonical URL for all its pages', async () => {
    const site = 'https://once-2.acme.dev';
    const named = (title: string, body: string) =>
      page(title, words(body)).replace('</head>', `<link rel="canonical" href="${site}/d/"></head>`);
    await write(`${site}/d/`, named('All', 'Pages: <a href="/d/a">A</a> <a href="/d/b">B</a>'));
    await write(`${site}/d/a`, named('A', 'Of aardvarks.'));
    await write(`${site}/d/b`, named('B', 'Of badgers.'));
    await followed({ url: `${site}/d/`, scope: 'site' });
    expect(await kept(site)).toEqual(['/d/', '/d/a', '/d/b']);
  });

  it('is followed once if a URL redirects to an unknown one', async () => {
    const site = 'https://once-3.acme.dev';
    await write(`${site}/d/`, page('All', `${words('Pages:')}<a href="/d/old">Old</a> <a href="/d/x">X</a>`));
    await write(`${site}/d/old`, { status: 301, headers: { location: '/d/new' }, body: '' });
    await write(`${site}/d/x`, page('X', `${words('Leads on.')}<a href="/d/new">New</a>`));
    await write(`${site}/d/new`, page('New', words('The page itself.')));
    await followed({ url: `${site}/d/`, scope: 'site' });
    expect(await kept(site)).toEqual(['/d/', '/d/new', '/d/x']);
  });
});

describe('names in an inventory', () => {
  const site = 'https://once-4.acme.dev';
  const filler = Array.from(
    { length: 30 },
    (_, n) => `<p>Sending, clients and retries, of kind ${n}: a client sends, and sends again.</p>`,
  ).join('');

  it('are found as written, in a library and among all stored pages, but not by other users', async () => {
    const token = await grantFor('names', SCOPES);
    const head =
      '# Sphinx inventory version 2\n# Project: Acme\n# Version: 1\n# The remainder of this file is compressed using zlib.\n';
    const entries = [
      'acme.net.Client.send py:method 1 api.html#$ -',
      'acme.net.Client py:class 1 api.html#$ -',
      'acme.old.Client.send py:method 1 old.html#$ -',
    ].join('\n');
    const packed = zlibSync(new TextEncoder().encode(`${entries}\n`));
    const inventory = new Uint8Array([...new TextEncoder().encode(head), ...packed]);
    const binary = Array.from(inventory, (byte) => String.fromCharCode(byte)).join('');
    await write(`${site}/d/objects.inv`, {
      headers: { 'content-type': 'application/octet-stream' },
      body: btoa(binary),
      isBase64: true,
    });
    const sphinx = '<script id="documentation_options"></script>';
    await write(
      `${site}/d/`,
      page('Acme', `${words('Sending with a client: Client send.')}${filler}<a href="guide.html">Guide</a>${sphinx}`),
    );
    await write(
      `${site}/d/guide.html`,
      page(
        'Sending with Client.send',
        `${words('Client.send sends; acme.net.Client.send is what you want.')}${filler}`,
      ),
    );
    const entry = (name: string, text: string) =>
      `<dl><dt id="${name}"><code>${name.split('.').slice(-2).join('.')}(message)</code></dt><dd><p>${text}</p></dd></dl>`;
    const other = Array.from({ length: 40 }, (_, n) => entry(`acme.net.Pool.m${n}`, `Sends with client ${n}.`)).join(
      '',
    );
    await write(
      `${site}/d/api.html`,
      page(
        'Reference',
        `${words('All of it.')}${other}${entry('acme.net.Client.send', 'Hands the message to the walrus.')}${other.replaceAll('Pool', 'Queue')}`,
      ),
    );
    await write(
      `${site}/d/old.html`,
      page('Old', entry('acme.old.Client.send', 'Hands it to the heron.') + words('As before.')),
    );
    await followed({ url: `${site}/d/`, scope: 'site' }, { token });

    const question = 'What does acme.net.Client.send() do?';
    const first = async (name: string, args: Record<string, unknown>, as = token): Promise<unknown> => {
      const { passages, results } = structured(await callTool('modern', name, args, { token: as }));
      return [passages ?? results].flat()[0];
    };
    expect(await first('find_passages', { question, library: 'all' })).toMatchObject({
      url: `${site}/d/api.html`,
      text: expect.stringContaining('walrus'),
    });
    const short = structured(
      await callTool('modern', 'find_passages', { question: 'Client.send', library: `${site}/d/` }, { token }),
    );
    const texts: { text: string }[] = JSON.parse(JSON.stringify(short['passages']));
    expect(new Set(texts.slice(0, 2).map(({ text }) => /walrus|heron/.exec(text)?.[0]))).toEqual(
      new Set(['heron', 'walrus']),
    );

    expect(await first('search', { query: 'acme.net.Client.send' })).toMatchObject({
      url: `${site}/d/api.html`,
      snippet: expect.stringContaining('Client.send'),
    });
    const stranger = await grantFor('no-names', SCOPES);
    expect(await first('find_passages', { question }, stranger)).toMatchObject({ url: `${site}/d/guide.html` });
  });
});
