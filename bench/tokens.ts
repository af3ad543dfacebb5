import { listTools, TOOLSETS_IN_USE } from '#scripts/docs/list-tools.ts';
import type { ListedTool } from '#scripts/docs/list-tools.ts';
import { jsonTokens, modelTokens } from '#scripts/docs/token-weights.ts';
import { record } from './record.ts';

/** Tokens (o200k) of `tools/list`. */
export type TokenWeight = {
  /** A tool, a toolset, or a connection that names no toolset. */
  of: string;
  tools: number;
  /** Name, description and input schema: what a host puts before its model. */
  model: number;
  /** Every field that is sent, output schemas and annotations included. */
  whole: number;
};

export async function tokenWeights(): Promise<TokenWeight[]> {
  const toolsets = await Promise.all(
    TOOLSETS_IN_USE.map(async (name) => ({ name, tools: await listTools(`?toolsets=${name}`) })),
  );
  return [
    ...toolsets.flatMap(({ name, tools }) => tools.map((tool) => weigh(`${name}: ${tool.name}`, [tool]))),
    ...toolsets.map(({ name, tools }) => weigh(`toolset ${name}`, tools)),
    weigh('default', await listTools('')),
  ];
}

function weigh(of: string, tools: readonly ListedTool[]): TokenWeight {
  return { of, tools: tools.length, model: modelTokens(tools), whole: jsonTokens(tools) };
}

/** `node bench/tokens.ts`: the tokens of `tools/list`, by tool, by toolset and for all. */
if (import.meta.main) {
  const weights = await tokenWeights();
  console.table(weights);
  record(
    'tokens',
    weights
      .filter(({ of }) => !of.includes(':'))
      .map(({ of, tools, model }) => ({
        what: `tokens that a host puts before its model, ${of}, ${tools} tools`,
        best: 'low',
        ours: model.toLocaleString('en'),
      })),
  );
}
