import { describe, expect, it } from 'vitest';
import { env } from 'cloudflare:workers';
import type { Extraction } from '#core/document.ts';
import { fail, PeriscopeError } from '#core/errors.ts';
import { CALL_DEADLINE_MS } from '#core/limits.ts';
import { objectNamed } from '#core/objects.ts';
import { RENDER_RETRY_MS } from '#reading/limits.ts';
import type { Failure } from '#core/errors.ts';
import type { LoadInput, LoadedPage } from '#net/load.ts';
import { openPage } from '#reading/open-page.ts';
import type { OpenPageDeps, OpenRequest } from '#reading/opened.ts';
import { openDb } from '#storage/db.ts';
import { DocumentStore } from '#storage/documents.ts';
import { KeptFiles } from '#storage/kept-files.ts';
import { SiteRows } from '#storage/sites.ts';
import { SnapshotStore } from '#storage/snapshots.ts';

const TTL_MS = 60_000;

/** A site of one page over the real stores and the real lease; `text` is what it says, `down` how it fails. */
function site(name: string) {
  const state = {
    url: `https://${name}.acme.dev/page`,
    text: 'first edition',
    etag: '"1"' as string | null,
    down: null as Failure | null,
    isPrivate: false,
    requests: [] as LoadInput[],
    clock: 1_000_000,
    gate: Promise.resolve(),
    goingOn: [] as Promise<unknown>[],
  };
  const load = async (input: LoadInput): Promise<LoadedPage> => {
    state.requests.push(input);
    await state.gate;
    if (state.down !== null) fail(state.down);
    const common = {
      requestedUrl: input.url,
      finalUrl: input.url,
      redirects: [],
      isPrivate: state.isPrivate,
      status: 200,
      headers: {},
      etag: state.etag,
      lastModified: null,
      robots: { checked: true, allowed: true, robotsUrl: '', rule: null },
      noindex: [],
      fetchMs: 1,
    };
    const isSame = input.conditional !== undefined && input.conditional.etag === state.etag;
    if (isSame) return { ...common, status: 304, notModified: true };
    const bytes = new TextEncoder().encode(state.text);
    return {
      ...common,
      notModified: false,
      mediaType: 'text/plain',
      kind: 'text',
      charset: 'utf-8',
      bytes,
      text: state.text,
    };
  };
  const db = openDb(env.DB);
  const deps: OpenPageDeps = {
    now: () => state.clock,
    waitUntil: (work) => state.goingOn.push(work),
    subject: 'somebody',
    cacheTtlMs: TTL_MS,
    checkAddress: () => undefined,
    load,
    extract: async ({ text }) => ({ ...extraction(text), explanation: { strategy: 'text', candidates: [] } }),
    render: null,
    lease: (key) => objectNamed(env.LEASE, key),
    snapshots: new SnapshotStore(db),
    siteFacts: new SiteRows(db).facts,
    files: new KeptFiles(objectNamed(env.FILES, 'somebody')),
    fileBytesMax: 1_000,
  };
  const open = (request: Partial<OpenRequest> = {}) =>
    openPage(
      { url: state.url, mode: 'readable', holdUntil: state.clock + 1, ...request },
      AbortSignal.timeout(10_000),
      deps,
    );
  return { state, open, deps };
}

function extraction(text: string): Extraction {
  return { title: null, language: null, lines: [text], extractor: 'text@1', cuts: [] };
}

const codeOf = (error: unknown) => (error instanceof PeriscopeError ? error.failure.code : String(error));

describe('opening a page', () => {
  it('asks the origin once while the copy is fresh, and once more, conditionally, after that', async () => {
    const { state, open } = site('fresh');
    expect((await open()).origin).toBe('fetched');
    expect((await open()).origin).toBe('fresh');
    expect(state.requests.length).toBe(1);
    state.clock += TTL_MS;
    expect((await open()).origin).toBe('confirmed');
    expect(state.requests.length).toBe(2);
    expect(state.requests[1]?.conditional).toEqual({ etag: '"1"', lastModified: null });
    expect((await open()).origin).toBe('fresh');
    expect(state.requests.length).toBe(2);
  });

  it('stores a new document when the page has changed, and leaves the old one as it was', async () => {
    const { state, open, deps } = site('changed');
    const before = await open();
    Object.assign(state, { text: 'second edition', etag: '"2"', clock: state.clock + TTL_MS });
    const after = await open();
    expect(after.document.id).not.toBe(before.document.id);
    const documents = new DocumentStore(openDb(env.DB));
    expect(await documents.readLines(before.document.id, 0, 0)).toEqual(['first edition']);
    expect(await documents.readLines(after.document.id, 0, 0)).toEqual(['second edition']);
    expect(deps.cacheTtlMs).toBe(TTL_MS);
  });

  it('fetches the whole page when asked to refresh, and honours a maximum age', async () => {
    const { state, open } = site('refresh');
    await open();
    expect((await open({ refresh: true })).origin).toBe('fetched');
    expect(state.requests[1]?.conditional).toBeUndefined();
    state.clock += 10_000;
    expect((await open({ maxAgeMs: 5000 })).origin).toBe('confirmed');
    state.clock += TTL_MS * 2;
    expect((await open({ maxAgeMs: TTL_MS * 10 })).origin).toBe('fresh');
  });

  it('shows the stored copy, marked as stale, when the origin is down – and no other failure is covered up', async () => {
    const { state, open } = site('stale');
    await open();
    state.clock += TTL_MS;
    const url = state.url;
    const outages: Failure[] = [
      { code: 'fetch_failed', url, reason: 'the connection was refused' },
      { code: 'timeout', what: 'Loading the page', afterMs: 1, url },
      { code: 'http_error', url, statusCode: 503 },
      { code: 'http_error', url, statusCode: 429, retryAfterSeconds: 60 },
    ];
    for (const down of outages) {
      state.down = down;
      const shown = await open();
      expect(shown.origin).toBe('stale');
      expect(shown.notes[0]).toMatch(/^The site is not answering; this is the stored copy of 1970-01-01T00:16:40/);
    }
    const verdicts: Failure[] = [
      { code: 'http_error', url, statusCode: 404 },
      { code: 'robots_disallowed', url, robotsUrl: url, reason: 'x' },
      { code: 'challenge_page', url, kind: 'bot_wall', statusCode: 403 },
      { code: 'ssrf_blocked', url, reason: 'x' },
    ];
    for (const down of verdicts) {
      state.down = down;
      await expect(open().catch(codeOf)).resolves.toBe(down.code);
    }
  });

  it('fetches once for all who ask at the same time', async () => {
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

  it('gives everyone who waited the same failure, and asks again for the next one', async () => {
    const { state, open } = site('failing');
    state.down = { code: 'http_error', url: state.url, statusCode: 404 };
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const all = Array.from({ length: 4 }, () => open().catch(codeOf));
    setTimeout(resolve, 50);
    expect(new Set(await Promise.all(all))).toEqual(new Set(['http_error']));
    expect(state.requests.length).toBe(1);
    state.down = null;
    expect((await open()).origin).toBe('fetched');
  });

  it('finishes a fetch whose caller has gone away, for the callers that wait for it', async () => {
    const { state, open, deps } = site('left');
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const leaving = new AbortController();
    const request = { url: state.url, mode: 'readable', holdUntil: state.clock + 1 } as const;
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
      return { finish, take: (waitMs = 0, token) => take(waits.push(waitMs) > 0 ? 50 : waitMs, token) };
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

  it('asks for a rendered page whole, and only when it is no longer fresh', async () => {
    const { state, open, deps } = site('rendered');
    const { load } = deps;
    deps.load = async (input) => {
      const page = await load(input);
      return page.notModified ? page : { ...page, kind: 'html', mediaType: 'text/html' };
    };
    let renders = 0;
    deps.render = async ({ url, html }) => {
      renders += 1;
      return { html: `${html} rendered ${renders}`, isCut: false, finalUrl: url, stillLoading: false, ms: 1 };
    };
    const first = await open({ mode: 'rendered' });
    expect(first.lines).toEqual(['first edition rendered 1']);
    expect((await open({ mode: 'rendered' })).origin).toBe('fresh');
    state.clock += TTL_MS;
    const second = await open({ mode: 'rendered' });
    expect([second.origin, second.lines]).toEqual(['fetched', ['first edition rendered 2']]);
    expect(state.requests.map(({ conditional }) => conditional)).toEqual([undefined, undefined]);
  });

  it('tries soon again to render a page that could not be rendered', async () => {
    const { state, open, deps } = site('awaited');
    const { load } = deps;
    state.text = '<div id="root">Loading</div><script src="/app.js"></script>';
    deps.load = async (input) => {
      if (input.url.endsWith('/llms.txt')) return fail({ code: 'http_error', url: input.url, statusCode: 404 });
      const page = await load(input);
      return page.notModified ? page : { ...page, kind: 'html', mediaType: 'text/html' };
    };
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
        stillLoading: false,
        ms: 1,
      };
    };
    state.clock += RENDER_RETRY_MS;
    const later = await open({ mode: 'auto' });
    expect(later.lines).toEqual(['what it shows once its scripts have run, which is more than there was']);
    expect(state.requests.at(-1)?.conditional).toBeUndefined();
    state.clock += TTL_MS;
    expect((await open({ mode: 'auto' })).origin).toBe('fresh');
  });

  it('lets those who wait try for themselves when only the first one has used up their browser time', async () => {
    const { open, deps } = site('paid');
    const { load } = deps;
    deps.load = async (input) => {
      const page = await load(input);
      return page.notModified ? page : { ...page, kind: 'html', mediaType: 'text/html' };
    };
    let asked = 0;
    deps.render = async ({ url, html }) => {
      asked += 1;
      if (asked === 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        fail({ code: 'rate_limited', budget: 'b', scope: 'subject', setting: 'S', retryAfterSeconds: 9 });
      }
      return { html, isCut: false, finalUrl: url, stillLoading: false, ms: 1 };
    };
    const [first, second] = await Promise.all([
      open({ mode: 'rendered' }).catch(codeOf),
      open({ mode: 'rendered' }).then(({ lines }) => lines),
    ]);
    expect(first).toBe('rate_limited');
    expect(second).toEqual(['first edition']);
  });

  it('refuses rendering, which needs a browser', async () => {
    await expect(site('rendered').open({ mode: 'rendered' }).catch(codeOf)).resolves.toBe('render_disabled');
  });
});
