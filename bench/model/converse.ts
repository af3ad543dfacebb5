import { z } from 'zod';
import type { Answer, Call, ToldTool } from '../browser/subjects.ts';
import { speechOf } from './speech.ts';
import type { Said, Seen, Speech, Wanted } from './speech.ts';

/** A model's address. Its ending tells the protocol. */
export type Endpoint = { url: string; key: string; model: string };

export type Usage = { input: number; output: number };

/** A task for a model, and the function that carries out its calls. */
export type Task = {
  instructions: string;
  tools: readonly ToldTool[];
  prompt: string;
  call: (call: Call) => Promise<Answer>;
};

/** The conversation about a task. It fills while the model works, so that a failure keeps the earlier part. */
export type Conversation = {
  /** Every message, unchanged. */
  said: Said[];
  /** The text of the model's last turn. */
  answer: string;
  calls: number;
  /** The endpoint's own count, over all requests. */
  usage: Usage;
  /** The reason why the model did not finish; empty if it did. */
  problem: string;
};

const CALLS_MAX = 60;
const TURN_MS = 180_000;
const ERROR_CHARS = 500;

/**
 * Reads `BENCH_MODEL_URL` (an address that ends in `/chat/completions` or `/messages`) and `BENCH_MODEL_KEY`.
 * @throws if they are not set
 */
export function endpointFrom(environment: NodeJS.ProcessEnv, model: string): Endpoint {
  const { BENCH_MODEL_URL: url = '', BENCH_MODEL_KEY: key = '' } = environment;
  speechOf(url);
  return { url, key, model };
}

export function emptyConversation(): Conversation {
  return { said: [], answer: '', calls: 0, usage: { input: 0, output: 0 }, problem: '' };
}

/**
 * Lets a model work on a task until it makes no more calls.
 * @param into the conversation to fill
 * @throws if the endpoint does not answer
 */
export async function converse(endpoint: Endpoint, task: Task, into = emptyConversation()): Promise<Conversation> {
  const speech = speechOf(endpoint.url);
  into.said.push({ role: 'user', content: task.prompt });
  for (;;) {
    const body = speech.body(endpoint.model, task.instructions, into.said, task.tools);
    const turn = speech.heard(await ask(endpoint, speech, body));
    into.usage.input += turn.input;
    into.usage.output += turn.output;
    into.said.push(turn.said);
    into.answer = turn.text;
    if (turn.wanted.length === 0) return into;
    const seen: Seen[] = [];
    for (const wanted of turn.wanted) {
      if (into.calls >= CALLS_MAX) {
        into.problem = `It was not done after ${CALLS_MAX} calls.`;
        return into;
      }
      into.calls += 1;
      seen.push(await carryOut(task, wanted));
    }
    into.said.push(...speech.seen(seen));
  }
}

async function carryOut(task: Task, { id, tool, args }: Wanted): Promise<Seen> {
  const given = z.record(z.string(), z.unknown()).safeParse(args);
  if (!given.success) return { id, text: 'The arguments are not a JSON object.', pictures: [], isError: true };
  const { text, pictures, isError } = await task.call({ tool, args: given.data });
  return { id, text, pictures, isError };
}

/** @throws if the endpoint does not answer. The message never contains the key. */
async function ask({ url, key }: Endpoint, { headers }: Speech, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers(key) },
    body: JSON.stringify(body),
    redirect: 'error', // No redirects: the key is only for this address.
    signal: AbortSignal.timeout(TURN_MS),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const told = key === '' ? text : text.replaceAll(key, '[key]');
  throw new Error(`The model's endpoint answered ${response.status}: ${told.slice(0, ERROR_CHARS)}`);
}
