import * as z from 'zod';
import type { BrowserBinding } from '#browsing/cdp/connect.ts';

const command = z.object({ id: z.number(), method: z.string(), sessionId: z.string().optional() });

/** Where a browser service refuses `Fetch.enable`: on the browser as a whole, or on every target as well. */
export type Refusal = 'on the browser' | 'everywhere';

/** Makes the far end of a DevTools connection refuse to intercept requests, as some browser services might. */
export function refuseToBeWatched(
  socket: WebSocket,
  refusal: Refusal = 'on the browser',
  onRefused: () => void = () => undefined,
): WebSocket {
  const send = socket.send.bind(socket);
  socket.send = (data) => {
    const { id, method, sessionId } = command.parse(typeof data === 'string' ? JSON.parse(data) : null);
    if (method !== 'Fetch.enable' || (sessionId !== undefined && refusal === 'on the browser')) {
      send(data);
      return;
    }
    onRefused();
    const error = { code: -32_601, message: `'Fetch.enable' wasn't found` };
    const answer = JSON.stringify({ id, error, ...(sessionId === undefined ? {} : { sessionId }) });
    queueMicrotask(() => socket.dispatchEvent(new MessageEvent('message', { data: answer })));
  };
  return socket;
}

/** The same for the browsers of a binding. @param onRefused called at each refusal */
export function refusingBinding(binding: BrowserBinding, refusal?: Refusal, onRefused?: () => void): BrowserBinding {
  return {
    fetch: async (url, init) => {
      const response = await binding.fetch(url, init);
      if (response.webSocket !== null) refuseToBeWatched(response.webSocket, refusal, onRefused);
      return response;
    },
  };
}
