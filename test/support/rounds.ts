import * as z from 'zod';
import type { BrowserBinding } from '#browsing/cdp/connect.ts';

const message = z.object({ id: z.number().optional() });
/**
 * Messages that an answer triggers are sent within this time, also on a busy machine. A message that needs an answer
 * first cannot join its round.
 */
const PAUSE_MS = 150;

export type Rounds = { binding: BrowserBinding; count: () => number };

/**
 * A binding to a browser that is far away: messages wait while an earlier one is unanswered, and then go together, so
 * that each round is one round trip.
 */
export function inRounds(binding: BrowserBinding): Rounds {
  let rounds = 0;
  return {
    count: () => rounds,
    binding: {
      fetch: async (url, init) => {
        const response = await binding.fetch(url, init);
        if (response.webSocket !== null) sendInRounds(response.webSocket, () => (rounds += 1));
        return response;
      },
    },
  };
}

function sendInRounds(socket: WebSocket, begin: () => void): void {
  const send = socket.send.bind(socket);
  const unanswered = new Set<number>();
  let waiting: string[] = [];
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(flush, PAUSE_MS);
  };
  const flush = () => {
    if (unanswered.size > 0 || waiting.length === 0 || isClosed) return;
    begin();
    const now = waiting;
    waiting = [];
    for (const text of now) {
      unanswered.add(message.parse(JSON.parse(text)).id ?? 0);
      send(text);
    }
  };
  socket.send = (data) => {
    if (typeof data !== 'string') throw new TypeError('the protocol is text');
    waiting.push(data);
    schedule();
  };
  const close = socket.close.bind(socket);
  socket.close = (code, reason) => {
    isClosed = true;
    close(code, reason);
  };
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return;
    const { id } = message.parse(JSON.parse(data));
    if (id !== undefined) unanswered.delete(id);
    schedule();
  });
}
