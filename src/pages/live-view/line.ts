import type { FromLivePage, ToLivePage } from '#core/live-messages.ts';
import { part } from './parts.ts';

/** How the page is connected to the session. */
export type Line = { say: (message: FromLivePage) => void };

export type Ends = {
  picture: (picture: Blob) => Promise<void>;
  message: (message: ToLivePage) => void;
  /** @param problem why there is no session to be seen, in words; `null` when it rests */
  away: (problem: string | null) => void;
  /** The line broke; another one is being opened. */
  broken: () => void;
};

const HERE_EVERY_MS = 5_000;
const AGAIN_MS = 1_000;
const AGAIN_MS_MAX = 15_000;
/** Kept when this page is loaded again: who drives goes on. */
const PAGE = sessionStorage.getItem('page') ?? crypto.randomUUID();
sessionStorage.setItem('page', PAGE);
/** The session has no browser now; as many look as may. */
const RESTING = 4001;
const FULL = 4003;

/** Opens the line, and another one when it breaks. */
export function connect(ends: Ends): Line & { open: (wakes: boolean) => void } {
  let socket: WebSocket | null = null;
  let againMs = AGAIN_MS;
  let wantsTickets = false;
  const say = (message: FromLivePage) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const retry = () => {
    ends.broken();
    setTimeout(() => void open(false), againMs);
    againMs = Math.min(2 * againMs, AGAIN_MS_MAX);
  };
  const take = (message: ToLivePage) => {
    if (message.kind === 'state') wantsTickets = message.wantsTickets === true;
    ends.message(message);
  };
  const open = async (wakes: boolean) => {
    const answer = await askForTicket({ wake: wakes ? '1' : '0' });
    if (answer === null) return retry();
    if (answer.resting === true) return ends.away(null);
    if (answer.ticket === undefined) return ends.away(answer.problem ?? '');
    const made = new WebSocket(
      `${location.pathname}?${new URLSearchParams({ ticket: answer.ticket, page: PAGE }).toString()}`,
    );
    made.binaryType = 'blob';
    socket = made;
    made.addEventListener('message', ({ data }: MessageEvent<Blob | string>) => {
      againMs = AGAIN_MS;
      if (typeof data === 'string') take(JSON.parse(data));
      else void ends.picture(data).then(() => say({ kind: 'drawn' }));
    });
    made.addEventListener('close', ({ code }) => {
      if (socket !== made) return;
      socket = null;
      if (code === RESTING) ends.away(null);
      else if (code === FULL) ends.away('As many pages show this session as may. Close one of them.');
      else retry();
    });
    return undefined;
  };
  const stay = async () => {
    const line = socket;
    if (line === null || !wantsTickets) return say({ kind: 'here' });
    const answer = await askForTicket({ wake: '0', here: '1' });
    if (socket !== line || answer === null) return;
    if (answer.problem === undefined) return say({ kind: 'here', ticket: answer.ticket });
    // Whoever is at this page may not see the session any more.
    socket = null;
    line.close();
    ends.away(answer.problem);
  };
  setInterval(() => void stay(), HERE_EVERY_MS);
  return { say, open: (wakes) => void open(wakes) };
}

type Answer = { ticket?: string; resting?: boolean; problem?: string };

/** `null` when the server does not answer now. */
async function askForTicket(wish: Record<string, string>): Promise<Answer | null> {
  const fields = new FormData(part('ticket', HTMLFormElement));
  const form = fields.get('form');
  const body = new URLSearchParams({ form: typeof form === 'string' ? form : '', ...wish });
  try {
    const answer = await fetch(location.pathname, { method: 'POST', body });
    return await answer.json();
  } catch {
    return null;
  }
}
