import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programOf, runProgram } from '#support/run-program.ts';
import type { Ran } from '#support/run-program.ts';
import { scratchHome } from '#support/server.ts';
import { newPerson } from '#support/shared.ts';
import type { Person } from '#support/shared.ts';

/** The MCP Inspector's command line, which hosts' developers look at a server with, in both protocol eras. */

const INSPECTOR = programOf('@modelcontextprotocol/inspector', 'mcp-inspector');

let person: Person;
let own: ReturnType<typeof scratchHome>;

beforeAll(async () => {
  own = scratchHome();
  person = await newPerson('inspector');
});
afterAll(() => own?.remove());

function inspect(era: string, args: string[]): Promise<Ran> {
  const target = [person.mcpUrl, '--transport', 'http', '--protocol-era', era, '--format', 'json'];
  // A separate home folder, because the Inspector stores a catalog of servers in it.
  const env = { HOME: own.home, XDG_CONFIG_HOME: own.home, DO_NOT_TRACK: '1' };
  return runProgram(INSPECTOR, ['--cli', ...target, '--header', `Authorization: Bearer ${person.token}`, ...args], env);
}

describe.each(['legacy', 'modern'])('the Inspector in the %s era', (era) => {
  it('finds no problem in the schemas of the tools', async () => {
    const { code, stdout, stderr } = await inspect(era, ['--method', 'tools/list', '--strict']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { result } = JSON.parse(stdout) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['open_url', 'web_open']));
  });

  it('calls a tool', async () => {
    const args = ['--method', 'tools/call', '--tool-name', 'web_extract'];
    const html = '<h1>Tides</h1><p>High water is at noon.</p>';
    const { code, stdout } = await inspect(era, [...args, '--tool-args-json', JSON.stringify({ html })]);
    expect(code).toBe(0);
    expect(stdout).toContain('High water is at noon.');
  });

  it('shows a refused call as a tool error', async () => {
    const args = ['--method', 'tools/call', '--tool-name', 'open_url', '--tool-args-json', '{"url":""}'];
    const { stdout, stderr } = await inspect(era, args);
    expect(stdout + stderr).toContain('Error invalid_url');
  });
});
