import { replaced } from './replaced.ts';

/** What is under way in this isolate, the Worker and all of its objects together. */
export type Pending = {
  /** Where each timer was set that has neither fired nor been cleared. */
  timers: string[];
  /** WebSockets that are open: the browser service is spoken to through them, and nothing else. */
  sockets: number;
};

const realSetTimeout = globalThis.setTimeout;

/** Counts from now on. @returns what is pending at a moment, and how to stop counting */
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

/** After its answer and what a session does after it, a call has so long for what it leaves to be done. */
const SETTLED_MS = 1_500;

/**
 * Work still pending in objects when what a call leaves to be done after its answer has had its time. What a session does
 * after an answer has a time limit of its own, and takes longer on a busy machine.
 */
export async function leftBehind(watch: ReturnType<typeof watchPending>): Promise<Pending> {
  for (let waited = 0; waited < SETTLED_MS && ofObjects(watch).timers.length > 0;) {
    if (!ofObjects(watch).timers.some((from) => from.includes('/session/after-call.ts'))) waited += 50;
    await uncountedPause(50);
  }
  return ofObjects(watch);
}

/** The Worker itself waits until it has something to write together, which costs nothing. */
function ofObjects(watch: ReturnType<typeof watchPending>): Pending {
  const { timers, sockets } = watch.pending();
  return { timers: timers.filter((from) => !from.includes('/src/core/flow/write-together.ts')), sockets };
}

/** A pause that is not counted. */
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

/** Such a signal cannot be stopped: its timer runs to the end. */
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

/** The line of ours that asked for it; `sleep` asks for others. */
function whereFrom(): string {
  const lines = (new Error('here').stack ?? '').split('\n');
  const ours = lines.find((line) => line.includes('/src/') && !line.includes('/src/core/flow/abort.ts'));
  return ours?.trim() ?? lines.slice(3, 6).join(' < ').trim();
}
