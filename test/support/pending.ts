import { replaced } from './replaced.ts';

/** Unfinished work in this isolate, of the Worker and all its objects together. */
export type Pending = {
  /** The code location of each timer that has neither fired nor been cleared. */
  timers: string[];
  /** Open WebSockets. Only connections to the browser service use them. */
  sockets: number;
};

const realSetTimeout = globalThis.setTimeout;

/** Starts to count. @returns the pending work at a moment, and a function that stops counting */
export function watchPending(): { pending: () => Pending; stop: () => void } {
  const timers = new Map<unknown, string>();
  const sockets = new Set<unknown>();
  const undo = [watchTimers(timers), watchSignals(timers), watchPauses(timers), watchSockets(sockets)];
  return {
    pending: () => ({
      timers: [...timers.values()],
      sockets: sockets.size,
    }),
    stop: () => {
      for (const back of undo) back();
    },
  };
}

/** Time for the work that a call and a session do after the answer. */
const SETTLED_MS = 1_500;

/**
 * Work that is still pending in objects after the time for work after the answer. What a session does after an answer
 * has its own time limit, and takes longer on a busy machine.
 */
export async function leftBehind(watch: ReturnType<typeof watchPending>): Promise<Pending> {
  for (let waited = 0; waited < SETTLED_MS && ofObjects(watch).timers.length > 0;) {
    if (!ofObjects(watch).timers.some((from) => from.includes('/session/after-call.ts'))) waited += 50;
    await uncountedPause(50);
  }
  return ofObjects(watch);
}

/** The Worker's own timer is left out: it waits for further writes to group, which costs nothing. */
function ofObjects(watch: ReturnType<typeof watchPending>): Pending {
  const { timers, sockets } = watch.pending();
  return { timers: timers.filter((from) => !from.includes('/src/telemetry/call-counts.ts')), sockets };
}

function uncountedPause(ms: number): Promise<void> {
  return new Promise((resolve) => realSetTimeout(resolve, ms));
}

function watchTimers(timers: Map<unknown, string>): () => void {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const noted = (set: (run: () => void, ms?: number) => unknown, isOnce: boolean) => {
    return (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): unknown => {
      const id = set(() => {
        if (isOnce) timers.delete(id);
        run(...args);
      }, ms);
      timers.set(id, whereFrom());
      return id;
    };
  };
  const forget = (clear: (id: never) => void) => (id: never) => {
    timers.delete(id);
    clear(id);
  };
  Object.assign(globalThis, {
    setTimeout: noted((run, ms) => setTimeout(run, ms), true),
    setInterval: noted((run, ms) => setInterval(run, ms), false),
    clearTimeout: forget((id) => clearTimeout(id)),
    clearInterval: forget((id) => clearInterval(id)),
  });
  return () => void Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
}

/** An abort signal with a timeout cannot be stopped: its timer runs to the end. */
function watchSignals(timers: Map<unknown, string>): () => void {
  return replaced(AbortSignal, 'timeout', (timeout, _, args) => {
    const signal = Reflect.apply(timeout, AbortSignal, args);
    timers.set(signal, whereFrom());
    if (signal instanceof AbortSignal) signal.addEventListener('abort', () => timers.delete(signal));
    return signal;
  });
}

function watchPauses(timers: Map<unknown, string>): () => void {
  return replaced(scheduler, 'wait', async (wait, _, args) => {
    const one = Symbol('pause');
    timers.set(one, whereFrom());
    try {
      await Reflect.apply(wait, scheduler, args);
    } finally {
      timers.delete(one);
    }
  });
}

function watchSockets(sockets: Set<unknown>): () => void {
  const accepting = replaced(WebSocket.prototype, 'accept', (accept, socket, args) => {
    if (!(socket instanceof WebSocket)) throw new TypeError('a socket was expected');
    sockets.add(socket);
    for (const end of ['close', 'error'] as const) socket.addEventListener(end, () => sockets.delete(socket));
    return Reflect.apply(accept, socket, args);
  });
  const closing = replaced(WebSocket.prototype, 'close', (close, socket, args) => {
    sockets.delete(socket);
    return Reflect.apply(close, socket, args);
  });
  return () => {
    accepting();
    closing();
  };
}

/** The line of our code that set the timer; `sleep` sets timers for others. */
function whereFrom(): string {
  const lines = (new Error('here').stack ?? '').split('\n');
  const ours = lines.find((line) => line.includes('/src/') && !line.includes('/src/core/flow/abort.ts'));
  return ours?.trim() ?? lines.slice(3, 6).join(' < ').trim();
}
