import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { composeServices, createCallParts } from '#compose.ts';
import { parseConfig } from '#core/config/config.ts';
import { openPageWithCursor } from '#reading/open/open-whole.ts';
import { writeHitLines } from '#reading/result-text.ts';
import { addStoredPassages } from '#tools/held-hits.ts';

const URL_OF_PAGE = 'https://kettle.acme.dev/care';
const OPTIONS = { mode: 'auto', siteconfig: undefined, refresh: false, maxAgeSeconds: undefined } as const;

function servicesOf(subject: string) {
  const principal = { subject, scopes: ['web:read' as const], client: 'test', name: null };
  return composeServices(createCallParts(env, parseConfig({}), 'http://localhost'), createExecutionContext(), principal)
    .services;
}

const hit = (url: string) => ({ rank: 1, title: 'T', url, description: 'D', extra_snippets: [], age: null });

describe('results of a web search', () => {
  it('show the matching lines of a stored page with the description, and open there', async () => {
    const services = servicesOf('somebody-who-searches');
    const { signal } = new AbortController();
    const { opened } = await openPageWithCursor(URL_OF_PAGE, OPTIONS, signal, services);
    const hits = [hit('https://never.opened.dev/'), hit(URL_OF_PAGE)];
    const {
      hits: [other, held],
    } = await addStoredPassages('vinegar limescale', [], hits, signal, services);
    expect(other).toEqual({ title: 'T', url: 'https://never.opened.dev/', snippet: 'D' });
    expect(held).toMatchObject({ snippet: 'D', place: { documentId: opened.document.id } });
    expect(held?.held?.text).toContain('half a litre of vinegar');
    expect(held?.place?.line).toBe(held?.held?.lines.start);
    expect(writeHitLines(held === undefined ? [] : [held]).at(-1)).toMatch(/^ {3}Stored page \(L\d+-L\d+\): .*vinegar/);
  });

  it('show the lines that match another phrasing of the query', async () => {
    const services = servicesOf('somebody-with-other-words');
    const { signal } = new AbortController();
    await openPageWithCursor(URL_OF_PAGE, OPTIONS, signal, services);
    const query = 'get rid of white crust';
    const alone = await addStoredPassages(query, [], [hit(URL_OF_PAGE)], signal, services);
    expect(alone.hits[0]?.held).toBeUndefined();
    const { hits } = await addStoredPassages(query, ['descaling with vinegar'], [hit(URL_OF_PAGE)], signal, services);
    expect(hits[0]?.held?.text).toContain('half a litre of vinegar');
  });

  it('do not show a page that is private to another user', async () => {
    const url = 'https://shares.acme.dev/s/Ab3dE9xQ7wZr';
    const { signal } = new AbortController();
    const owner = servicesOf('somebody-with-an-address');
    const { opened } = await openPageWithCursor(url, OPTIONS, signal, owner);
    expect(opened.isPrivate).toBe(true);
    const lines = await owner.documents.readLines(opened.document.id, 0, opened.document.lineCount - 1);
    const query = lines.join(' ').slice(0, 200);
    expect((await addStoredPassages(query, [], [hit(url)], signal, owner)).hits[0]?.held).toBeDefined();
    expect(
      (await addStoredPassages(query, [], [hit(url)], signal, servicesOf('another'))).hits[0]?.held,
    ).toBeUndefined();
  });

  it('are listed if their stored page was omitted for its length, with the call that reads it', async () => {
    const services = servicesOf('somebody-with-long-pages');
    const { signal } = new AbortController();
    const long = 'https://kettle.acme.dev/long-words';
    for (const url of [long, URL_OF_PAGE]) await openPageWithCursor(url, OPTIONS, signal, services);
    const { hits, notes } = await addStoredPassages('vinegar', [], [hit(long), hit(URL_OF_PAGE)], signal, services);
    expect(hits[1]?.held?.text).toContain('half a litre of vinegar');
    expect(notes).toEqual([
      'The stored page is too long to be searched here (result 1). Call find_passages with the query as question and the address in urls.',
    ]);
  });
});
