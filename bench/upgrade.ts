/**
 * Proves that this version reads what an earlier one has stored. It runs the earlier one with data of its own, lets
 * clients and people fill it, runs this one on the same data, and looks at all of it.
 * Usage: npm run bench:upgrade -- --from COMMIT (the newest tag when not given).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchServer } from '#scripts/local/launch.ts';
import type { LaunchOptions } from '#scripts/local/launch.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { runPart } from './attack/try.ts';
import type { Outcome } from './attack/try.ts';
import { checks } from './upgrade/checks.ts';
import { fill } from './upgrade/fill.ts';
import { startWorld } from './upgrade/world.ts';

const PROJECT = join(import.meta.dirname, '..');

const { from } = parseArgs({ options: { from: { type: 'string' } } }).values;
const commit = git('rev-parse', '--verify', '--end-of-options', `${from ?? newestTag()}^{commit}`);
const folder = mkdtempSync(join(tmpdir(), 'periscope-upgrade-'));
const world = await startWorld();
try {
  const project = checkOut(commit, join(folder, 'version'));
  const home = join(folder, 'home');
  const { port, settings } = world;
  console.log(`Filling the data of ${git('log', '-1', '--format=%h %cs %s', commit)}`);
  const kept = await running({ home, port, project, settings: { ...settings, SESSION_IDLE_MINUTES: '1' } }, () =>
    fill(world),
  );
  console.log('Reading it');
  const outcomes = await running({ home, port, settings: { ...settings, MAX_SESSIONS_PER_CLIENT: '1' } }, async () => {
    const client = await connectModern(kept.local);
    const all: Outcome[] = [];
    for (const part of checks(world, kept, client)) all.push(...(await runPart(part, say)));
    await client.close();
    return all;
  });
  const readCount = outcomes.filter(({ detail }) => detail === null).length;
  console.log(`${readCount} of ${outcomes.length}`);
  if (readCount < outcomes.length) process.exitCode = 1;
} finally {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}

function say({ part, name, detail }: Outcome): void {
  console.log(`${detail === null ? 'read    ' : 'NOT READ'} ${part}: ${name}${detail === null ? '' : ` (${detail})`}`);
}

/** Runs a server while something is done with it. When that fails, what the server has printed says why. */
async function running<T>(options: LaunchOptions, work: () => Promise<T>): Promise<T> {
  const server = await launchServer(options);
  try {
    return await work();
  } catch (error) {
    console.error(server.output().slice(-5_000));
    throw error;
  } finally {
    await server.stop();
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).trim();
}

function newestTag(): string {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], { cwd: PROJECT, encoding: 'utf8' });
  if (status !== 0) throw new Error('There is no tag: name a commit with --from.');
  return stdout.trim();
}

/** A copy of a commit, with its dependencies: those of here when they are the same ones. */
function checkOut(of: string, to: string): string {
  mkdirSync(to);
  const archive = `${to}.tar`;
  git('archive', '--format=tar', '-o', archive, of);
  execFileSync('tar', ['-xf', archive, '-C', to]);
  const lockOf = (project: string) => readFileSync(join(project, 'package-lock.json'), 'utf8');
  const isSame = lockOf(to) === lockOf(PROJECT);
  // Hard links, where the system's `cp` makes them.
  if (isSame && spawnSync('cp', ['-al', join(PROJECT, 'node_modules'), to]).status === 0) return to;
  rmSync(join(to, 'node_modules'), { recursive: true, force: true });
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: to, stdio: 'inherit' });
  return to;
}
