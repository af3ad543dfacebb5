import type { Protocol } from 'devtools-protocol';
import type { CdpMethod, CdpSession } from '#browsing/cdp/connection.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { DEFAULT_TAB_SETTINGS } from '#browsing/tabs/settings.ts';
import type { Frame } from '#browsing/tabs/tab.ts';
import { scriptSource, shorten } from './compact.ts';
import type { Answer, Command, FrameRow } from './recording.ts';
import { documentOf } from './recorded-tab.ts';

/**
 * A page in Chromium with the ids of a recording: frames, documents and sessions are numbered in the order of the tab,
 * nodes in the order of the document.
 */
export class LivePage {
  readonly #tab: OpenTab;
  readonly #frames = new Numbers('F');
  readonly #loaders = new Numbers('L');
  readonly #sessions = new Numbers('S');
  readonly #bySession = new Map<string, CdpSession>();
  /** By session, because frames of other sites have their own nodes with the same ids. */
  readonly #nodes = new Map<string, Map<number, number>>();
  readonly #realNodes = new Map<number, number>();
  readonly #objects = new Map<string, string>();

  constructor(tab: OpenTab) {
    this.#tab = tab;
  }

  /** Moves the pointer first: Chromium puts an unmoved pointer over the page at an unpredictable time. */
  async start(): Promise<FrameRow[]> {
    const { width, height } = DEFAULT_TAB_SETTINGS;
    await this.#tab.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: width - 1, y: height - 1 });
    return this.look();
  }

  /** Called after each action. */
  async look(): Promise<FrameRow[]> {
    const frames = this.#tab.frames();
    const rows = frames.map(({ id, parentId, loaderId, url, session }): FrameRow => {
      const name = this.#sessions.of(session.id ?? '');
      this.#bySession.set(name, session);
      return [this.#frames.of(id), parentId && this.#frames.of(parentId), this.#loaders.of(loaderId), url, name];
    });
    for (const [name, session] of this.#bySession) {
      if (!rows.some((row) => row[4] === name)) continue;
      // Forces a layout: list markers do not exist before it.
      await session.send('Page.getLayoutMetrics');
      const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
      for (const id of nodesIn(root)) this.#nameNode(name, id);
    }
    return rows;
  }

  /** @param place of the command in the recording, used to name its objects */
  async ask([sessionName, method, params]: Command, place: string): Promise<Answer> {
    const session = this.#bySession.get(sessionName);
    if (session === undefined) return { refused: 'the frame is not there' };
    let objects = 0;
    const naming = {
      node: (real: number) => this.#nameNode(sessionName, real),
      object: (real: string) => {
        const name = objects === 0 ? place : `${place}.${objects}`;
        objects += 1;
        this.#objects.set(name, real);
        return name;
      },
    };
    try {
      const real = await this.#realParams(params);
      const answer: unknown = await session.send(...commandOf(method, real));
      return { gives: shorten(method, answer, naming) };
    } catch (error) {
      if (error instanceof CdpError) return { refused: error.message.slice(error.method.length + 2) };
      throw error;
    }
  }

  #nameNode(session: string, real: number): number {
    const known = this.#nodes.get(session) ?? new Map<number, number>();
    this.#nodes.set(session, known);
    const name = known.get(real) ?? this.#realNodes.size + 1;
    known.set(real, name);
    this.#realNodes.set(name, real);
    return name;
  }

  async #realParams(params: unknown): Promise<object> {
    const real: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(Object(params))) {
      if (key === 'describes') real['serializationOptions'] = DESCRIBES;
      else if (key === 'functionDeclaration') real[key] = scriptSource(value);
      else if (key === 'frameId') real[key] = this.#frames.real(String(value));
      else if (key === 'backendNodeId') real[key] = this.#realNodes.get(Number(value)) ?? 0;
      else if (key === 'executionContextId') real[key] = await this.#tab.world(this.#frame(`F${String(value)}`));
      else if (key === 'objectId') real[key] = await this.#object(String(value));
      else if (key === 'arguments' && Array.isArray(value))
        real[key] = await Promise.all(value.map((one) => this.#realParams(one)));
      else real[key] = value;
    }
    return real;
  }

  async #object(name: string): Promise<string> {
    const frame = this.#tab.frames().find(({ id }) => documentOf(this.#frames.of(id)) === name);
    return (frame === undefined ? this.#objects.get(name) : await this.#tab.document(frame)) ?? 'gone';
  }

  #frame(name: string): Frame {
    const frame = this.#tab.frame(this.#frames.real(name));
    if (frame === null) throw new CdpError('world', 'No frame with this id');
    return frame;
  }
}

const DESCRIBES = {
  serialization: 'deep',
  maxDepth: 4,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
};

/** A recording contains only commands that the protocol had when it was made. */
function commandOf(method: string, params: object): [CdpMethod, never];
function commandOf(method: string, params: object): unknown {
  return [method, params];
}

/** Numbers ids in the order of their first appearance. */
class Numbers {
  readonly #kind: string;
  readonly #names = new Map<string, string>();

  constructor(kind: string) {
    this.#kind = kind;
  }

  of(real: string): string {
    const name = this.#names.get(real) ?? `${this.#kind}${this.#names.size + 1}`;
    this.#names.set(real, name);
    return name;
  }

  real(name: string): string {
    return [...this.#names].find(([, given]) => given === name)?.[0] ?? '';
  }
}

function* nodesIn(root: Protocol.DOM.Node): Generator<number> {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node.backendNodeId;
    const { shadowRoots = [], pseudoElements = [], children = [], contentDocument } = node;
    const inside = contentDocument === undefined ? [] : [contentDocument];
    open.push(...[...shadowRoots, ...inside, ...pseudoElements, ...children].reverse());
  }
}
