import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** A slow disk with a cold cache takes seconds. */
const PROBE_MS = 30_000;
const POLL_MS = 20;
const TITLE = 'periscope probe';

const ENDS = 'it ends right after its start';

/**
 * Checks that the browser behind `wrapper` starts here and shows a page, which also needs its sandbox and its
 * libraries. A browser that exits without a reason is tried again, because one start in some thousands does.
 * @returns `null` if it works, else a short reason
 */
export async function probe(wrapper: string): Promise<string | null> {
  const outcome = await tryOut(wrapper);
  return outcome === ENDS ? tryOut(wrapper) : outcome;
}

async function tryOut(wrapper: string): Promise<string | null> {
  const profile = mkdtempSync(join(tmpdir(), 'periscope-probe-'));
  const address = `data:text/html,<title>${TITLE}</title>`;
  const args = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--disable-extensions'];
  // With an empty environment, as miniflare starts it.
  const child = spawn('/usr/bin/env', ['-i', wrapper, ...args, address], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const said: string[] = [];
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => resolve(reasonIn(said)));
  });
  const works = new Promise<null>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      const port = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
      if (port !== undefined) void waitForPage(port).then(() => resolve(null));
    });
  });
  const late = sleep(PROBE_MS, 'it showed no page within 30 seconds', { ref: false });
  const outcome = await Promise.race([works, ended, late]);
  endGroup(child.pid);
  await ended;
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return outcome;
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

async function waitForPage(port: string): Promise<void> {
  for (let waited = 0; waited < PROBE_MS; waited += POLL_MS) {
    const pages = await fetch(`http://127.0.0.1:${port}/json/list`).then(
      (answer) => answer.text(),
      () => '',
    );
    if (pages.includes(`"${TITLE}"`)) return;
    await sleep(POLL_MS);
  }
}

/** The part of a browser's last output that helps the user. */
function reasonIn(said: readonly string[]): string {
  if (said.some((line) => /No usable sandbox|zygote_host_impl_linux|Failed to move to new namespace/.test(line))) {
    return 'this system does not allow its sandbox';
  }
  const library = said.map((line) => /shared libraries: (\S+):/.exec(line)?.[1]).find((name) => name !== undefined);
  return library === undefined ? ENDS : `the library ${library} is missing`;
}
