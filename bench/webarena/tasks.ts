import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A task of WebArena-Infinity: a user's request in one of its applications. */
export type Task = { app: string; id: string; instruction: string; verifier: string };

const LISTS = ['real-tasks.json', 'function-tasks.json'] as const;
const LISTED = z.array(z.object({ id: z.string(), instruction: z.string(), verify: z.string() }));

/** Every task of one of the two lists, by application. `folder` contains the applications in `apps`. */
export function readTasks(folder: string, list: string): Map<string, Task[]> {
  const apps = join(folder, 'apps');
  if (!existsSync(apps)) throw new Error(`There is no ${apps}: name a folder of WebArena-Infinity in --folder.`);
  const names = readdirSync(apps).filter((app) => existsSync(join(apps, app, 'server.py')));
  return new Map(names.toSorted().map((app) => [app, tasksOf(apps, app, list)]));
}

export function findTask(folder: string, app: string, id: string): Task {
  for (const list of LISTS) {
    const found = readTasks(folder, list)
      .get(app)
      ?.find((task) => task.id === id);
    if (found !== undefined) return found;
  }
  throw new Error(`${app} has no task ${id}.`);
}

/** Draws the same number of tasks from each application, if possible. The same seed gives the same tasks everywhere. */
export function drawTasks(tasks: ReadonlyMap<string, readonly Task[]>, count: number, seed: number): Task[] {
  const lot = ({ app, id }: Task) => createHash('sha256').update(`${seed} ${app} ${id}`).digest('hex');
  const shuffled = [...tasks.values()].map((all) => all.toSorted((a, b) => (lot(a) < lot(b) ? -1 : 1)));
  const longest = Math.max(0, ...shuffled.map(({ length }) => length));
  const rounds = Array.from({ length: longest }, (_, round) => shuffled.flatMap((all) => all[round] ?? []));
  return rounds.flat().slice(0, count);
}

function tasksOf(apps: string, app: string, list: string): Task[] {
  const listed = LISTED.parse(JSON.parse(readFileSync(join(apps, app, list), 'utf8')));
  return listed.map(({ id, instruction, verify }) => ({ app, id, instruction, verifier: join(apps, app, verify) }));
}
