import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { LaunchedServer } from '#scripts/local/launch.ts';

/** The fields of structured results that the demo uses. */
const structuredPart = z.object({
  cursor: z.string().default(''),
  link: z.string().default(''),
  session: z.string().default(''),
  title: z.string().default('(no title)'),
  text: z.string().default(''),
  viewport: z.object({ start: z.number() }).optional(),
  matches: z.array(z.object({ loc: z.number() })).default([]),
});

export type Result = {
  text: string;
  structured: z.output<typeof structuredPart>;
  /** The first image, or `null`. */
  image: Buffer | null;
};

export async function connect({ mcpUrl, token }: LaunchedServer): Promise<Client> {
  const client = new Client({ name: 'periscope-demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(mcpUrl), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

/** Calls a tool, and prints the call and the result as the model sees it. */
export async function shownCall(client: Client, name: string, args: Record<string, unknown>): Promise<Result> {
  console.log(`\n> ${name} ${JSON.stringify(args)}\n`);
  const result = await call(client, name, args);
  console.log(result.text.replace(/^/gm, '  '));
  return result;
}

/** @throws with the tool's message if the tool fails */
export async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Result> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  if (isError === true) throw new Error(`${name} ${JSON.stringify(args)} failed:\n${text}`);
  const image = content.find((block) => block.type === 'image');
  return {
    text,
    structured: structuredPart.parse(structuredContent ?? {}),
    image: image === undefined ? null : Buffer.from(image.data, 'base64'),
  };
}

export function heading(text: string): void {
  console.log(`\n── ${text}`);
}
