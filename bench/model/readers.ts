import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchServer } from '#scripts/local/launch.ts';
import type { Answer, Call, Subject } from '../browser/subjects.ts';
import { ours } from '../browser/subjects.ts';
import { decoded } from '../questions/page-text.ts';
import { plainText } from './corpus.ts';

export const READERS = ['periscope', 'fetch'] as const;
export type ReaderName = (typeof READERS)[number];

/** Tools for reading documentation, and their descriptions for a model. */
export type Reader = Pick<Subject, 'told' | 'call' | 'close'>;

/** @param host of the documentation, which listens on loopback */
export async function startReader(name: ReaderName, host: string): Promise<Reader> {
  return name === 'periscope' ? periscope(host) : fetchTool(host);
}

/** `npm start` with the tools that read and cite, without a browser. */
async function periscope(host: string): Promise<Reader> {
  const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
  const server = await launchServer({
    home,
    settings: {
      ALLOWED_PRIVATE_HOSTS: host,
      BUDGET_CALLS_PER_MINUTE: '100000',
      BUDGET_CALLS_PER_DAY: '1000000',
      RENDER_ENABLED: 'false',
    },
  });
  const subject = await ours({ ...server, mcpUrl: `${server.mcpUrl}?toolsets=reader,web` });
  return {
    told: subject.told,
    call: subject.call,
    close: async () => {
      await subject.close();
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const CHARS_DEFAULT = 5_000;
const CHARS_MAX = 50_000;

/** The tool that most clients have built in: the text of a page with its links, some characters at a time. */
function fetchTool(host: string): Reader {
  const description = `Fetches a page and returns its text and links, ${CHARS_DEFAULT} characters at a time unless max_length says otherwise. start_index continues a page that was cut.`;
  const inputSchema = {
    type: 'object',
    properties: {
      url: { type: 'string' },
      max_length: { type: 'integer', minimum: 1, maximum: CHARS_MAX },
      start_index: { type: 'integer', minimum: 0 },
    },
    required: ['url'],
    additionalProperties: false,
  };
  return {
    told: async () => ({ instructions: '', tools: [{ name: 'fetch', description, inputSchema }] }),
    call: async ({ tool, args }: Call): Promise<Answer> => {
      const from = performance.now();
      const { text, isError } = tool === 'fetch' ? await fetchPage(args, host) : failed(`There is no tool ${tool}.`);
      return { text, pictures: [], ms: performance.now() - from, isError };
    },
    close: async () => undefined,
  };
}

async function fetchPage(args: Record<string, unknown>, host: string): Promise<{ text: string; isError: boolean }> {
  const url = URL.parse(String(args['url']));
  if (url === null) return failed('url is not an address.');
  // Same limit as Periscope's: no other host of this machine.
  if (url.host !== host) return failed(`${url.host} is not reachable from here.`);
  const start = Number(args['start_index'] ?? 0);
  const length = Math.min(CHARS_MAX, Number(args['max_length'] ?? CHARS_DEFAULT));
  if (!Number.isInteger(start) || !Number.isInteger(length)) return failed('start_index and max_length are integers.');
  const response = await fetch(url);
  const body = decoded(Buffer.from(await response.arrayBuffer()));
  if (!response.ok) return failed(`${url.href} answered ${response.status}.`);
  const isHtml = response.headers.get('content-type')?.includes('html') === true;
  const text = isHtml ? withLinks(body, url) : body;
  const part = text.slice(start, start + length);
  const rest = text.length - start - part.length;
  return {
    text: rest > 0 ? `${part}\n[${rest} more characters: start_index ${start + length}]` : part,
    isError: false,
  };
}

/** The text, with the address of each link after its words. */
function withLinks(html: string, base: URL): string {
  const linked = html.replace(
    /<a\b[^>]*?\bhref\s*=\s*["']([^"']*)["'][^>]*>([\s\S]*?)<\/a>/gi,
    (_, href: string, words: string) => ` ${words} (${URL.parse(href, base.href)?.href ?? href}) `,
  );
  return plainText(linked);
}

function failed(text: string): { text: string; isError: boolean } {
  return { text, isError: true };
}
