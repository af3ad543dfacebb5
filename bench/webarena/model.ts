import { z } from 'zod';
import type { Picture, ToldTool } from '../browser/subjects.ts';
import type { Run } from './run.ts';

/** Where a model answers. The end of the address says which of two ways of speaking it knows. */
export type Endpoint = { url: string; key: string; model: string };

/** What was said so far, in the words of an endpoint. */
type Said = { role: string; [field: string]: unknown };
type Wanted = { id: string; tool: string; args: unknown };
type Turn = { said: Said; wanted: Wanted[]; input: number; output: number };
type Seen = { id: string; text: string; pictures: readonly Picture[]; isError: boolean };

/** One way of speaking to a model. */
type Speech = {
  headers: (key: string) => Record<string, string>;
  body: (model: string, system: string, said: readonly Said[], tools: readonly ToldTool[]) => object;
  heard: (answer: unknown) => Turn;
  seen: (results: readonly Seen[]) => Said[];
};

const CALLS_MAX = 60;
const TURN_TOKENS_MAX = 4096;
const TURN_MS = 180_000;
const ERROR_CHARS = 500;

/**
 * Reads `BENCH_MODEL_URL` (an address that ends in `/chat/completions` or `/messages`) and `BENCH_MODEL_KEY`.
 * @throws when there is none to ask
 */
export function endpointFrom(environment: NodeJS.ProcessEnv, model: string): Endpoint {
  const { BENCH_MODEL_URL: url = '', BENCH_MODEL_KEY: key = '' } = environment;
  speechOf(url);
  return { url, key, model };
}

/** Lets a model do a task, until it calls no more tools. */
export async function letModelDo(run: Run, endpoint: Endpoint): Promise<void> {
  const { instructions, tools } = await run.subject.told();
  const speech = speechOf(endpoint.url);
  const said: Said[] = [{ role: 'user', content: run.prompt }];
  const usage = { input: 0, output: 0 };
  run.result.usage = usage;
  for (;;) {
    const turn = speech.heard(await ask(endpoint, speech, speech.body(endpoint.model, instructions, said, tools)));
    usage.input += turn.input;
    usage.output += turn.output;
    said.push(turn.said);
    if (turn.wanted.length === 0) return;
    const seen: Seen[] = [];
    for (const wanted of turn.wanted) {
      if (run.result.calls.length >= CALLS_MAX) {
        run.result.problem = `It was not done after ${CALLS_MAX} calls.`;
        return;
      }
      seen.push(await carryOut(run, wanted));
    }
    said.push(...speech.seen(seen));
  }
}

async function carryOut(run: Run, { id, tool, args }: Wanted): Promise<Seen> {
  const given = z.record(z.string(), z.unknown()).safeParse(args);
  if (!given.success) return { id, text: 'The arguments are not a JSON object.', pictures: [], isError: true };
  const { text, pictures, isError } = await run.call({ tool, args: given.data });
  return { id, text, pictures, isError };
}

/** @throws when it does not answer; the message never has the key. */
async function ask({ url, key }: Endpoint, { headers }: Speech, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers(key) },
    body: JSON.stringify(body),
    redirect: 'error', // whoever it leads to is not who the key is for
    signal: AbortSignal.timeout(TURN_MS),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const told = key === '' ? text : text.replaceAll(key, '[key]');
  throw new Error(`The model's endpoint answered ${response.status}: ${told.slice(0, ERROR_CHARS)}`);
}

function speechOf(url: string): Speech {
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
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
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
    return { said, wanted, input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 };
  },
  // Pictures have no place in an answer of a tool there.
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
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
  }),
  heard: (answer) => {
    const { content, usage } = MESSAGE.parse(answer);
    const wanted = content.flatMap(({ type, id, name, input }) =>
      type === 'tool_use' && id !== undefined && name !== undefined ? [{ id, tool: name, args: input }] : [],
    );
    return { said: { role: 'assistant', content }, wanted, input: usage.input_tokens, output: usage.output_tokens };
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
    return json; // not an object, which is said to the model
  }
}
