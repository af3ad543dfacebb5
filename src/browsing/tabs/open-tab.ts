import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { registrableDomain } from '#net/site.ts';
import { TAB_OPEN_MS_MAX, SECOND_MS } from '#core/limits.ts';
import { PageRules } from '#browsing/rules/page-rules.ts';
import { isBlankUrl, createNoDriver } from './tab.ts';
import { setBounded } from '#core/flow/remember.ts';
import type { ClickedNode, DialogAnswer, TabDriver, InputApprovalCheck } from './tab.ts';
import type { Frame, PageContext, Tab, WrittenField } from './tab.ts';
import { answerDialog, isForeignDialog, takeAcceptance } from './answer-dialog.ts';
import { DocumentElementCounts } from './document-sizes.ts';
import { FrameTree, PageContexts } from './frame-tree.ts';
import { isFavicon, PageEventLog, ConsoleAndRequestRecord, InPageScriptMessages, LiveChannels } from './page-record.ts';
import { PageLoopGuard } from './page-loops.ts';
import type { DocumentResponse, ScreenshotRecord } from './page-record.ts';
import { OpenerGroup } from './window-group.ts';

/** If a page itself navigates this many times within `RESTLESS_MS`, its scripts are stopped before it is left. */
const RESTLESS_MOVES = 20;
/** Period for counting navigations. Chromium allows a page 200 navigations in ten seconds. */
const RESTLESS_MS = 15 * SECOND_MS;

const WORLD = 'periscope';

type Ruling = { rules?: PageRules | undefined; openedBy?: readonly string[] };

export class OpenTab implements Tab {
  /** `t1`, `t2`, … in the order of opening. An id is never reused within a session. */
  readonly id: string;
  readonly targetId: string;
  readonly contextId: string;
  readonly openerTargetId: string | undefined;
  readonly session: CdpSession;
  readonly windows: OpenerGroup;
  hasTouch = false;
  readonly log = new PageEventLog(() => this.isPrivate);
  readonly record = new ConsoleAndRequestRecord(() => this.isPrivate);
  /** Loader ids of documents in which a person typed or a secret was filled in. Results mask all field values there. */
  readonly typedIn = new Set<string>();
  readonly files = new Map<string, string>();
  lastClicked: ClickedNode | null = null;
  lastWritten: WrittenField | null = null;
  readonly #typedByPerson = new Set<string>();
  readonly #driver: TabDriver<OpenTab>;
  readonly #tree: FrameTree;
  readonly #worlds = new Map<string, Promise<Protocol.Runtime.ExecutionContextId>>();
  readonly #pageContexts = new PageContexts();
  readonly sizes = new DocumentElementCounts((frame) => this.world(frame));
  /** Responses by loader id, because going back shows a document again without a new response. */
  readonly #responses = new Map<string, DocumentResponse>();
  readonly #frameResponses = new Map<string, string>();
  readonly #coming = new Map<string, string>();
  /** Answer to JavaScript dialogs until the next call. One is enough: the calls of a session run one at a time. */
  dialogAnswer: DialogAnswer = { accept: false };
  readonly loops = new PageLoopGuard(this);
  readonly channels = new LiveChannels();
  readonly rules: PageRules;
  /** URLs of the documents in the opener tab when this tab opened. */
  readonly openedBy: readonly string[];
  inputFrame: string | null = null;
  isOpen = true;
  hasCrashed = false;
  endHung: () => void = () => undefined;
  readonly #tells = new InPageScriptMessages((event) => this.log.add(event));
  /** Times of recent navigations that the page itself requested, as Unix time in ms. */
  readonly #requestedNavigations: number[] = [];
  /** The field that opened the last file chooser. `objectId`: `null` if CDP returned no handle to it. */
  chooser: { frame: Frame; backendNodeId: number; objectId: Promise<string | null> } | null = null;
  filesDownloading = 0;
  /** The last screenshot. `browser_point` takes its pixels as coordinates. */
  picture: ScreenshotRecord | null = null;
  reportedTitle = '';
  reportedWall = '';
  /** Log entries before this mark have been reported. */
  reportedMark = 0;
  /** Mark of the first log entry that is not reported yet, because a call failed; `null` for none. */
  unreportedFrom: number | null = null;

  constructor(
    id: string,
    target: Protocol.Target.TargetInfo,
    session: CdpSession,
    driver: TabDriver<OpenTab> = createNoDriver(),
    windows = new OpenerGroup(),
    { rules = new PageRules(), openedBy = [] }: Ruling = {},
  ) {
    this.id = id;
    this.#driver = driver;
    this.windows = windows;
    this.rules = rules;
    this.openedBy = openedBy;
    this.targetId = target.targetId;
    this.contextId = target.browserContextId ?? '';
    this.openerTargetId = target.openerId;
    this.session = session;
    this.#tree = new FrameTree(target.targetId, session);
  }

  get askFirst(): InputApprovalCheck | null {
    return this.#driver.askFirst(this);
  }

  downloadName(url: string): string | null {
    return this.#tells.downloadName(url);
  }

  get response(): DocumentResponse | null {
    return this.#responses.get(this.main().loaderId) ?? null;
  }

  /**
   * URL of the network response for a frame's document, after redirects. Unlike `frame.url`, scripts cannot change it.
   * A document that scripts wrote has no response. Its URL is that of its parent, or `about:blank`.
   */
  responseUrl({ url, loaderId, parentId }: Frame): string {
    const own = this.#responses.get(loaderId)?.url ?? this.#frameResponses.get(loaderId);
    if (own !== undefined) return own;
    if (!/^https?:/u.test(url)) return url;
    const parent = parentId === null ? null : this.frame(parentId);
    return parent === null ? 'about:blank' : this.responseUrl(parent);
  }

  /** True if a rule blocks the page, a person drives, or a document may contain text typed by them or this server. */
  get isPrivate(): boolean {
    if (this.rules.isBlocked(this)) return true;
    if (this.#driver.isDriving || this.typedIn.size === 0) return this.#driver.isDriving;
    return this.frames().some(({ loaderId }) => this.typedIn.has(loaderId));
  }

  get isTypedByPerson(): boolean {
    return this.#driver.isDriving || this.frames().some(({ loaderId }) => this.#typedByPerson.has(loaderId));
  }

  /** Records that a person typed. Marks all frames, because only the page knows which frame received the input. */
  noteTyped(): void {
    for (const { loaderId } of this.frames()) {
      this.typedIn.add(loaderId);
      this.#typedByPerson.add(loaderId);
    }
    this.windows.noteTyped(this.targetId);
    this.#driver.onTyped(this);
  }

  main(): Frame {
    return this.#tree.main();
  }

  frame(id: string): Frame | null {
    return this.#tree.get(id);
  }

  frames(): readonly Frame[] {
    return this.#tree.all();
  }

  /** URLs of documents that the tab or its frames are loading, with `about:blank` if there are too many. */
  coming(): readonly string[] {
    return [...this.#coming.values()];
  }

  /** True for a page that navigates so often that it may replace the document that a call opens next. */
  get keepsNavigating(): boolean {
    const [first] = this.#requestedNavigations;
    return (
      this.#requestedNavigations.length === RESTLESS_MOVES && first !== undefined && Date.now() - first < RESTLESS_MS
    );
  }

  get isBlank(): boolean {
    return isBlankUrl(this.main().url);
  }

  whenBegun(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop();
        clearTimeout(timer);
        resolve();
      };
      const stop = this.session.on('Page.frameNavigated', ({ frame }) => {
        if (frame.id === this.targetId && !isBlankUrl(frame.url)) done();
      });
      const timer = setTimeout(done, TAB_OPEN_MS_MAX);
      signal.addEventListener('abort', done, { once: true });
      if (!this.isBlank) done();
    });
  }

  /** The field that opened a file chooser. The handle keeps the field alive, because it may not be in the document. */
  #chooserOf(frame: Frame, backendNodeId: number): NonNullable<OpenTab['chooser']> {
    const handle = this.world(frame)
      .then((executionContextId) => frame.session.send('DOM.resolveNode', { backendNodeId, executionContextId }))
      .then(({ object }) => object.objectId ?? null);
    return { frame, backendNodeId, objectId: handle.catch(() => null) };
  }

  /**
   * Isolated world of a frame. Its scripts share the page's DOM but are invisible to the page's scripts. Created once
   * per document.
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

  /** Handle of the document in the page's own world; `null` without scripts, and while the document is replaced. */
  document(frame: Frame): Promise<Protocol.Runtime.RemoteObjectId | null> {
    return this.#pageContexts.document(frame);
  }

  pageContext(frame: Frame): PageContext | null {
    return this.#pageContexts.of(frame);
  }

  originOf(frameId: string): string | null {
    const frame = this.frame(frameId);
    return frame === null ? null : (this.#pageContexts.of(frame)?.origin ?? null);
  }

  checkInput(effect: 'pointer' | 'act'): void {
    this.rules.check(this, this.frame(this.inputFrame ?? ''), effect);
  }

  duringInput<T>(send: () => Promise<T>): Promise<T> {
    return this.rules.isOff || this.#driver.isDriving ? send() : this.rules.duringAct(this, send);
  }

  #forgetWorlds(session: CdpSession, destroyed: Protocol.Runtime.ExecutionContextId | null): void {
    for (const [key, made] of this.#worlds) {
      if (!key.endsWith(` ${session.id}`)) continue;
      if (destroyed === null) this.#worlds.delete(key);
      const forget = (id: number) => id === destroyed && this.#worlds.get(key) === made && this.#worlds.delete(key);
      made.then(forget).catch(() => undefined);
    }
  }

  follow(session: CdpSession): void {
    this.#followFrames(session);
    this.#followNetwork(session);
    for (const own of [this.record, this.channels, this.#pageContexts]) own.follow(session);
    // A `javascript:` link can replace a document without a navigation event.
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

  /**
   * Answers a JavaScript dialog. While a person drives, the person answers. Otherwise, alerts are accepted. Other
   * dialogs are accepted if the call requested it and may do so, and else dismissed.
   */
  async #answerDialog(session: CdpSession, dialog: Protocol.Page.JavascriptDialogOpeningEvent): Promise<void> {
    const { type, message, defaultPrompt } = dialog;
    const isForeign = isForeignDialog(this, dialog);
    const askDialog = isForeign ? null : this.#driver.askDialog;
    const mayAccept = type === 'beforeunload' || (this.rules.allows(this, 'act') && this.#driver.mayAcceptDialog(this));
    const accepts = type === 'alert' || (mayAccept && takeAcceptance(this.dialogAnswer));
    const own = { accept: accepts && !isForeign, text: this.dialogAnswer.text };
    const answered = own.accept ? 'accepted' : 'dismissed';
    if (isForeign) this.log.add({ kind: 'frame_dialog', type, message, url: dialog.url });
    else if (askDialog === null) this.log.add({ kind: 'dialog', type, message, answer: answered });
    // A `beforeunload` dialog does not count as part of a loop.
    if (askDialog === null && type !== 'beforeunload') this.loops.note('dialogs');
    const turn = this.loops.dialogTurn();
    const asked = askDialog?.(this, { type, message, proposed: defaultPrompt ?? '' });
    const { accept, text } = (await asked) ?? own;
    const promptText = text ?? defaultPrompt;
    const answer = { accept, ...(accept && promptText !== undefined ? { promptText } : {}) };
    await turn;
    await answerDialog(this, session, answer);
  }

  async loadFrames(session: CdpSession): Promise<void> {
    const { frameTree } = await session.send('Page.getFrameTree');
    this.#tree.load(frameTree, session);
  }

  moveFrame(frameId: string, parentId: string | null, session: CdpSession): void {
    this.#tree.movedToTarget(frameId, parentId, session);
  }

  #followFrames(session: CdpSession): void {
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) =>
      this.#tree.attached(frameId, parentFrameId, session),
    );
    session.on('Page.frameStartedNavigating', ({ loaderId, navigationType }) => {
      // Going back or forward restores typed text into the fields of a document with a new loader id.
      if (BRINGS_BACK.has(navigationType) && this.typedIn.size > 0) this.typedIn.add(loaderId);
    });
    session.on('Page.frameNavigated', ({ frame, type }) => {
      this.#tree.navigated(frame, session);
      this.#coming.delete(frame.loaderId);
      if (!this.rules.isOff && !this.#driver.isDriving) this.rules.noteOpened(this);
      if (this.typedIn.has(this.#tree.get(frame.parentId ?? '')?.loaderId ?? '')) this.typedIn.add(frame.loaderId);
      // A document restored from the back/forward cache already has its frames, which Chromium does not report again.
      if (type === 'BackForwardCacheRestore') this.loadFrames(session).catch(() => undefined);
      if (frame.id !== this.targetId) return;
      this.#worlds.clear();
      this.loops.noteDocument();
    });
    session.on('Page.frameRequestedNavigation', ({ frameId }) => {
      if (frameId !== this.targetId) return;
      this.#requestedNavigations.push(Date.now());
      if (this.#requestedNavigations.length > RESTLESS_MOVES) this.#requestedNavigations.shift();
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => this.#tree.navigatedWithin(frameId, url));
    session.on('Page.navigatedWithinDocument', () => this.loops.note('address changes'));
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap') this.#tree.detached(frameId);
    });
  }

  #followNetwork(session: CdpSession): void {
    const urls = new Map<string, string>();
    session.on('Network.webSocketCreated', ({ url }) => this.#driver.onSocket(this, url, session));
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, type, request }) => {
      if (type === 'Document' && requestId === loaderId) this.#noteComing(loaderId, request.url);
      if (urls.size >= REQUESTS_REMEMBERED_MAX) urls.clear();
      urls.set(requestId, request.url);
    });
    session.on('Network.loadingFinished', ({ requestId }) => {
      this.#coming.delete(requestId);
      urls.delete(requestId);
    });
    session.on('Network.loadingFailed', ({ requestId, errorText, canceled, blockedReason }) => {
      const url = urls.get(requestId);
      this.#coming.delete(requestId);
      urls.delete(requestId);
      // Not logged as failures, because the gate logs its own refusals, and a page may cancel or block requests.
      const isMeant =
        canceled === true ||
        blockedReason === 'csp' ||
        blockedReason === 'inspector' ||
        errorText === 'net::ERR_BLOCKED_BY_CLIENT';
      if (url === undefined || isMeant) return;
      const response = this.#responses.get(requestId);
      if (response !== undefined) response.cut = errorText.includes('CONTENT_DECODING') ? 'body' : 'connection';
      this.log.add({ kind: 'failed_request', url, problem: blockedReason ?? errorText });
    });
    session.on('Network.responseReceived', ({ requestId, type, loaderId, frameId, response }) => {
      const { status, url, mimeType } = response;
      const isDocument = type === 'Document' && requestId === loaderId;
      if (isDocument && frameId === this.targetId) {
        setBounded(this.#responses, loaderId, { loaderId, status, url, mimeType }, RESPONSES_REMEMBERED_MAX);
        return;
      }
      if (isDocument) setBounded(this.#frameResponses, loaderId, url, FRAME_RESPONSES_REMEMBERED_MAX);
      if (status >= 400 && !isFavicon(url)) {
        this.log.add({ kind: 'failed_request', url, problem: `HTTP ${status}` });
      }
    });
  }

  #noteComing(loaderId: string, url: string): void {
    if (registrableDomain(url) === null) return;
    if (this.#coming.size < COMING_MAX) this.#coming.set(loaderId, url);
    else this.#coming.set(MORE, 'about:blank');
  }

  #console({ type, args }: Protocol.Runtime.ConsoleAPICalledEvent): void {
    if (this.#tells.take(args)) return;
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

const RESPONSES_REMEMBERED_MAX = 100;
/** Maximum documents recorded as loading at the same time. Honest pages request fewer. */
const COMING_MAX = 1_000;
/** Key of the entry for all documents beyond `COMING_MAX`. This entry is never removed. */
const MORE = 'more';
/** Maximum stored responses of frames. A document whose response was dropped gets the URL of its parent. */
const FRAME_RESPONSES_REMEMBERED_MAX = 2_000;
/** Maximum pending requests whose URL is stored. Beyond this, some failed requests are not logged. */
const REQUESTS_REMEMBERED_MAX = 2_000;
