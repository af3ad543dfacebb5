import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';

/** Files in a browser's folder: two pipes of the wrapper script, and a mark that the browser has spoken. */
export const TO_BROWSER = 'in';
export const FROM_BROWSER = 'out';
export const HAS_SPOKEN = 'spoken';

const messageSchema = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
});
type Message = z.output<typeof messageSchema>;
const attachedSchema = z.object({ result: z.object({ sessionId: z.string() }) });
const targetEventSchema = z.object({ params: z.object({ sessionId: z.string() }) });

/**
 * Chromium begins a message with its number or the event's name, and ends it with the session as the last member. Text
 * of a page cannot imitate that, because its quotes are escaped. Most messages are routed by these parts alone: some
 * contain a picture, and a page decides how many there are.
 */
const BEGINNING = /^\{"(?:id":(\d{1,15})|method":"([\w.]{1,80})")[,}]/;
const ENDING = /,"sessionId":"(\w{1,80})"\}$/;
const BEGINNING_BYTES_MAX = 110;
const ENDING_BYTES_MAX = 110;

/** A message of the browser, parsed only as far as needed to route it. */
type Said = { id: number | null; event: string | null; sessionId: string; bytes: Buffer };

/** A connection to the browser. Messages that arrive before it has a session wait. */
type Client = { socket: WebSocket; session: string | null; waiting: Message[] };

/**
 * One browser behind its pipe, for any number of WebSockets. On a port, each WebSocket has its own session with the
 * browser, but a pipe is a single session. So each gets a session inside it (`Target.attachToBrowserTarget`), whose id
 * is added to its messages and removed from the answers.
 */
export class BrowserPipe {
  readonly #folder: string;
  readonly #to: Socket;
  readonly #ended: () => void;
  readonly #clients = new Set<Client>();
  /** The client of each session: its own session, and those of the targets that it is attached to. */
  readonly #owners = new Map<string, Client>();
  /** Unanswered calls, by their number on the pipe. */
  readonly #calls = new Map<number, (answer: Said) => void>();
  #callCount = 0;
  #unfinished: Buffer[] = [];
  /** Keeps the pipe open until the browser has opened it, because a pipe without a writer is at its end. */
  #holder: number | null;

  /** @throws if the browser has exited */
  constructor(folder: string, ended: () => void) {
    const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;
    const from = openSync(join(folder, FROM_BROWSER), O_RDONLY | O_NONBLOCK);
    this.#holder = openSync(join(folder, FROM_BROWSER), O_WRONLY | O_NONBLOCK);
    this.#to = new Socket({ fd: openSync(join(folder, TO_BROWSER), O_RDWR | O_NONBLOCK), readable: false });
    this.#to.on('error', () => this.#end());
    this.#folder = folder;
    this.#ended = ended;
    const reader = new Socket({ fd: from, writable: false });
    reader.on('data', (chunk) => this.#read(chunk));
    reader.on('error', () => this.#end());
    reader.on('close', () => this.#end());
  }

  join(socket: WebSocket): void {
    const client: Client = { socket, session: null, waiting: [] };
    this.#clients.add(client);
    socket.on('message', (data) => this.#take(client, data));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#leave(client));
    this.#call({ method: 'Target.attachToBrowserTarget' }, ({ bytes }) => {
      const attached = attachedSchema.safeParse(parse(bytes.toString()));
      if (!attached.success) return socket.close();
      client.session = attached.data.result.sessionId;
      this.#owners.set(client.session, client);
      for (const message of client.waiting.splice(0)) this.#pass(client, client.session, message);
    });
  }

  #take(client: Client, data: RawData): void {
    const message = Buffer.isBuffer(data) ? parse(data.toString()) : null;
    if (message === null) client.socket.close();
    else if (client.session === null) client.waiting.push(message);
    else this.#pass(client, client.session, message);
  }

  #pass({ socket }: Client, session: string, message: Message): void {
    const { id, sessionId } = message;
    this.#call({ ...message, sessionId: sessionId ?? session }, (answer) => {
      sendText(socket, withoutSession(answer, id, sessionId === undefined));
    });
  }

  #call(message: Message, answered: (answer: Said) => void): void {
    this.#callCount += 1;
    this.#calls.set(this.#callCount, answered);
    this.#to.write(`${JSON.stringify({ ...message, id: this.#callCount })}\0`);
  }

  #read(chunk: Buffer): void {
    if (this.#holder !== null) {
      closeSync(this.#holder);
      this.#holder = null;
      writeFileSync(join(this.#folder, HAS_SPOKEN), '');
    }
    let from = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      this.#unfinished.push(chunk.subarray(from, end));
      this.#told(this.#unfinished.length === 1 ? chunk.subarray(from, end) : Buffer.concat(this.#unfinished));
      this.#unfinished = [];
      from = end + 1;
    }
    if (from < chunk.length) this.#unfinished.push(chunk.subarray(from));
  }

  #told(bytes: Buffer): void {
    const said = read(bytes);
    if (said === null) return this.#end();
    const answered = said.id === null ? undefined : this.#calls.get(said.id);
    if (answered === undefined) return this.#tell(said);
    this.#calls.delete(said.id ?? 0);
    answered(said);
  }

  /** Sends an event to the client whose session it is about. */
  #tell(said: Said): void {
    const owner = this.#owners.get(said.sessionId);
    if (owner === undefined) return;
    if (said.event === 'Target.attachedToTarget' || said.event === 'Target.detachedFromTarget') {
      const about = targetEventSchema.safeParse(parse(said.bytes.toString()));
      if (about.success && said.event === 'Target.attachedToTarget')
        this.#owners.set(about.data.params.sessionId, owner);
      else if (about.success) this.#owners.delete(about.data.params.sessionId);
    }
    const isOwn = said.sessionId === owner.session;
    sendText(owner.socket, isOwn ? withoutSession(said, undefined, true) : said.bytes);
  }

  #leave(client: Client): void {
    this.#clients.delete(client);
    for (const [session, owner] of this.#owners) if (owner === client) this.#owners.delete(session);
    if (client.session === null) return;
    this.#call({ method: 'Target.detachFromTarget', params: { sessionId: client.session } }, () => undefined);
  }

  #end(): void {
    if (this.#holder !== null) closeSync(this.#holder);
    this.#holder = null;
    this.#to.destroy();
    this.#calls.clear();
    for (const { socket } of this.#clients) socket.close();
    this.#ended();
  }
}

/** @returns `null` if it is not a message of Chromium */
function read(bytes: Buffer): Said | null {
  const [, id, event] = BEGINNING.exec(bytes.toString('latin1', 0, BEGINNING_BYTES_MAX)) ?? [];
  const sessionId = ENDING.exec(bytes.toString('latin1', Math.max(0, bytes.length - ENDING_BYTES_MAX)))?.[1] ?? '';
  if (id === undefined && event === undefined) return null;
  return { id: id === undefined ? null : Number(id), event: event ?? null, sessionId, bytes };
}

/** The same message with the number of its sender, and without the session if that is the sender's own. */
function withoutSession({ id, sessionId, bytes }: Said, numbered: number | undefined, isOwn: boolean): Buffer {
  const end = isOwn && sessionId !== '' ? bytes.length - `,"sessionId":"${sessionId}"}`.length : bytes.length;
  const rest = bytes.subarray(id === null ? 0 : `{"id":${id}`.length, end);
  const beginning = id === null ? '' : `{"id":${numbered ?? id}`;
  return Buffer.concat([Buffer.from(beginning), rest, Buffer.from(end === bytes.length ? '' : '}')]);
}

function sendText(socket: WebSocket, bytes: Buffer): void {
  socket.send(bytes, { binary: false });
}

function parse(text: string): Message | null {
  try {
    return messageSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
