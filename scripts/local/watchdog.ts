import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { START } from './project.ts';

/**
 * Checks that the local server still answers, from a process that does nothing else, so that whatever blocks the server
 * does not block this check. A Worker that computes endlessly is restarted. A Worker that is silent for another reason
 * may only wait for a busy machine, so it is first reported, and the server is ended after minutes: its clients are
 * better off with an error than with a wait.
 */
export type Watch = {
  /** Requested again and again; any answer is a sign of life. */
  url: string;
  say: (text: string) => void;
  /** CPU time (ms) of the runtime so far; `null` if it cannot be determined. */
  cpuMs: () => Promise<number | null>;
  restart: () => void;
  giveUp: () => void;
  times?: Partial<WatchTimes>;
};

export type WatchTimes = typeof TIMES;

const TIMES = {
  /** Pause between an answer and the next request. */
  rest: 10_000,
  /** Time without an answer, while it computes, after which it hangs: no piece of work takes a second. */
  hung: 30_000,
  /** Time without an answer after which it is reported: longer than any call may take on a busy machine. */
  silent: 60_000,
  /** Time without an answer after which the server is ended. */
  dead: 300_000,
  /** Interval at which CPU time is read while there is no answer. */
  look: 1_000,
  /** Period in which restarts are counted. */
  restarts: 900_000,
};
/** Share of CPU time in the time without an answer that counts as a hang: other programs may also use the machine. */
const CPU_SHARE = 1 / 2;
/** Factor of `hung` after a restart: a starting Worker also computes, and for long on a busy machine. */
const STARTING = 3;
/** After this many restarts within `restarts`, no further restart helps. */
const RESTARTS_MAX = 5;
/** Pause after a refused connection: the runtime may be starting. */
const RETRY_MS = 500;
const SECOND_MS = 1_000;

/** @param given `HANG_SECONDS`: time without an answer after which a Worker that computes is restarted */
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
 * Waits for an answer, and restarts a hung Worker.
 * @param restarts times of earlier restarts (ms)
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
