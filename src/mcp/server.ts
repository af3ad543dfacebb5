import * as z from 'zod';
import { CLIENT_CAPABILITIES_META_KEY, inputResponse, McpServer } from '@modelcontextprotocol/server';
import type { ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { JsonSchema, Tool } from '#tools/define-tool.ts';
import { mayCall } from '#tools/offers.ts';
import { TOOLSETS } from '#tools/toolsets.ts';
import type { ToolsetName } from '#tools/toolsets.ts';
import { serveCompletions } from './completions.ts';
import { instructions } from './instructions.ts';
import { linkRequest } from './link-requests.ts';
import { servePrompts } from './prompts.ts';
import { serveResources } from './resources.ts';
import { LINK, runTool } from './run-tool.ts';
import type { CallEnvironment, Connection } from './run-tool.ts';
import { SERVER_NAME, SERVER_TITLE, VERSION } from '#core/version.ts';

/**
 * A fresh protocol server for one request, with the tools this principal was granted.
 * @param called the tool that the request calls: a server for that needs nothing else
 */
export function buildServer(
  tools: readonly Tool[],
  toolsets: readonly ToolsetName[],
  env: CallEnvironment,
  called: Tool | null,
): McpServer {
  const hasPages = toolsets.includes('web') && mayCall(env.principal, TOOLSETS.web);
  const capabilities = { tools: { listChanged: false }, ...(hasPages ? PAGE_CAPABILITIES : {}) };
  const server = new McpServer(
    { name: SERVER_NAME, title: SERVER_TITLE, version: VERSION },
    { capabilities, instructions: instructions(toolsets, env.origin) },
  );
  for (const tool of called === null ? tools : [called]) {
    if (mayCall(env.principal, tool)) register(server, tool, env);
  }
  if (hasPages && called === null) {
    serveResources(server, env);
    servePrompts(server, env);
    serveCompletions(server, env);
  }
  return server;
}

/** What belongs to the toolset `web` beside its tools. Nothing is announced: no request outlives its answer. */
const PAGE_CAPABILITIES = {
  resources: { subscribe: false, listChanged: false },
  prompts: { listChanged: false },
  completions: {},
};

function register(server: McpServer, tool: Tool, env: CallEnvironment): void {
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: env.abilities.webSearch ? tool.description : tool.descriptionWithoutWeb,
      inputSchema: listedSchema(tool.inputSchema),
      ...(env.structured.results && tool.outputSchema !== null
        ? { outputSchema: listedSchema(tool.outputSchema) }
        : {}),
      annotations: {
        title: tool.title,
        readOnlyHint: tool.hints.readOnly,
        destructiveHint: tool.hints.destructive,
        openWorldHint: tool.hints.openWorld,
      },
      // ChatGPT reads here what a tool needs, to ask the person for it.
      _meta: { securitySchemes: [{ type: 'oauth2', scopes: [tool.scope] }] },
    },
    (input, context) => runTool(tool, input, connectionOf(context, server, env), env),
  );
}

function connectionOf({ mcpReq }: ServerContext, { server }: McpServer, { opensLinks }: CallEnvironment): Connection {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    links: opensLinks ? { canAsk: true, said: null } : linksOf(mcpReq),
    // The library would wait for the answer here, which comes with another request.
    askToOpen: opensLinks
      ? async (link) => server.transport?.send(linkRequest(link), { relatedRequestId: mcpReq.id })
      : null,
    progress: (done, total) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress: done, total };
      // A caller that hung up misses a notification, not a result: the signal tells the tool.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

/** Capabilities of a client that asks its person to open a link. */
const capable = z.object({ elicitation: z.object({ url: z.object({}) }) });

function linksOf({ envelope, inputResponses }: ServerContext['mcpReq']): Connection['links'] {
  const said = inputResponse(inputResponses, LINK);
  return {
    canAsk: capable.safeParse(Reflect.get(envelope ?? {}, CLIENT_CAPABILITIES_META_KEY)).success,
    said: said.kind === 'elicit' ? said.action : null,
  };
}

/**
 * Shows clients the strict shape and lets every value through: `runTool` parses with the real schema, so that a refused
 * argument gets our error shape in both protocol eras instead of the SDK's prose.
 */
function listedSchema(shape: () => JsonSchema): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'periscope',
      validate: (value) => ({ value }),
      jsonSchema: { input: shape, output: shape },
    },
  };
}
