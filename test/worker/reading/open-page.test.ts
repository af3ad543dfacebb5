import { describe, expect, it } from 'vitest';
import { env } from 'cloudflare:workers';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import {
  SMALL_PAGES_RESERVED_BYTES,
  CALL_DEADLINE_MS,
  TASK_MEMORY_BYTES_MAX,
  MEMORY_SHARE_TIMES,
} from '#core/limits.ts';
import { LeaseClock } from '#core/flow/semaphore.ts';
import { createMemoryRunner } from '#core/flow/memory.ts';
import type { MemoryShares } from '#core/flow/memory.ts';
import { partNamed } from '#core/objects.ts';
import { sleep } from '#core/flow/abort.ts';
import { noPause } from '#core/flow/turns.ts';
import { PAGE_LINES_IN_MEMORY_BYTES_MAX, RENDER_RETRY_MS } from '#reading/limits.ts';
import { openPage } from '#reading/open/open-page.ts';
import type { OpenPageDeps, OpenRequest } from '#reading/opened.ts';
import { openDb } from '#storage/db.ts';
import { DocumentStore } from '#storage/pages/documents.ts';
import { StoredFiles } from '#storage/person/stored-files.ts';
import { SiteStore } from '#storage/pages/sites.ts';
import { SnapshotStore } from '#storage/pages/snapshots.ts';
import { page as htmlPage, silentBody, world } from '#support/net-world.ts';
import type { Route } from '#support/net-world.ts';

const TTL_MS = 60_000;

/** A site of one page, behind the real pipeline, over the real stores and the real lease. */
function site(name: string) {
  const host = `${name}.acme.dev`;
  const state = {
    url: `https://${host}/page`,
    text: 'first edition',
    mediaType: 'text/plain',
    etag: '"1"' as string | null,
    /** The answer that replaces the normal one. */
    down: null as Route | null,
    /** The `If-None-Match` of each request for the page. */
    requests: [] as (string | undefined)[],
    clock: 1_000_000,
    gate: Promise.resolve(),
    goingOn: [] as Promise<unknown>[],
  };
  const addresses: Record<string, string[]> = {};
  const routes: Record<string, Route> = {
    [state.url]: async (init, times) => {
      const known = init.headers['if-none-match'];
      state.requests.push(known);
      await state.gate;
      const { down, etag } = state;
      if (down instanceof Error) throw down;
      if (down !== null) return typeof down === 'function' ? down(init, times) : down.clone();
      const headers = { 'content-type': state.mediaType, ...(etag === null ? {} : { etag }) };
      const isSame = known !== undefined && known === etag;
      return isSame ? new Response(null, { status: 304, headers }) : new Response(state.text, { headers });
    },
  };
  const net = world(routes, { addresses });
  const db = openDb(env.DB);
  const memory: MemoryShares = [];
  const deps: OpenPageDeps = {
    now: () => state.clock,
    waitUntil: (work) => state.goingOn.push(work),
    subject: 'somebody',
    cacheTtlMs: TTL_MS,
    net,
    worksOn: async () => undefined,
    inTurn: (_, work) => work(noPause),
    inMemory: createMemoryRunner('somebody', memory, new LeaseClock({ now: Date.now, sleep })),
    render: null,
    lease: (key) => partNamed(env.PACE, `page ${key}`, 'page'),
    snapshots: new SnapshotStore(db),
    siteFacts: new SiteStore(db).facts,
    unknownSite: () => null,
    files: new StoredFiles(partNamed(env.PERSON_STORE, 'somebody', 'files')),
    fileBytesMax: 1_000,
  };
  const open = (request: Partial<OpenRequest> = {}) =>
    openPage(
      { requestedUrl: state.url, mode: 'readable', holdUntil: state.clock + 1, ...request },
      AbortSignal.timeout(60_000),
      deps,
    );
  /** The site with one fault. */
  const failing: Record<'moved' | 'forbidden' | 'private' | 'silent', () => void> = {
    moved: () => {
      const location = `https://new.${host}/page`;
      routes[location] = new Response('moved edition', { headers: { 'content-type': 'text/plain' } });
      state.down = new Response(null, { status: 302, headers: { location } });
    },
    forbidden: () => {
      routes[`https://${host}/robots.txt`] = new Response('User-agent: *\nDisallow: /');
      net.robotsEntries.clear();
    },
    private: () => {
      addresses[host] = ['10.0.0.1'];
    },
    silent: () => {
      state.down = htmlPage(silentBody('first').stream);
      deps.net = { ...net, policy: { ...net.policy, timeoutMs: 50 } };
    },
  };
  return { state, open, deps, failing, memory };
}

const codeOf = (error: unknown) => (error instanceof PeriscopeError ? error.failure.code : String(error));

describe('opening a page', () => {
  it('sends no request while the copy is fresh, and one conditional request after that', async () => {
    const { state, open } = site('fresh');
    expect((await open()).origin).toBe('fetched');
    expect((await open()).origin).toBe('fresh');
    expect(state.requests.length).toBe(1);
    state.clock += TTL_MS;
    expect((await open()).origin).toBe('confirmed');
    expect(state.requests.length).toBe(2);
    expect(state.requests[1]).toBe('"1"');
    expect((await open()).origin).toBe('fresh');
    expect(state.requests.length).toBe(2);
  });

  it('releases its memory when the page is stored, and when it fails', async () => {
    const { open, failing, memory } = site('memory');
    await open();
    expect(memory).toEqual([]);
    failing.forbidden();
    await expect(open({ refresh: true })).rejects.toMatchObject({ failure: { code: 'robots_disallowed' } });
    expect(memory).toEqual([]);
  });

  it('reports missing memory to that caller only, and sends no request', async () => {
    const { state, open, deps, memory } = site('full');
    const holds = (subject: string, held: number) =>
      memory.push({ subject, has: { held, work: 0 }, wants: null, waitsFor: 'body', until: Infinity });
    holds('another', TASK_MEMORY_BYTES_MAX);
    // The reserve for small pages is taken, too.
    for (const subject of ['third', 'fourth']) holds(subject, SMALL_PAGES_RESERVED_BYTES / 2);
    const waited: number[] = [];
    const clock = { now: Date.now, sleep: async (ms: number) => void waited.push(ms) };
    const inMemory = createMemoryRunner('somebody', memory, new LeaseClock(clock));
    Object.assign(deps, { inMemory });
    await expect(open()).rejects.toMatchObject({ failure: { code: 'overloaded', of: 'memory' } });
    expect(waited.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(MEMORY_SHARE_TIMES.waitMs);
    expect(state.requests).toEqual([]);
    memory.length = 0;
    expect((await open()).origin).toBe('fetched');
  });

  it('caches the lines of a short document in memory, and leaves those of a long one in the store', async () => {
    const { state, open } = site('long');
    expect((await open()).lines).toEqual(['```', 'first edition', '```']);
    const lines = Array.from({ length: PAGE_LINES_IN_MEMORY_BYTES_MAX / 10 }, (_, at) => `line ${at} of a long page`);
    Object.assign(state, { text: lines.join('\n'), etag: '"2"', clock: state.clock + TTL_MS });
    const { lines: kept, document } = await open();
    expect(kept).toBeNull();
    const documents = new DocumentStore(openDb(env.DB));
    expect(await documents.readLines(document.id, 1, lines.length)).toEqual(lines);
  });

  it('stores a new document when the page has changed, and keeps the old one unchanged', async () => {
    const { state, open, deps } = site('changed');
    const before = await open();
    Object.assign(state, { text: 'second edition', etag: '"2"', clock: state.clock + TTL_MS });
    const after = await open();
    expect(after.document.id).not.toBe(before.document.id);
    const documents = new DocumentStore(openDb(env.DB));
    expect(await documents.readLines(before.document.id, 1, 1)).toEqual(['first edition']);
    expect(await documents.readLines(after.document.id, 1, 1)).toEqual(['second edition']);
    expect(deps.cacheTtlMs).toBe(TTL_MS);
  });

  it('fetches the whole page when asked to refresh, and honours a maximum age', async () => {
    const { state, open } = site('refresh');
    await open();
    expect((await open({ refresh: true })).origin).toBe('fetched');
    expect(state.requests[1]).toBeUndefined();
    state.clock += 10_000;
    expect((await open({ maxAgeMs: 5000 })).origin).toBe('confirmed');
    state.clock += TTL_MS * 2;
    expect((await open({ maxAgeMs: TTL_MS * 10 })).origin).toBe('fresh');
  });

  it('shows the stored copy, marked as stale, only when the origin is down', async () => {
    const { state, open, failing } = site('stale');
    await open();
    state.clock += TTL_MS;
    const status = (code: number, headers = {}) => new Response('no', { status: code, headers });
    for (const down of [new Error('connection refused'), status(503), status(429, { 'retry-after': '60' })]) {
      state.down = down;
      await expectStale();
    }
    failing.silent();
    await expectStale();

    for (const [down, code] of [
      [status(404), 'http_error'],
      [status(403, { 'cf-mitigated': 'challenge' }), 'challenge_page'],
    ] as const) {
      state.down = down;
      expect(await open().catch(codeOf)).toBe(code);
    }
    failing.forbidden();
    expect(await open().catch(codeOf)).toBe('robots_disallowed');
    failing.private();
    expect(await open().catch(codeOf)).toBe('ssrf_blocked');

    async function expectStale(): Promise<void> {
      const shown = await open();
      expect(shown.origin).toBe('stale');
      expect(shown.notes[0]).toMatch(
        /^The page could not be loaded now; this is the stored copy of 1970-01-01T00:16:40/,
      );
    }
  });

  it('shows no stored copy from a site that the operator has since blocked, under any URL that led there', async () => {
    const { state, open, deps, failing } = site('blocked');
    failing.moved();
    expect((await open()).shownUrl).toBe('https://new.blocked.acme.dev/page');
    expect((await open()).origin).toBe('fresh');
    deps.net = { ...deps.net, policy: { ...deps.net.policy, denyDomains: ['new.blocked.acme.dev'] } };
    expect(await open().catch(codeOf)).toBe('ssrf_blocked');
    state.down = new Error('connection refused');
    expect(await open().catch(codeOf)).toBe('fetch_failed');
    state.down = null;
    expect((await open()).shownUrl).toBe('https://blocked.acme.dev/page');
  });

  it('fetches once for all simultaneous callers', async () => {
    const { state, open } = site('together');
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const all = Array.from({ length: 8 }, () => open());
    setTimeout(resolve, 50);
    const opened = await Promise.all(all);
    expect(state.requests.length).toBe(1);
    expect(new Set(opened.map((page) => page.document.id)).size).toBe(1);
    expect(opened.filter((page) => page.origin === 'fetched').length).toBe(1);
  });

  it('gives all waiting callers the same failure, and fetches again for the next one', async () => {
    const { state, open } = site('failing');
    state.down = new Response('no', { status: 404 });
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const all = Array.from({ length: 4 }, () => open().catch(codeOf));
    setTimeout(resolve, 50);
    expect(new Set(await Promise.all(all))).toEqual(new Set(['http_error']));
    expect(state.requests.length).toBe(1);
    state.down = null;
    expect((await open()).origin).toBe('fetched');
  });

  it('quotes an error page to all waiting callers, and a private one to its caller only', async () => {
    const { state, open } = site('quoting');
    const quotedBy = async (headers: Record<string, string>) => {
      state.requests = [];
      state.down = new Response('Moved to /new.', {
        status: 404,
        headers: { 'content-type': 'text/plain', ...headers },
      });
      const { promise, resolve } = Promise.withResolvers<void>();
      state.gate = promise;
      const all = Array.from({ length: 3 }, () => open().catch((error: unknown) => error));
      setTimeout(resolve, 50);
      return (await Promise.all(all)).map((error) => (error instanceof PeriscopeError ? error.failure : error));
    };
    const failure = { code: 'http_error', statusCode: 404, quoted: expect.stringContaining('\nMoved to /new.\n') };
    expect(await quotedBy({})).toEqual(Array(3).fill(expect.objectContaining(failure)));
    expect(state.requests).toHaveLength(1);
    expect(await quotedBy({ 'cache-control': 'no-store' })).toEqual(Array(3).fill(expect.objectContaining(failure)));
    expect(state.requests).toHaveLength(3);
  });

  it('finishes a fetch whose caller disconnected, for the callers that wait for it', async () => {
    const { state, open, deps } = site('left');
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const leaving = new AbortController();
    const request = { requestedUrl: state.url, mode: 'readable', holdUntil: state.clock + 1 } as const;
    const first = openPage(request, leaving.signal, deps).catch((error: unknown) => error);
    while (state.requests.length === 0) await scheduler.wait(1);
    const second = open();
    leaving.abort(new Error('gone'));
    expect(await first).toEqual(new Error('gone'));
    resolve();
    expect((await second).origin).toBe('fresh');
    await Promise.all(state.goingOn);
    expect(state.requests.length).toBe(1);
  });

  it('fetches for itself, well before its own deadline, when the platform has killed the fetching caller', async () => {
    const { state, open, deps } = site('killed');
    const { lease } = deps;
    const waits: number[] = [];
    deps.lease = (name) => {
      const { take, finish } = lease(name);
      const takeSoon: typeof take = (waitMs, token) => {
        waits.push(waitMs ?? 0);
        return take(50, token);
      };
      return { finish, take: takeSoon };
    };
    // The platform runs nothing more of a request that it has cancelled, and no `finally`.
    const { key } = (await open()).snapshot;
    await lease(key).take(0);
    state.clock += TTL_MS;
    state.etag = '"2"';
    expect((await open()).origin).toBe('fetched');
    expect(Math.max(...waits)).toBeLessThan(CALL_DEADLINE_MS / 2);
  });

  it('fetches again when the stored document has been dropped', async () => {
    const { open } = site('dropped');
    const { document } = await open();
    await env.DB.prepare('DELETE FROM documents WHERE id = ?').bind(document.id).run();
    expect((await open()).origin).toBe('fetched');
  });

  it('requests a rendered page whole, and only when it is no longer fresh', async () => {
    const { state, open, deps } = site('rendered');
    state.mediaType = 'text/html';
    let renders = 0;
    deps.render = async ({ url, html }) => {
      renders += 1;
      return {
        html: `${html} rendered ${renders}`,
        isCut: false,
        finalUrl: url,
        documentUrl: url,
        stillLoading: false,
        ms: 1,
      };
    };
    const first = await open({ mode: 'rendered' });
    expect(first.lines).toEqual(['first edition rendered 1']);
    expect((await open({ mode: 'rendered' })).origin).toBe('fresh');
    state.clock += TTL_MS;
    const second = await open({ mode: 'rendered' });
    expect([second.origin, second.lines]).toEqual(['fetched', ['first edition rendered 2']]);
    expect(state.requests).toEqual([undefined, undefined]);
  });

  it('soon retries to render a page that could not be rendered', async () => {
    const { state, open, deps } = site('awaited');
    state.text = '<div id="root">Loading</div><script src="/app.js"></script>';
    state.mediaType = 'text/html';
    deps.render = async () => fail({ code: 'render_failed', reason: 'there is none to be had' });
    deps.cacheTtlMs = TTL_MS * 100;
    const first = await open({ mode: 'auto' });
    expect(first.notes[0]).toContain('there is none to be had');
    expect((await open({ mode: 'auto' })).notes).toEqual(first.notes);
    deps.render = async ({ url }) => {
      return {
        html: 'what it shows once its scripts have run, which is more than there was',
        isCut: false,
        finalUrl: url,
        documentUrl: url,
        stillLoading: false,
        ms: 1,
      };
    };
    state.clock += RENDER_RETRY_MS;
    const later = await open({ mode: 'auto' });
    expect(later.lines).toEqual(['what it shows once its scripts have run, which is more than there was']);
    expect(state.requests.at(-1)).toBeUndefined();
    state.clock += TTL_MS;
    expect((await open({ mode: 'auto' })).origin).toBe('fresh');
  });

  it('lets waiting callers try for themselves when only the first one has used up their browser time', async () => {
    const { state, open, deps } = site('paid');
    state.mediaType = 'text/html';
    let asked = 0;
    deps.render = async ({ url, html }) => {
      asked += 1;
      if (asked === 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        fail({ code: 'rate_limited', budget: 'b', scope: 'subject', setting: 'S', retryAfterSeconds: 9 });
      }
      return { html, isCut: false, finalUrl: url, documentUrl: url, stillLoading: false, ms: 1 };
    };
    const [first, second] = await Promise.all([
      open({ mode: 'rendered' }).catch(codeOf),
      open({ mode: 'rendered' }).then(({ lines }) => lines),
    ]);
    expect(first).toBe('rate_limited');
    expect(second).toEqual(['first edition']);
  });

  it('reports a partial response, a missing charset and a refresh to another page', async () => {
    const { state, open } = site('unusual');
    const greek = Uint8Array.from('\xcb\xe9\xec\xdc\xed\xe9 \xf4\xe7\xf2 \xf0\xfc\xeb\xe7\xf2', (letter) =>
      letter.charCodeAt(0),
    );
    const headers = { 'content-type': 'text/html', 'content-range': 'bytes 0-12/900', refresh: '0; url=/next' };
    state.down = new Response(greek, { status: 206, headers });
    const { lines, notes, snapshot } = await open();
    expect(lines?.[0]).toBe('Λιμάνι της πόλης');
    expect(lines?.at(-1)).toContain('https://unusual.acme.dev/next');
    expect(notes).toContain('The server sent only a part of this page: bytes 0 to 12 of 900.');
    expect(notes).toContain(
      'The page does not name its character encoding: it was read as windows-1253, which is a guess.',
    );
    expect(snapshot.meta.pages).toMatchObject({ isCut: true });
  });

  it('refuses rendering without a browser', async () => {
    await expect(site('rendered').open({ mode: 'rendered' }).catch(codeOf)).resolves.toBe('render_disabled');
  });
});
