import { evictAllDurableObjects } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { lasting, passing, withFault } from '#support/faulty-bindings.ts';
import type { Fault } from '#support/faulty-bindings.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, rpc } from '#support/mcp-call.ts';
import { ORIGIN } from '#support/oauth-journey.ts';

const DOCS = 'https://docs.acme.dev';
/** More calls to bindings than any call makes. */
const SITES_MAX = 80;

let token = '';
let cursor = '';

beforeAll(async () => {
  token = await grantFor('somebody-with-faults', ['web:read', 'cache:purge']);
});

type Call = { run: () => Promise<{ ok: boolean; text: string }> };

function tool(name: string, args: () => Record<string, unknown>): Call {
  return {
    run: async () => {
      const { result, error } = await callTool('modern', name, args(), { token });
      return { ok: result !== undefined && result.isError !== true, text: JSON.stringify(result ?? error) };
    },
  };
}

function request(method: string): Call {
  return {
    run: async () => {
      const { result, error } = await rpc('modern', method, {}, { token });
      return { ok: result !== undefined, text: JSON.stringify(result ?? error) };
    },
  };
}

function page(path: string): Call {
  return {
    run: async () => {
      const response = await exports.default.fetch(ORIGIN + path, { redirect: 'manual' });
      return { ok: response.status < 400, text: await response.text() };
    },
  };
}

const CALLS: Record<string, Call> = {
  'a page that is not stored': tool('open_url', () => ({ url: `${DOCS}/changing` })),
  'a page that is stored': tool('open_url', () => ({ url: `${DOCS}/alarms` })),
  'the next view': tool('scroll', () => ({ cursor, loc: 3 })),
  'a place in it': tool('find', () => ({ cursor, pattern: 'walrus' })),
  'a search': tool('search', () => ({ query: 'walrus paragraph' })),
  'a page for an agent': tool('web_open', () => ({ url: 'https://guide.acme.dev/start' })),
  'removing pages': tool('cache_purge', () => ({ domain: 'guide.acme.dev' })),
  'the list of resources': request('resources/list'),
  'the sign-in page': page('/sign-in'),
};

/** Of an answer whose database, object or store failed for good. */
const CLEAR = /Try again|try again|server_error|could not be shown|did not work/;

/** Runs it with a fault at the first call site, then at the second, until there are no more. */
async function atEverySite(call: Call, fault: Fault) {
  const answers: { hit: string; ok: boolean; text: string }[] = [];
  for (let n = 1; n <= SITES_MAX; n += 1) {
    const { hit, result } = await withFault(n, fault, call.run);
    // A turn at fetching that could not be given back is not waited for: objects begin anew.
    await evictAllDurableObjects();
    if (hit === null) return answers;
    answers.push({ hit: `${n}: ${hit}`, ...result });
  }
  throw new Error(`more than ${SITES_MAX} call sites`);
}

/** Documents without all of their text, snapshots of documents that are not there, and pages that are half in the index. */
async function halfStored(): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    `SELECT 'document' AS what, id FROM documents WHERE line_count <> (SELECT coalesce(max(last_line) + 1, 0) FROM document_chunks WHERE document_id = documents.id)
     UNION ALL SELECT 'snapshot', key FROM snapshots WHERE document_id NOT IN (SELECT id FROM documents)
     UNION ALL SELECT 'words', CAST(rowid AS TEXT) FROM search_words WHERE rowid NOT IN (SELECT id FROM document_chunks)`,
  ).all();
  return results;
}

describe.each(Object.entries(CALLS))('%s, with a fault at every call to a binding in turn', (_, call) => {
  beforeAll(async () => {
    const opened = await callTool('modern', 'open_url', { url: `${DOCS}/long` }, { token });
    cursor = String(opened.result?.structuredContent?.['cursor']);
    await call.run();
  });

  it.each(['before', 'after'] as const)('that passes, %s it was done: gives its result', async (moment) => {
    const answers = await atEverySite(call, { moment, error: passing });
    const lost = answers.filter(({ ok, hit }) => !ok && !hit.includes('KV'));
    expect(lost).toEqual([]);
    expect(await halfStored()).toEqual([]);
  });

  it('that lasts: gives its result or a clear error, with nothing half stored', async () => {
    const answers = await atEverySite(call, { moment: 'before', error: lasting });
    expect(answers.filter(({ ok, text }) => !ok && !CLEAR.test(text))).toEqual([]);
    expect(answers.filter(({ text }) => text.includes('the words of a fault'))).toEqual([]);
    expect(await halfStored()).toEqual([]);
    expect((await call.run()).ok).toBe(true);
  });
});
