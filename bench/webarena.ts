import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { findFreePort } from '#scripts/local/port.ts';
import type { Call } from './browser/subjects.ts';
import { columns } from './spine/stats.ts';
import { driveByHand } from './webarena/by-hand.ts';
import { converse, emptyConversation, endpointFrom } from './model/converse.ts';
import type { Endpoint } from './model/converse.ts';
import { Run } from './webarena/run.ts';
import type { Result } from './webarena/run.ts';
import { Servers, SERVERS } from './webarena/servers.ts';
import type { ServerName } from './webarena/servers.ts';
import { drawTasks, findTask, readTasks } from './webarena/tasks.ts';
import type { Task } from './webarena/tasks.ts';

/**
 * `npm run bench:webarena -- --folder FOLDER --server ours|playwright|devtools --tasks N --seed S --model NAME`: a
 * model does tasks of WebArena-Infinity with the tools of one server, and the benchmark's own verifiers check the end.
 * FOLDER has the benchmark's `apps`. `BENCH_MODEL_URL` and `BENCH_MODEL_KEY` name the endpoint; `--list
 * function-tasks.json` draws from the easier list.
 *
 * Without a model: `--replay FILE` makes recorded calls, `--by-hand SOCKET` takes calls from a shell, and `--draw`
 * prints the tasks. `--out FILE` receives the results as JSON, `--stories FILE` every call and answer.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(import.meta.dirname, '../../shared/bench/webarena') },
    list: { type: 'string', default: 'real-tasks.json' },
    server: { type: 'string', default: 'ours' },
    tasks: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    model: { type: 'string' },
    replay: { type: 'string' },
    'by-hand': { type: 'string' },
    draw: { type: 'boolean', default: false },
    out: { type: 'string' },
    stories: { type: 'string' },
  },
});
const { folder, replay, out, stories, model, 'by-hand': socket } = values;

const RECORDED = z.array(
  z.object({
    server: z.enum(SERVERS),
    app: z.string(),
    task: z.string(),
    calls: z.array(z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()) })),
  }),
);
/** A player's work on a task with one of the servers. */
type Job = { server: ServerName; task: Task; act: (run: Run) => Promise<void> };

const results: Result[] = [];
if (values.draw) for (const task of drawn()) console.log(`${task.app} ${task.id}: ${task.instruction}`);
else await measure();

async function measure(): Promise<void> {
  const jobs = socket === undefined ? plan() : [];
  const place = { folder, port: await findFreePort() };
  const servers = new Servers(`127.0.0.1:${place.port}`);
  try {
    if (socket !== undefined) await driveByHand(socket, place, servers, keep);
    for (const { server, task, act } of jobs) {
      const run = await Run.begin(place, server, await servers.connect(server), task);
      await act(run).catch((error: unknown) => (run.result.problem = String(error)));
      keep(await run.check(), run.story);
      await servers.leave(server, run.subject);
      await run.end();
    }
  } finally {
    await servers.stop();
  }
  report();
}

function plan(): Job[] {
  if (replay !== undefined) {
    return RECORDED.parse(JSON.parse(readFileSync(replay, 'utf8'))).map(({ server, app, task, calls }) => ({
      server,
      task: findTask(folder, app, task),
      act: async (run) => {
        for (const call of calls) await run.call(call);
      },
    }));
  }
  if (model === undefined) throw new Error('Name a --model, or use --replay, --by-hand or --draw.');
  const endpoint = endpointFrom(process.env, model);
  const server = z.enum(SERVERS).parse(values.server);
  return drawn().map((task) => ({ server, task, act: (run) => letModelDo(run, endpoint) }));
}

async function letModelDo(run: Run, endpoint: Endpoint): Promise<void> {
  const conversation = emptyConversation();
  run.result.usage = conversation.usage;
  const task = { ...(await run.subject.told()), prompt: run.prompt, call: (call: Call) => run.call(call) };
  run.result.problem = (await converse(endpoint, task, conversation)).problem;
}

function drawn(): Task[] {
  return drawTasks(readTasks(folder, values.list), Number(values.tasks), Number(values.seed));
}

function keep(result: Result, story: readonly string[]): void {
  results.push(result);
  if (out !== undefined) writeFileSync(out, `${JSON.stringify(results, null, 1)}\n`);
  const { server, app, task, isSolved, why, problem } = result;
  const end = isSolved ? 'solved' : `not solved: ${why}`;
  console.log(`${server}, ${app} ${task}: ${end}${problem === '' ? '' : ` (${problem})`}`);
  if (stories !== undefined) {
    appendFileSync(stories, [`##### ${server}, ${app} ${task}`, ...story, `=> ${end}`, '', ''].join('\n'));
  }
}

function report(): void {
  const rows = SERVERS.flatMap((name) => {
    const all = results.filter(({ server }) => server === name);
    if (all.length === 0) return [];
    const sum = (of: (result: Result) => number) => String(all.reduce((total, result) => total + of(result), 0));
    const solved = all.filter(({ isSolved }) => isSolved).length;
    return [
      [
        name,
        `${solved} of ${all.length}`,
        sum(({ calls }) => calls.length),
        sum(({ tokensRead }) => tokensRead),
        sum(({ tokensWritten }) => tokensWritten),
        sum(({ pictures }) => pictures),
      ],
    ];
  });
  console.log(`\n${columns([['', 'solved', 'calls', 'tokens read', 'tokens written', 'pictures'], ...rows])}`);
}
