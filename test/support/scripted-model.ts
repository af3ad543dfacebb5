import { createServer } from 'node:http';
import { z } from 'zod';

/** A model's reply in one turn: tool calls, or text. */
export type Reply = { text?: string; calls?: { tool: string; args: Record<string, unknown> }[] };

/** The request to the endpoint: the task, the names of the tools, and their answers so far. */
export type Asked = { model: string; prompt: string; tools: string[]; results: string[]; key: string };

export type ScriptedModel = {
  /** The base address, without the path of either protocol. */
  url: string;
  asked: Asked[];
  close: () => Promise<void>;
};

const block = z.looseObject({ type: z.string(), text: z.string().optional(), content: z.unknown().optional() });
const request = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z
    .array(z.looseObject({ name: z.string().optional(), function: z.looseObject({ name: z.string() }).optional() }))
    .default([]),
});

/** Answers from a script on loopback: with OpenAI's protocol at `/chat/completions`, Anthropic's at `/messages`. */
export async function startScriptedModel(play: (asked: Asked) => Reply): Promise<ScriptedModel> {
  const asked: Asked[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { model, messages, tools } = request.parse(JSON.parse(Buffer.concat(chunks).toString()));
      const one = {
        model,
        prompt: textOf(messages.find(({ role }) => role === 'user')?.content),
        tools: tools.map((tool) => tool.name ?? tool.function?.name ?? ''),
        results: messages.flatMap(({ role, content }) => resultsOf(role, content)),
        key: incoming.headers.authorization ?? String(incoming.headers['x-api-key']),
      };
      asked.push(one);
      const isChat = incoming.url?.endsWith('/chat/completions') === true;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isChat ? asCompletion(play(one)) : asMessage(play(one))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The endpoint has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return z
    .array(block)
    .parse(content ?? [])
    .map(({ text = '' }) => text)
    .join('');
}

function resultsOf(role: string, content: unknown): string[] {
  if (role === 'tool') return [textOf(content)];
  if (role !== 'user' || typeof content === 'string') return [];
  return z
    .array(block)
    .parse(content)
    .flatMap((one) => (one.type === 'tool_result' ? [textOf(one.content)] : []));
}

function asCompletion({ text, calls = [] }: Reply): object {
  const made = calls.map(({ tool, args }, at) => ({
    id: `call_${at}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: text ?? null, ...(made.length > 0 && { tool_calls: made }) };
  return { choices: [{ message }], usage: { prompt_tokens: 100, completion_tokens: 10 } };
}

function asMessage({ text, calls = [] }: Reply): object {
  const content = [
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ tool, args }, at) => ({ type: 'tool_use', id: `call_${at}`, name: tool, input: args })),
  ];
  return { content, usage: { input_tokens: 100, output_tokens: 10 } };
}
