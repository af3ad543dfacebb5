import { createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { SCOPES } from '#core/principal.ts';
import { parseRequestOptions } from '#mcp/handler.ts';
import { buildServer } from '#mcp/server.ts';
import type { ServerEnvironment } from '#mcp/server.ts';
import type { ToolServices, ToolsetName } from '#tools/define-tool.ts';
import { CATALOG } from '#tools/catalog.ts';

const listedTool = z.looseObject({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
});
const answer = z.object({ result: z.object({ tools: z.array(listedTool) }) });

/** An entry of `tools/list`. */
export type ListedTool = z.output<typeof listedTool>;

/** The toolsets that have tools, in the order of the catalog. */
export const TOOLSETS_IN_USE: readonly ToolsetName[] = [...new Set(CATALOG.map(({ toolset }) => toolset))];

/**
 * The server's answer to `tools/list` for a client with every permission.
 * @param query of the connector URL, such as `?toolsets=reader`; empty for the default
 * @param searchesWeb true if the server has a web search, false if it searches the pages opened on it
 */
export async function listTools(query: string, searchesWeb = true): Promise<ListedTool[]> {
  const options = parseRequestOptions(new URL(`http://localhost/mcp${query}`));
  if (!options.ok) throw new Error(options.problem);
  const handler = createMcpHandler(() =>
    buildServer(options.tools, options.toolsets, listingOnly(searchesWeb), new Map(), false),
  );
  const response = await handler.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL,
        'mcp-method': 'tools/list',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } }),
    }),
  );
  return answer.parse(await response.json()).result.tools;
}

const PROTOCOL = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': PROTOCOL,
  'io.modelcontextprotocol/clientInfo': { name: 'periscope-docs', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const listingOnly = (searchesWeb: boolean): ServerEnvironment => ({
  resourceMetadataUrl: 'http://localhost/',
  principal: { subject: 'docs', scopes: SCOPES },
  origin: 'http://localhost',
  get services(): ToolServices {
    throw new Error('No tool is called here.');
  },
  budgets: { spend: async () => undefined },
  useCursor: async () => null,
  abilities: { browser: true, scripts: true, webSearch: searchesWeb },
  structured: { results: true, errors: true },
  recordActivity: () => undefined,
  worksOnCall: async () => undefined,
  resourceLinks: true,
  opensLinks: false,
  requestKey: () => null,
  requestId: 'docs',
  now: Date.now,
  begin: () => () => undefined,
  record: () => undefined,
  reportUnexpected: () => undefined,
});
