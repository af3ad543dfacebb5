import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { START } from './project.ts';

/**
 * Looks whether the server of this machine still answers, from a process that does nothing else: whatever stops the
 * server, it does not stop this. A server that is busy answers late, so it is only told of; one that has answered nothing
 * at all for minutes will not come back, and whoever waits for it is better off with an end that says so.
 */
export type Watch = {
  /** Asked over and over; any answer at all is a sign of life. */
  url: string;
  say: (text: string) => void;
  giveUp: () => void;
  /** Between an answer and the next question. */
  restMs?: number;
  /** Without an answer for so long, it is told. */
  silentMs?: number;
  /** Without an answer for so long, it is given up. */
  deadMs?: number;
};

const REST_MS = 10_000;
/** Longer than any call may take, on a machine that is busy with many. */
const SILENT_MS = 60_000;
const DEAD_MS = 300_000;
/** After a connection that was refused: the runtime may be starting anew. */
const RETRY_MS = 500;
const SECOND_MS = 1_000;

/** Runs until the process ends, or until it gives up. */
export async function watchServer(watch: Watch): Promise<void> {
  const { restMs = REST_MS, silentMs = SILENT_MS, deadMs = DEAD_MS } = watch;
  for (;;) {
    await sleep(restMs, undefined, { ref: false });
    const asked = performance.now();
    const told = setTimeout(() => watch.say(silence(silentMs, deadMs)), silentMs);
    const dead = new AbortController();
    const end = setTimeout(() => dead.abort(), deadMs);
    while (!dead.signal.aborted && !(await answers(watch.url, dead.signal))) await sleep(RETRY_MS);
    clearTimeout(told);
    clearTimeout(end);
    if (dead.signal.aborted) {
      watch.say(`Periscope has not answered for ${seconds(deadMs)} and was stopped. ${AGAIN}`);
      watch.giveUp();
      return;
    }
    const waited = performance.now() - asked;
    if (waited > silentMs) watch.say(`Periscope answers again, after ${seconds(waited)}.`);
  }
}

const AGAIN = `Start it again with ${START}: pages, cursors and sessions are kept.`;

function silence(silentMs: number, deadMs: number): string {
  return (
    `Periscope has not answered for ${seconds(silentMs)}: it is very busy or stuck. ` +
    `After ${seconds(deadMs)} without an answer it is stopped; to stop it now, press Ctrl-C. ${AGAIN}`
  );
}

function seconds(ms: number): string {
  return `${Math.round(ms / SECOND_MS)} s`;
}

/** Waits for as long as the answer takes. */
function answers(url: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(url, { agent: false, signal }, (response) => {
      response.resume();
      resolve(true);
    });
    asked.on('error', () => resolve(false));
  });
}
