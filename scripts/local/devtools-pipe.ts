import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';

/** What the wrapper script makes in the folder of a browser: its two pipes. And what is put there when it speaks. */
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

/** One who speaks to the browser. What comes before there is a session waits. */
type Client = { socket: WebSocket; session: string | null; waiting: Message[] };

/**
 * One browser behind its pipe, for any number of WebSockets. On a port each of them has a session of its own with the
 * browser; a pipe is one session. So each gets one inside it (`Target.attachToBrowserTarget`), whose name is put on what
 * it says and taken off what it is told.
 */
export class BrowserPipe {
  readonly #folder: string;
  readonly #to: Socket;
  readonly #ended: () => void;
  readonly #clients = new Set<Client>();
  /** Whose each session is: a client's own, and those of the targets that it is attached to. */
  readonly #owners = new Map<string, Client>();
  /** Calls under way, by their number on the pipe. */
  readonly #calls = new Map<number, (answer: Message) => void>();
  #callCount = 0;
  #unfinished: Buffer[] = [];
  /** Holds the pipe open until the browser has opened it, since a pipe that nobody writes to is at its end. */
  #holder: number | null;

  /** @throws when there is no such browser any more */
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
    this.#call({ method: 'Target.attachToBrowserTarget' }, (answer) => {
      const attached = attachedSchema.safeParse(answer);
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
      socket.send(JSON.stringify({ ...answer, id, sessionId }));
    });
  }

  #call(message: Message, answered: (answer: Message) => void): void {
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
      this.#told(Buffer.concat(this.#unfinished.splice(0)).toString());
      from = end + 1;
    }
    if (from < chunk.length) this.#unfinished.push(chunk.subarray(from));
  }

  #told(text: string): void {
    const message = parse(text);
    if (message === null) return this.#end();
    const answered = message.id === undefined ? undefined : this.#calls.get(message.id);
    if (answered === undefined) return this.#tell(message);
    this.#calls.delete(message.id ?? 0);
    answered(message);
  }

  /** An event goes to whoever has the session that it is about. */
  #tell({ sessionId = '', ...event }: Message): void {
    const owner = this.#owners.get(sessionId);
    if (owner === undefined) return;
    const about = targetEventSchema.safeParse(event);
    if (event.method === 'Target.attachedToTarget' && about.success)
      this.#owners.set(about.data.params.sessionId, owner);
    if (event.method === 'Target.detachedFromTarget' && about.success) this.#owners.delete(about.data.params.sessionId);
    owner.socket.send(JSON.stringify(sessionId === owner.session ? event : { ...event, sessionId }));
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

function parse(text: string): Message | null {
  try {
    return messageSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
