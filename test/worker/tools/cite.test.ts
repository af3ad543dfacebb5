import { createScheduledController } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import worker from '#index.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, LOCAL_TOKEN, rpc, structured } from '#support/mcp-call.ts';
import type { Answer } from '#support/mcp-call.ts';

const ALARMS = 'https://docs.acme.dev/alarms';
const SAYING = 'An alarm wakes a durable object at a set time.';

async function open(url: string, token?: string): Promise<string> {
  return String(
    structured(await callTool('modern', 'open_url', { url }, token === undefined ? {} : { token }))['cursor'],
  );
}

const cite = (args: Record<string, unknown>, token?: string) =>
  callTool('modern', 'cite', args, token === undefined ? {} : { token });

const errorOf = ({ result }: Answer) => result?.structuredContent ?? {};

async function citationsOf(cursor: string) {
  const { results } = await env.DB.prepare(`SELECT * FROM citations WHERE cursor = ?`).bind(cursor).all();
  return results;
}

async function documentOf(cursor: string): Promise<string> {
  return String((await citationsOf(cursor))[0]?.['document_id']);
}

async function isStored(document: string): Promise<boolean> {
  return (await env.DB.prepare(`SELECT 1 FROM documents WHERE id = ?`).bind(document).first()) !== null;
}

/** Ends the holds of all cursors, as if they had expired long ago. */
async function endAllHolds(): Promise<void> {
  await env.DB.prepare(`UPDATE documents SET held_until = 0`).run();
}

async function board(html: string): Promise<void> {
  await fetch('https://board.acme.dev/quoted', { method: 'POST', body: html });
}

describe('cite', () => {
  it('returns the lines, the link and the words of the page, and stores the citation', async () => {
    const cursor = await open(ALARMS);
    const answer = await cite({ cursor, quote: 'an alarm “wakes” a durable object'.replace(/[“”]/g, ''), note: 'why' });
    expect(structured(answer)).toMatchObject({
      citation: `【${cursor}†L2-L2】`,
      L_start: 2,
      L_end: 2,
      link: `http://localhost/c/${cursor}/L2-L2`,
      quote: 'An alarm wakes a durable object',
      url: ALARMS,
      title: 'Alarms',
    });
    expect(structured(answer)['share_link']).toBeUndefined();
    expect(answer.result?.content?.[0]?.text).toMatch(/^Cite: 【c_\w+†L2-L2】 http:\/\/localhost\/c\/c_\w+\/L2-L2\n/);
    expect(await citationsOf(cursor)).toMatchObject([{ first_line: 2, last_line: 2, note: 'why', share_id: null }]);
  });

  it.each(['', '【c_abcdefghjkmnpqrs†L5-L9】', 'c_abcdefghjkmnpqrs/L23'])(
    'reports that %j is not a cursor, and what to pass',
    async (cursor) => {
      const [refused, scrolled] = await Promise.all([
        cite({ cursor, quote: SAYING }),
        callTool('modern', 'scroll', { cursor }),
      ]);
      for (const answer of [refused, scrolled])
        expect(errorOf(answer)).toMatchObject({
          error: 'unknown_cursor',
          message: expect.stringContaining('This is not a cursor'),
          hint: expect.stringContaining('without brackets and line numbers'),
        });
    },
  );

  it('returns the same citation when it is called again, and accepts a new note', async () => {
    const cursor = await open(ALARMS);
    for (const note of ['first', undefined, 'second']) await cite({ cursor, quote: SAYING, note });
    expect(await citationsOf(cursor)).toMatchObject([{ note: 'second' }]);
  });

  it('refuses words that are not on the page, with the nearest passage and its line', async () => {
    const cursor = await open(ALARMS);
    const refused = await cite({ cursor, quote: 'An alarm wakes a durable object at a random time.' });
    expect(errorOf(refused)).toMatchObject({ error: 'quote_not_found', L_start: 2, L_end: 2 });
    expect(errorOf(refused)['quoted']).toMatch(/^⟦[0-9a-f]{16}\nAn alarm wakes a durable object at a set time\.\n/);
    expect(refused.result?.content?.[0]?.text).toContain('at a set time.');
    const strange = await cite({ cursor, quote: 'Quantum chromodynamics is a theory of gluons.' });
    expect(errorOf(strange)).toMatchObject({
      error: 'quote_not_found',
      message: expect.stringContaining('neither this quote'),
    });
    expect(await citationsOf(cursor)).toEqual([]);
  });

  it('refuses an invalid quote, an invalid cursor, a list, and another user’s cursor', async () => {
    const cursor = await open(ALARMS);
    const theirs = await open(ALARMS, await grantFor('another-citer', ['web:read']));
    const list = structured(await callTool('modern', 'search', { query: 'alarm' }))['cursor'];
    expect(errorOf(await cite({ cursor, quote: ' … ' }))).toMatchObject({ error: 'invalid_argument', field: 'quote' });
    expect(errorOf(await cite({ cursor, quote: 'a'.repeat(2_001) }))).toMatchObject({ field: 'quote' });
    expect(errorOf(await cite({ cursor: list, quote: SAYING }))).toMatchObject({ field: 'cursor' });
    expect(errorOf(await cite({ cursor: theirs, quote: SAYING }))).toMatchObject({ error: 'unknown_cursor' });
    expect(errorOf(await cite({ cursor: '<b>', quote: SAYING }))).toMatchObject({ cursor: '(not a cursor)' });
    expect(errorOf(await cite({ cursor, quote: SAYING, note: 'n'.repeat(501) }))).toMatchObject({ field: 'note' });
  });

  it('shares a quote, with the same link each time', async () => {
    const cursor = await open(ALARMS);
    const shared = structured(await cite({ cursor, quote: SAYING, share: true }))['share_link'];
    expect(shared).toMatch(/^http:\/\/localhost\/q\/[\w-]{22}$/);
    expect(structured(await cite({ cursor, quote: SAYING, share: true }))['share_link']).toBe(shared);
    expect(structured(await cite({ cursor, quote: SAYING }))['share_link']).toBe(shared);
  });

  it('shares only for a connection with this permission, and otherwise explains how to get it', async () => {
    const token = await grantFor('citer-in-private', ['web:read']);
    const cursor = await open(ALARMS, token);
    const refused = await callTool('modern', 'cite', { cursor, quote: SAYING, share: true }, { token });
    expect(errorOf(refused)).toMatchObject({ error: 'permission_denied', scopes: ['cite:share'] });
    expect(refused.result?.content?.[0]?.text).toBe(
      'Error permission_denied: cite with share needs the permission cite:share, which this connection does not have.\nHint: Ask the user to reconnect this client and tick cite:share on the consent page, or call cite without share.\nscopes: cite:share',
    );
    expect(await citationsOf(cursor)).toEqual([]);
    const kept = structured(await callTool('modern', 'cite', { cursor, quote: SAYING }, { token }));
    expect(kept['share_link']).toBeUndefined();
  });

  it.each(['legacy', 'modern'] as const)(
    'does not list sharing without its permission, and answers such a call with a tool error: %s era',
    async (era) => {
      const token = await grantFor('citer-in-private', ['web:read']);
      const listed = async (asked: string) =>
        (await rpc(era, 'tools/list', {}, { token: asked })).result?.tools?.find(({ name }) => name === 'cite');
      expect(JSON.stringify(await listed(token))).not.toMatch(/"share"|public link/u);
      expect(JSON.stringify(await listed(LOCAL_TOKEN))).toMatch(/public link.*"share"/u);
      const cursor = await open(ALARMS, token);
      let status = 0;
      const send = async (request: Request) => {
        const response = await exports.default.fetch(request);
        status = response.status;
        return response;
      };
      const given = { cursor, quote: SAYING, share: true };
      const { result } = await callTool(era, 'cite', given, { token, send });
      expect([status, result?.isError]).toEqual([200, true]);
      expect(result).toMatchObject({
        _meta: { 'mcp/www_authenticate': [expect.stringContaining('scope="web:read cite:share"')] },
      });
      const wrong = await callTool(era, 'cite', { cursor, quotes: SAYING }, { token });
      expect(wrong.result?.content?.[0]?.text).toContain('the parameters are: cursor, quote, note\n');
      const unshared = await callTool(era, 'cite', { cursor, quote: SAYING, share: null }, { token });
      expect(unshared.result?.isError).not.toBe(true);
    },
  );

  it('never shares private pages, and stores nothing in that case', async () => {
    const cursor = await open('https://shares.acme.dev/s/Ab3dE9xQ7wZr');
    const text = String(structured(await callTool('modern', 'scroll', { cursor, loc: 0 }))['text']);
    const [quote = ''] = /[A-Z][^.\n]*\./.exec(text) ?? [];
    const refused = await cite({ cursor, quote, share: true });
    expect(errorOf(refused)).toMatchObject({ error: 'not_shareable' });
    expect(await citationsOf(cursor)).toEqual([]);
    expect(structured(await cite({ cursor, quote }))['share_link']).toBeUndefined();
  });

  it('keeps its document through edits, purges and the hourly sweep, until the citation is deleted', async () => {
    await board('<p>The first edition says that walruses swim well.</p>');
    const cursor = await open('https://board.acme.dev/quoted');
    structured(await cite({ cursor, quote: 'walruses swim well' }));
    const document = await documentOf(cursor);
    await board('<p>The second edition is about otters alone, at length.</p>');
    const other = await open('https://board.acme.dev/quoted');
    await endAllHolds();
    const dry = structured(await callTool('modern', 'cache_purge', { domain: 'board.acme.dev' }));
    const purged = structured(await callTool('modern', 'cache_purge', { domain: 'board.acme.dev', dry_run: false }));
    expect(purged['documents_dropped']).toBe(dry['documents_dropped']);
    await worker.scheduled(createScheduledController(), env);
    expect(await isStored(document)).toBe(true);
    const unknown = await callTool('modern', 'scroll', { cursor: other, loc: 0 });
    expect(JSON.stringify(unknown)).not.toContain('otters');
    const again = structured(await callTool('modern', 'scroll', { cursor, loc: 0 }));
    expect(again['text']).toContain('walruses swim well');
    await env.DB.prepare(`DELETE FROM citations WHERE cursor = ?`).bind(cursor).run();
    await endAllHolds();
    await worker.scheduled(createScheduledController(), env);
    expect(await isStored(document)).toBe(false);
  });

  it('proves a quote of struck-out text without its marks, and every answer shows that it is struck out', async () => {
    await board('<p>The ferry. <s>It leaves at eight. It costs 50 €.</s> It leaves at nine.</p>');
    const cursor = await open('https://board.acme.dev/quoted');
    const struck = '~~It costs 50 €.~~';
    const passages = await callTool('modern', 'find_passages', { question: 'What does it cost?', cursors: [cursor] });
    const found = await callTool('modern', 'find', { cursor, pattern: 'costs 50' });
    for (const answer of [passages, found]) expect(answer.result?.content?.[0]?.text).toContain(struck);
    expect(structured(found)).toMatchObject({ matches: [{ preview: struck }] });
    for (const quote of ['It costs 50 €.', struck]) {
      const answer = await cite({ cursor, quote });
      expect(structured(answer)).toMatchObject({ quote: struck });
      expect(answer.result?.content?.[0]?.text).toContain(struck);
    }
    expect(structured(await cite({ cursor, quote: 'It leaves at eight. It costs' }))).toMatchObject({
      quote: '~~It leaves at eight.~~\n~~It costs~~',
    });
    expect(structured(await cite({ cursor, quote: 'It leaves at nine.' }))).toMatchObject({
      quote: 'It leaves at nine.',
    });
  });

  it('lets a purge report how many pages stay because they are cited', async () => {
    await board('<p>A page that is cited while its snapshot is there.</p>');
    const cursor = await open('https://board.acme.dev/quoted');
    structured(await cite({ cursor, quote: 'A page that is cited' }));
    await endAllHolds();
    const counts = { documents_cited: 1, documents_held: 0, documents_dropped: 0 };
    const dry = structured(await callTool('modern', 'cache_purge', { domain: 'board.acme.dev' }));
    expect(dry).toMatchObject(counts);
    const answer = await callTool('modern', 'cache_purge', { domain: 'board.acme.dev', dry_run: false });
    expect(structured(answer)).toMatchObject(counts);
    expect(answer.result?.content?.[0]?.text).toContain('because they are cited: 1.');
  });
});
