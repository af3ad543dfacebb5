import { describe, expect, it } from 'vitest';
import { modelTokens } from '#scripts/docs/token-weights.ts';
import { CATALOG } from '#tools/catalog.ts';
import type { Tool } from '#tools/define-tool.ts';

/** Tokens (o200k) a connection may take from a model's context before it has asked for anything. */
const READER_TOKENS_MAX = 1_200;
const ALL_TOKENS_MAX = 3_000;

const weight = (tools: readonly Tool[]) =>
  modelTokens(tools.map((tool) => ({ ...tool, inputSchema: tool.inputSchema() })));
const weights = (tools: readonly Tool[]) => tools.map((tool) => `${tool.name} ${weight([tool])}`).join(', ');

describe('the tool list', () => {
  it('costs a model little for the reader toolset', () => {
    const reader = CATALOG.filter((tool) => tool.toolset === 'reader');
    expect(reader.length).toBeGreaterThan(0);
    expect(weight(reader), `tokens: ${weights(reader)}`).toBeLessThanOrEqual(READER_TOKENS_MAX);
  });

  it('costs a model little for all toolsets together', () => {
    expect(weight(CATALOG), `tokens: ${weights(CATALOG)}`).toBeLessThanOrEqual(ALL_TOKENS_MAX);
  });
});
