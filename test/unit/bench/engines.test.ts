import { describe, expect, it } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { chooseEngines } from '#core/search-engines.ts';
import { createWebEngine } from '#search/configured.ts';
import { exaAnswer, tavilyAnswer } from '#support/engine-answers.ts';
import { memoryLimiter, searchWorld } from '#support/search-world.ts';
import { bestSetting, measureEngines, tableOf } from '../../../bench/engines/measure.ts';

const QUERIES = [
  { query: 'max_wal_size', hosts: ['postgresql.org'] },
  { query: 'pragma cache_size', hosts: ['sqlite.org'] },
  { query: 'nowhere', hosts: ['nobody.example'] },
];
const page = (url: string) => ({ url, title: 'A page', text: 'Words.' });
const OTHERS = Array.from({ length: 5 }, (_, n) => page(`https://other.example/${n}`));

/** The real engines over services that answer from these pages. */
function measured(exa: (query: string) => string[], tavily: (query: string) => string[] | Response) {
  const config = parseConfig({ EXA_API_KEY: 'k', TAVILY_API_KEY: 'k' });
  const world = searchWorld(({ url, body }) => {
    const asked = QUERIES.find(({ query }) => body.includes(query))?.query ?? '';
    if (url.hostname.includes('exa')) return exaAnswer(exa(asked).map(page));
    const answer = tavily(asked);
    return answer instanceof Response ? answer : tavilyAnswer([...OTHERS, ...answer.map(page)]);
  });
  const deps = {
    http: world.http,
    userAgent: 'Periscope/test',
    limiter: () => memoryLimiter(world.now),
    cloudflare: { websearch: null, spend: async () => null },
  };
  const engines = chooseEngines(config).engines.flatMap((engine) =>
    engine === 'local' ? [] : createWebEngine(engine, config, deps),
  );
  return world.run(measureEngines(engines, QUERIES, world.now));
}

describe('the order of engines over queries of an owner', () => {
  it('depends on hits among the first five, on a host or its subdomains, for single engines and pairs', async () => {
    const figures = await measured(
      (query) => (query.startsWith('max') ? ['https://www.postgresql.org/docs/'] : ['https://notsqlite.org/x']),
      (query) => (query.startsWith('pragma') ? ['https://sqlite.org/pragma.html'] : ['https://other.example/9']),
    );
    expect(figures.map(({ name, hitAt5, mrr }) => [name, hitAt5, mrr])).toEqual([
      ['exa', 1 / 3, 1 / 3],
      ['exa+tavily', 1 / 3, expect.any(Number)],
      ['tavily', 0, 1 / 6 / 3],
    ]);
    expect(figures[0]).toMatchObject({ queries: 3, failed: 0, failures: [] });
    expect(figures[0]?.low).toBeCloseTo(0.061, 2);
    expect(figures[0]?.high).toBeCloseTo(0.792, 2);
    expect(bestSetting(figures)).toBe('SEARCH_PROVIDERS=exa');
    expect(tableOf(figures).split('\n')[1]).toMatch(/^exa {9,}0\.33 {3}0\.06-0\.79 {2}0\.33 .*0 of 3$/);
  });

  it('names two engines when they find more in parallel, and reports why one failed', async () => {
    const both = await measured(
      (query) => (query.startsWith('max') ? ['https://postgresql.org/'] : []),
      (query) => (query.startsWith('pragma') ? new Response('', { status: 401 }) : []),
    );
    const tavily = both.find(({ name }) => name === 'tavily');
    expect(tavily).toMatchObject({ failed: 1, hitAt5: 0, failures: [expect.stringContaining('tavily')] });
    expect(bestSetting(both.filter(({ name }) => name === 'exa+tavily'))).toBe('SEARCH_PROVIDERS=exa,tavily');
    expect(bestSetting(both.filter(({ name }) => name === 'tavily'))).toBeNull();
  });
});
