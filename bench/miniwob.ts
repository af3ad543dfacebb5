import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installedBrowsers } from '#scripts/local/chromium-find.ts';
import { launchServer } from '#scripts/local/launch.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { play } from './miniwob/play.ts';
import type { Episode } from './miniwob/play.ts';
import { serveTasks } from './miniwob/site.ts';
import { SOLVERS } from './miniwob/solvers.ts';
import { UNDECIDED } from './miniwob/undecided.ts';
import { columns } from './spine/stats.ts';
import { record } from './record.ts';

/**
 * `npm run bench:miniwob [-- FOLDER --only PATTERN --seeds 1,2,3 --stories FILE]`: scripts play the tasks of MiniWoB++
 * through the browser tools of `npm start`, as a model would. FOLDER has the pages (`html` of the MiniWoB++ package).
 * PATTERN is a regular expression for names of tasks. FILE receives every call and answer of unsolved episodes.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    seeds: { type: 'string', default: '1,2,3' },
    stories: { type: 'string' },
  },
});
const site = await serveTasks(positionals[0] ?? join(import.meta.dirname, '../../shared/bench/miniwob/html'));
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
const path = process.env['CHROMIUM_PATH'] ?? installedBrowsers(process.env)[0];
const server = await launchServer({
  home,
  settings: {
    ALLOWED_PRIVATE_HOSTS: site.host,
    EVALUATE_ENABLED: 'true',
    BUDGET_CALLS_PER_MINUTE: '100000',
    BUDGET_CALLS_PER_DAY: '1000000',
    ...(path === undefined ? {} : { CHROMIUM_PATH: path }),
  },
});
const client = await connectModern(server);
const only = new RegExp(values.only);
const seeds = values.seeds.split(',').map(Number);
const tasks = site.tasks.filter((task) => only.test(task));
const played: { task: string; episodes: Episode[] }[] = [];

try {
  // Small enough that a pixel of a screenshot is a pixel of the page.
  await client.call('browser_launch', { width: 400, height: 300 });
  for (const task of tasks) {
    const solve = SOLVERS[task];
    if (solve === undefined) continue;
    const episodes: Episode[] = [];
    for (const seed of seeds) episodes.push(await play(client, `${site.url}/miniwob/${task}.html`, seed, solve));
    played.push({ task, episodes });
    console.log(lineOf(task, episodes));
    if (values.stories !== undefined) appendFileSync(values.stories, storiesOf(task, episodes));
  }
  report();
} finally {
  await client.close();
  await server.stop();
  await site.close();
  rmSync(home, { recursive: true, force: true });
}

function lineOf(task: string, episodes: readonly Episode[]): string {
  const problems = episodes.flatMap(({ isSolved, seed, problem }) =>
    isSolved ? [] : [`\n  seed ${seed}: ${problem.split('\n')[0]?.slice(0, 300)}`],
  );
  return `${task}: ${episodes.filter(({ isSolved }) => isSolved).length} of ${episodes.length}${problems.join('')}`;
}

function report(): void {
  const rows = played.map(({ task, episodes }) => [
    task,
    `${episodes.filter(({ isSolved }) => isSolved).length} of ${episodes.length}`,
    mean(episodes.map(({ calls }) => calls)).toFixed(1),
    mean(episodes.map(({ tokens }) => tokens)).toFixed(0),
    mean(episodes.map(({ ms }) => ms)).toFixed(0),
  ]);
  console.log(`\n${columns([['task', 'solved', 'calls', 'tokens read', 'ms'], ...rows])}`);
  const all = played.flatMap(({ episodes }) => episodes);
  const solved = all.filter(({ isSolved }) => isSolved).length;
  console.log(`\n${version()}`);
  console.log(
    `${played.length} tasks, ${all.length} episodes: ${solved} solved (${((100 * solved) / all.length).toFixed(1)} %).`,
  );
  console.log(`Negative rewards: ${all.filter(({ reward }) => reward < 0).length}.`);
  console.log(
    `A mean episode: ${mean(all.map(({ calls }) => calls)).toFixed(1)} calls, ${mean(all.map(({ tokens }) => tokens)).toFixed(0)} tokens read.`,
  );
  if (values.only === '') {
    record({ row: 'miniwob', n: all.length, value: `${solved} of ${all.length}` });
  }
  console.log('\nNot played, because no script decides them:');
  for (const task of tasks.filter((name) => SOLVERS[name] === undefined)) {
    console.log(`  ${task}: ${UNDECIDED[task] ?? 'nobody has written a player'}`);
  }
}

function storiesOf(task: string, episodes: readonly Episode[]): string {
  return episodes
    .filter(({ isSolved }) => !isSolved)
    .map(({ seed, problem, story }) => [`##### ${task}, seed ${seed}: ${problem}`, ...story, '', ''].join('\n'))
    .join('');
}

function version(): string {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  return `Periscope ${commit}, Chromium: ${path ?? 'the bundled one'}.`;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(numbers.length, 1);
}
