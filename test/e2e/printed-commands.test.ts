import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchHome } from '#support/server.ts';
import { sharedServer } from '#support/shared.ts';

/** Every command that the README and the start print runs here as it is printed, or has a reason why not. */

const NOT_RUN: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm ci && npm start$/, 'The gate installs with npm ci, and start.test.ts starts the server.'],
  [/^npm ci && npm test$/, 'This is a test of it: the gate runs both.'],
  [/^claude mcp add --transport http periscope http:\S+ --header "Authorization: Bearer \S+"$/, 'Needs Claude Code.'],
];

let own: ReturnType<typeof scratchHome>;

beforeAll(() => {
  own = scratchHome();
});
afterAll(() => own?.remove());

describe('the commands of the README', () => {
  it.each(commandsOf(readFileSync('README.md', 'utf8')))('%s has a reason not to run here', (command) => {
    expect(NOT_RUN.filter(([pattern]) => pattern.test(command))).toHaveLength(1);
  });
});

describe('the commands that a start prints', () => {
  it('run as printed, or have a reason not to', async () => {
    const { output } = await sharedServer();
    const printed = (await output()).match(/^ {2}(?:npx|npm|node|claude) .+$/gm) ?? [];
    const run = printed.map((line) => line.trim()).filter((line) => !NOT_RUN.some(([pattern]) => pattern.test(line)));
    expect(printed.length).toBeGreaterThan(run.length);
    expect(run.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual(['npx mcp-inspector --cli']);
    for (const line of run) {
      const { code, output: text } = await runLine(line);
      expect(text).toContain('"name": "open_url"');
      expect(code).toBe(0);
    }
  });
});

/** @returns lines of fenced `sh` blocks, without comments */
function commandsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block.split('\n'))
    .flat()
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** A home of its own: the Inspector stores a catalogue of servers there. */
async function runLine(line: string): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, HOME: own.home, XDG_CONFIG_HOME: own.home, NO_COLOR: '1', DO_NOT_TRACK: '1' };
  const child = spawn(line, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code]: unknown[] = await once(child, 'close');
  return { code, output };
}
