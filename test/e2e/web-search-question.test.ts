import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CONFIG_NAMES } from '#core/config/config.ts';
import { findFreePort } from '#scripts/local/port.ts';
import { scratchHome } from '#support/server.ts';

const POLL_MS = 50;
const QUESTION = 'Search the web? [1] Keenable, no key [2] Brave key [3] SearXNG address [Enter] not now: ';

/** `npm start` on a pseudo-terminal of `script`. */
function startOnTerminal(home: string, port: number) {
  const command = [process.execPath, join(import.meta.dirname, '../../scripts/start.ts'), '--home', home];
  const quoted = command.map((word) => `'${word}'`).join(' ');
  const args = process.platform === 'darwin' ? ['-q', '/dev/null', ...command] : ['-qefc', quoted, '/dev/null'];
  const without = Object.fromEntries(CONFIG_NAMES.map((name) => [name, undefined]));
  const child = spawn('script', args, {
    env: { ...process.env, ...without, PORT: String(port) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  return {
    type: (keys: string) => child.stdin.write(keys),
    output: () => output,
    shows: async (text: string | RegExp) => {
      const isShown = () => (typeof text === 'string' ? output.includes(text) : text.test(output));
      while (!isShown() && child.exitCode === null) await sleep(POLL_MS);
      if (!isShown()) throw new Error(`It ended without ${String(text)}:\n${output}`);
    },
    /** Ctrl-C. */
    stop: async () => {
      child.stdin.write('\u0003');
      await ended;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

function newHome(): string {
  const { home, remove } = scratchHome();
  onTestFinished(remove);
  return home;
}

async function onTerminal(home: string, port: number) {
  const terminal = startOnTerminal(home, port);
  onTestFinished(() => void terminal.kill());
  return terminal;
}

describe('the first start on a terminal', () => {
  it('asks while it serves, sets up the chosen search, and restarts with it', async () => {
    const home = newHome();
    const port = await findFreePort();
    const terminal = await onTerminal(home, port);
    await terminal.shows(QUESTION);
    expect(terminal.output()).toContain('receives every search query: Keenable (keenable.ai)');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    terminal.type('1\n');
    await terminal.shows(/starts again with it\.[^]*Search +the web, through Keenable[^]*Ctrl-C stops the server/);
    expect(readFileSync(join(home, '.dev.vars'), 'utf8')).toMatch(/^SEARCH_PROVIDERS=keenable$/m);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(terminal.output().split(QUESTION).length).toBe(2);
    await terminal.stop();
  });

  it('does not ask again after "not now", and stops on Ctrl-C at the question', async () => {
    const home = newHome();
    const port = await findFreePort();
    const first = await onTerminal(home, port);
    await first.shows(QUESTION);
    await first.stop();
    const second = await onTerminal(home, port);
    await second.shows(QUESTION);
    second.type('\n');
    await second.shows('Not now. To search the web later, add one line to');
    await second.stop();
    const third = await onTerminal(home, port);
    await third.shows('Ctrl-C stops the server.');
    await third.stop();
    expect(third.output()).not.toContain('Search the web?');
  });
});
