import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { RESULT_TEXT_BYTES_MAX } from '#core/limits.ts';
import { HOST_RESULT_BYTES_MAX } from '#support/hosts.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { LOCAL_TOKEN, MCP_URL, callTool, rpc, structured } from '../../support/mcp-call.ts';

type Link = { url: string; text: string };
type Entry = { requested_url: string; url?: string; cursor?: string; error?: string; hint?: string; markdown?: string };

const open = async (args: Record<string, unknown>) => structured(await callTool('modern', 'web_open', args));

describe('web_open', () => {
  it('returns front matter, Markdown, absolute links, snapshot, cursor and a resource link', async () => {
    const answer = await callTool('modern', 'web_open', { url: 'docs.acme.dev/links' });
    const page = structured(answer);
    expect(page).toMatchObject({
      url: 'https://docs.acme.dev/links',
      title: 'Links',
      cached: false,
      stale: false,
      siteconfig: 'none',
    });
    expect(String(page['markdown'])).toMatch(
      /^---\ntitle: "Links"\nsource: https:\/\/docs\.acme\.dev\/links\nfetched_at: \d{4}-[^\n]+Z\nextractor: html@[\w.]+\nsiteconfig: none\n---\n/,
    );
    const links = page['links'] as Link[];
    expect(links.map((link) => link.url)).toEqual(['https://docs.acme.dev/alarms', 'https://other.acme.dev/x']);
    const [text, link] = answer.result?.content ?? [];
    expect(text?.text).toContain(String(page['cursor']));
    expect(text?.text).toContain(String(page['snapshot']));
    expect(link).toMatchObject({ type: 'resource_link', uri: `resource://cache/${String(page['snapshot'])}` });
    expect(page).not.toHaveProperty('explain');
  });

  it('puts page text inside a fence, with marks that differ from page to page', async () => {
    const marks = await Promise.all(
      ['alarms', 'links'].map(async (name) => {
        const { result } = await callTool('modern', 'web_open', { url: `https://docs.acme.dev/${name}` });
        return /\n⟦([0-9a-f]{16})\n---\n[\s\S]*\n\1⟧\n/.exec(result?.content?.[0]?.text ?? '')?.[1];
      }),
    );
    expect(marks[0]).toBeDefined();
    expect(marks[0]).not.toBe(marks[1]);
  });

  it('cuts a long page at a line, reports it, and continues with scroll', async () => {
    const answer = await callTool('modern', 'web_open', { url: 'https://docs.acme.dev/huge' });
    const page = structured(answer);
    const shown = page['shown_lines'] as { start: number; end: number };
    expect(shown.end).toBeLessThan(Number(page['total_lines']) - 1);
    expect(utf8Bytes(answer.result?.content?.[0]?.text ?? '')).toBeLessThanOrEqual(RESULT_TEXT_BYTES_MAX);
    expect(utf8Bytes(JSON.stringify(answer.result))).toBeLessThan(HOST_RESULT_BYTES_MAX);
    expect(answer.result?.content?.[0]?.text).toContain(
      `Next: scroll {"cursor":"${String(page['cursor'])}","loc":${shown.end + 1}}`,
    );
    const next = structured(await callTool('modern', 'scroll', { cursor: page['cursor'], loc: shown.end + 1 }));
    const lastShown = Number(/Sentence (\d+)[^\n]*\s*$/.exec(String(page['markdown']))?.[1]);
    expect(String(next['text'])).toContain(`Sentence ${lastShown + 1} `);
  });

  it('uses the Markdown version that a page declares or llms.txt lists, and reports it, unless HTML is requested', async () => {
    const listed = await open({ url: 'https://guide.acme.dev/start', explain: true });
    expect(listed['markdown']).toContain('The page for models.');
    expect(listed['explain']).toMatchObject({
      llms_txt: 'https://guide.acme.dev/llms.txt',
      markdown_twin: 'https://guide.acme.dev/start.md',
    });
    expect((await open({ url: 'https://guide.acme.dev/declared' }))['markdown']).toContain('Models read this');
    expect((await open({ url: 'https://guide.acme.dev/start', mode: 'readable' }))['markdown']).toContain(
      'The page for people',
    );
  });

  it('explains which extraction was chosen and what is known about the fetch', async () => {
    const page = await open({ url: 'https://docs.acme.dev/moved', explain: true });
    expect(page['explain']).toMatchObject({
      status: 200,
      media_type: 'text/html',
      charset: 'utf-8',
      redirects: [{ status: 302 }],
      needs_scripts: false,
    });
    expect(page['url']).toBe('https://docs.acme.dev/alarms');
  });
});

describe('web_batch_open', () => {
  it('returns for each URL its page or its error, in order, and never fails as a whole', async () => {
    const urls = [
      'https://docs.acme.dev/alarms',
      'https://docs.acme.dev/missing',
      'http://127.0.0.1/',
      'ftp://x',
      'https://docs.acme.dev/links',
    ];
    const answer = await callTool('modern', 'web_batch_open', { urls });
    const batch = structured(answer);
    const entries = batch['entries'] as Entry[];
    expect(entries.map((entry) => entry.requested_url)).toEqual(urls);
    expect(entries.map((entry) => entry.error)).toEqual([
      undefined,
      'http_error',
      'ssrf_blocked',
      expect.any(String),
      undefined,
    ]);
    expect(batch).toMatchObject({ opened: 2, failed: 3 });
    expect(entries[1]).toMatchObject({ status_code: 404, quoted: expect.stringContaining('\nnot here\n') });
    expect(answer.result?.content?.[0]?.text).toMatch(/quoted:\n⟦([0-9a-f]{16})\nnot here\n\1⟧/);
    for (const entry of entries) expect(answer.result?.content?.[0]?.text).toContain(entry.url ?? entry.hint ?? '');
  });

  it('divides one result among long pages, each with a call to continue', async () => {
    const urls = ['huge', 'long', 'alarms', 'huge'].map((name) => `https://docs.acme.dev/${name}`);
    const answer = await callTool('modern', 'web_batch_open', { urls });
    const text = answer.result?.content?.[0]?.text ?? '';
    expect(utf8Bytes(text)).toBeLessThanOrEqual(RESULT_TEXT_BYTES_MAX);
    expect(text).not.toContain('[cut here');
    const entries = structured(answer)['entries'] as (Entry & { shown_lines: { end: number }; total_lines: number })[];
    expect(entries[2]?.shown_lines.end).toBe((entries[2]?.total_lines ?? 0) - 1);
    expect(entries[0]?.shown_lines.end).toBeGreaterThan(100);
    expect(Math.abs((entries[0]?.shown_lines.end ?? 0) - (entries[3]?.shown_lines.end ?? 0))).toBeLessThan(5);
    expect(text).toContain(`scroll {"cursor":"${String(entries[0]?.cursor)}"`);
  });

  it('shows as much of each page as web_open does if all of them fit, and as many lines as requested', async () => {
    const urls = ['alarms', 'locks'].map((name) => `https://docs.acme.dev/${name}`);
    const textOf = async (tool: string, input: object) =>
      (await callTool('modern', tool, { ...input })).result?.content?.[0]?.text ?? '';
    for (const options of [{}, { max_lines: 8 }]) {
      const batch = await textOf('web_batch_open', { urls, ...options });
      expect(batch).not.toContain('to fit the size limit');
      for (const url of urls) {
        const one = await textOf('web_open', { url, ...options });
        expect(batch).toContain(/^Lines 0–\d+ of \d+:$/m.exec(one)?.[0] ?? 'nothing');
      }
    }
  });

  it('refuses more URLs than fit, and too many at a time', async () => {
    const urls = Array.from({ length: 11 }, (_, n) => `https://docs.acme.dev/${n}`);
    expect((await callTool('modern', 'web_batch_open', { urls })).result?.structuredContent).toMatchObject({
      field: 'urls',
    });
    const busy = await callTool('modern', 'web_batch_open', { urls: ['https://docs.acme.dev/'], concurrency: 7 });
    expect(busy.result?.structuredContent).toMatchObject({ field: 'concurrency' });
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`reports progress to a caller that requests it, in the ${era} era`, async () => {
      const protocol = era === 'modern' ? '2026-07-28' : '2025-11-25';
      const envelope = {
        'io.modelcontextprotocol/protocolVersion': protocol,
        'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const urls = ['alarms', 'links', 'long'].map((name) => `https://docs.acme.dev/${name}`);
      const response = await exports.default.fetch(MCP_URL, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${LOCAL_TOKEN}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': protocol,
          'mcp-method': 'tools/call',
          'mcp-name': 'web_batch_open',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 7,
          method: 'tools/call',
          params: {
            name: 'web_batch_open',
            arguments: { urls },
            _meta: { progressToken: 'p', ...(era === 'modern' ? envelope : {}) },
          },
        }),
      });
      const messages = (await response.text())
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice('data: '.length)) as { method?: string; params?: unknown });
      const progress = messages.filter((message) => message.method === 'notifications/progress');
      expect(progress.map((message) => message.params)).toEqual(
        [1, 2, 3].map((done) => ({ progressToken: 'p', progress: done, total: 3 })),
      );
    });
  }
});

describe('web_extract', () => {
  it('converts HTML to Markdown without fetching, with absolute links if it gets the URL', async () => {
    const html =
      '<h1>Given</h1><p>Some text with <a href="/x">a link</a> that is long enough to be read as content.</p>';
    const page = structured(await callTool('modern', 'web_extract', { html, base_url: 'https://a.acme.dev/dir/' }));
    expect(page['markdown']).toContain('[a link](https://a.acme.dev/x)');
    expect(page).not.toHaveProperty('cursor');
    const bare = structured(await callTool('modern', 'web_extract', { html, explain: true }));
    expect(bare['markdown']).toContain('[a link](/x)');
    expect(JSON.stringify(bare)).not.toContain('.invalid');
    expect(bare['explain']).toMatchObject({ strategy: expect.any(String) });
  });

  it('reports HTML without text', async () => {
    const empty = await callTool('modern', 'web_extract', { html: '<script>x()</script>' });
    expect(empty.result?.structuredContent).toMatchObject({
      error: 'extract_failed',
      message: expect.stringMatching(/^No readable text was found: /),
    });
  });

  it.each([{}, { base_url: 'https://a.acme.dev/' }])(
    'does not blame scripts for HTML that is empty and has none: %j',
    async (address) => {
      const empty = await callTool('modern', 'web_extract', { html: '<div></div>', ...address });
      expect(empty.result?.structuredContent).toMatchObject({
        error: 'extract_failed',
        message: 'No readable text was found: the page has no visible text and no scripts.',
        hint: 'Pass the whole HTML of a page that shows text.',
      });
    },
  );

  it('refuses an invalid base URL', async () => {
    const { result } = await callTool('modern', 'web_extract', { html: '<p>x</p>', base_url: 'javascript:alert(1)' });
    expect(result?.structuredContent).toMatchObject({ error: 'invalid_argument', field: 'base_url' });
  });
});

describe('web_search', () => {
  it('finds opened pages, ranked, with a cursor that open_result accepts', async () => {
    await open({ url: 'https://docs.acme.dev/alarms' });
    const found = structured(await callTool('modern', 'web_search', { query: 'alarm wakes', count: 3 }));
    expect(found).toMatchObject({ provider: 'local', cached: false, more_results_available: false });
    expect((found['results'] as { rank: number; url: string }[])[0]).toMatchObject({
      rank: 1,
      url: 'https://docs.acme.dev/alarms',
    });
    structured(await callTool('modern', 'open_result', { cursor: found['cursor'], result_id: 1 }));
  });
});

describe('?toolsets=chatgpt', () => {
  const query = '?toolsets=chatgpt';

  it('has exactly search and fetch, with one JSON text each, mirrored in the structure', async () => {
    await open({ url: 'https://docs.acme.dev/alarms' });
    const { result } = await rpc('legacy', 'tools/list', {}, { query });
    expect(result?.tools?.map((tool) => tool.name)).toEqual(['search', 'fetch']);
    const searched = await callTool(
      'legacy',
      'search',
      { query: 'alarm wakes' },
      { query, headers: { 'user-agent': 'openai-mcp/1.0.0' } },
    );
    const results = structured(searched)['results'] as { id: string; title: string; url: string }[];
    expect(results[0]).toEqual({
      id: 'https://docs.acme.dev/alarms',
      title: 'Alarms',
      url: 'https://docs.acme.dev/alarms',
    });
    expect(searched.result?.content?.length).toBe(1);
    expect(JSON.parse(searched.result?.content?.[0]?.text ?? '')).toEqual(searched.result?.structuredContent);
    const fetched = await callTool('legacy', 'fetch', { id: results[0]?.id ?? '' }, { query });
    expect(Object.keys(structured(fetched))).toEqual(['id', 'title', 'text', 'url', 'metadata']);
    expect(JSON.parse(fetched.result?.content?.[0]?.text ?? '')).toEqual(fetched.result?.structuredContent);
  });

  it('keeps its JSON complete on a page that does not fit', async () => {
    const fetched = await callTool('modern', 'fetch', { id: 'https://docs.acme.dev/huge' }, { query });
    const text = fetched.result?.content?.[0]?.text ?? '';
    expect(utf8Bytes(text)).toBeLessThanOrEqual(RESULT_TEXT_BYTES_MAX);
    expect(JSON.parse(text)).toEqual(fetched.result?.structuredContent);
  });
});
