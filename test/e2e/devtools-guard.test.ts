import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { launchServer } from '#scripts/local/launch.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { scratchHome } from '#support/server.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

describe('a browser of a running server', () => {
  it.runIf(existsSync('/proc/net/tcp'))('can be driven by nobody else on the machine', async () => {
    const { home, remove } = scratchHome();
    const server = await launchServer({ home });
    cleanUps.push(remove, () => server.stop());
    const client = await connectModern(server);
    cleanUps.push(() => client.close());
    expect((await client.call('browser_launch', {})).isError).toBe(false);
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
  });
});

/** Of the processes below this one. */
function listeningPorts(): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(processes.map((id) => [id, attempt(() => parentOf(id)) ?? '']));
  const isBelowUs = (id: string): boolean => {
    const parent = parents.get(id) ?? '';
    return parent === String(process.pid) || (parent !== '' && isBelowUs(parent));
  };
  const sockets = new Set(processes.filter(isBelowUs).flatMap((id) => attempt(() => socketsOf(id)) ?? []));
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    return state === LISTENS && sockets.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

const LISTENS = '0A';

function parentOf(id: string): string {
  return /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))?.[1] ?? '';
}

function socketsOf(id: string): string[] {
  return readdirSync(`/proc/${id}/fd`).flatMap((descriptor) => {
    const target = attempt(() => readlinkSync(`/proc/${id}/fd/${descriptor}`)) ?? '';
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
}

/** A process may end while it is looked at. */
function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
