import type { AtWork, Work } from './at-work.ts';
import type { Hangs } from './hangs.ts';
import type { Runtime } from './runtime.ts';

export type RestartDeps = {
  runtime: Runtime;
  atWork: AtWork;
  hangs: Hangs;
  /** Receives one log line, as JSON. */
  log: (line: string) => void;
};

/** Restarts a hung Worker, and makes it skip its work if that hung before. Stored data survives. */
export async function restartHung({ runtime, atWork, hangs, log }: RestartDeps): Promise<void> {
  const interrupted = atWork.interrupted();
  const pages = interrupted.flatMap(({ on }) => on);
  const skipped = new Set(hangs.note(pages.map(({ page }) => page)));
  const line = {
    level: 'error',
    ts: new Date().toISOString(),
    event: 'worker_hung',
    in_flight: interrupted.map(inWords),
    skipped: [...new Set(pages.filter(({ page }) => skipped.has(page)).map(({ url }) => url))],
  };
  log(JSON.stringify(line));
  await runtime.restart(skippedSetting(hangs));
}

function inWords({ what, id, on }: Work): string {
  return [what, id, ...new Set(on.map(({ url }) => url))].filter((part) => part !== '').join(' ');
}

/** The setting `LOCAL_SKIPPED`. */
export function skippedSetting(hangs: Hangs): { LOCAL_SKIPPED: string } {
  return { LOCAL_SKIPPED: hangs.skipped().join(',') || 'none' };
}
