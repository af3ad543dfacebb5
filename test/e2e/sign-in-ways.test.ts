import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { CLIENTS } from '#support/mcp-clients.ts';
import { Browser, leftTo, pageOf } from '#support/oauth-browser.ts';
import { HostMemory } from '#support/oauth-client.ts';
import { runProgram } from '#support/run-program.ts';
import { backFrom, newEmail, sharedServer } from '#support/shared.ts';
import type { SharedServer } from '#support/shared.ts';

/** The other ways in, against the built Worker: a provider that people sign in with, and tokens for agents. */

const CALLBACK = 'http://localhost:39872/callback';
const SCRIPT = join(import.meta.dirname, '../../scripts/token.ts');

let server: SharedServer;
let email: string;

beforeAll(async () => {
  [server, email] = await Promise.all([sharedServer(), newEmail('ways')]);
});

/** `npm run token`, without npm. */
function token(...args: string[]) {
  const url = new URL(server.mcpUrl).origin;
  return runProgram(SCRIPT, [...args, '--url', url], { OWNER_PASSPHRASE: server.passphrase });
}

describe('a user of a provider', () => {
  it('connects the official client, through the provider and consent', async () => {
    const host = new HostMemory();
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(server.mcpUrl), { authProvider: host.provider(CALLBACK) });
    const client = () =>
      new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const first = transport();
    await expect(client().connect(first)).rejects.toThrow(/unauthorized/i);
    const browser = new Browser(new URL(server.mcpUrl).origin, (url, init) => fetch(url, init));
    const page = pageOf(await browser.get(host.lastAsked().href));
    const away = leftTo(await browser.submit(page, '/sign-in/upstream', { way: 'oidc' }));
    const consent = pageOf(await browser.get(await backFrom(away, email)));
    await first.finishAuth(leftTo(await browser.submit(consent, '/authorize', { decision: 'allow' })).searchParams);
    const connected = client();
    await connected.connect(transport());
    expect((await connected.listTools()).tools.map((tool) => tool.name)).toContain('open_url');
    await connected.close();
    expect(host.tokensKept?.access_token).toMatch(/^u_/);
  });
});

describe('npm run token', () => {
  it.each(CLIENTS)(
    'creates a token with which an agent can call until it is revoked: $kind',
    async ({ kind, connect }) => {
      const made = await token('create', '--name', kind, '--scopes', 'web:read,cache:purge', '--days', '7');
      expect(made).toMatchObject({ code: 0, stderr: '' });
      const secret = /^psc_[\w-]{43}$/m.exec(made.stdout)?.[0] ?? '';
      const id = /\bt_[\w-]{12}(?![\w-])/.exec(made.stdout)?.[0] ?? '';
      const endpoint = { mcpUrl: server.mcpUrl, token: secret };
      const agent = await connect(endpoint);
      expect(await agent.toolNames()).toEqual(expect.arrayContaining(['open_url', 'cache_purge']));
      expect((await agent.call('cache_purge', { keep_newest: 0 })).isError).toBe(false);
      await agent.close();

      const listed = await token('list');
      expect(listed.stdout).toMatch(new RegExp(`^${id} .* used \\d{4}-.*web:read,cache:purge  ${kind}$`, 'm'));
      expect(listed.stdout).not.toContain('psc_');
      expect((await token('revoke', id)).stdout).toBe(`${id} is revoked.\n`);
      await expect(connect(endpoint)).rejects.toThrow(/401|unauthorized|invalid/i);
      expect((await token('list')).stdout).not.toContain(id);
    },
  );

  it('reports an error in one sentence', async () => {
    for (const [args, words] of [
      [['create'], 'A token needs a name: --name'],
      [['create', '--name', 'x', '--scopes', 'everything'], 'No such permission: everything. There are: web:read'],
      [['create', '--name', 'x', '--days', '400'], 'A token can be valid for 1 to 365 days.'],
      [['revoke', 't_nothing'], 'That token no longer exists.'],
      [['forget'], 'npm run token -- create'],
    ] as const) {
      const ran = await token(...args);
      expect([ran.code, ran.stdout]).toEqual([1, '']);
      expect(ran.stderr).toContain(words);
      expect(ran.stderr).not.toMatch(/\n\s+at /);
    }
    const origin = new URL(server.mcpUrl).origin;
    const wrong = await runProgram(SCRIPT, ['list', '--url', origin], { OWNER_PASSPHRASE: 'not the passphrase' });
    expect(wrong.stderr).toBe(`That is not the passphrase of ${origin}.\n`);
    const plain = await runProgram(SCRIPT, ['list', '--url', 'http://periscope.acme.dev'], { OWNER_PASSPHRASE: 'x' });
    expect(plain.stderr).toContain('--url must be https');
    const down = await runProgram(SCRIPT, ['list', '--url', 'http://127.0.0.1:9'], { OWNER_PASSPHRASE: 'x' });
    expect(down.stderr).toContain('No Periscope answers at http://127.0.0.1:9.');
  });

  it('sends the passphrase of npm start to this machine only', async () => {
    const ran = await runProgram(SCRIPT, ['list', '--home', server.home, '--url', 'https://127.0.0.2.invalid'], {
      OWNER_PASSPHRASE: '',
    });
    expect(ran.stderr).toBe('OWNER_PASSPHRASE must be set in the environment.\n');
  });
});

describe('the output of the server', () => {
  it('contains no token, code or secret after its first lines', async () => {
    const printed = async () => (await server.output()).split('One JSON line per call follows.')[1] ?? '';
    await expect.poll(printed).toContain('sign_in_failed');
    const log = await printed();
    for (const secret of [server.passphrase, server.providerSecret, 'psc_', email]) {
      expect(log).not.toContain(secret);
    }
  });
});
