import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runInNewContext } from 'node:vm';
import { BROWSER_VIEWPORT } from '#core/limits.ts';
import { launchServer } from '#scripts/local/launch.ts';
import { benchChromium } from './browser/chromium.ts';
import { handsOf } from './apps/hands.ts';
import type { Hands } from './apps/hands.ts';
import { serveHosts } from './apps/hosts.ts';
import { startNodeRed, startTiddlyWiki } from './apps/programs.ts';
import type { Program } from './apps/programs.ts';
import { Player } from './apps/player.ts';
import type { Task } from './apps/task.ts';
import { TASKS } from './apps/tasks.ts';
import { isConsequential } from './apps/consequential.ts';
import { wilson } from './interval.ts';
import { PLAIN_TASKS } from './apps/tasks-plain.ts';
import { oneByOne, Person, SETTINGS_FOR_ASKING } from './browser/person.ts';
import type { Question } from './browser/person.ts';
import type { Cost } from './browser/meter.ts';
import { chromeDevtools, ours, playwright } from './browser/subjects.ts';
import { columns } from './spine/stats.ts';
import { record } from './record.ts';

/**
 * `npm run bench:apps [-- --only PATTERN --with PATTERN --stories FILE --ask]`: scripts play tasks of users in applications,
 * through the browser tools of `npm start`, `@playwright/mcp` and `chrome-devtools-mcp`. The applications are installed
 * in `bench/apps`, the other two servers in `bench/rivals`. PATTERN is a regular expression for names of tasks, or of
 * servers; FILE receives every call and answer. With `--ask`, only our server plays, under the rule "Ask first everywhere"
 * and with a person who answers each question "once"; the report lists the questions and counts the false ones. Ten more
 * tasks on plain pages then follow, whose words resemble those of consequential acts.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    with: { type: 'string', default: '' },
    stories: { type: 'string' },
    ask: { type: 'boolean', default: false },
  },
});
const path = benchChromium();
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
const site = await serveHosts();
const nodeRed = await startNodeRed(home);
const wiki = await startTiddlyWiki(home);
const programs: Readonly<Record<string, Program>> = { 'node-red': nodeRed, wiki };
const server = await launchServer({
  home,
  settings: {
    ALLOWED_PRIVATE_HOSTS: [site.host, nodeRed.host, wiki.host].join(','),
    EVALUATE_ENABLED: 'true',
    CHROMIUM_PATH: path,
    BUDGET_CALLS_PER_MINUTE: '100000',
    ...(values.ask && SETTINGS_FOR_ASKING),
  },
});
const browser = { path, viewport: BROWSER_VIEWPORT };
const person = values.ask ? await Person.of(server) : null;
const subjects =
  person === null
    ? [await ours(server), await playwright(browser), await chromeDevtools(browser)]
    : [person.behind(await ours({ ...server, token: person.token }))];
const chosen = new RegExp(values.with);
const everybody = subjects
  .filter(({ name }) => chosen.test(name))
  .map(handsOf)
  .map((hands) => (person === null ? hands : oneByOne(hands)));

/** `false report`: the task is not done, although everything that the player saw says that it is. */
type Outcome = 'done' | 'not done' | 'false report';
type Played = { outcome: Outcome; why: string; cost: Cost };
const HEAD = ['', '', 'calls', 'tokens read', 'tokens written', 'ms'];
const asked: { task: Task; acts: number; questions: Question[] }[] = [];
const results: { task: Task; played: Played[] }[] = [];

try {
  for (const { name, given } of subjects) console.log(`${name}: ${given}`);
  const tasks = person === null ? TASKS : [...TASKS, ...PLAIN_TASKS];
  for (const task of tasks.filter(({ name, app }) => new RegExp(values.only).test(`${app}: ${name}`))) {
    const played: Played[] = [];
    for (const hands of everybody) played.push(await play(task, hands));
    results.push({ task, played });
    report(task, played);
  }
  if (person === null) sum();
  else sumQuestions();
} finally {
  for (const subject of subjects) await subject.close();
  await server.stop();
  await site.close();
  await nodeRed.stop();
  await wiki.stop();
  rmSync(home, { recursive: true, force: true });
}

async function play(task: Task, hands: Hands): Promise<Played> {
  const program = programs[task.page];
  await program?.reset();
  const player = new Player(hands);
  await person?.everywhere('ask');
  person?.begin();
  let answer: string | null = null;
  let problem: string | null = null;
  try {
    answer = (await task.play(player, program?.url ?? site.url + task.page)) ?? null;
    await player.finish();
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  if (person !== null) asked.push({ task, acts: person.acts, questions: person.questions });
  // Scripts are refused where a rule asks first.
  await person?.everywhere('act');
  const { isDone, state } = await truth(task, hands, answer);
  tell(`##### ${task.app}: ${task.name}, ${hands.subject.name}`, player, `${isDone}: ${problem ?? ''} ${state}`);
  await leave(hands);
  const { cost } = player.meter;
  if (problem !== null) return { outcome: 'not done', why: problem, cost };
  return isDone ? { outcome: 'done', why: '', cost } : { outcome: 'false report', why: `${answer}; ${state}`, cost };
}

/** Reads the state of the application directly, not through the tools under test. */
async function truth(task: Task, hands: Hands, a: string | null): Promise<{ isDone: boolean; state: string }> {
  const s = (await programs[task.page]?.state()) ?? (await stateOf(hands));
  const state = JSON.stringify(s);
  try {
    return { isDone: Boolean(runInNewContext(task.isDone, { s, a })), state };
  } catch (error) {
    return { isDone: false, state: `${String(error)} ${state}` };
  }
}

async function stateOf({ subject, evaluate }: Hands): Promise<unknown> {
  const script = `'STATE<' + btoa(encodeURIComponent(JSON.stringify(window.state()))) + '>'`;
  const { text } = await subject.call(evaluate(script));
  const told = /STATE<([\w+/=]+)>/.exec(text)?.[1];
  return told === undefined ? text : JSON.parse(decodeURIComponent(atob(told)));
}

/** Signs out and leaves the page, so that nothing of a task affects the next one. */
async function leave({ subject, forget, leaveTo }: Hands): Promise<void> {
  await subject.call(forget());
  for (const call of leaveTo(`${site.url}/report`)) await subject.call(call);
}

function tell(title: string, player: Player, end: string): void {
  if (values.stories === undefined) return;
  appendFileSync(values.stories, [title, ...player.meter.story, `=> ${end}`, '', ''].join('\n'));
}

function report({ app, name }: Task, played: readonly Played[]): void {
  console.log(`\n${app}: ${name}`);
  console.log(columns([HEAD, ...played.map(({ outcome, cost }, at) => row(at, outcome, cost))]));
  for (const [at, { why, outcome }] of played.entries()) {
    if (outcome !== 'done') console.log(`  ${everybody[at]?.subject.name}: ${why.replaceAll('\n', ' ').slice(0, 400)}`);
  }
}

function sum(): void {
  const rows = everybody.map((_, at) => {
    const all = results.flatMap(({ played }) => played[at] ?? []);
    const count = (wanted: Outcome) => all.filter(({ outcome }) => outcome === wanted).length;
    return row(at, `${count('done')} done, ${count('false report')} false`, total(all));
  });
  console.log(`\nAll ${results.length} tasks\n${columns([HEAD, ...rows])}`);
  const both = results.filter(({ played }) => played.every(({ outcome }) => outcome === 'done'));
  const fair = everybody.map((_, at) => row(at, '', total(both.flatMap(({ played }) => played[at] ?? []))));
  console.log(`\nThe ${both.length} tasks that all of them did\n${columns([HEAD, ...fair])}`);
  if (values.only !== '' || values.with !== '') return;
  const sumOf = (of: typeof results, count: (played: Played) => number) =>
    everybody.map((_, at) => of.flatMap(({ played }) => played[at] ?? []).reduce((so, one) => so + count(one), 0));
  const compared = (id: string, of: typeof results, sums: readonly number[], decimals = 0) => {
    const [own = '', ...others] = sums.map((one) => one.toFixed(decimals));
    const named = others.map((value, at) => [everybody[at + 1]?.subject.name ?? '', value]);
    record({ row: id, n: of.length, value: own, others: Object.fromEntries(named) });
  };
  compared(
    'apps-done',
    results,
    sumOf(results, ({ outcome }) => Number(outcome === 'done')),
  );
  compared(
    'apps-false',
    results,
    sumOf(results, ({ outcome }) => Number(outcome === 'false report')),
  );
  compared(
    'apps-calls',
    both,
    sumOf(both, ({ cost }) => cost.calls),
  );
  compared(
    'apps-tokens',
    both,
    sumOf(both, ({ cost }) => cost.tokensIn + cost.tokensOut),
  );
  const times = sumOf(both, ({ cost }) => cost.ms);
  const fastest = Math.min(...times.slice(1));
  compared(
    'apps-time',
    both,
    times.map((ms) => ms / fastest),
    2,
  );
}

function sumQuestions(): void {
  for (const { task, acts, questions } of asked) {
    console.log(`${task.app}: ${task.name}: ${acts} acts, ${questions.length} questions`);
    for (const { call, words, held } of questions) {
      const judged = isConsequential(words) ? 'consequential' : 'FALSE';
      console.log(`  ${judged}, ${held ? 'a held request after' : 'asked before'} ${call}\n    ${words}`);
    }
  }
  const plain = new Set(PLAIN_TASKS);
  for (const [name, some] of [
    ['applications', asked.filter(({ task }) => !plain.has(task))],
    ['plain pages', asked.filter(({ task }) => plain.has(task))],
  ] as const) {
    const acts = some.reduce((count, one) => count + one.acts, 0);
    const questions = some.flatMap((one) => one.questions);
    const needless = questions.filter(({ words }) => !isConsequential(words)).length;
    const [low, high] = wilson(needless, acts).map((share) => (share * 100).toFixed(1));
    console.log(`${name}: ${some.length} tasks, ${acts} acts, ${questions.length} questions, ${needless} false`);
    if (acts > 0) console.log(`  ${((needless / acts) * 100).toFixed(1)} % of acts (95 %: ${low} to ${high} %)`);
  }
}

function row(at: number, outcome: string, { calls, tokensIn, tokensOut, ms }: Cost): string[] {
  return [everybody[at]?.subject.name ?? '', outcome, ...[calls, tokensIn, tokensOut, ms].map((one) => one.toFixed(0))];
}

function total(played: readonly Played[]): Cost {
  const all: Cost = { calls: 0, tokensIn: 0, tokensOut: 0, ms: 0 };
  for (const { cost } of played) {
    all.calls += cost.calls;
    all.tokensIn += cost.tokensIn;
    all.tokensOut += cost.tokensOut;
    all.ms += cost.ms;
  }
  return all;
}
