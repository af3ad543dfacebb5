import type { Protocol } from 'devtools-protocol';
import { mapPageTextsUntyped, removeRanges } from '#core/text/page-texts.ts';
import type { ChangeText, OmittedRanges, TextOrigins, TextWithCuts } from '#core/text/page-texts.ts';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import { TokenBucket } from '#core/flow/rate-limits.ts';
import { SECOND_MS } from '#core/limits.ts';

/** Rate of console messages that are parsed per target. A page in development logs a few hundred when it loads. */
export const CONSOLE_MESSAGE_RATE = { burst: 1_000, everyMs: 10 } as const;
export const CONSOLE_DISABLED_MS = 3 * SECOND_MS;
/**
 * Maximum messages that arrive after a console was disabled. A script that logs more than this without a pause is
 * terminated.
 */
export const CONSOLE_DROPS_UNTIL_TERMINATED = 2_000;

/** Number of characters that count as one more console message, because long messages take longer to parse. */
const CONSOLE_UNIT_CHARS = 2_000;

/**
 * The Chrome DevTools Protocol over one WebSocket, with flat sessions (Target domain, `flatten: true`). Commands and
 * events have the protocol's published types, because Chromium writes these messages, not the page.
 */
type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
export type CdpMethod = keyof Commands;
type CdpEvent = keyof Events;
type CdpResult<M extends CdpMethod> = Commands[M]['returnType'];
type CdpParams<E extends CdpEvent> = Events[E] extends [infer P] ? P : undefined;

type Mask = {
  from: (text: string, leftOut?: OmittedRanges) => string;
  places: (text: string) => [start: number, end: number][];
};

export class CdpSession {
  readonly id: string | null;
  readonly #connection: CdpConnection;

  constructor(id: string | null, connection: CdpConnection) {
    this.id = id;
    this.#connection = connection;
  }

  /**
   * Sends a command. Secrets are masked in accessibility trees.
   * @throws {CdpError} if Chromium refuses the command
   * @throws {BrowserGone} if the connection ends before the response
   */
  send<M extends CdpMethod>(method: M, ...[params]: Commands[M]['paramsType']): Promise<CdpResult<M>> {
    const answer = this.#connection.send(this.id, method, params);
    if (!method.startsWith('Accessibility.')) return answer;
    return answer.then((tree) => {
      if (this.isMasking && isTree(tree)) maskAcross(textsOf(tree), (text) => this.masked(text));
      return this.#withoutHidden(tree);
    });
  }

  #withoutHidden<T>(tree: T): T;
  #withoutHidden(tree: unknown): unknown {
    const mask = this.#connection.mask();
    return mask === null ? tree : mapPageTextsUntyped(tree, TREE, mask.from);
  }

  masked(text: string | TextWithCuts): string {
    const { uncut, leftOut } = typeof text === 'string' ? { uncut: text, leftOut: [] } : text;
    return this.#change()(uncut, leftOut);
  }

  /** Masks the page texts of a message. Callers check `texts` against the type of `said`. */
  maskedAs(said: unknown, texts: unknown): unknown {
    return mapPageTextsUntyped(said, texts, this.#change());
  }

  #change(): ChangeText {
    return this.#connection.mask()?.from ?? removeRanges;
  }

  get isMasking(): boolean {
    return this.#connection.mask() !== null;
  }

  maskedPlaces(text: string): [start: number, end: number][] {
    return this.#connection.mask()?.places(text) ?? [];
  }

  /** @returns a function that removes the listener */
  on<E extends CdpEvent>(event: E, listener: (params: CdpParams<E>) => void): () => void {
    return this.#connection.on(`${this.id ?? ''} ${event}`, listener);
  }
}

type Tree = { nodes: Protocol.Accessibility.AXNode[] };

function isTree(answer: unknown): answer is Tree {
  return typeof answer === 'object' && answer !== null && 'nodes' in answer && Array.isArray(answer.nodes);
}

function textsOf({ nodes }: Tree): Protocol.Accessibility.AXValue[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const texts: Protocol.Accessibility.AXValue[] = [];
  const open = nodes.slice(0, 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    byId.delete(next.nodeId);
    if (next.role?.value === 'StaticText' && next.name !== undefined) texts.push(next.name);
    for (const child of (next.childIds ?? []).flatMap((id) => byId.get(id) ?? []).toReversed()) open.push(child);
  }
  return texts;
}

/** Masks secrets that span several text nodes, because a page may write `Kestrel` as `<b>Kest</b>rel`. */
function maskAcross(texts: readonly Protocol.Accessibility.AXValue[], hidden: (text: string) => string): void {
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

/** Separator of joined texts. Masking keeps tags, so the masked text can be split at this tag again. */
const TAG = '<>';

const VALUE = { type: 'ours', value: 'page', relatedNodes: 'page', sources: 'page' } as const;
const WORD = { ...VALUE, value: 'ours' } as const;
const PROPERTIES = { name: 'ours', value: VALUE } as const;
/** Origins (`page` or `ours`) of the texts in the response of any Accessibility command: all return such nodes. */
const TREE: TextOrigins<CdpResult<'Accessibility.getFullAXTree'>> = {
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

/** Chromium's error response to a command, or the end of its target. The message is for the log, not for the caller. */
export class CdpError extends Error {
  override name = 'CdpError';
  readonly method: string;
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.method = method;
  }

  get isGone(): boolean {
    return /went away|closed|not found|No (?:node|frame|target)|Cannot find context|crashed/i.test(this.message);
  }
}

export class BrowserGone extends Error {
  override name = 'BrowserGone';
}

type Message = {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
};
/**
 * Receives responses or events of one type. TypeScript accepts any parameter type for a method's `unknown`, so each
 * receiver can declare the protocol's type. This is the only place where Chromium is trusted to send that type.
 */
type Receiver = { take(value: unknown): void };
type Listener = Receiver['take'];
type Pending = {
  sessionId: string | null;
  method: string;
  resolve: Listener;
  reject: (error: Error) => void;
};

/** Start of an event message. Chromium writes the event's name first and its session last. */
const EVENT = /^\{"method":"([\w.]{1,80})"/;
const SESSION = /"sessionId":"([^"]{1,80})"\}$/;
const SESSION_CHARS_MAX = 100;
const CONSOLE: ReadonlySet<string> = new Set(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown']);

type Socket = Pick<WebSocket, 'readyState' | 'send' | 'close' | 'addEventListener'>;

export class CdpConnection {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #sessions = new Map<string, CdpSession>();
  readonly #listenedTo = new Set<string>();
  readonly #throttles = new Map<string, ConsoleThrottle>();
  #lastId = 0;
  #isOpen = true;
  mask: () => Mask | null = () => null;
  readonly browser: CdpSession;
  /** Resolves when the connection has ended; never rejects. */
  readonly closed: Promise<void>;

  constructor(socket: Socket) {
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

  session(id: string): CdpSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const made = new CdpSession(id, this);
    this.#sessions.set(id, made);
    return made;
  }

  drop(id: string): void {
    this.#sessions.delete(id);
    this.#throttles.get(id)?.end();
    this.#throttles.delete(id);
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

  send<M extends CdpMethod>(sessionId: string | null, method: M, params: object | undefined): Promise<CdpResult<M>> {
    // A closing WebSocket sends nothing more, even before its `close` event.
    if (!this.isOpen) return Promise.reject(new BrowserGone('the connection to the browser has ended'));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { sessionId, method, resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === null ? {} : { sessionId }) }));
    });
  }

  on(key: string, listener: Listener): () => void {
    this.#listenedTo.add(key.slice(key.indexOf(' ') + 1));
    const listeners = this.#listeners.get(key) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(key, listeners);
    return () => listeners.delete(listener);
  }

  /**
   * True for a message that must be parsed. Events without a listener, and events beyond the rate limit, are skipped,
   * because a page can cause endless events.
   */
  #isWorthReading(text: string): boolean {
    const event = EVENT.exec(text)?.[1];
    if (event === undefined) return true;
    if (!this.#listenedTo.has(event)) return false;
    const session = CONSOLE.has(event) ? SESSION.exec(text.slice(-SESSION_CHARS_MAX))?.[1] : undefined;
    return session === undefined || this.#throttle(session).allows(text.length);
  }

  #throttle(id: string): ConsoleThrottle {
    const known = this.#throttles.get(id);
    if (known !== undefined) return known;
    const tell = (method: CdpEvent, params: object) => this.#take({ sessionId: id, method, params });
    const made = new ConsoleThrottle({
      // Errors are ignored, because the target may be gone.
      send: (method) => void this.send(id, method, undefined).catch(() => undefined),
      addLine: (value) => tell('Runtime.consoleAPICalled', { type: 'warning', args: [{ type: 'string', value }] }),
      forget: () => tell('Runtime.executionContextsCleared', {}),
    });
    this.#throttles.set(id, made);
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
    for (const throttle of this.#throttles.values()) throttle.end();
  }
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  return ('id' in value && typeof value.id === 'number') || ('method' in value && typeof value.method === 'string');
}

type ThrottleDeps = {
  send: (
    method: 'Runtime.disable' | 'Runtime.discardConsoleEntries' | 'Runtime.enable' | 'Runtime.terminateExecution',
  ) => void;
  addLine: (text: string) => void;
  forget: () => void;
};

/**
 * Limits the console of one target. If a page logs more than a result can show, its console is disabled for a while,
 * and messages that still arrive are dropped unparsed. Chromium disables a console only between two scripts, so a
 * script that keeps logging is terminated.
 */
export class ConsoleThrottle {
  readonly #deps: ThrottleDeps;
  readonly #lines = new TokenBucket(CONSOLE_MESSAGE_RATE);
  #isShut = false;
  #stayShut = () => {};
  #dropped = 0;

  constructor(deps: ThrottleDeps) {
    this.#deps = deps;
  }

  allows(chars: number): boolean {
    if (!this.#isShut && this.#lines.tryTake(1 + chars / CONSOLE_UNIT_CHARS)) return true;
    if (!this.#isShut) this.#shut();
    this.#dropped += 1;
    if (this.#dropped === CONSOLE_DROPS_UNTIL_TERMINATED) this.#deps.send('Runtime.terminateExecution');
    return false;
  }

  end(): void {
    this.#stayShut();
  }

  #shut(): void {
    this.#isShut = true;
    this.#dropped = 0;
    this.#deps.send('Runtime.disable');
    this.#deps.addLine('(the page logs too much: its console messages are skipped for a while)');
    const opening = setTimeout(() => this.#open(), CONSOLE_DISABLED_MS);
    this.#stayShut = () => clearTimeout(opening);
  }

  #open(): void {
    this.#isShut = false;
    this.#deps.send('Runtime.discardConsoleEntries');
    this.#deps.send('Runtime.enable');
    this.#deps.forget();
  }
}

/** A handler for `catch` when cleaning up: ignores that the target or the browser has ended. Rethrows other errors. */
export function ignoreTargetGone(error: unknown): void {
  if (!isTargetGone(error)) throw error;
}

export function isTargetGone(error: unknown): boolean {
  return error instanceof CdpError || error instanceof BrowserGone;
}

/** A handler for `catch`: returns `null`, unless the browser has ended. */
export function nullUnlessBrowserGone(error: unknown): null {
  if (error instanceof BrowserGone) throw error;
  return null;
}
