import { beforeAll, describe, expect, it } from 'vitest';
import { RESULT_TEXT_BYTES_MAX } from '#core/limits.ts';
import { PROMPT_FOCUS_CHARS_MAX } from '#mcp/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { grantFor } from '../../support/grants.ts';
import { callTool, rpc, structured } from '../../support/mcp-call.ts';
import type { Era } from '../../support/mcp-call.ts';
import { storePage } from '../../support/stored-pages.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const NAMES = ['docs_summarize_for_coding', 'docs_extract_api_surface'];
const ALARMS = 'https://docs.acme.dev/alarms';

type Message = {
  role: string;
  content: { type: string; text?: string; resource?: { uri: string; mimeType: string; text: string } };
};
type Reply = {
  result?: {
    prompts?: { name: string; arguments: { name: string; required: boolean }[] }[];
    messages?: Message[];
    completion?: { values: string[] };
  };
  error?: { code: number; message: string; data?: Record<string, unknown> };
};

let token = '';
beforeAll(async () => {
  token = await grantFor('prompter', ['web:read']);
});

async function ask(era: Era, method: string, params: Record<string, unknown>): Promise<Reply> {
  return (await rpc(era, method, params, { token })) as Reply;
}

const get = (era: Era, name: string, args: Record<string, unknown>) =>
  ask(era, 'prompts/get', { name, arguments: args });

function parts({ result }: Reply) {
  const [page, words, ...rest] = result?.messages ?? [];
  expect(rest).toEqual([]);
  expect([page?.role, words?.role]).toEqual(['user', 'user']);
  return { resource: page?.content.resource, instruction: words?.content.text ?? '' };
}

for (const era of ERAS) {
  describe(`prompts in the ${era} era`, () => {
    it('are two, for a page by URL or snapshot, with an optional focus', async () => {
      const { result } = await ask(era, 'prompts/list', {});
      expect(result?.prompts?.map((prompt) => prompt.name)).toEqual(NAMES);
      for (const prompt of result?.prompts ?? []) {
        expect(prompt.arguments.map((argument) => [argument.name, argument.required])).toEqual([
          ['url', false],
          ['snapshot', false],
          ['focus', false],
        ]);
      }
    });

    for (const name of NAMES) {
      it(`such as ${name} open the page and embed it as a resource, then say what to do`, async () => {
        const { resource, instruction } = parts(await get(era, name, { url: ALARMS, focus: 'setting an alarm twice' }));
        expect(resource).toMatchObject({ mimeType: 'text/markdown' });
        expect(resource?.uri).toMatch(/^resource:\/\/cache\/[0-9a-f]{64}$/);
        expect(resource?.text).toContain('An alarm wakes a durable object at a set time.');
        expect(instruction).toContain('Above all: setting an alarm twice');
        const [cursor = ''] = /c_[a-z0-9]{16}/.exec(instruction) ?? [];
        const scrolled = structured(await callTool(era, 'scroll', { cursor }, { token }));
        expect(resource?.text).toContain(String(scrolled['text']));
        const again = await ask(era, 'resources/read', { uri: resource?.uri });
        expect(JSON.stringify(again.result)).toContain('An alarm wakes a durable object');
      });
    }

    it('differ from each other, and omit a focus that was not given', async () => {
      const texts = await Promise.all(
        NAMES.map(async (name) => parts(await get(era, name, { url: ALARMS })).instruction),
      );
      expect(texts[0]?.split('\n')[0]).not.toBe(texts[1]?.split('\n')[0]);
      for (const text of texts) expect(text).not.toContain('Above all');
    });

    it('use a stored page without a request to its site', async () => {
      const { key } = await storePage({
        url: 'https://nowhere.acme.dev/',
        lines: ['only in the store'],
        owner: 'prompter',
      });
      const { resource } = parts(await get(era, NAMES[0] ?? '', { snapshot: key }));
      expect(resource?.uri).toBe(`resource://cache/${key}`);
      expect(resource?.text).toContain('only in the store');
    });

    it('keep a long page within one result, and say how to continue', async () => {
      const { resource, instruction } = parts(
        await get(era, NAMES[0] ?? '', {
          url: 'https://docs.acme.dev/huge',
          focus: 'ä'.repeat(PROMPT_FOCUS_CHARS_MAX),
        }),
      );
      expect(utf8Bytes(resource?.text ?? '') + utf8Bytes(instruction)).toBeLessThanOrEqual(RESULT_TEXT_BYTES_MAX);
      const [, cursor, loc] =
        /continue with scroll \{\\"cursor\\":\\"(c_\w+)\\",\\"loc\\":(\d+)\}/.exec(resource?.text ?? '') ?? [];
      const next = structured(await callTool(era, 'scroll', { cursor, loc: Number(loc) }, { token }));
      const lastLine = resource?.text.split('\n').at(-1) ?? '';
      const before = structured(await callTool(era, 'scroll', { cursor, loc: Number(loc) - 1 }, { token }));
      expect(String(before['text']).split('\n')[0]).toBe(lastLine);
      expect(next['viewport']).toMatchObject({ start: Number(loc) });
    });

    it('refuse wrong arguments with a clear message and a valid call', async () => {
      const wrong = [
        {},
        { url: '' },
        { url: ALARMS, snapshot: '0'.repeat(64) },
        { url: ALARMS, language: 'de' },
        { url: ALARMS, focus: 'x'.repeat(PROMPT_FOCUS_CHARS_MAX + 1) },
      ];
      for (const args of wrong) {
        const { error } = await get(era, NAMES[0] ?? '', args);
        expect(error).toMatchObject({ code: -32_602, data: { error: 'invalid_argument' } });
        expect(error?.message).toContain('{"url":"https://docs.example.com/page"}');
      }
    });

    it('ignore blank arguments', async () => {
      const { instruction } = parts(await get(era, NAMES[0] ?? '', { url: ` ${ALARMS} `, snapshot: '', focus: ' ' }));
      expect(instruction).not.toContain('Above all');
    });

    it('report the code and the hint when a page cannot be opened', async () => {
      const cases = [
        [{ snapshot: '0'.repeat(64) }, -32_602, 'unknown_snapshot'],
        [{ url: 'http://10.0.0.1/' }, -32_602, 'ssrf_blocked'],
        [{ url: 'https://' }, -32_602, 'invalid_url'],
        [{ url: 'https://docs.acme.dev/missing' }, -32_603, 'http_error'],
      ] as const;
      for (const [args, code, name] of cases) {
        const { error } = await get(era, NAMES[1] ?? '', args);
        expect(error).toMatchObject({ code, data: { error: name, hint: expect.stringMatching(/\w/) } });
        expect(error?.message).toContain(String(error?.data?.['hint']));
      }
    });

    it('return a protocol error when they do not exist', async () => {
      for (const name of ['nope', 'toString', '__proto__']) {
        expect((await get(era, name, { url: ALARMS })).error?.code).toBe(-32_602);
      }
    });

    it('complete a snapshot and a URL from the pages that the user opened', async () => {
      const page = structured(await callTool(era, 'web_open', { url: 'https://docs.acme.dev/links' }, { token }));
      const complete = async (prompt: string, name: string, value: string) =>
        ask(era, 'completion/complete', { ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } });
      const name = NAMES[0] ?? '';
      const found = async (argument: string) =>
        (await complete(name, argument, 'acme.dev/links')).result?.completion?.values;
      expect(await found('snapshot')).toEqual([page['snapshot']]);
      expect(await found('url')).toEqual(['https://docs.acme.dev/links']);
      expect(await found('focus')).toEqual([]);
      expect((await complete('nope', 'url', '')).error?.code).toBe(-32_602);
    });
  });
}
