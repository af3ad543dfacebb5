import * as z from 'zod';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** Official MCP clients of both SDK generations, behind one type. */
export type ToolResult = {
  text: string;
  structured: Record<string, unknown>;
  /** The first image, in base64; empty if there is none. */
  image: string;
  isError: boolean;
};

export type TestClient = {
  /** @param signal cancels the call, as the protocol defines it */
  call: (name: string, args: Record<string, unknown>, signal?: AbortSignal) => Promise<ToolResult>;
  toolNames: () => Promise<string[]>;
  protocol: () => string | undefined;
  close: () => Promise<void>;
};

export type Endpoint = { mcpUrl: string; token: string };
export type Connect = (endpoint: Endpoint) => Promise<TestClient>;
/** The user's reply when the client asks to open a link. */
export type OnLink = (url: string, message: string) => Promise<'accept' | 'decline' | 'cancel'>;
export type ConnectAsked = (endpoint: Endpoint, onLink: OnLink) => Promise<TestClient>;

const INFO = { name: 'periscope-test', version: '1.0.0' };
const MODERN = '2026-07-28';

/** Every kind of client that users have. */
export const CLIENTS: readonly { kind: string; connect: Connect }[] = [
  { kind: 'v2 SDK, 2026-07-28', connect: (endpoint) => connectV2(endpoint, { pin: MODERN }) },
  { kind: 'v2 SDK, 2025 era', connect: (endpoint) => connectV2(endpoint, 'legacy') },
  { kind: 'v1 SDK', connect: connectV1 },
];

/** Clients that can ask their user to open a link. */
export const ASKED_CLIENTS: readonly { kind: string; connect: ConnectAsked }[] = [
  { kind: 'v2 SDK, 2026-07-28', connect: (endpoint, onLink) => connectV2(endpoint, { pin: MODERN }, onLink) },
  { kind: 'v2 SDK, 2025-11-25', connect: (endpoint, onLink) => connectV2(endpoint, 'legacy', onLink) },
  { kind: 'v1 SDK, 2025-11-25', connect: connectV1 },
];

const OPENS_LINKS = { capabilities: { elicitation: { url: {} } } };
const linkIn = z.object({ mode: z.literal('url'), url: z.string(), message: z.string() });

/** Speaks protocol revision 2026-07-28: no `initialize`, no session. */
export const connectModern: Connect = (endpoint) => connectV2(endpoint, { pin: MODERN });

/** Speaks the revisions of 2025, through the SDK that most hosts still use. */
export async function connectV1({ mcpUrl, token }: Endpoint, onLink?: OnLink): Promise<TestClient> {
  const client = new ClientV1(INFO, onLink === undefined ? {} : OPENS_LINKS);
  if (onLink !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const { url, message } = linkIn.parse(params);
      return { action: await onLink(url, message) };
    });
  }
  const transport = new TransportV1(new URL(mcpUrl), { requestInit: { headers: bearer(token) } });
  await client.connect(transport);
  return {
    call: async (name, args, signal) => {
      const called = client.callTool({ name, arguments: args }, undefined, signal === undefined ? {} : { signal });
      const result = CallToolResultSchema.parse(await called);
      return toResult(result.content, result.structuredContent, result.isError);
    },
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    protocol: () => transport.protocolVersion,
    close: () => client.close(),
  };
}

async function connectV2(
  { mcpUrl, token }: Endpoint,
  mode: 'legacy' | { pin: string },
  onLink?: OnLink,
): Promise<TestClient> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode }, ...(onLink === undefined ? {} : OPENS_LINKS) });
  if (onLink !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { url, message } = linkIn.parse(params);
      return { action: await onLink(url, message) };
    });
  }
  await client.connect(new TransportV2(new URL(mcpUrl), { requestInit: { headers: bearer(token) } }));
  return {
    call: async (name, args, signal) => {
      const called = client.callTool({ name, arguments: args }, signal === undefined ? {} : { signal });
      const { content, structuredContent, isError } = await called;
      return toResult(content, structuredContent, isError);
    },
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    protocol: () => client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  };
}

/** A client that connects again for every call, as hosted connectors do. */
export function reconnecting(connect: Connect, endpoint: Endpoint): TestClient {
  const once = async <T>(use: (client: TestClient) => Promise<T>): Promise<T> => {
    const client = await connect(endpoint);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  };
  return {
    call: (name, args) => once((client) => client.call(name, args)),
    toolNames: () => once((client) => client.toolNames()),
    protocol: () => undefined,
    close: async () => undefined,
  };
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function toResult(content: readonly { type: string }[], structured: unknown, isError: boolean | undefined): ToolResult {
  return {
    text: content.map((block) => ('text' in block && typeof block.text === 'string' ? block.text : '')).join('\n'),
    structured: (structured ?? {}) as Record<string, unknown>,
    image: content.map((block) => ('data' in block && typeof block.data === 'string' ? block.data : '')).join(''),
    isError: isError === true,
  };
}
