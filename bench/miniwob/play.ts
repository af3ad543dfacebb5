import type { TestClient } from '#support/mcp-clients.ts';
import { Page } from './page.ts';
import type { Solver } from './page.ts';

export type Episode = {
  seed: number;
  isSolved: boolean;
  /** What the page says it was worth, without its discount for time. */
  reward: number;
  calls: number;
  tokens: number;
  ms: number;
  /** Why it was not solved: what went wrong, or the reward. */
  problem: string;
  story: readonly string[];
};

/** Rewards of some tasks are graded by how near a click lands; 1 is the most there is. */
const SOLVED_FROM = 0.9;
/** No episode ends by the clock: tools wait for pages, and a busy machine makes them wait longer. */
const EPISODE_MS = 3_600_000;

/** Begins an episode of a task, has it played, and asks the page what it was worth. */
export async function play(client: TestClient, url: string, seed: number, solve: Solver): Promise<Episode> {
  await must(client, 'browser_navigate', { url, dialog: 'accept' });
  const begin = `Math.seedrandom(${seed}); core.EPISODE_MAX_TIME = ${EPISODE_MS}; core.startEpisodeReal(); 'begun'`;
  await must(client, 'browser_evaluate', { script: begin });
  const page = new Page(client);
  const from = performance.now();
  let problem = '';
  try {
    await page.look();
    await solve(page);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const ms = performance.now() - from;
  const { isDone, reward } = await worth(client);
  const isSolved = isDone && reward >= SOLVED_FROM;
  if (!isSolved && problem === '') problem = isDone ? `reward ${reward}` : 'not ended';
  return { seed, isSolved, reward, calls: page.calls, tokens: page.tokens, ms, problem, story: page.story };
}

async function worth(client: TestClient): Promise<{ isDone: boolean; reward: number }> {
  const script = "[WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL].join(' ')";
  const value = await must(client, 'browser_evaluate', { script });
  const [, isDone, reward] = /(true|false) (-?[\d.e-]+)/.exec(value) ?? [];
  return { isDone: isDone === 'true', reward: Number(reward) };
}

async function must(client: TestClient, tool: string, args: Record<string, unknown>): Promise<string> {
  const { isError, text, structured } = await client.call(tool, args);
  if (isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${text}`);
  const { value } = structured;
  return typeof value === 'string' ? value : '';
}
