import type { Protocol } from 'devtools-protocol';
import { changedTexts, cutText } from '#core/text/page-texts.ts';
import type { LeftOut, Texts, WithoutCuts } from '#core/text/page-texts.ts';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import { CONSOLE_DROPPED_UNTIL_STOPPED, CONSOLE_PAUSE_MS, CONSOLE_RATE, CONSOLE_UNIT_CHARS } from './limits.ts';
import { Pace } from './pace.ts';

/**
 * The Chrome DevTools Protocol over one WebSocket, with flat sessions (Target domain, `flatten: true`). Shapes of
 * commands and events are those of the protocol's own published types; Chromium writes them, not the page.
 */
type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
export type CdpMethod = keyof Commands;
export type CdpEvent = keyof Events;
export type CdpResult<M extends CdpMethod> = Commands[M]['returnType'];
/** The data of an event; `undefined` for an event that has only a name. */
export type CdpParams<E extends CdpEvent> = Events[E] extends [infer P] ? P : undefined;

/** Takes what must not be read out of pages out of their texts, and says where in a text it stands. */
export type Mask = {
  from: (text: string, leftOut?: LeftOut) => string;
  places: (text: string) => [start: number, end: number][];
};

/** One target of the browser (a tab, a frame in a process of its own, a worker), or the browser itself. */
export class CdpSession {
  /** `null` for the browser itself. */
  readonly id: string | null;
  readonly #connection: CdpConnection;

  constructor(id: string | null, connection: CdpConnection) {
    this.id = id;
    this.#connection = connection;
  }

  /**
   * @throws {CdpError} when Chromium refuses the command
   * @throws {BrowserGone} when the connection ends before the answer
   */
  send<M extends CdpMethod>(method: M, ...[params]: Commands[M]['paramsType']): Promise<CdpResult<M>> {
    const answer = this.#connection.send(this.id, method, params);
    if (!method.startsWith('Accessibility.')) return answer;
    return answer.then((tree) => {
      if (this.hides && isTree(tree)) hideAcross(textsOf(tree), (text) => this.told(text, 'page'));
      return this.#withoutHidden(tree);
    });
  }

  #withoutHidden<T>(tree: T): T;
  #withoutHidden(tree: unknown): unknown {
    const mask = this.#connection.mask();
    return mask === null ? tree : changedTexts(tree, TREE, mask.from);
  }

  /** What a page said, without what must not be read out of pages, and without what is left out. */
  told<T>(said: T, texts: Texts<T>): WithoutCuts<T>;
  told(said: unknown, texts: unknown): unknown {
    return this.toldAs(said, texts);
  }

  /** The same where `texts` was checked against the type elsewhere. */
  toldAs(said: unknown, texts: unknown): unknown {
    return changedTexts(said, texts, this.#connection.mask()?.from ?? cutText);
  }

  /** Whether there is anything to hide. */
  get hides(): boolean {
    return this.#connection.mask() !== null;
  }

  /** Where in a text it stands. */
  placesHidden(text: string): [start: number, end: number][] {
    return this.#connection.mask()?.places(text) ?? [];
  }

  /** @returns stops listening */
  on<E extends CdpEvent>(event: E, listener: (params: CdpParams<E>) => void): () => void {
    return this.#connection.on(`${this.id ?? ''} ${event}`, listener);
  }
}

type Tree = { nodes: Protocol.Accessibility.AXNode[] };

function isTree(answer: unknown): answer is Tree {
  return typeof answer === 'object' && answer !== null && 'nodes' in answer && Array.isArray(answer.nodes);
}

/** The texts of a document, in its order. */
function textsOf({ nodes }: Tree): Protocol.Accessibility.AXValue[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const texts: Protocol.Accessibility.AXValue[] = [];
  const open = nodes.slice(0, 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    byId.delete(next.nodeId);
    if (next.role?.value === 'StaticText' && next.name !== undefined) texts.push(next.name);
    open.push(...(next.childIds ?? []).flatMap((id) => byId.get(id) ?? []).toReversed());
  }
  return texts;
}

/** A page may write one word in several texts, none of which is the word: `<b>Kest</b>rel`. */
function hideAcross(texts: readonly Protocol.Accessibility.AXValue[], hidden: (text: string) => string): void {
  const before = texts.map(({ value }) => String(value)).join(TAG);
  const after = hidden(before).split(TAG);
  if (after.length !== before.split(TAG).length) return;
  let at = 0;
  for (const text of texts) {
    const { length } = String(text.value).split(TAG);
    text.value = after.slice(at, at + length).join(TAG);
    at += length;
  }
}

/** What is hidden across tags leaves the tags where they are. */
const TAG = '<>';

const VALUE = { type: 'ours', value: 'page', relatedNodes: 'page', sources: 'page' } as const;
/** Words of the browser. */
const WORD = { ...VALUE, value: 'ours' } as const;
const PROPERTIES = { name: 'ours', value: VALUE } as const;
/** Whose the texts of the accessibility tree are; its commands all give such nodes. */
const TREE: Texts<CdpResult<'Accessibility.getFullAXTree'>> = {
  nodes: {
    nodeId: 'ours',
    parentId: 'ours',
    childIds: 'ours',
    frameId: 'ours',
    role: WORD,
    chromeRole: WORD,
    name: VALUE,
    description: VALUE,
    value: VALUE,
    properties: PROPERTIES,
    ignoredReasons: PROPERTIES,
  },
};

/** Chromium's own refusal of a command. Its words are for the log, not for the caller. */
export class CdpError extends Error {
  override name = 'CdpError';
  readonly method: string;
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.method = method;
  }

  /** Whether the target of the command no longer exists. */
  get isGone(): boolean {
    return /went away|closed|not found|No (?:node|frame|target)|Cannot find context|crashed/i.test(this.message);
  }
}

/** The browser process or the connection to it ended. */
export class BrowserGone extends Error {
  override name = 'BrowserGone';
}

/** The answer to a command has an `id`; an event has a `method`. */
type Message = {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
};
/**
 * Receives what is inside a message. The compiler allows any parameter type in place of `unknown` for a method, so each
 * receiver states the type that the protocol publishes. This is the one place where Chromium is taken at its word.
 */
type Receiver = { take(value: unknown): void };
type Listener = Receiver['take'];
type Pending = {
  sessionId: string | null;
  method: string;
  resolve: Listener;
  reject: (error: Error) => void;
};

/** Chromium writes the name of an event first and its session last. */
const EVENT = /^\{"method":"([\w.]{1,80})"/;
const SESSION = /"sessionId":"([^"]{1,80})"\}$/;
const SESSION_CHARS_MAX = 100;
const CONSOLE: ReadonlySet<string> = new Set(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown']);

export class CdpConnection {
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #sessions = new Map<string, CdpSession>();
  /** Events that have, or had, a listener. */
  readonly #awaited = new Set<string>();
  /** By session. */
  readonly #valves = new Map<string, ConsoleValve>();
  #lastId = 0;
  #isOpen = true;
  /** Takes what must not be read out of pages out of what they say. */
  mask: () => Mask | null = () => null;
  readonly browser: CdpSession;
  /** Resolves when the connection has ended; never rejects. */
  readonly closed: Promise<void>;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.browser = new CdpSession(null, this);
    this.closed = new Promise((resolve) => {
      const end = () => {
        this.#end();
        resolve();
      };
      socket.addEventListener('close', end);
      socket.addEventListener('error', end);
    });
    socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string' || !this.#isWorthReading(data)) return;
      const message: unknown = JSON.parse(data);
      if (isMessage(message)) this.#take(message);
    });
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#socket.readyState === WebSocket.OPEN;
  }

  /** The session with that id: the same object for as long as the target is attached. */
  session(id: string): CdpSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const made = new CdpSession(id, this);
    this.#sessions.set(id, made);
    return made;
  }

  /** Forgets a target that was detached. Its pending commands fail. */
  drop(id: string): void {
    this.#sessions.delete(id);
    this.#valves.get(id)?.end();
    this.#valves.delete(id);
    for (const key of this.#listeners.keys()) if (key.startsWith(`${id} `)) this.#listeners.delete(key);
    for (const [number, { sessionId, method, reject }] of this.#pending) {
      if (sessionId !== id) continue;
      this.#pending.delete(number);
      reject(new CdpError(method, 'the target went away'));
    }
  }

  close(): void {
    this.#end();
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close();
  }

  /** For {@link CdpSession}. */
  send<M extends CdpMethod>(sessionId: string | null, method: M, params: object | undefined): Promise<CdpResult<M>> {
    // A socket that is closing accepts nothing more, although its end has not been reported yet.
    if (!this.isOpen) return Promise.reject(new BrowserGone('the connection to the browser has ended'));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { sessionId, method, resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === null ? {} : { sessionId }) }));
    });
  }

  /** For {@link CdpSession}: `key` is its id and the event. */
  on(key: string, listener: Listener): () => void {
    this.#awaited.add(key.slice(key.indexOf(' ') + 1));
    const listeners = this.#listeners.get(key) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(key, listeners);
    return () => listeners.delete(listener);
  }

  /**
   * A page decides how much Chromium reports. Events that nobody listens to, and those beyond the rate limit, are not
   * even parsed.
   */
  #isWorthReading(text: string): boolean {
    const event = EVENT.exec(text)?.[1];
    if (event === undefined) return true;
    if (!this.#awaited.has(event)) return false;
    const session = CONSOLE.has(event) ? SESSION.exec(text.slice(-SESSION_CHARS_MAX))?.[1] : undefined;
    return session === undefined || this.#valve(session).lets(text.length);
  }

  #valve(id: string): ConsoleValve {
    const known = this.#valves.get(id);
    if (known !== undefined) return known;
    const tell = (method: CdpEvent, params: object) => this.#take({ sessionId: id, method, params });
    const made = new ConsoleValve({
      // A target that is gone has no console.
      send: (method) => void this.send(id, method, undefined).catch(() => undefined),
      say: (value) => tell('Runtime.consoleAPICalled', { type: 'warning', args: [{ type: 'string', value }] }),
      forget: () => tell('Runtime.executionContextsCleared', {}),
    });
    this.#valves.set(id, made);
    return made;
  }

  #take(message: Message): void {
    if (message.id === undefined) {
      for (const listener of this.#listeners.get(`${message.sessionId ?? ''} ${message.method}`) ?? []) {
        listener(message.params);
      }
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (pending === undefined) return;
    if (message.error === undefined) pending.resolve(message.result);
    else pending.reject(new CdpError(pending.method, message.error.message));
  }

  #end(): void {
    this.#isOpen = false;
    for (const { reject } of this.#pending.values()) reject(new BrowserGone('the browser went away during the call'));
    this.#pending.clear();
    this.#listeners.clear();
    for (const valve of this.#valves.values()) valve.end();
  }
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  return ('id' in value && typeof value.id === 'number') || ('method' in value && typeof value.method === 'string');
}

type ValveDeps = {
  /** Sends a command to the target. Nobody waits for its answer. */
  send: (
    method: 'Runtime.disable' | 'Runtime.discardConsoleEntries' | 'Runtime.enable' | 'Runtime.terminateExecution',
  ) => void;
  /** Adds a line of our own to the console messages. */
  say: (text: string) => void;
  /** Called when what is known about the target's scripts may be out of date. */
  forget: () => void;
};

/**
 * Limits the console of one target. When a page writes more than we would ever show, its console is turned off for a
 * while, and what it still sends is dropped unread. Chromium turns a console off only between two scripts, so a script
 * that keeps writing without a pause is stopped.
 */
export class ConsoleValve {
  readonly #deps: ValveDeps;
  readonly #pace = new Pace(CONSOLE_RATE);
  #isShut = false;
  #stayShut = () => {};
  #dropped = 0;

  constructor(deps: ValveDeps) {
    this.#deps = deps;
  }

  /** Whether a message of this length is worth reading. */
  lets(chars: number): boolean {
    if (!this.#isShut && this.#pace.lets(1 + chars / CONSOLE_UNIT_CHARS)) return true;
    if (!this.#isShut) this.#shut();
    this.#dropped += 1;
    if (this.#dropped === CONSOLE_DROPPED_UNTIL_STOPPED) this.#deps.send('Runtime.terminateExecution');
    return false;
  }

  /** The target is gone. */
  end(): void {
    this.#stayShut();
  }

  #shut(): void {
    this.#isShut = true;
    this.#dropped = 0;
    this.#deps.send('Runtime.disable');
    this.#deps.say('(the page writes more than can be read: the console is not read for a while)');
    const opening = setTimeout(() => this.#open(), CONSOLE_PAUSE_MS);
    this.#stayShut = () => clearTimeout(opening);
  }

  #open(): void {
    this.#isShut = false;
    this.#deps.send('Runtime.discardConsoleEntries');
    this.#deps.send('Runtime.enable');
    this.#deps.forget();
  }
}

/** What went away by itself, or with its browser, needs nothing more. */
export function ignoreGone(error: unknown): void {
  if (error instanceof CdpError || error instanceof BrowserGone) return;
  throw error;
}
