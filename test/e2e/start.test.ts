import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchServer, runStart } from '#scripts/local/launch.ts';
import type { LaunchedServer, LaunchOptions } from '#scripts/local/launch.ts';
import { findFreePort, notedPort, PORT_DEFAULT, readPort, requireFreePort } from '#scripts/local/port.ts';
import { leaksIn } from '#support/leaks.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { ToolResult } from '#support/mcp-clients.ts';
import { scratchHome } from '#support/server.ts';

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function newHome(): string {
  const { home, remove } = scratchHome();
  cleanUps.push(remove);
  return home;
}

/** @throws when a credential is in what a start has printed for the log */
function lookForLeaks({ home, settings = {} }: LaunchOptions, output: string): void {
  const kept = existsSync(join(home, '.dev.vars')) ? readVars(home) : {};
  const leaks = leaksIn(output, { ...kept, ...settings });
  if (leaks.length > 0) throw new Error(`The log holds ${leaks.join(', ')}.`);
}

/** A start that is expected to fail. */
async function failedStart(options: LaunchOptions): Promise<{ code: number | null; output: string }> {
  const { ended, output } = runStart({ ...options, port: options.port ?? (await findFreePort()) });
  const code = await ended;
  lookForLeaks(options, output());
  return { code, output: output() };
}

function readVars(home: string): Record<string, string> {
  const text = readFileSync(join(home, '.dev.vars'), 'utf8');
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

/** HTTP status of `tools/list` with a token. */
async function statusWith(token: string | undefined, { mcpUrl }: { mcpUrl: string }): Promise<number> {
  const response = await fetch(mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await response.body?.cancel();
  return response.status;
}

const AS_IT_IS = { redirect: 'manual' } as const;

describe('the first start in a folder, and later ones', () => {
  let own: ReturnType<typeof scratchHome>;
  let port: number;
  let begun: ReturnType<typeof runStart>;
  let server: LaunchedServer;
  let vars: Record<string, string>;
  let list: ToolResult;
  const statuses: number[] = [];

  beforeAll(async () => {
    own = scratchHome();
    port = await findFreePort();
    begun = runStart({ home: own.home, port });
    // Sends requests again and again, like a configured client or an open page of the console.
    while (!begun.output().includes('Ctrl-C') && begun.child.exitCode === null) {
      const status = await fetch(`http://127.0.0.1:${port}/healthz`).then(
        async (answer) => (await answer.text(), answer.status),
        () => null,
      );
      if (status !== null) statuses.push(status);
      await new Promise((again) => setTimeout(again, 2));
    }
    vars = readVars(own.home);
  });
  afterAll(async () => {
    begun?.child.kill('SIGKILL');
    await server?.stop();
    own?.remove();
  });

  it('answer no request before the tables exist, so that the log begins without an error', () => {
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(begun.output()).not.toContain('not_ready');
    expect(begun.output()).not.toContain('npm run deploy');
  });

  it('write secrets that nobody else can read, and print the text to paste into a client', async () => {
    const { output } = begun;
    expect(statSync(join(own.home, '.dev.vars')).mode & 0o777).toBe(0o600);
    const { OWNER_PASSPHRASE: passphrase = '', LOCAL_ACCESS_TOKEN: token = '', SIGN_IN_KEY: key = '' } = vars;
    expect(passphrase).toMatch(/^(?:[2-9a-hjkmnp-z]{4}-){4}[2-9a-hjkmnp-z]{4}$/);
    expect(token).toMatch(/^local_[\w-]{43}$/);

    expect(output()).toMatch(new RegExp(`^Periscope is ready at http://localhost:${port}/$`, 'm'));
    const url = `http://localhost:${port}/mcp`;
    expect(output()).toContain(
      `claude mcp add --transport http periscope ${url} --header "Authorization: Bearer ${token}"`,
    );
    const shown = output().slice(0, output().indexOf('Ctrl-C'));
    for (const secret of [passphrase, key, vars['SESSION_SECRET'] ?? '']) expect(shown).not.toContain(secret);
    for (const name of ['OWNER_PASSPHRASE', 'LOCAL_ACCESS_TOKEN', 'SIGN_IN_KEY'])
      expect(shown.split(name)).toHaveLength(2);
    const link = `http://localhost:${port}/sign-in?key=${key}`;
    const opened = await fetch(link, AS_IT_IS);
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/sign-in?next=%2F']);
    expect(output()).toMatch(
      /^ {2}Search +only pages opened here; to search the web, add one line to .dev.vars: SEARCH_PROVIDERS=keenable/m,
    );
    const [, signIn = ''] = /^ {2}Console +(\S+) \(signs you in, once\)$/m.exec(output()) ?? [];
    const [first, second] = [await fetch(signIn, AS_IT_IS), await fetch(signIn, AS_IT_IS)];
    expect([first.status, first.headers.get('location'), second.status]).toEqual([302, '/console', 403]);
    expect(first.headers.get('set-cookie')).toContain('session=');
    expect(second.headers.get('set-cookie')).not.toContain('session=');
    expect(notedPort(own.home)?.trim()).toBe(String(port));
    expect(await statusWith(token, { mcpUrl: url })).toBe(200);
    expect(await statusWith('another-token-of-the-same-kind', { mcpUrl: url })).toBe(401);
  });

  it('end on Ctrl-C, and report where the data stays', async () => {
    const client = await connectModern({
      mcpUrl: `http://localhost:${port}/mcp`,
      token: vars['LOCAL_ACCESS_TOKEN'] ?? '',
    });
    list = await client.call('search', { query: 'anything' });
    await client.close();
    begun.child.kill('SIGINT');
    expect(await begun.ended).toBe(0);
    expect(begun.output()).toMatch(/^Stopped\. Your data stays in .*state\.$/m);
    lookForLeaks({ home: own.home }, begun.output());
  });

  it('find the secrets, the pages and the cursors of the previous one', async () => {
    server = await launchServer({ home: own.home, port });
    expect(readVars(own.home)).toEqual(vars);
    expect(server.output()).not.toContain('written just now');
    const client = await connectModern(server);
    expect((await client.call('scroll', { cursor: list.structured['cursor'] })).isError).toBe(false);
    await client.close();
  });

  it('end all processes when they are killed, so that the port and the data are free', async () => {
    await server.kill();
    lookForLeaks({ home: own.home }, server.output());
    server = await launchServer({ home: own.home, port });
    expect(server.output()).toMatch(/^Periscope is ready/m);
  });

  it('shut down on SIGTERM and leave no process', async () => {
    await server.stop();
    lookForLeaks({ home: own.home }, server.output());
    expect(commandLines().filter((line) => line.includes(own.home))).toEqual([]);
    expect(await stateOf(port)).toBe('down');
  });
});

describe('settings', () => {
  const token = `in-no-command-line-${crypto.randomUUID()}`;
  const settings = { LOCAL_ACCESS_TOKEN: token, DENYLIST_DOMAINS: 'environment.example.com' };
  const given = {
    BRAVE_API_KEY: 'kept-as-it-is',
    OWNER_PASSPHRASE: 'chosen by a person',
    LOCAL_ACCESS_TOKEN: 'the-token-in-the-file',
    DENYLIST_DOMAINS: 'file.example.com',
    ALLOWLIST_DOMAINS: 'example.com',
    ALLOWED_USERS: 'ana@acme.dev',
  };
  let own: ReturnType<typeof scratchHome>;
  let server: LaunchedServer;

  beforeAll(async () => {
    own = scratchHome();
    const lines = Object.entries({ ...given, BRAVE_KEY: 'misspelt' }).map((pair) => pair.join('='));
    writeFileSync(join(own.home, '.dev.vars'), lines.join('\n'));
    server = await launchServer({ home: own.home, settings });
  });
  afterAll(async () => {
    await server?.stop();
    if (server !== undefined) lookForLeaks({ home: own.home, settings }, server.output());
    own?.remove();
  });

  it('in an existing .dev.vars are kept, and missing ones are added', () => {
    const vars = readVars(own.home);
    expect(vars).toMatchObject(given);
    expect(vars['SIGN_IN_KEY']).toMatch(/./);
    expect(statSync(join(own.home, '.dev.vars')).mode & 0o777).toBe(0o600);
    expect(server.output()).toMatch(/^ {2}Search +the web, through Brave$/m);
    expect(server.output()).toContain('sets BRAVE_KEY, which is not a setting');
    expect(server.output()).toContain(
      'ALLOWED_USERS is set, but those users have no way to sign in: set OIDC_ISSUER or GITHUB_CLIENT_ID',
    );
  });

  it('from the environment override .dev.vars, which overrides wrangler.toml', async () => {
    expect(await statusWith(token, server)).toBe(200);
    expect(await statusWith(given.LOCAL_ACCESS_TOKEN, server)).toBe(401);

    const client = await connectModern(server);
    const reasonFor = async (url: string) => String((await client.call('open_url', { url })).structured['message']);
    expect(await reasonFor('https://environment.example.com/')).toMatch(/operator does not allow/);
    expect(await reasonFor('https://elsewhere.example.net/')).toMatch(/only listed sites/);
    // Past the operator's lists the port is next, and nothing is looked up.
    expect(await reasonFor('https://file.example.com:9/')).toMatch(/port 9 is not one/);
    await client.close();
  });

  it.runIf(existsSync('/proc/self/cmdline'))('never appear in the process list', () => {
    expect(commandLines().some((line) => line.includes('scripts/local/serve.ts'))).toBe(true);
    expect(commandLines().filter((line) => line.includes(token))).toEqual([]);
  });

  it('with the data of a running server stop the start and leave that data alone', async () => {
    const { code, output } = await failedStart({ home: own.home });
    expect(code).toBe(1);
    expect(output).toContain('Another Periscope is already running with the data in');
  });

  it('with an invalid value stop the start, and the error names the setting and not the value', async () => {
    const home = newHome();
    const { code, output } = await failedStart({
      home,
      settings: { RESPECT_ROBOTS: 'perhaps', MAX_BYTES: '12', LOCAL_ACCESS_TOKEN: 'too short' },
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^Periscope did not start\. Configuration: .*\n$/);
    expect(output).toContain('RESPECT_ROBOTS must be true or false');
    expect(output).toContain('MAX_BYTES must be a whole number from 10000 to 20000000');
    expect(output).toContain('LOCAL_ACCESS_TOKEN must be 16 to 200');
    expect(output).not.toMatch(/perhaps|too short/);
  });

  it('with an invalid PORT stop the start', async () => {
    const { code, output } = await failedStart({ home: newHome(), settings: { PORT: '80a' } });
    expect(code).toBe(1);
    expect(output).toBe('Periscope did not start. PORT must be a whole number from 1 to 65535.\n');
    for (const port of ['0', '65536', '-1', '8787.5', '0x50', '1e3']) {
      expect(() => readPort(port)).toThrow('PORT must be a whole number from 1 to 65535.');
    }
    expect([readPort(undefined), readPort(' '), readPort('9000')]).toEqual([PORT_DEFAULT, PORT_DEFAULT, 9000]);
  });
});

describe('a start that cannot succeed', () => {
  it('names the program on an occupied port, and a free port to start with', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    cleanUps.push(() => taken.close());
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, output } = await failedStart({ home: newHome(), port });
    expect(code).toBe(1);
    const offer = new RegExp(
      `^Periscope did not start\\. Port ${port} is in use(.*?)\\. Port (\\d+) is free: PORT=\\2 npm start\\n$`,
    ).exec(output);
    // Other systems may need a program for it that is not installed.
    if (process.platform === 'linux') expect(offer?.[1]).toMatch(new RegExp(` by .+ \\(process ${process.pid}\\)$`));
    await requireFreePort(Number(offer?.[2]));
  });
});

describe('the end of a server', () => {
  it('follows the end of the script that started it', async () => {
    const home = newHome();
    const port = await findFreePort();
    const launch = join(import.meta.dirname, '../../scripts/local/launch.ts');
    const script = `import { launchServer } from ${JSON.stringify(launch)};
      await launchServer({ home: ${JSON.stringify(home)}, port: ${port} }); process.stdout.write('up');`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(parent.stdout, 'data');
    expect(await stateOf(port)).toBe('up');
    parent.kill('SIGKILL');
    await expect.poll(() => stateOf(port), { timeout: 120_000 }).toBe('down');
  });

  it('follows the end of npm, even if npm was killed', async () => {
    const home = newHome();
    const port = await findFreePort();
    const npm = spawn('npm', ['start', '--silent', '--', '--home', home], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(npm.stdout, 'data');
    expect(await stateOf(port)).toBe('up');
    npm.kill('SIGKILL');
    await expect.poll(() => stateOf(port), { timeout: 120_000 }).toBe('down');
  });
});

/** True if anything answers on the port. */
function stateOf(port: number): Promise<'up' | 'down'> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => 'up',
    () => 'down',
  );
}

/** The command lines of all processes of this machine, if there is /proc. */
function commandLines(): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return ''; // it has ended meanwhile
      }
    });
}
