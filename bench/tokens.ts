import { listTools, TOOLSETS_IN_USE } from '#scripts/docs/list-tools.ts';
import type { ListedTool } from '#scripts/docs/list-tools.ts';
import { jsonTokens, modelTokens } from '#scripts/docs/token-weights.ts';
import { benchChromium } from './browser/chromium.ts';
import { chromeDevtools, playwright } from './browser/subjects.ts';
import { record } from './record.ts';

/** Tokens (o200k) of `tools/list`. */
export type TokenWeight = {
  /** A tool, a toolset, or a connection that names no toolset. */
  of: string;
  tools: number;
  /** Name, description and input schema: the part that a host gives to its model. */
  model: number;
  /** Every field that is sent, including output schemas and annotations. */
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

/**
 * `node bench/tokens.ts`: the tokens of `tools/list`, by tool, by toolset and for all. With `--rivals`, also of the browser
 * servers in `bench/rivals`, and both rows of the scoreboard are recorded.
 */
if (import.meta.main) {
  const weights = await tokenWeights();
  console.table(weights);
  if (process.argv.includes('--rivals')) recordRows(weights, await rivalTokens());
}

/** Tokens of each rival's tools as its model sees them, by the name of the rival. */
async function rivalTokens(): Promise<Record<string, number>> {
  const path = benchChromium();
  const browser = { path, viewport: { width: 1_280, height: 800 } };
  const tokens: Record<string, number> = {};
  for (const start of [playwright, chromeDevtools]) {
    const rival = await start(browser);
    try {
      tokens[rival.name] = modelTokens((await rival.told()).tools);
    } finally {
      await rival.close();
    }
  }
  console.table(tokens);
  return tokens;
}

function recordRows(weights: readonly TokenWeight[], rivals: Record<string, number>): void {
  const others = Object.fromEntries(Object.entries(rivals).map(([name, tokens]) => [name, String(tokens)]));
  for (const [row, of] of [
    ['tokens-browser-tools', 'toolset browser'] as const,
    ['tokens-all-tools', 'default'] as const,
  ]) {
    const weight = weights.find((one) => one.of === of);
    if (weight === undefined) throw new Error(`There is no ${of}.`);
    record({ row, n: weight.tools, value: String(weight.model), others: row === 'tokens-browser-tools' ? others : {} });
  }
}
