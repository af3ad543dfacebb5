import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

/** Memory of the Worker's isolate, in bytes: objects and strings of JavaScript, and buffers outside its heap. */
export type Held = { heap: number; buffers: number };

/** The heap of a Worker behind an inspector. */
export type HeapMeter = {
  held: () => Promise<Held>;
  /** The same after garbage collection. */
  live: () => Promise<Held>;
  close: () => void;
};

const targets = z.array(z.object({ id: z.string(), title: z.string(), webSocketDebuggerUrl: z.string() }));
const answer = z.object({ id: z.number(), result: z.unknown() });
const usage = z.object({ usedSize: z.number(), backingStorageSize: z.number() });

/** @throws if there is no Worker of that name */
export async function meterHeap(inspectorPort: number, worker: string): Promise<HeapMeter> {
  const list = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  const listed = targets.parse(await list.json());
  const found = listed.find(({ id, title }) => `${id} ${title}`.includes(worker));
  if (found === undefined) throw new Error(`The inspector shows ${JSON.stringify(listed)}, and no ${worker}.`);
  const socket = new WebSocket(found.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The inspector cannot be reached.')));
  });
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const read = answer.safeParse(JSON.parse(String(data)));
    if (read.success) waiting.get(read.data.id)?.(read.data.result);
  });
  let sent = 0;
  const ask = (method: string) =>
    new Promise<unknown>((resolve) => {
      sent += 1;
      waiting.set(sent, resolve);
      socket.send(JSON.stringify({ id: sent, method }));
    });
  const held = async () => {
    const { usedSize, backingStorageSize } = usage.parse(await ask('Runtime.getHeapUsage'));
    return { heap: usedSize, buffers: backingStorageSize };
  };
  return {
    held,
    live: async () => {
      await ask('HeapProfiler.collectGarbage');
      return held();
    },
    close: () => socket.close(),
  };
}

export function totalOf({ heap, buffers }: Held): number {
  return heap + buffers;
}

/** Measures again and again during the work. @returns the largest value, and the number of measurements */
export async function peakOf<T>(
  look: () => Promise<Held>,
  everyMs: number,
  work: () => Promise<T>,
): Promise<{ result: T; peak: Held; looks: number }> {
  const over = new AbortController();
  let peak: Held = { heap: 0, buffers: 0 };
  let looks = 0;
  const watching = (async () => {
    while (!over.signal.aborted) {
      const now = await look();
      looks += 1;
      if (totalOf(now) > totalOf(peak)) peak = now;
      await sleep(everyMs);
    }
  })();
  try {
    const result = await work();
    over.abort();
    await watching;
    return { result, peak, looks };
  } finally {
    over.abort();
  }
}
