import { CdpConnection } from '#browsing/cdp/connection.ts';
import { DocumentElementCounts } from '#browsing/tabs/document-sizes.ts';
import type { ClickedNode, Frame, Tab } from '#browsing/tabs/tab.ts';
import { shortScript, writeOut } from './compact.ts';
import { IGNORED } from './recording.ts';
import type { Answer, Command, FrameRow } from './recording.ts';

/** Source of a page's answers: a recording, or Chromium while a recording is made. */
export type PageSource = {
  frames: () => readonly FrameRow[];
  ask: (command: Command) => Promise<Answer>;
};

/** A tab for the code that reads pages. Its page is recorded, and the protocol code under it is real. */
export class RecordedTab implements Tab {
  readonly id: string;
  readonly targetId = 'F1';
  readonly hasTouch = false;
  inputFrame: string | null = null;
  readonly checkInput = () => undefined;
  readonly endHung = () => undefined;
  readonly typedIn = new Set<string>();
  lastClicked: ClickedNode | null = null;
  readonly files = new Map<string, string>();
  readonly connection: CdpConnection;
  readonly sizes: DocumentElementCounts;
  readonly #source: PageSource;

  /**
   * @param problems receives errors of the source: the code under test may take such an error for a page that has gone
   */
  constructor(id: string, source: PageSource, problems: unknown[]) {
    this.id = id;
    this.#source = source;
    this.connection = new CdpConnection(new AnsweringSocket(source, problems));
    this.sizes = new DocumentElementCounts((frame) => this.world(frame));
  }

  get session() {
    return this.main().session;
  }

  main(): Frame {
    const [main] = this.frames();
    if (main === undefined) throw new Error('the recorded page has no frame');
    return main;
  }

  frame(id: string): Frame | null {
    return this.frames().find((frame) => frame.id === id) ?? null;
  }

  frames(): readonly Frame[] {
    return this.#source.frames().map(([id, parentId, loaderId, url, session]) => {
      return { id, parentId, loaderId, url, session: this.connection.session(session) };
    });
  }

  /** Frames are named `F1`, `F2` and so on. Our world in a frame has the same number. */
  async world({ id }: Frame): Promise<number> {
    return Number(id.slice(1));
  }

  async document({ id }: Frame): Promise<string> {
    return documentOf(id);
  }

  pageContext({ id, url }: Frame) {
    return { uniqueId: id, origin: URL.parse(url)?.origin ?? 'null' };
  }
}

export function documentOf(frameId: string): string {
  return `document ${frameId}`;
}

type Sent = { id: number; sessionId: string; method: string; params?: Record<string, unknown> };

/** The socket of a browser whose answers come from the source. */
class AnsweringSocket extends EventTarget<WebSocketEventMap> {
  readonly readyState = WebSocket.OPEN;
  readonly #source: PageSource;
  readonly #problems: unknown[];

  constructor(source: PageSource, problems: unknown[]) {
    super();
    this.#source = source;
    this.#problems = problems;
  }

  send(text: string): void {
    const { id, sessionId, method, params = {} }: Sent = JSON.parse(text);
    const answer = this.#answer([sessionId, method, shortParams(params)]);
    answer.then(
      (given) => this.#tell({ id, ...('gives' in given ? { result: writeOut(method, given.gives) } : refusal(given)) }),
      (error: unknown) => {
        this.#problems.push(error);
        this.#tell({ id, error: { message: String(error) } });
      },
    );
  }

  close(): void {
    this.dispatchEvent(new Event('close'));
  }

  async #answer(command: Command): Promise<Answer> {
    return command[1] === IGNORED ? { gives: {} } : this.#source.ask(command);
  }

  #tell(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
}

function refusal({ refused }: { refused: string }) {
  return { error: { message: refused } };
}

/** Removes `objectGroup` and the parameters that describe the result: they do not change what is read. */
function shortParams(params: Record<string, unknown>): object {
  const { serializationOptions: described, functionDeclaration: source } = params;
  const read = Object.entries(params).filter(([name]) => name !== 'objectGroup' && name !== 'serializationOptions');
  return {
    ...Object.fromEntries(read),
    ...(described === undefined ? {} : { describes: true }),
    ...(source === undefined ? {} : { functionDeclaration: shortScript(source) }),
  };
}
