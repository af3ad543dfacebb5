import type { TestClient } from '#support/mcp-clients.ts';
import { Page } from './page.ts';
import type { Solver } from './page.ts';

export type Episode = {
  seed: number;
  isSolved: boolean;
  /** The page's reward, without its discount for time. */
  reward: number;
  calls: number;
  tokens: number;
  ms: number;
  /** The reason why it was not solved: an error, or the reward. */
  problem: string;
  story: readonly string[];
};

/** Some rewards depend on how near a click is; 1 is the maximum. */
const SOLVED_FROM = 0.9;
/** Long, so that no episode ends by time: tools wait for pages, and longer on a busy machine. */
const EPISODE_MS = 3_600_000;

/** Begins an episode of a task, plays it, and reads its reward from the page. */
export async function play(client: TestClient, url: string, seed: number, solve: Solver): Promise<Episode> {
  const page = new Page(client);
  const from = performance.now();
  const problem = await problemOf(async () => {
    await must(client, 'browser_navigate', { url, dialog: 'accept' });
    const begin = `Math.seedrandom(${seed}); core.EPISODE_MAX_TIME = ${EPISODE_MS}; core.startEpisodeReal(); 'begun'`;
    await must(client, 'browser_evaluate', { script: begin });
    await page.look();
    await solve(page);
  });
  const ms = performance.now() - from;
  let end = { isDone: false, reward: 0 };
  const unasked = await problemOf(async () => void (end = await worth(client)));
  const { isDone, reward } = end;
  const isSolved = isDone && reward >= SOLVED_FROM;
  const why = problem || unasked || (isDone ? `reward ${reward}` : 'not ended');
  const { calls, tokens, story } = page;
  return { seed, isSolved, reward, calls, tokens, ms, problem: isSolved ? '' : why, story };
}

/** A browser that exits or a page that hangs fails only its own episode. */
async function problemOf(work: () => Promise<void>): Promise<string> {
  try {
    await work();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
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
