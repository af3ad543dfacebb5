import { z } from 'zod';
import type { Picture, ToldTool } from '../browser/subjects.ts';

/** A message of the conversation, in the endpoint's format. */
export type Said = { role: string; [field: string]: unknown };
export type Wanted = { id: string; tool: string; args: unknown };
export type Turn = { said: Said; text: string; wanted: Wanted[]; input: number; output: number };
export type Seen = { id: string; text: string; pictures: readonly Picture[]; isError: boolean };

/** The protocol of an endpoint. */
export type Speech = {
  headers: (key: string) => Record<string, string>;
  body: (model: string, system: string, said: readonly Said[], tools: readonly ToldTool[]) => object;
  heard: (answer: unknown) => Turn;
  seen: (results: readonly Seen[]) => Said[];
};

const TURN_TOKENS_MAX = 4096;

/** @throws if the address belongs to neither protocol */
export function speechOf(url: string): Speech {
  if (/^https?:\/\/[^?#]+\/chat\/completions$/.test(url)) return CHAT_COMPLETIONS;
  if (/^https?:\/\/[^?#]+\/messages$/.test(url)) return MESSAGES;
  throw new Error('Set BENCH_MODEL_URL to an address that ends in /chat/completions or /messages.');
}

const COMPLETION = z.object({
  choices: z.tuple([
    z.object({
      message: z.looseObject({
        content: z.string().nullish(),
        tool_calls: z
          .array(z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
          .nullish(),
      }),
    }),
  ]),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

const CHAT_COMPLETIONS: Speech = {
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: (model, system, said, tools) => ({
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...said],
    // Some endpoints refuse an empty list.
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    }),
  }),
  heard: (answer) => {
    const { choices, usage } = COMPLETION.parse(answer);
    const { content, tool_calls: calls } = choices[0].message;
    const wanted = (calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
      id,
      tool: name,
      args: parsed(args),
    }));
    const said = { role: 'assistant', content: content ?? null, ...(calls?.length && { tool_calls: calls }) };
    return {
      said,
      text: content ?? '',
      wanted,
      input: usage?.prompt_tokens ?? 0,
      output: usage?.completion_tokens ?? 0,
    };
  },
  // Pictures have no place in a tool's answer in this protocol.
  seen: (results) => {
    const pictures = results.flatMap((result) => result.pictures);
    const urls = pictures.map(({ data, mimeType }) => ({ url: `data:${mimeType};base64,${data}` }));
    return [
      ...results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
      ...(urls.length === 0
        ? []
        : [{ role: 'user', content: urls.map((url) => ({ type: 'image_url', image_url: url })) }]),
    ];
  },
};

const MESSAGE = z.object({
  content: z.array(
    z.looseObject({
      type: z.string(),
      id: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
      text: z.string().optional(),
    }),
  ),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
});

const MESSAGES: Speech = {
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  body: (model, system, said, tools) => ({
    model,
    max_tokens: TURN_TOKENS_MAX,
    ...(system !== '' && { system }),
    messages: said,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    }),
  }),
  heard: (answer) => {
    const { content, usage } = MESSAGE.parse(answer);
    const wanted = content.flatMap(({ type, id, name, input }) =>
      type === 'tool_use' && id !== undefined && name !== undefined ? [{ id, tool: name, args: input }] : [],
    );
    const text = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
    return {
      said: { role: 'assistant', content },
      text,
      wanted,
      input: usage.input_tokens,
      output: usage.output_tokens,
    };
  },
  seen: (results) => [
    {
      role: 'user',
      content: results.map(({ id, text, pictures, isError }) => ({
        type: 'tool_result',
        tool_use_id: id,
        is_error: isError,
        content: [
          { type: 'text', text: text === '' ? '(nothing)' : text },
          ...pictures.map(({ data, mimeType }) => ({
            type: 'image',
            source: { type: 'base64', media_type: mimeType, data },
          })),
        ],
      })),
    },
  ],
};

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json; // `converse` reports arguments that are not an object.
  }
}
