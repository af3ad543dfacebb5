import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedServer } from '#support/shared.ts';

/** Every command that the README and the start print runs here, or has a reason why it cannot. */

const NOT_RUN: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm test$/, 'The gate runs it as its first layer.'],
  [/^npm ci && npm start$/, 'The gate installs with npm ci, and start.test.ts starts the server.'],
  [
    /^claude mcp add --transport http periscope http:\S+(?: --header "Authorization: Bearer \S+")?$/,
    'Needs Claude Code.',
  ],
  [/^codex mcp add periscope --url http:\S+$/, 'Needs Codex.'],
];

describe('the commands of the README', () => {
  it.each(commandsOf(readFileSync('README.md', 'utf8')))('have a reason not to run here: %s', (command) => {
    expect(NOT_RUN.filter(([pattern]) => pattern.test(command))).toHaveLength(1);
  });
});

describe('the command that the start prints', () => {
  it('is a single one, with a URL and a token that work', async () => {
    const { output } = await sharedServer();
    const [welcome = ''] = (await output()).split('per call follows.');
    const printed = welcome.match(/(?:npx|npm|node|claude) .*$/gm) ?? [];
    expect(printed.filter((line) => NOT_RUN.some(([pattern]) => pattern.test(line)))).toEqual(printed);
    expect(printed).toHaveLength(1);
    const [, url = '', authorization = ''] = / (http:\S+) --header "Authorization: (.+)"$/.exec(printed[0] ?? '') ?? [];
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(status).toBe(200);
  });
});

/** @returns lines of fenced `sh` blocks, without comments */
function commandsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block.split('\n'))
    .flat()
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');
}
