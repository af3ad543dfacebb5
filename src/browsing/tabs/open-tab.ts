import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { RESTLESS_MOVES, RESTLESS_MS } from './limits.ts';
import { TAB_BEGINS_MS } from '#core/limits.ts';
import { isBlank } from './frame.ts';
import { DocumentSizes } from './document-sizes.ts';
import { FrameTree } from './frame-tree.ts';
import { PageContexts } from './page-contexts.ts';
import type { PageContext } from './page-contexts.ts';
import { PageLog, PageRecord } from './page-record.ts';
import { PageLoops } from './page-loops.ts';
import type { Picture } from './page-record.ts';
import type { Frame } from './frame.ts';

/** How a tab's own document was answered. */
export type DocumentResponse = { loaderId: string; status: number; url: string; mimeType: string };

/** How dialogs of a tab are answered now. */
export type DialogAnswer = { accept: boolean; text?: string | undefined };

/** What a page asks and waits for, in its words. */
export type PageDialog = { type: string; message: string; proposed: string };

/** A person who drives the tabs of a session. */
export type PersonsHands = {
  areOn: boolean;
  /** Shows them a dialog; `null` while nobody is there to answer. */
  ask: ((tab: OpenTab, dialog: PageDialog) => Promise<DialogAnswer>) | null;
  /** They type into what a tab shows now. */
  typed: (tab: OpenTab) => void;
};
const NOBODY: PersonsHands = { areOn: false, ask: null, typed: () => undefined };

const WORLD = 'periscope';

export class OpenTab {
  /** `t1`, `t2` and so on, in the order they opened. Never reused within a session. */
  readonly id: string;
  readonly targetId: string;
  readonly contextId: string;
  /** The target of the tab that opened it. */
  readonly openerTargetId: string | undefined;
  /** The target of the tab's own document. */
  readonly session: CdpSession;
  readonly log = new PageLog(() => this.isPrivate);
  readonly record = new PageRecord(() => this.isPrivate);
  /** Documents, by loader, in which a person has typed: what their fields hold is not told. */
  readonly typedIn = new Set<string>();
  readonly #hands: PersonsHands;
  readonly #tree: FrameTree;
  readonly #worlds = new Map<string, Promise<Protocol.Runtime.ExecutionContextId>>();
  readonly #pageContexts = new PageContexts();
  readonly sizes = new DocumentSizes((frame) => this.world(frame));
  /** By loader: history brings documents back without asking for them again. */
  readonly #responses = new Map<string, DocumentResponse>();
  /** The address that answered for the document of a frame inside the page, by loader. */
  readonly #frameResponses = new Map<string, string>();
  /** Asked on every dialog: calls on a session run one at a time, so one answer is enough. */
  dialogs: DialogAnswer = { accept: false };
  readonly loops = new PageLoops(this);
  isOpen = true;
  /** When the page last asked to be sent elsewhere, in ms since 1970, the latest last. */
  readonly #ownMoves: number[] = [];
  /** The file field whose chooser the page opened last; `null` for its handle when that cannot be had. */
  chooser: { frame: Frame; backendNodeId: number; objectId: Promise<string | null> } | null = null;
  /** Files that are being read in place of documents. */
  filesComing = 0;
  /** Points of a call are pixels of this. */
  picture: Picture | null = null;
  /** The title that the last result told; one that is still the same need not be told again. */
  toldTitle = '';
  /** What asks for a person, as it was told last, and in which document. */
  toldWall = '';
  /** Up to where the log was told in a result. */
  toldMark = 0;
  /** From where on all events are still to be told: a call failed there. */
  owedMark: number | null = null;

  constructor(id: string, target: Protocol.Target.TargetInfo, session: CdpSession, hands: PersonsHands = NOBODY) {
    this.id = id;
    this.#hands = hands;
    this.targetId = target.targetId;
    this.contextId = target.browserContextId ?? '';
    this.openerTargetId = target.openerId;
    this.session = session;
    this.#tree = new FrameTree(target.targetId, session);
  }

  /** How the document that is shown was answered; `null` when it did not come over HTTP. */
  get response(): DocumentResponse | null {
    return this.#responses.get(this.main().loaderId) ?? null;
  }

  /**
   * The address that the network answered from for the document that a frame shows, after redirects; unlike `frame.url`,
   * no script can change it (history.pushState, document.open). A document without a response of its own came from
   * scripts: the address of the document around it counts, or `about:blank`.
   */
  responseUrl({ url, loaderId, parentId }: Frame): string {
    const own = this.#responses.get(loaderId)?.url ?? this.#frameResponses.get(loaderId);
    if (own !== undefined) return own;
    if (!/^https?:/u.test(url)) return url;
    const parent = parentId === null ? null : this.frame(parentId);
    return parent === null ? 'about:blank' : this.responseUrl(parent);
  }

  /** A person drives it, or has typed in what it shows: what it says and asks for may hold what they typed. */
  get isPrivate(): boolean {
    if (this.#hands.areOn || this.typedIn.size === 0) return this.#hands.areOn;
    return this.frames().some(({ loaderId }) => this.typedIn.has(loaderId));
  }

  /** A person types into what the tab shows now; into which of its frames, only the page knows. */
  noteTyped(): void {
    for (const { loaderId } of this.frames()) this.typedIn.add(loaderId);
    this.#hands.typed(this);
  }

  /** The tab's own frame. */
  main(): Frame {
    return this.#tree.main();
  }

  /** The frame as it is now; `null` when it is gone. */
  frame(id: string): Frame | null {
    return this.#tree.get(id);
  }

  /** Every frame that shows a document now: the tab's own first, parents before children. */
  frames(): readonly Frame[] {
    return this.#tree.all();
  }

  /** The page sends itself elsewhere again and again, and may take the place of what it is left for. */
  get isRestless(): boolean {
    const [first] = this.#ownMoves;
    return this.#ownMoves.length === RESTLESS_MOVES && first !== undefined && Date.now() - first < RESTLESS_MS;
  }

  /** Whether it still shows what a tab shows before its first document. */
  get isBlank(): boolean {
    return isBlank(this.main().url);
  }

  /** When the tab shows a document other than the empty one it starts with, or the time for that is up. */
  hasBegun(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop();
        clearTimeout(timer);
        resolve();
      };
      const stop = this.session.on('Page.frameNavigated', ({ frame }) => {
        if (frame.id === this.targetId && !isBlank(frame.url)) done();
      });
      const timer = setTimeout(done, TAB_BEGINS_MS);
      signal.addEventListener('abort', done, { once: true });
      if (!this.isBlank) done();
    });
  }

  /** Its field may be in no document: the handle keeps it. */
  #chooserOf(frame: Frame, backendNodeId: number): NonNullable<OpenTab['chooser']> {
    const handle = this.world(frame)
      .then((executionContextId) => frame.session.send('DOM.resolveNode', { backendNodeId, executionContextId }))
      .then(({ object }) => object.objectId ?? null);
    return { frame, backendNodeId, objectId: handle.catch(() => null) };
  }

  /**
   * A context of the frame's document for our scripts. It sees the page's DOM, and the page's scripts do not see it. It
   * is made once for each document, when needed.
   */
  world(frame: Frame): Promise<Protocol.Runtime.ExecutionContextId> {
    const key = `${frame.id} ${frame.loaderId} ${frame.session.id}`;
    const known = this.#worlds.get(key);
    if (known !== undefined) return known;
    const made = makeWorld(frame);
    this.#worlds.set(key, made);
    made.catch(() => this.#worlds.delete(key));
    return made;
  }

  /**
   * A handle of the frame's document as the page's own scripts see it, for what Chromium reports about it; `null` if
   * the frame runs no scripts.
   */
  document(frame: Frame): Promise<Protocol.Runtime.RemoteObjectId | null> {
    return this.#pageContexts.document(frame);
  }

  /** Where the page's own scripts run in a frame; `null` when none do, or it is just getting another document. */
  pageContext(frame: Frame): PageContext | null {
    return this.#pageContexts.of(frame);
  }

  /** @param destroyed `null` for all of them */
  #forgetWorlds(session: CdpSession, destroyed: Protocol.Runtime.ExecutionContextId | null): void {
    for (const [key, made] of this.#worlds) {
      if (!key.endsWith(` ${session.id}`)) continue;
      if (destroyed === null) this.#worlds.delete(key);
      const forget = (id: number) => id === destroyed && this.#worlds.get(key) === made && this.#worlds.delete(key);
      made.then(forget).catch(() => undefined);
    }
  }

  /** Follows what a target reports of its frames, and of what the page says and does. */
  follow(session: CdpSession): void {
    this.#followFrames(session);
    this.#followNetwork(session);
    this.record.follow(session);
    this.#pageContexts.follow(session);
    // A `javascript:` link can put another document in place of one without a navigation.
    session.on('Runtime.executionContextsCleared', () => this.#forgetWorlds(session, null));
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      this.#forgetWorlds(session, executionContextId);
    });
    session.on('Runtime.consoleAPICalled', (event) => this.#console(event));
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      const { text, exception } = exceptionDetails;
      this.log.add({ kind: 'console', level: 'error', text: exception?.description?.split('\n')[0] ?? text });
    });
    session.on('Page.fileChooserOpened', ({ frameId, backendNodeId }) => {
      this.log.add({ kind: 'chooser' });
      const frame = this.frame(frameId);
      this.chooser = frame === null || backendNodeId === undefined ? null : this.#chooserOf(frame, backendNodeId);
    });
    session.on('Page.javascriptDialogOpening', (dialog) => void this.#answerDialog(session, dialog));
  }

  /** By the person who drives, else as the call said. */
  async #answerDialog(
    session: CdpSession,
    { type, message, defaultPrompt }: Protocol.Page.JavascriptDialogOpeningEvent,
  ): Promise<void> {
    const { ask } = this.#hands;
    const own = { accept: type === 'alert' || this.dialogs.accept, text: this.dialogs.text };
    if (ask === null) {
      this.log.add({ kind: 'dialog', type, message, answer: own.accept ? 'accepted' : 'dismissed' });
    }
    // A page that asks before it is left is in no loop.
    if (ask === null && type !== 'beforeunload') this.loops.noteOpened('dialogs');
    const turn = this.loops.turnOfDialog();
    const { accept, text } = ask === null ? own : await ask(this, { type, message, proposed: defaultPrompt ?? '' });
    // Who accepts without a word takes what the page proposes.
    const promptText = text ?? defaultPrompt;
    const answer = { accept, ...(accept && promptText !== undefined ? { promptText } : {}) };
    await turn;
    await session.send('Page.handleJavaScriptDialog', answer).catch(() => undefined);
  }

  /** Takes what a target shows at the moment. */
  async takeFrames(session: CdpSession): Promise<void> {
    const { frameTree } = await session.send('Page.getFrameTree');
    this.#tree.take(frameTree, session);
  }

  movedOut(frameId: string, parentId: string | null, session: CdpSession): void {
    this.#tree.moved(frameId, parentId, session);
  }

  #followFrames(session: CdpSession): void {
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) =>
      this.#tree.attached(frameId, parentFrameId, session),
    );
    session.on('Page.frameStartedNavigating', ({ loaderId, navigationType }) => {
      // History brings back what fields held, into a document of another loader.
      if (BRINGS_BACK.has(navigationType) && this.typedIn.size > 0) this.typedIn.add(loaderId);
    });
    session.on('Page.frameNavigated', ({ frame, type }) => {
      this.#tree.navigated(frame, session);
      if (this.typedIn.has(this.#tree.get(frame.parentId ?? '')?.loaderId ?? '')) this.typedIn.add(frame.loaderId);
      // A document that history brings back has its frames already, and does not report them again.
      if (type === 'BackForwardCacheRestore') this.takeFrames(session).catch(() => undefined);
      if (frame.id !== this.targetId) return;
      this.#worlds.clear();
      this.loops.noteDocument();
    });
    session.on('Page.frameRequestedNavigation', ({ frameId }) => {
      if (frameId !== this.targetId) return;
      this.#ownMoves.push(Date.now());
      if (this.#ownMoves.length > RESTLESS_MOVES) this.#ownMoves.shift();
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => this.#tree.movedWithin(frameId, url));
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap') this.#tree.detached(frameId);
    });
  }

  #followNetwork(session: CdpSession): void {
    const urls = new Map<string, string>();
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (urls.size >= REQUESTS_REMEMBERED_MAX) urls.clear();
      urls.set(requestId, request.url);
    });
    session.on('Network.loadingFinished', ({ requestId }) => urls.delete(requestId));
    session.on('Network.loadingFailed', ({ requestId, errorText, canceled, blockedReason }) => {
      const url = urls.get(requestId);
      urls.delete(requestId);
      // What the gate refuses is in the log already, with its reason; what the page forbids itself is no failure.
      const isMeant =
        canceled === true ||
        blockedReason === 'csp' ||
        blockedReason === 'inspector' ||
        errorText === 'net::ERR_BLOCKED_BY_CLIENT';
      if (url === undefined || isMeant) return;
      this.log.add({ kind: 'failed_request', url, problem: blockedReason ?? errorText });
    });
    session.on('Network.responseReceived', ({ requestId, type, loaderId, frameId, response }) => {
      const { status, url, mimeType } = response;
      const isDocument = type === 'Document' && requestId === loaderId;
      if (isDocument && frameId === this.targetId) {
        remember(this.#responses, loaderId, { loaderId, status, url, mimeType }, RESPONSES_REMEMBERED_MAX);
        return;
      }
      if (isDocument) remember(this.#frameResponses, loaderId, url, FRAME_RESPONSES_REMEMBERED_MAX);
      if (status >= 400 && !isFavicon(url)) {
        this.log.add({ kind: 'failed_request', url, problem: `HTTP ${status}` });
      }
    });
  }

  #console({ type, args }: Protocol.Runtime.ConsoleAPICalledEvent): void {
    if (type !== 'error' && type !== 'warning' && type !== 'assert') return;
    const text = args.map(({ value, description }) => String(value ?? description ?? '')).join(' ');
    this.log.add({ kind: 'console', level: type === 'warning' ? 'warning' : 'error', text });
  }
}

const BRINGS_BACK: ReadonlySet<string> = new Set(['historyDifferentDocument', 'restore', 'restoreWithPost']);

async function makeWorld({ id: frameId, session }: Frame): Promise<Protocol.Runtime.ExecutionContextId> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
  return executionContextId;
}

/** Documents of one tab that its history may still bring back. */
const RESPONSES_REMEMBERED_MAX = 100;
/** Documents in frames; one whose response is forgotten counts as part of the document around it. */
const FRAME_RESPONSES_REMEMBERED_MAX = 2_000;
/** Addresses of requests that are under way; a page with more at once only loses them from its list of failures. */
const REQUESTS_REMEMBERED_MAX = 2_000;

/** The oldest goes when there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  const [oldest] = map.size >= max ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}

/** Asked for by the browser, not by the page, and missing on many sites. */
function isFavicon(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === '/favicon.ico';
}
