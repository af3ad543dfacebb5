import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { launchServer } from '#scripts/local/launch.ts';
import { attempt, fieldsOf, listeningPorts, processesBelowUs } from '#support/child-processes.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { scratchHome } from '#support/server.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

describe('a browser of a running server', () => {
  it.runIf(existsSync('/proc/net/tcp'))(
    'leaves enough CPU time to the Worker, and nobody else on the machine can drive it',
    async () => {
      const { home, remove } = scratchHome();
      const server = await launchServer({ home });
      cleanUps.push(remove, () => server.stop());
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
});

/** Of any of its threads, the one that goes first. */
function nicenessOf(id: string): number {
  const threads = attempt(() => readdirSync(`/proc/${id}/task`)) ?? [];
  const all = threads.map((thread) => attempt(() => Number(fieldsOf(`/proc/${id}/task/${thread}/stat`)[16])));
  // A process that ended meanwhile had none.
  return Math.min(...all.filter((one) => one !== null));
}

function isOfBrowser(id: string): boolean {
  return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--remote-debugging-pipe');
}
