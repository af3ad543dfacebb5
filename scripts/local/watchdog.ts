import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { START } from './project.ts';

/**
 * Looks whether the server of this machine still answers, from a process that does nothing else: whatever stops the server does
 * not stop this. A Worker that computes without end is restarted. One that is silent for another reason may be waiting for a
 * busy machine, so it is only reported, and given up after minutes: whoever waits for it is better off with an end that says so.
 */
export type Watch = {
  /** Asked over and over; any answer at all is a sign of life. */
  url: string;
  say: (text: string) => void;
  /** CPU time (ms) of the runtime so far; `null` where nobody can tell. */
  cpuMs: () => Promise<number | null>;
  restart: () => void;
  giveUp: () => void;
  times?: Partial<WatchTimes>;
};

export type WatchTimes = typeof TIMES;

const TIMES = {
  /** Between an answer and the next question. */
  rest: 10_000,
  /** Without an answer for so long while it computes, it hangs: no piece of work takes a second. */
  hung: 30_000,
  /** Without an answer for so long, it is reported: longer than any call may take on a busy machine. */
  silent: 60_000,
  /** Without an answer for so long, it is given up. */
  dead: 300_000,
  /** Interval at which its CPU time is read while there is no answer. */
  look: 1_000,
  /** Restarts within this time are counted. */
  restarts: 900_000,
};
/** The CPU time of a hang, of the time without an answer: a machine may have other work, too. */
const CPU_SHARE = 1 / 3;
/** A Worker that starts computes, too, and on a busy machine for long. */
const STARTING = 3;
/** So many restarts within `restarts` do not help. */
const RESTARTS_MAX = 5;
/** After a connection that was refused: the runtime may be starting. */
const RETRY_MS = 500;
const SECOND_MS = 1_000;

/** @param given `HANG_SECONDS`: after so long without an answer a Worker that computes is restarted */
export function hangTimes(given: string | undefined): Partial<WatchTimes> {
  const hung = Number(given) * SECOND_MS;
  return hung > 0 ? { hung, rest: Math.min(TIMES.rest, hung) } : {};
}

/** Runs until the process ends, or until it gives up. */
export async function watchServer(watch: Watch): Promise<void> {
  const times = { ...TIMES, ...watch.times };
  const restarts: number[] = [];
  for (;;) {
    await sleep(times.rest, undefined, { ref: false });
    const why = await whyGivenUp(watch, times, restarts);
    if (why === null) continue;
    watch.say(`${why} ${AGAIN}`);
    watch.giveUp();
    return;
  }
}

/**
 * Waits for an answer, and restarts what hangs.
 * @param restarts when that was done before (ms)
 * @returns `null` once there is an answer
 */
async function whyGivenUp(
  { url, say, cpuMs, restart }: Watch,
  times: WatchTimes,
  restarts: number[],
): Promise<string | null> {
  const asked = performance.now();
  let [since, cpuThen, patience] = [asked, await cpuMs(), times.hung];
  let isReported = false;
  const gone = new AbortController();
  const answer = answered(url, gone.signal);
  try {
    for (;;) {
      const isAnswered = await Promise.race([answer, sleep(times.look, false)]);
      const [now, cpu] = [performance.now(), isAnswered ? null : await cpuMs()];
      if (isAnswered) {
        if (isReported) say(`Periscope answers again, after ${seconds(now - asked)}.`);
        return null;
      }
      if (now - since > times.dead) return `Periscope has not answered for ${seconds(times.dead)} and was stopped.`;
      const isComputing = cpu !== null && cpu - (cpuThen ?? cpu) > patience * CPU_SHARE;
      if (now - since > patience && isComputing) {
        if (restarts.filter((at) => at > now - times.restarts).length >= RESTARTS_MAX) return TOO_OFTEN;
        say(
          `Periscope has not answered for ${seconds(now - since)}, and computes: it hangs, and is restarted. ${KEPT}`,
        );
        restarts.push(now);
        restart();
        [since, cpuThen, patience, isReported] = [now, 0, times.hung * STARTING, true];
      } else if (now - since > times.silent && !isReported) {
        isReported = true;
        say(silence(times));
      }
    }
  } finally {
    gone.abort();
  }
}

const KEPT = 'No page, cursor or session is lost.';
const AGAIN = `Start it again with ${START}: pages, cursors and sessions are kept.`;
const TOO_OFTEN = `Periscope hung again after ${RESTARTS_MAX} restarts and was stopped.`;

function silence({ silent, dead }: WatchTimes): string {
  return (
    `Periscope has not answered for ${seconds(silent)}: it is very busy or stuck. ` +
    `After ${seconds(dead)} without an answer it is stopped; to stop it now, press Ctrl-C. ${AGAIN}`
  );
}

function seconds(ms: number): string {
  return `${Math.round(ms / SECOND_MS)} s`;
}

async function answered(url: string, signal: AbortSignal): Promise<true> {
  while (!(await answers(url, signal)) && !signal.aborted) await sleep(RETRY_MS);
  return true;
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
