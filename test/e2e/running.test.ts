import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchServer } from '#scripts/local/launch.ts';
import type { LaunchedServer } from '#scripts/local/launch.ts';
import { findFreePort } from '#scripts/local/port.ts';
import { attempt, fieldsOf, listeningPorts, processesBelowUs } from '#support/child-processes.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { scratchHome } from '#support/server.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Status and text of a request whose every header is ours. */
function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** A call that is refused immediately and has a long log line. */
const LOUD_URL = `http://localhost/${'a'.repeat(2_000)}`;

describe('a running server', () => {
  const { home, remove } = scratchHome();
  let server: LaunchedServer;

  beforeAll(async () => {
    // As an earlier version left it, with the usual umask.
    mkdirSync(join(home, '.wrangler/state/v3/d1'), { recursive: true, mode: 0o755 });
    for (const folder of ['.wrangler', '.wrangler/state', '.wrangler/state/v3', '.wrangler/state/v3/d1']) {
      chmodSync(join(home, folder), 0o755);
    }
    writeFileSync(join(home, '.wrangler/state/v3/d1/left.sqlite'), '', { mode: 0o644 });
    writeFileSync(join(home, '.dev.vars'), 'SESSION_SECRET=a-secret-that-others-could-read-before\n', { mode: 0o644 });
    server = await launchServer({ home });
  });
  afterAll(async () => {
    await server.stop();
    remove();
  });

  it('writes files that only its own user can read, and restricts existing files that others could read', () => {
    const open = (path: string): string[] => {
      const found = lstatSync(path);
      const below = found.isDirectory() ? readdirSync(path).flatMap((name) => open(join(path, name))) : [];
      return (found.mode & 0o077) === 0 ? below : [path, ...below];
    };
    expect([...open(join(home, '.wrangler')), ...open(join(home, '.dev.vars'))]).toEqual([]);
    expect(readdirSync(join(home, '.wrangler/state/v3'))).toEqual(expect.arrayContaining(['d1', 'do', 'kv']));
  });

  it('checks the Host header despite headers in which local runtimes pass another URL', async () => {
    const own = { host: `localhost:${server.port}` };
    const rebound = { host: 'rebound.evil.dev' };
    expect((await ask(server.port, '/', own)).status).toBe(200);
    expect((await ask(server.port, '/', rebound)).status).toBe(403);
    const elsewhere = {
      'MF-Original-URL': `http://localhost:${server.port}/`,
      'MF-Original-Hostname': 'localhost',
      'X-Forwarded-Host': `localhost:${server.port}`,
      Forwarded: `host=localhost:${server.port}`,
    };
    for (const [name, value] of Object.entries(elsewhere)) {
      expect([name, (await ask(server.port, '/', { ...rebound, [name]: value })).status]).toEqual([name, 403]);
    }
    const proxied = { ...rebound, ...elsewhere, 'MF-Proxy-Shared-Secret': 'a guess' };
    expect((await ask(server.port, '/', proxied)).status).toBe(403);
    const sent = { ...own, 'MF-Original-URL': 'http://elsewhere.evil.dev/nothing-there' };
    expect((await ask(server.port, '/', sent)).status).toBe(200);
  });

  it('has none of the endpoints of a development server', async () => {
    const own = { host: `localhost:${server.port}` };
    const paths = [
      '/cdn-cgi/local/scheduled',
      '/cdn-cgi/local/email',
      '/cdn-cgi/local/explorer',
      '/cdn-cgi/local/platform-proxy',
      '/cdn-cgi/handler/scheduled',
      '/cdn-cgi/mf/scheduled',
      '/cdn-cgi/ProxyWorker/play',
      '/__scheduled',
      '/__cf_local/stream',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const { status } = await ask(server.port, path, { ...own, 'MF-Op': 'GET', 'MF-Op-Secret': 'ff' }, method);
        expect([path, method, status >= 400]).toEqual([path, method, true]);
      }
    }
    expect(server.output()).not.toMatch(/"event":"cache_swept"/);
  });

  it.runIf(existsSync('/proc/net/tcp'))(
    'has no second port for its pages or its hourly trigger that a page or a stranger could use',
    async () => {
      const ports = listeningPorts();
      expect(ports).toContain(server.port);
      const own = { host: `localhost:${server.port}` };
      for (const port of ports.filter((one) => one !== server.port)) {
        for (const headers of [
          own,
          { host: 'keeper.periscope.invalid', authorization: 'a guess' },
          { host: 'rebound.evil.dev', 'MF-Route-Override': 'periscope' },
          { ...own, 'MF-Original-URL': `http://localhost:${server.port}/`, 'MF-Custom-Service': 'periscope' },
        ]) {
          for (const path of ['/', '/healthz', '/mcp', '/cdn-cgi/handler/scheduled']) {
            const status = await ask(port, path, headers).then(
              (answer) => answer.status,
              () => 'no HTTP',
            );
            expect([403, 404, 'no HTTP']).toContain(status);
          }
        }
      }
    },
  );

  it.runIf(existsSync('/proc/net/tcp'))(
    'has a browser that leaves enough CPU time to the Worker, and that nobody else on the machine can drive',
    async () => {
      const client = await connectModern(server);
      cleanUps.push(() => client.close());
      expect((await client.call('browser_launch', {})).isError).toBe(false);
      const ourNiceness = nicenessOf(String(process.pid));
      const browser = processesBelowUs().filter((id) => attempt(() => isOfBrowser(id)) === true);
      expect(browser).not.toEqual([]);
      for (const id of browser) expect(nicenessOf(id)).toBeGreaterThan(ourNiceness);
      const computed = await client.call('browser_evaluate', { script: '6 * 7' });
      expect(computed.text).toContain('42');

      const ports = listeningPorts();
      expect(ports).toContain(server.port);
      for (const port of ports) {
        for (const path of ['/json/version', '/json/list', '/json/new']) {
          const text = await fetch(`http://127.0.0.1:${port}${path}`).then(
            (answer) => answer.text(),
            () => '',
          );
          expect([port, path, /webSocketDebuggerUrl|devtools/i.test(text)]).toEqual([port, path, false]);
        }
        for (const path of ['/', '/devtools/browser', '/devtools/browser/guess', '/devtools/page/guess']) {
          const opened = await new Promise<boolean>((resolve) => {
            const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
            socket.addEventListener('open', () => resolve(true));
            socket.addEventListener('error', () => resolve(false));
          });
          expect([port, path, opened]).toEqual([port, path, false]);
        }
      }
      expect((await client.call('browser_evaluate', { script: '7 * 7' })).text).toContain('49');
    },
  );

  it('keeps running under load while the hourly trigger fires repeatedly', async () => {
    const sweeps = () => server.output().split('"event":"cache_swept"').length - 1;
    const clients = await Promise.all(Array.from({ length: 32 }, () => connectModern(server)));
    const enough = new AbortController();
    const answered = clients.map(async (client) => {
      let count = 0;
      while (!enough.signal.aborted) {
        await client.call('open_url', { url: LOUD_URL });
        count += 1;
      }
      return count;
    });
    for (let fired = 1; fired <= 3; fired += 1) {
      server.tidy();
      await expect.poll(sweeps).toBe(fired);
    }
    enough.abort();
    const counts = await Promise.all(answered);
    expect(counts.every((count) => count > 0)).toBe(true);
    await Promise.all(clients.map((client) => client.close()));
    expect((await ask(server.port, '/healthz')).status).toBe(200);
  });
});

describe('a reader of the log', () => {
  /** A start whose output goes into an unread pipe, with whole addresses in it. */
  async function unread() {
    const { home, remove } = scratchHome();
    const port = await findFreePort();
    const token = `local_${crypto.randomUUID()}`;
    const settings: Record<string, string> = {
      PORT: String(port),
      LOCAL_ACCESS_TOKEN: token,
      RENDER_ENABLED: 'false',
      LOG_URLS: 'true',
    };
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../scripts/start.ts'), '--home', home], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const ended = once(child, 'exit');
    cleanUps.push(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
      remove();
    });
    while ((await ask(port, '/healthz').catch(() => ({ status: 0 }))).status !== 200) {
      await Promise.race([new Promise((resolve) => setTimeout(resolve, 100)), ended]);
      if (child.exitCode !== null) throw new Error('The server ended before it was ready.');
    }
    return { child, ended, server: { port, mcpUrl: `http://localhost:${port}/mcp`, token } };
  }

  /** A megabyte of log, which is more than a pipe and the server hold for a reader. */
  const LOUD_CALLS = 160;
  const LOUDER_URL = `http://localhost/${'a'.repeat(8_000)}`;

  async function callLoudly(server: { mcpUrl: string; token: string }) {
    const client = await connectModern(server);
    // In groups, because calls that wait too long are refused, and on a busy machine hundreds in parallel would be.
    for (let done = 0; done < LOUD_CALLS; done += 20) {
      await Promise.all(Array.from({ length: 20 }, () => client.call('open_url', { url: LOUDER_URL })));
    }
    await client.close();
  }

  it('blocks no call while it has stopped, learns how much it missed when it returns, and does not block shutdown', async () => {
    const { child, ended, server } = await unread();
    // Twice: some of what the last calls said may still be on its way here.
    for (let round = 0; round < 2; round += 1) await callLoudly(server);
    expect((await ask(server.port, '/healthz')).status).toBe(200);
    let text = '';
    const read = (chunk: Buffer) => void (text += chunk.toString());
    child.stdout?.on('data', read);
    const missed = () => Number(/\((\d+) messages were left out because nobody read them\)/.exec(text)?.[1] ?? 0);
    await expect.poll(missed).toBeGreaterThan(0);
    const shown = text.split('"tool":"open_url"').length - 1;
    expect(shown).toBeGreaterThan(0);
    expect(shown + missed()).toBeGreaterThanOrEqual(2 * LOUD_CALLS);

    child.stdout?.pause();
    await callLoudly(server);
    child.kill('SIGTERM');
    await ended;
    await expect(ask(server.port, '/healthz')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('ends nothing when it disconnects', async () => {
    const { child, server } = await unread();
    child.stdout?.destroy();
    child.stderr?.destroy();
    await callLoudly(server);
    expect((await ask(server.port, '/healthz')).status).toBe(200);
    expect(child.exitCode).toBeNull();
  });
});

/** The lowest niceness among the threads of a process. */
function nicenessOf(id: string): number {
  const threads = attempt(() => readdirSync(`/proc/${id}/task`)) ?? [];
  const all = threads.map((thread) => attempt(() => Number(fieldsOf(`/proc/${id}/task/${thread}/stat`)[16])));
  // A process that ended meanwhile had none.
  return Math.min(...all.filter((one) => one !== null));
}

function isOfBrowser(id: string): boolean {
  return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--remote-debugging-pipe');
}
