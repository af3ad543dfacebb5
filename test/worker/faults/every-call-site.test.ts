import { evictAllDurableObjects } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEverySite, isPassing, turnsOf, unclear } from '#support/every-call-site.ts';
import type { Ended } from '#support/every-call-site.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, rpc } from '#support/mcp-call.ts';

const DOCS = 'https://docs.acme.dev';

let token = '';
let cursor = '';

beforeAll(async () => {
  token = await grantFor('somebody-with-faults', ['web:read', 'cache:purge']);
});

type Call = () => Promise<Ended>;

function tool(name: string, args: () => Record<string, unknown>): Call {
  return async () => {
    const answer = await callTool('modern', name, args(), { token });
    const { result } = answer;
    return { ok: result !== undefined && result.isError !== true, text: JSON.stringify(answer) };
  };
}

function request(method: string): Call {
  return async () => {
    const answer = await rpc('modern', method, {}, { token });
    return { ok: answer.result !== undefined, text: JSON.stringify(answer) };
  };
}

const CALLS: Record<string, Call> = {
  'a page that is not stored': tool('open_url', () => ({ url: `${DOCS}/changing` })),
  'a page that is stored': tool('open_url', () => ({ url: `${DOCS}/alarms` })),
  'several pages': tool('web_batch_open', () => ({ urls: [`${DOCS}/alarms`, `${DOCS}/notes.md`] })),
  'the next view': tool('scroll', () => ({ cursor, loc: 3 })),
  'a place in it': tool('find', () => ({ cursor, pattern: 'walrus' })),
  'a search': tool('search', () => ({ query: 'walrus paragraph' })),
  'a page for an agent': tool('web_open', () => ({ url: 'https://guide.acme.dev/start' })),
  'removing pages': tool('cache_purge', () => ({ domain: 'guide.acme.dev' })),
  'the list of resources': request('resources/list'),
};

/** Documents without all of their text, snapshots of documents that are not there, and pages that are half in the index. */
async function halfStored(): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    `SELECT 'document' AS what, id FROM documents WHERE line_count <> (SELECT coalesce(max(last_line) + 1, 0) FROM document_chunks WHERE document_id = documents.id)
     UNION ALL SELECT 'snapshot', key FROM snapshots WHERE document_id NOT IN (SELECT id FROM documents)
     UNION ALL SELECT 'words', CAST(rowid AS TEXT) FROM search_words WHERE rowid NOT IN (SELECT id FROM document_chunks)`,
  ).all();
  return results;
}

const IN_TURN = Object.entries(CALLS).map(([kind, call], at) => [kind, call, at] as const);

describe.each(IN_TURN)('%s, with a fault at every call to a binding in turn', (_kind, call, at) => {
  beforeAll(async () => {
    const opened = await callTool('modern', 'open_url', { url: `${DOCS}/long` }, { token });
    cursor = String(opened.result?.structuredContent?.['cursor']);
    await call();
  });

  it.each(turnsOf(at))('returns its result or a clear error, and stores nothing by halves: %s', async (_, turn) => {
    // Objects start again, so that no call waits for a lease that could not be returned.
    const answers = await atEverySite(call, turn, () => evictAllDurableObjects());
    expect(answers.length).toBeGreaterThan(0);
    expect(
      answers.map(({ hit, result }) => [hit, unclear(result), result.text]).filter(([, why]) => why !== null),
    ).toEqual([]);
    if (isPassing(turn.fault)) expect(answers.filter(({ result }) => !result.ok)).toEqual([]);
    expect(await halfStored()).toEqual([]);
    expect(await call()).toMatchObject({ ok: true });
  });
});
