import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const DEMO = join(import.meta.dirname, '../../scripts/demo.ts');
const README = join(import.meta.dirname, '../../README.md');

async function runDemo(env: Record<string, string> = {}) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [DEMO], { env: { ...process.env, ...env } });
  expect(stderr).toBe('');
  return { stdout, calls: [...stdout.matchAll(/^> (\w+) \{/gm)].map(([, tool]) => tool) };
}

const READING = ['search', 'open_result', 'find', 'scroll', 'cite'];

it('the demo searches, opens, scrolls, finds, cites, clicks and views without a key or a network', async () => {
  const { stdout, calls } = await runDemo();
  const browsing = ['navigate', 'snapshot', 'click', 'screenshot'].map((name) => `browser_${name}`);
  expect(calls).toEqual([...READING, ...browsing]);
  expect(stdout).toMatch(/1\) Retries and backoff/);
  const [, now = '', cited = ''] = /^ {2}now {4}(.*)\n {2}cited {2}(.*)$/m.exec(stdout) ?? [];
  expect(now).toContain('moves to the archive, which is emptied every night.');
  expect(cited).toMatch(/^L\d+: A job whose attempts are used up moves to the dead letter queue of its name\.$/);
  expect(stdout).toMatch(/your turn.*\n(?:.*\n)? {2}This needs a terminal/);
  expect(stdout).toContain('2 of 3 jobs wait for a person.');
  const [, file = '', bytes] = /^ {2}The picture is (.*) \((\d+) bytes\)\.$/m.exec(stdout) ?? [];
  const picture = readFileSync(file);
  expect(picture).toHaveLength(Number(bytes));
  expect(picture.subarray(0, 3).toString('hex')).toBe('ffd8ff');
});

it('the demo prints the output that the README shows', async () => {
  const [, shown = ''] = /^```text\n(.*?)^```$/ms.exec(readFileSync(README, 'utf8')) ?? [];
  const lines = shown.split('\n').filter((line) => line !== '');
  expect(lines).toHaveLength(13);
  const { stdout } = await runDemo();
  const printed = new Set(stdout.split('\n').map(steady));
  expect(lines.map(steady).filter((line) => !printed.has(line))).toEqual([]);
});

/** Cursors and ports differ with every run, refs and their indents with the view. */
function steady(line: string): string {
  return line
    .replaceAll(/c_\w+/g, 'c_')
    .replaceAll(/:\d{4,5}\//g, ':0/')
    .trim();
}

it('the demo succeeds on a machine without a browser, and reports the missing browser', async () => {
  const { stdout, calls } = await runDemo({ CHROMIUM_PATH: '/nowhere/chromium' });
  expect(calls).toEqual(READING);
  expect(stdout).toMatch(/The browser tools are skipped: .*\/nowhere\/chromium, which is not a program/);
});
