import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchServer } from '#scripts/local/launch.ts';
import type { LaunchedServer } from '#scripts/local/launch.ts';
import { findFreePort } from '#scripts/local/port.ts';
import { leaksIn } from './leaks.ts';

/** The built Worker behind a port, with its own data folder. It can be killed and started again. */
export type TestServer = {
  mcpUrl: string;
  token: string;
  home: string;
  /** Output of the current process. */
  output: () => string;
  /** Kills all of it with SIGKILL, then starts it again on the same port and data. */
  killAndRestart: () => Promise<void>;
  /** Fires the hourly trigger. */
  tidy: () => void;
  /** Stops it and removes the data. @throws if it ever printed a credential */
  close: () => Promise<void>;
};

export async function startServer(settings: Record<string, string>, inspectorPort?: number): Promise<TestServer> {
  const { home, remove } = scratchHome();
  const port = await findFreePort();
  let running: LaunchedServer = await launchServer({ home, port, settings, inspectorPort });
  const leaks = new Set<string>();
  const lookForLeaks = () => {
    for (const leak of leaksIn(running.output(), { ...settings, LOCAL_ACCESS_TOKEN: running.token })) leaks.add(leak);
  };
  return {
    mcpUrl: running.mcpUrl,
    token: running.token,
    home,
    output: () => running.output(),
    killAndRestart: async () => {
      await running.kill();
      lookForLeaks();
      running = await launchServer({ home, port, settings, inspectorPort });
    },
    tidy: () => running.tidy(),
    close: async () => {
      await running.stop();
      remove();
      lookForLeaks();
      if (leaks.size > 0) throw new Error(`The server's log holds ${[...leaks].join(', ')}.`);
    },
  };
}

export function scratchHome(): { home: string; remove: () => void } {
  const home = mkdtempSync(join(tmpdir(), 'periscope-test-'));
  return { home, remove: () => rmSync(home, { recursive: true, force: true }) };
}
