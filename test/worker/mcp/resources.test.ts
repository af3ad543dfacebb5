import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { RESULT_TEXT_BYTES_MAX } from '#core/limits.ts';
import { RESOURCES_PER_LIST_PAGE } from '#reading/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { grantFor } from '../../support/grants.ts';
import { callTool, rpc, structured } from '../../support/mcp-call.ts';
import type { Era } from '../../support/mcp-call.ts';
import { storePage } from '../../support/stored-pages.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const ALARMS = 'https://docs.acme.dev/alarms';

type Listed = { uri: string; name: string; description?: string; mimeType?: string };
type Reply = {
  result?: {
    resources?: Listed[];
    nextCursor?: string;
    resourceTemplates?: { uriTemplate: string; mimeType: string }[];
    contents?: { uri: string; mimeType: string; text: string }[];
    completion?: { values: string[]; total?: number; hasMore?: boolean };
    capabilities?: Record<string, unknown>;
  };
  error?: { code: number; message: string; data?: Record<string, unknown> };
};

async function ask(era: Era, method: string, params: Record<string, unknown>, token?: string): Promise<Reply> {
  return (await rpc(era, method, params, token === undefined ? {} : { token })) as Reply;
}

const read = (era: Era, uri: string, token?: string) => ask(era, 'resources/read', { uri }, token);

/** Puts pages on a subject's list as opening them would. */
async function opened(subject: string, pages: { snapshot: string; url: string; title: string | null }[]) {
  const client = env.CLIENT.get(env.CLIENT.idFromName(subject));
  for (const page of pages) {
    await client.mintPage(
      { ...page, documentId: 'd'.repeat(64), lineCount: 1, restStart: null, fetchedAt: 0 },
      0,
      null,
      60_000,
    );
  }
}

let reader = '';
beforeAll(async () => {
  reader = await grantFor('resource-reader', ['web:read']);
});

for (const era of ERAS) {
  describe(`resources in the ${era} era`, () => {
    it('list the pages that the user opened lately, newest first, each once', async () => {
      const token = await grantFor(`lately-${era}`, ['web:read']);
      expect((await ask(era, 'resources/list', {}, token)).result?.resources).toEqual([]);
      for (const url of [ALARMS, 'https://docs.acme.dev/long', ALARMS]) {
        structured(await callTool(era, 'open_url', { url }, { token }));
      }
      const { result } = await ask(era, 'resources/list', {}, token);
      expect(result?.resources).toMatchObject([
        { name: 'Alarms', description: ALARMS, mimeType: 'text/markdown' },
        { name: 'A long page' },
      ]);
      expect(result?.nextCursor).toBeUndefined();
      const text = (await read(era, result?.resources?.[0]?.uri ?? '', token)).result?.contents?.[0]?.text;
      expect(text).toContain('An alarm wakes a durable object');
      const stranger = await grantFor(`stranger-${era}`, ['web:read']);
      expect((await ask(era, 'resources/list', {}, stranger)).result?.resources).toEqual([]);
    });

    it('are paged with a cursor, and a foreign cursor is refused', async () => {
      const subject = `paging-${era}`;
      const token = await grantFor(subject, ['web:read']);
      const count = RESOURCES_PER_LIST_PAGE + 10;
      const pages = [];
      for (let n = 0; n < count; n += 1) {
        const url = `https://paging.acme.dev/${n}`;
        pages.push({ snapshot: (await storePage({ url, lines: ['x'] })).key, url, title: `Page ${n}` });
      }
      await opened(subject, pages);
      const first = (await ask(era, 'resources/list', {}, token)).result;
      const second = (await ask(era, 'resources/list', { cursor: first?.nextCursor }, token)).result;
      const names = [...(first?.resources ?? []), ...(second?.resources ?? [])].map(({ name }) => name);
      expect(first?.resources?.length).toBe(RESOURCES_PER_LIST_PAGE);
      expect(names).toEqual(pages.map(({ title }) => title).toReversed());
      expect(second?.nextCursor).toBeUndefined();
      const refused = await ask(era, 'resources/list', { cursor: 'made up' }, token);
      expect(refused.error).toMatchObject({ code: -32_602, data: { error: 'invalid_argument' } });
    });

    it('omit pages that are no longer stored, and still reach the others', async () => {
      const subject = `gone-${era}`;
      const token = await grantFor(subject, ['web:read']);
      const url = 'https://gone.acme.dev/kept';
      const kept = await storePage({ url, lines: ['x'] });
      const gone = Array.from({ length: RESOURCES_PER_LIST_PAGE + 1 }, (_, n) => ({
        snapshot: n.toString(16).padStart(64, '0'),
        url: `https://gone.acme.dev/${n}`,
        title: null,
      }));
      await opened(subject, [{ snapshot: kept.key, url, title: null }, ...gone]);
      const { result } = await ask(era, 'resources/list', {}, token);
      expect(result?.resources?.map((resource) => resource.name)).toEqual([url]);
    });

    it('have names on one line, without invisible characters and without credentials', async () => {
      const subject = `names-${era}`;
      const token = await grantFor(subject, ['web:read']);
      const url = 'https://names.acme.dev/?access_token=hunter2';
      const { key: snapshot } = await storePage({ url, lines: ['x'] });
      const { key: other } = await storePage({ url: `${url}&x=1`, lines: ['x'] });
      await opened(subject, [
        { snapshot, url, title: 'One\nresource://x\u2028\u202Etwo\u0007 \u{E0041}three' },
        { snapshot: other, url, title: '\u200B' },
      ]);
      const { result } = await ask(era, 'resources/list', {}, token);
      expect(result?.resources?.[1]?.name).toBe('One resource://x two three');
      expect(result?.resources?.[0]?.name).toBe('https://names.acme.dev/?access_token=REDACTED');
      expect(JSON.stringify(result)).not.toContain('hunter2');
    });

    it('are offered as templates for the text of a page and for its fetch metadata', async () => {
      const { result } = await ask(era, 'resources/templates/list', {}, reader);
      expect(result?.resourceTemplates).toMatchObject([
        { uriTemplate: 'resource://cache/{sha256}', mimeType: 'text/markdown' },
        { uriTemplate: 'resource://meta/{sha256}', mimeType: 'application/json' },
      ]);
    });

    it('contain the front matter and Markdown of a page, as in web_open', async () => {
      const page = structured(await callTool(era, 'web_open', { url: ALARMS }, { token: reader }));
      const uri = `resource://cache/${String(page['snapshot'])}`;
      const { result } = await read(era, uri, reader);
      expect(result?.contents).toEqual([{ uri, mimeType: 'text/markdown', text: page['markdown'] }]);
    });

    it('end at a line for a long page, and explain how to continue before the page begins', async () => {
      const page = structured(
        await callTool(era, 'web_open', { url: 'https://docs.acme.dev/huge' }, { token: reader }),
      );
      const { result } = await read(era, `resource://cache/${String(page['snapshot'])}`, reader);
      const text = result?.contents?.[0]?.text ?? '';
      expect(utf8Bytes(text)).toBeLessThanOrEqual(RESULT_TEXT_BYTES_MAX);
      expect(utf8Bytes(text)).toBeGreaterThan(RESULT_TEXT_BYTES_MAX * 0.9);
      const [head = '', body = ''] = text.split('\n---\n');
      const [, end, total, hash, next] =
        /"Lines 0 to (\d+) of (\d+); continue with cache_get \{\\"snapshot\\":\\"(\w+)\\"\}, then scroll to line (\d+)"/.exec(
          head,
        ) ?? [];
      expect(hash).toBe(page['snapshot']);
      expect(Number(total)).toBe(page['total_lines']);
      expect(Number(next)).toBe(Number(end) + 1);
      expect(body.split('\n').length).toBe(Number(end) + 1);
      const got = structured(await callTool(era, 'cache_get', { snapshot: hash }, { token: reader }));
      const scrolled = structured(
        await callTool(era, 'scroll', { cursor: got['cursor'], loc: Number(next) }, { token: reader }),
      );
      expect(scrolled['viewport']).toMatchObject({ start: Number(next) });
    });

    it('describe the fetch of a page without a secret', async () => {
      const url = 'https://docs.acme.dev/alarms?access_token=hunter2';
      const page = structured(await callTool(era, 'web_open', { url }, { token: reader }));
      const { result } = await read(era, `resource://meta/${String(page['snapshot'])}`, reader);
      const [content] = result?.contents ?? [];
      expect(content?.mimeType).toBe('application/json');
      expect(JSON.parse(content?.text ?? '')).toMatchObject({
        snapshot: page['snapshot'],
        url: 'https://docs.acme.dev/alarms?access_token=REDACTED',
        status: 200,
        lines: page['total_lines'],
        robots: { allowed: true },
      });
      expect(content?.text).not.toContain('hunter2');
    });

    it("return a protocol error with the URI and no other user's data when they do not exist", async () => {
      const secret = await storePage({ url: 'https://mine.acme.dev/', lines: ['the unicorn'], owner: 'somebody-else' });
      for (const uri of [
        `resource://cache/${'0'.repeat(64)}`,
        `resource://meta/${'0'.repeat(64)}`,
        `resource://cache/${secret.key}`,
        `resource://meta/${secret.key}`,
        'resource://cache/ABC',
        'file:///etc/passwd',
      ]) {
        const { error } = await read(era, uri, reader);
        expect(error).toMatchObject({ code: era === 'legacy' ? -32_002 : -32_602, data: { uri } });
        expect(error?.message).toMatch(/^No snapshot with this hash is stored\. .*web_open/);
      }
    });

    it('obey the current URL rules', async () => {
      const url = 'http://127.0.0.1:9999/';
      const { key } = await storePage({ url, lines: ['stored when it was allowed'] });
      await opened('resource-reader', [{ snapshot: key, url, title: null }]);
      const { error } = await read(era, `resource://cache/${key}`, reader);
      expect(error).toMatchObject({ code: -32_602, data: { error: 'ssrf_blocked' } });
    });

    it('are completed from the pages that the user opened, by hash, URL or title', async () => {
      const subject = `completion-${era}`;
      const token = await grantFor(subject, ['web:read']);
      const url = 'https://completion.acme.dev/walruses';
      const { key: snapshot } = await storePage({ url, lines: ['x'] });
      await opened(subject, [
        { snapshot, url, title: 'On Walruses' },
        { snapshot: 'f'.repeat(64), url: 'https://completion.acme.dev/purged', title: 'Purged walruses' },
      ]);
      const complete = async (uri: string, name: string, value: string) =>
        ask(era, 'completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name, value } }, token);
      for (const uri of ['resource://cache/{sha256}', 'resource://meta/{sha256}']) {
        for (const typed of ['', snapshot.slice(0, 5), 'walrus', 'completion.acme']) {
          const { result } = await complete(uri, 'sha256', typed);
          expect(result?.completion).toMatchObject({ values: [snapshot], hasMore: false });
        }
        expect((await complete(uri, 'sha256', 'penguin')).result?.completion?.values).toEqual([]);
        expect((await complete(uri, 'other', '')).result?.completion?.values).toEqual([]);
      }
      expect((await complete('resource://nothing/{x}', 'x', '')).error?.code).toBe(-32_602);
    });

    it('require the scope and the toolset', async () => {
      const token = await grantFor(`no-scope-${era}`, ['cache:purge']);
      for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
        expect((await ask(era, method, {}, token)).error?.code).toBe(-32_601);
        expect((await rpc(era, method, {}, { query: '?toolsets=reader' })).error?.code).toBe(-32_601);
        expect((await rpc(era, method, {}, { query: '?toolsets=chatgpt' })).error?.code).toBe(-32_601);
        expect((await rpc(era, method, {}, { query: '?toolsets=web' })).error).toBeUndefined();
      }
    });
  });
}

describe('the advertised capabilities', () => {
  it('include no subscriptions and no change notifications, in both eras', async () => {
    const expected = {
      tools: { listChanged: false },
      resources: { subscribe: false, listChanged: false },
      prompts: { listChanged: false },
      completions: {},
    };
    const initialize = await ask('legacy', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
    const discover = await ask('modern', 'server/discover', {});
    expect(initialize.result?.capabilities).toEqual(expected);
    expect(discover.result?.capabilities).toMatchObject(expected);
  });
});
