import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseRequestOptions } from '#mcp/handler.ts';
import { jsonTokens, modelTokens } from '#scripts/docs/token-weights.ts';
import { SCOPES } from '#core/principal.ts';
import { CATALOG } from '#tools/catalog.ts';
import type { Tool } from '#tools/define-tool.ts';

/** Tokens (o200k) a connection may take from a model before it has asked for anything, by connector URL. */
const BUDGETS = {
  '?toolsets=reader': 1_200,
  '?toolsets=reader,web': 3_000,
  '?toolsets=browser': 5_300,
  '?toolsets=library': 400,
  '': 8_600,
};

/** Tokens of all output schemas together, which hosts with typed results read. */
const OUTPUT_BUDGET = 6_000;

const properties = z.record(z.string(), z.object({ description: z.string().optional() }));

const weight = (tools: readonly Tool[]) =>
  modelTokens(tools.map((tool) => ({ ...tool, inputSchema: tool.inputSchema() })));

describe('the tool list', () => {
  it('describes every parameter of every tool', () => {
    const parameters = CATALOG.flatMap(({ name, inputSchema }) =>
      Object.entries(properties.parse(inputSchema()['properties'])).map(([parameter, schema]) => ({
        parameter: `${name}.${parameter}`,
        description: schema.description ?? '',
      })),
    );
    expect(parameters.length).toBeGreaterThan(150);
    expect(parameters.filter(({ description }) => !/^.{8,}[.]$/s.test(description))).toEqual([]);
  });

  for (const [query, budget] of Object.entries(BUDGETS)) {
    it(`at /mcp${query} costs a model at most ${budget} tokens`, () => {
      const options = parseRequestOptions(new URL(`http://localhost/mcp${query}`));
      const tools = options.ok ? options.tools : [];
      expect(tools.length).toBeGreaterThan(0);
      const weights = tools.map((tool) => `${tool.name} ${weight([tool])}`);
      const without = { browser: true, scripts: true, webSearch: false };
      const withoutWeb = tools.map((tool) => {
        const { description, inputSchema } = tool.offer(without, SCOPES);
        return { ...tool, description, inputSchema: () => inputSchema };
      });
      expect(weight(withoutWeb), 'tokens without web search').toBeLessThanOrEqual(budget);
      expect(weight(tools), `tokens: ${weights.join(', ')}`).toBeLessThanOrEqual(budget);
    });
  }

  it(`has output schemas of at most ${OUTPUT_BUDGET} tokens`, () => {
    const weights = CATALOG.map(({ name, outputSchema }) => ({ name, tokens: jsonTokens(outputSchema?.() ?? {}) }));
    const total = weights.reduce((sum, { tokens }) => sum + tokens, 0);
    const listed = weights.map(({ name, tokens }) => `${name} ${tokens}`);
    expect(total, `tokens: ${listed.join(', ')}`).toBeLessThanOrEqual(OUTPUT_BUDGET);
  });
});
