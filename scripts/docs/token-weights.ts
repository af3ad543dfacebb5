import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

type Seen = { name: string; description: string; inputSchema: Record<string, unknown> };

/** Tokens (o200k) that hosts give to a model for the tools of a connection: name, description, input schema. */
export function modelTokens(tools: readonly Seen[]): number {
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return countTokens(JSON.stringify(seen));
}

/** Tokens (o200k) of a value as compact JSON. */
export function jsonTokens(value: unknown): number {
  return countTokens(JSON.stringify(value));
}
