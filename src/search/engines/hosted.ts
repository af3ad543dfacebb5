import * as z from 'zod';
import { ENGINE_TITLES } from '#core/search-engines.ts';
import { parseJson } from '#core/text/json.ts';
import { DATE_AND_SEARCH_FILTERS, engineProvider, readHits } from '#search/engine.ts';
import type { EngineResults } from '#search/engine.ts';
import { requestProvider } from '#search/provider.ts';
import type { ProviderResponse, SearchHttp, SearchProvider, SearchQuery } from '#search/provider.ts';
import type { RawHit } from '#search/tidy-hits.ts';

type HostedDeps = { userAgent: string; http: SearchHttp };

/**
 * A third party with an MCP server that searches the web. Without a key, it allows a limited number of searches per IP
 * address.
 */
type Host = {
  endpoint: string;
  tool: string;
  input: (query: SearchQuery) => object;
  read: (text: string) => RawHit[] | null;
};

const HOSTS = {
  keenable: {
    endpoint: 'https://api.keenable.ai/mcp',
    tool: 'search_web_pages',
    input: ({ query }) => ({ query }),
    read: readBlocks,
  },
  firecrawl: {
    endpoint: 'https://mcp.firecrawl.dev/v2/mcp',
    tool: 'firecrawl_search',
    input: ({ query, count }) => ({ query, limit: count, sources: [{ type: 'web' }] }),
    read: readFirecrawl,
  },
} as const satisfies Record<string, Host>;

/**
 * Creates the provider of a third party's search. The owner must enable it, because the third party receives the query.
 * Every answer has a note about this.
 */
export function hostedProvider(name: keyof typeof HOSTS, { userAgent, http }: HostedDeps): SearchProvider {
  const host: Host = HOSTS[name];
  const { endpoint, tool } = host;
  const headers = { accept: 'application/json, text/event-stream', 'user-agent': userAgent };
  return engineProvider(
    {
      name,
      paid: false,
      cacheable: false,
      keyRefusals: [],
      ignored: () => NEVER,
      send: (query, signal) => {
        const params = { name: tool, arguments: host.input(query) };
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        return requestProvider(http, { url: endpoint, headers, body }, signal);
      },
      parse: messageIn,
      read: (message, query) => readResult(message, query, host),
      notes: () => [`The query was sent to ${ENGINE_TITLES[name]}, as the owner of this server chose.`],
    },
    http,
  );
}

const NEVER = [...DATE_AND_SEARCH_FILTERS, 'offset'] as const;

function messageIn({ headers, text }: ProviderResponse): unknown {
  if (!/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) return parseJson(text);
  for (const line of text.split(/\r?\n/)) {
    const message = line.startsWith('data:') ? parseJson(line.slice(5)) : undefined;
    if (message !== undefined) return message;
  }
  return undefined;
}

const message = z.object({
  result: z.object({
    isError: z.boolean().nullish(),
    content: z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })),
  }),
});

function readResult(body: unknown, query: SearchQuery, host: Host): EngineResults | null {
  const parsed = message.safeParse(body);
  if (!parsed.success || parsed.data.result.isError === true) return null;
  // The service cannot skip results, so later pages are empty.
  if ((query.offset ?? 0) > 0) return { raw: [], more: false };
  const texts = parsed.data.result.content.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : []));
  const raw = host.read(texts.join('\n'));
  return raw === null ? null : { raw, more: false };
}

const FIELD = /^(Title|URL|Published|Acquired|Snippets|Highlights):/;

/**
 * Parses results in text form. A line that begins with `Title:` starts a result. The result's text follows the line
 * `Snippets:` or `Highlights:`.
 */
function readBlocks(text: string): RawHit[] {
  const blocks: { fields: Map<string, string>; texts: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const field = FIELD.exec(line)?.[1];
    if (field === 'Title') blocks.push({ fields: new Map(), texts: [] });
    const block = blocks.at(-1);
    if (field !== undefined) block?.fields.set(field, line.slice(field.length + 1).replace(/^[ \t]+/, ''));
    else if (block?.fields.has('Snippets') || block?.fields.has('Highlights')) block.texts.push(line);
  }
  return blocks.flatMap(({ fields, texts }) => {
    const url = fields.get('URL') ?? '';
    const age = fields.get('Published') ?? null;
    const title = fields.get('Title') ?? '';
    return url === '' ? [] : [{ url, title, description: texts.join(' ').trim(), extraSnippets: [], age }];
  });
}

const page = z.object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() });
const web = z.object({ web: z.array(z.unknown()) });
const firecrawl = z.union([web, z.object({ data: z.union([web, z.array(z.unknown())]) })]);

function readFirecrawl(text: string): RawHit[] | null {
  const parsed = firecrawl.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const found = 'web' in parsed.data ? parsed.data.web : parsed.data.data;
  return readHits(Array.isArray(found) ? found : found.web, page, (item) => item);
}
