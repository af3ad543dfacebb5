import { exports } from 'cloudflare:workers';
import type { JsonSchema, Tool } from '#tools/define-tool.ts';
import { expect } from 'vitest';
import { HOSTILE_TEXT, isArrived, textsOf } from './invisible.ts';
import { MCP_URL } from './mcp-call.ts';

/** Calls of tools in which the site and the caller put invisible characters into every text that they can send. */

export const HOSTILE_SITE = 'https://hostile.acme.dev';
export const HOSTILE_PAGE = `${HOSTILE_SITE}/page`;
export const HOSTILE_LIVE = 'http://hostile.acme.dev/live';
const H = HOSTILE_TEXT;

export type Args = Record<string, unknown>;
/** Values of an earlier answer, used by the calls after it. */
export type Known = { first: string; cursor: string; list: string; snapshot: string; id: string };
export type Call = Args | ((known: Known) => Args);

/** Fields that no call here can fill. `contracts/search-provider` tests the texts of web searches. */
const NEVER_FILLED: ReadonlySet<string> = new Set([
  // Our own names, present only with several web searches.
  'results[].found_by[]',
  'results[].stored_passage.text',
  'passages[].belongs_to.text',
  'results[].extra_snippets[]',
  'results[].age',
  'explain.render_problem',
  // Our own words, or an address as requested. `library/told` tests them in later rounds.
  'found_by[].what',
  'left_out[].what',
  'changes[].why',
  'changes[].library',
  'changes[].link',
  'changes[].blocks[].words',
  // A number that the server counts.
  'metadata.rest_lines',
]);

/** Sends a request to the whole Worker. @returns its answer, event by event */
export async function send(
  token: string,
  era: 'legacy' | 'modern',
  method: unknown,
  params: Args,
  query = '',
): Promise<unknown> {
  const version = era === 'modern' ? '2026-07-28' : '2025-11-25';
  const { name, uri } = params;
  const named = [name, uri].find((one) => typeof one === 'string');
  const response = await exports.default.fetch(MCP_URL + query, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(typeof method === 'string' && /^[\x20-\x7e]*$/.test(method) ? { 'mcp-method': method } : {}),
      ...(typeof named === 'string' && /^[\x20-\x7e]*$/.test(named) ? { 'mcp-name': named } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: H,
      method,
      params: era === 'modern' ? { ...params, _meta: META } : params,
    }),
  });
  const body = await response.text();
  const data = body.startsWith('{') ? [body] : [...body.matchAll(/^data: ([^\n]*)$/gm)].map(([, line]) => line ?? '');
  return data.map((line) => JSON.parse(line));
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: H, version: H },
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: H,
};

/** All texts of an answer except ids, which are returned unchanged. */
function shownTexts(answer: unknown): [string, string][] {
  return textsOf(answer).filter(([path]) => path !== '$[].id' && path !== '$[].params.progressToken');
}

export function arrivedIn(answer: unknown, of: string): string[] {
  return shownTexts(answer).flatMap(([path, text]) => {
    const found = isArrived(text) ?? innerJson(text);
    return found === null ? [] : [`${of} ${path}: ${found}`];
  });
}

/** Programs parse texts that are JSON, so escapes must not hide a character either. */
function innerJson(text: string): string | null {
  if (!/^[[{"]/.test(text)) return null;
  try {
    const found = textsOf(JSON.parse(text))
      .map(([, inner]) => isArrived(inner))
      .find((one) => one !== null);
    return found ?? null;
  } catch {
    return null;
  }
}

function learn(known: Known, tool: string, answer: unknown): void {
  const text = JSON.stringify(answer);
  const result = /"structuredContent":(\{.*\})/.exec(text)?.[1] ?? '';
  if (result.includes('"error":')) return;
  const cursor = /"cursor":"(c_[^"]+)"/.exec(result)?.[1];
  if (cursor !== undefined && (tool === 'search' || tool === 'web_search')) known.list ||= cursor;
  else if (cursor !== undefined) {
    known.first ||= cursor;
    known.cursor = cursor;
  }
  known.snapshot = /"snapshot":"([0-9a-f]{64})"/.exec(result)?.[1] ?? known.snapshot;
  known.id ||= /"id":"([^"]+)"/.exec(result)?.[1] ?? '';
}

/** Paths of all texts in a result, as `textsOf` writes them. */
function textPaths(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties, items, enum: values } = schema as JsonSchema;
  if (type === 'string') return values === undefined ? [path] : [];
  if (type === 'array') return textPaths(items, `${path}[]`);
  return Object.entries(properties ?? {}).flatMap(([name, one]) => textPaths(one, `${path}.${name}`));
}

/** Makes all calls of these tools. @returns the fields that no answer filled */
export async function callAll(
  token: string,
  tools: readonly Tool[],
  calls: Readonly<Record<string, readonly Call[]>>,
  { query, known }: { query: string; known: Known },
): Promise<string[]> {
  const seen = new Set<string>();
  for (const { name } of tools) {
    expect(calls[name], `calls of ${name} are missing`).toBeDefined();
    for (const [at, call] of (calls[name] ?? []).entries()) {
      const args = typeof call === 'function' ? call(known) : call;
      const answer = await send(
        token,
        at % 3 === 2 ? 'legacy' : 'modern',
        'tools/call',
        { name, arguments: args },
        query,
      );
      expect(arrivedIn(answer, `${name} ${at}`)).toEqual([]);
      learn(known, name, answer);
      for (const [path] of shownTexts(answer)) seen.add(fieldOf(path));
    }
  }
  const fields = tools.flatMap(({ outputSchema }) => textPaths(outputSchema?.(), '').map(fieldOf));
  return [...new Set(fields)].filter((field) => !seen.has(field) && !NEVER_FILLED.has(field));
}

/** Groups fields: tools share fields, and entries of a batch have the fields of a page. */
function fieldOf(path: string): string {
  return path.replace(/^(?:\$\[\]\.result\.structuredContent)?\./, '').replace(/^entries\[\]\./, '');
}
