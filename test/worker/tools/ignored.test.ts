import { beforeAll, describe, expect, it } from 'vitest';
import { CATALOG } from '#tools/catalog.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, rpc } from '#support/mcp-call.ts';

let token = '';
beforeAll(async () => {
  token = await grantFor('gives-too-much', ['web:read']);
});

async function call(tool: string, args: Record<string, unknown>) {
  const { result } = await callTool('modern', tool, args, { token });
  return {
    text: result?.content?.map((block) => block.text ?? '').join('\n') ?? '',
    structured: result?.structuredContent ?? {},
  };
}

const PAGE = 'https://docs.acme.dev/alarms';
const HTML = `<article><p>${'A sentence of a page. '.repeat(20)}</p></article>`;

describe('an option that has no effect', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'web_open',
      { url: PAGE, mode: 'raw', siteconfig: 'sphinx' },
      'siteconfig had no effect: mode raw keeps the whole page.',
    ],
    ['web_open', { url: PAGE, siteconfig: 'sphinx' }, 'siteconfig had no effect: sphinx matched nothing on this page'],
    [
      'web_open',
      { url: PAGE, refresh: true, max_age_seconds: 60 },
      'max_age_seconds had no effect: refresh always fetches the page',
    ],
    ['web_batch_open', { urls: [PAGE], concurrency: 3 }, 'concurrency had no effect: there is only one URL.'],
    [
      'web_extract',
      { html: HTML, siteconfig: 'sphinx' },
      'siteconfig had no effect: sphinx matched nothing on this page',
    ],
    ['web_extract', { html: HTML, siteconfig: 'sphinx', mode: 'raw' }, 'siteconfig had no effect: mode raw keeps'],
    [
      'web_search',
      { query: 'alarms', domain_allowlist: [] },
      'domain_allowlist had no effect: an empty list allows all domains',
    ],
    ['web_search', { query: 'alarms', domain_denylist: [] }, 'domain_denylist had no effect: it is empty.'],
    ['web_search', { query: 'alarms', country: 'DE', goggles: 'x' }, 'cannot honour country, goggles: ignored.'],
  ])('of %s %j is reported in the text and in the structured result', async (tool, args, words) => {
    const { text, structured } = await call(tool, args);
    expect(text).toContain(words);
    expect(JSON.stringify(structured['notes'] ?? structured['entries'] ?? structured)).toContain(
      tool === 'web_batch_open' ? 'requested_url' : words,
    );
  });

  it('of scroll is reported in the view, where loc overrides delta', async () => {
    const { structured } = await call('open_url', { url: 'https://docs.acme.dev/long' });
    const both = await call('scroll', { cursor: structured['cursor'], loc: 30, delta: 5 });
    const words = 'Note: delta had no effect: loc takes precedence.';
    expect(both.text.startsWith(words)).toBe(true);
    expect(both.structured).toMatchObject({ viewport: { start: 30 }, render: both.text });
    const one = await call('scroll', { cursor: structured['cursor'], loc: 30 });
    expect(one.text).not.toContain('Note: delta');
  });
});

describe('the scope of a search', () => {
  it('is in the description: the previously opened pages here, and the web elsewhere', () => {
    for (const name of ['search', 'web_search']) {
      const tool = CATALOG.find((candidate) => candidate.name === name);
      expect(tool?.description).toMatch(/^Search the web\b/u);
      expect(tool?.offer({ browser: true, scripts: true, webSearch: false }, []).description).toMatch(
        /^Search the pages already opened\b[^.]* on this server\b[^.]*; it has no web search\./u,
      );
    }
  });

  it('matches the search of this deployment', async () => {
    const { result } = await rpc('modern', 'tools/list', {}, { token });
    const listed = new Map(result?.tools?.map((tool) => [tool.name, JSON.stringify(tool)]));
    expect(listed.get('search')).toContain('it has no web search');
    expect(listed.get('web_search')).toContain('it has no web search');
  });
});
