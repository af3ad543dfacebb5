import { sleep } from '#core/flow/abort.ts';
import type { Protocol } from 'devtools-protocol';
import type { CdpConnection, CdpSession } from '#browsing/cdp/connection.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import { Pace } from '#browsing/cdp/pace.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { TARGET_RATE } from './limits.ts';
import { TABS_MAX } from '#core/limits.ts';
import type { Refused, RequestGate } from '#browsing/gate/request-gate.ts';
import { DOCUMENT_GUARD, NO_SHARED_WORKER, WORKER_GUARD } from '#browsing/gate/request-gate.ts';
import { OpenTab } from './open-tab.ts';
import type { Frame } from './frame.ts';
import type { PersonsHands } from './open-tab.ts';
import { firstRequest } from './first-request.ts';
import type { PageEvent, PageLoop } from './page-record.ts';
import { applyToPage, applyToTarget, USUAL_SETTINGS } from './settings.ts';
import { TabDownloads } from './tab-downloads.ts';
import type { TabOptions, TabSettings } from './settings.ts';

/** Every tab of one connection. Each target is held until it has been treated, so nothing in it runs unguarded. */
export class OpenTabs {
  readonly #connection: CdpConnection;
  readonly #options: TabOptions;
  #settings: TabSettings;
  readonly #tabs = new Map<string, OpenTab>();
  /** By target: the tab, once it has been treated. */
  readonly #ready = new Map<string, Promise<OpenTab>>();
  /** Those that {@link ready} need not wait for: it has, or we opened them ourselves. */
  readonly #known = new WeakSet<Promise<OpenTab>>();
  /** Tabs that are being treated, by target. */
  readonly #coming = new Map<string, OpenTab>();
  /** Which tab a session belongs to: sessions of frames and workers, too. */
  readonly #owners = new Map<string, OpenTab>();
  readonly #owed: PageEvent[] = [];
  /** Of a person who drives all of them. */
  readonly hands: PersonsHands = { areOn: false, ask: null, typed: () => undefined };
  /** Told when the page of a tab is stopped or closed for a loop: what a call waits for in it may never come. */
  looped: ((tab: OpenTab, loop: PageLoop, how: 'stopped' | 'closed') => void) | null = null;
  readonly downloads: TabDownloads;
  readonly #targetPace = new Pace(TARGET_RATE);
  #gate: Promise<RequestGate> | null = null;
  #lastNumber = 0;
  /** Of the tab that is being opened. */
  #nextId: string | undefined;

  constructor(connection: CdpConnection, options: TabOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#settings = options.settings ?? USUAL_SETTINGS;
    const tabs = {
      all: () => this.all(),
      ofFrame: (frameId: string) => this.#tabOfFrame(frameId),
      coming: (targetId: string) => this.#coming.get(targetId) ?? null,
      openerOf: (tab: OpenTab) => this.#tabs.get(tab.openerTargetId ?? ''),
      closeWhenReady: async (tab: OpenTab) => {
        await this.#ready.get(tab.targetId);
        await this.close(tab);
      },
    };
    this.downloads = new TabDownloads(tabs, options.save);
  }

  /**
   * Starts to hold and treat every new target. @param gate may be on its way: no target is let go before it stands
   * @throws what the gate could not be put up for
   */
  async start(gate: RequestGate | Promise<RequestGate>): Promise<void> {
    this.#gate = Promise.resolve(gate);
    this.#watch(this.#connection.browser);
    this.#connection.browser.on('Target.targetDestroyed', ({ targetId }) => this.#forget(targetId));
    this.downloads.follow(this.#connection.browser);
    await Promise.all([this.#gate, this.#connection.browser.send('Target.setAutoAttach', AUTO_ATTACH)]);
  }

  /** Opens a tab in a context. @param id that it had in an earlier life of the session; a new one when not given */
  async open(contextId: string, id?: string): Promise<OpenTab> {
    this.#nextId = id;
    const { targetId } = await this.#connection.browser.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId: contextId,
      // A tab behind another one is not always drawn: some pictures of it never come.
      newWindow: true,
      width: this.#settings.width,
      height: this.#settings.height,
    });
    const ready = this.#ready.get(targetId);
    if (ready === undefined) throw new TypeError('a tab was made without being reported first');
    this.#known.add(ready);
    return ready;
  }

  /** When every tab that was opened by now is ready, and has begun to show what it was opened for. */
  async ready(signal: AbortSignal): Promise<void> {
    const opened = [...this.#ready.values()].filter((one) => !this.#known.has(one));
    for (const one of opened) this.#known.add(one);
    await Promise.all([...opened.map(async (one) => (await one).hasBegun(signal)), ...this.downloads.endings]);
  }

  /** Crashes, and events of tabs that are closed, which no result has told yet. */
  takeOwed(): PageEvent[] {
    return this.#owed.splice(0);
  }

  /** What happened in a tab that is closed, for the next result. */
  owe(events: readonly PageEvent[]): void {
    this.#owed.push(...events);
  }

  get settings(): TabSettings {
    return this.#settings;
  }

  /** From now on, and for what is open. */
  async change(settings: TabSettings): Promise<void> {
    const before = this.#settings;
    this.#settings = settings;
    const targets = this.all().flatMap((tab) => {
      const inner = new Set(tab.frames().map(({ session }) => session));
      inner.delete(tab.session);
      return [
        ...applyToPage(tab.session, settings, before),
        ...[...inner].flatMap((session) => applyToTarget(session, settings, before)),
      ];
    });
    await Promise.all(targets);
  }

  /** In the order they opened. */
  all(): readonly OpenTab[] {
    return [...this.#tabs.values()];
  }

  byId(id: string): OpenTab | null {
    return this.all().find((tab) => tab.id === id) ?? null;
  }

  /** Numbers go on after those of an earlier life of the session. */
  startNumberingAfter(last: number): void {
    this.#lastNumber = Math.max(this.#lastNumber, last);
  }

  get lastNumber(): number {
    return this.#lastNumber;
  }

  async close(tab: OpenTab): Promise<void> {
    // Whoever closes a tab means it.
    tab.dialogs = { accept: true };
    await this.#end(tab.session, tab.targetId);
    this.#forget(tab.targetId);
  }

  /** A gate on a target goes with it, and lets go what it still holds: so its page ends first. */
  async #end(session: CdpSession, targetId: string): Promise<void> {
    const gate = await this.#gate;
    if (gate?.isOn === 'targets') {
      await session.send('Page.navigate', { url: 'about:blank' });
      await gate.settled(session);
    }
    await this.#connection.browser.send('Target.closeTarget', { targetId });
  }

  /** Puts a refusal of the gate where it belongs. */
  noteRefused({ url, reason, frameId, resourceType }: Refused): void {
    const event = { kind: 'refused' as const, url, reason, isDocument: resourceType === 'Document' };
    for (const tab of [this.#tabOfFrame(frameId) ?? this.all()].flat()) tab.log.add(event);
  }

  /** A frame of any tab, as it is now; `null` when it is gone. */
  frame(id: string): Frame | null {
    return this.#tabOfFrame(id)?.frame(id) ?? null;
  }

  #tabOfFrame(frameId: string): OpenTab | null {
    return this.all().find((tab) => tab.frame(frameId) !== null) ?? null;
  }

  #forget(targetId: string): void {
    const tab = this.#tabs.get(targetId);
    if (tab !== undefined) tab.isOpen = false;
    this.#coming.delete(targetId);
    this.#tabs.delete(targetId);
    this.#ready.delete(targetId);
  }

  #watch(parent: CdpSession): void {
    parent.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      const session = this.#connection.session(sessionId);
      this.#paced(targetInfo, () => this.#treat(session, targetInfo, parent)).catch((error: unknown) => {
        // A target that went away while it was treated needs no treatment, and one that cannot be guarded stays held.
        if (!(error instanceof CdpError) && !(error instanceof BrowserGone) && !(error instanceof PeriscopeError)) {
          throw error;
        }
      });
    });
    parent.on('Target.detachedFromTarget', ({ sessionId }) => {
      const owner = this.#owners.get(sessionId);
      // A tab that closes itself is not reported in another way.
      if (owner?.session.id === sessionId) this.#forget(owner.targetId);
      this.#owners.delete(sessionId);
      this.#connection.drop(sessionId);
    });
  }

  /** What pages open comes at a pace. A target that waits is held, and can do nothing; one of ours never waits. */
  #paced({ type, openerId }: Protocol.Target.TargetInfo, treat: () => Promise<void>): Promise<void> {
    const ms = type === 'page' && openerId === undefined ? 0 : this.#targetPace.wait();
    return ms === 0 ? treat() : sleep(ms).then(treat);
  }

  async #treat(session: CdpSession, target: Protocol.Target.TargetInfo, parent: CdpSession): Promise<void> {
    if (target.type === 'page') return this.#treatPage(session, target);
    const owner = this.#owners.get(parent.id ?? '');
    if (target.type === 'iframe' && owner !== undefined) return this.#treatFrame(session, target, owner);
    if (WORKERS.has(target.type)) return this.#treatWorker(session, target, owner);
    // Nothing else has a place in a session of ours; what is not run on can do nothing.
    if (target.type !== 'tab' && target.type !== 'browser') return undefined;
    await session.send('Runtime.runIfWaitingForDebugger');
  }

  async #treatPage(session: CdpSession, target: Protocol.Target.TargetInfo): Promise<void> {
    const opener = this.#openerOf({ openerTargetId: target.openerId });
    if (opener !== undefined) this.#notePopup(opener);
    if (target.openerId !== undefined && (!this.#options.mayOpen() || this.#tabs.size >= TABS_MAX)) {
      opener?.log.add({ kind: 'popup', url: target.url });
      // Held, it would hold up its opener, which waits for `window.open` to return and may then use what is in it.
      this.#watch(session);
      const gate = await this.#stopRequests(session);
      // What it was opened for is asked for once it runs: ended before that, it would take the gate away from it.
      const asked = gate.isOn === 'targets' ? firstRequest(session) : undefined;
      const noScripts = session.send('Emulation.setScriptExecutionDisabled', { value: true });
      await Promise.all([...this.#guard(session, gate), noScripts, session.send('Runtime.runIfWaitingForDebugger')]);
      await asked;
      await this.#end(session, target.targetId);
      return;
    }
    if (target.browserContextId === undefined || !this.#isOurs(target)) {
      await this.#stopRequests(session);
      await session.send('Runtime.runIfWaitingForDebugger');
      return;
    }
    const ready = this.#openPage(session, target);
    this.#ready.set(target.targetId, ready);
    await ready;
  }

  /** Pop-ups that open pop-ups count for the page that the first one came from. */
  #notePopup(opener: OpenTab): void {
    let first = opener;
    for (let next = this.#openerOf(first); next !== undefined; next = this.#openerOf(first)) first = next;
    first.loops.noteOpened('pop-ups');
    const { stoppedFor } = first.loops;
    if (stoppedFor !== null) void opener.loops.stopScripts(stoppedFor);
  }

  #openerOf({ openerTargetId = '' }: Pick<OpenTab, 'openerTargetId'>): OpenTab | undefined {
    return this.#tabs.get(openerTargetId) ?? this.#coming.get(openerTargetId);
  }

  async #openPage(session: CdpSession, target: Protocol.Target.TargetInfo): Promise<OpenTab> {
    const tab = new OpenTab(this.#takeId(target), target, session, this.hands);
    tab.loops.ended = (loop, how) => this.looped?.(tab, loop, how);
    this.#adopt(session, tab);
    this.#coming.set(target.targetId, tab);
    const gate = await this.#stopRequests(session);
    await Promise.all([
      ...this.#prepare(session, gate),
      ...applyToPage(session, this.#settings),
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      tab.takeFrames(session),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
    this.#coming.delete(target.targetId);
    this.#tabs.set(target.targetId, tab);
    return tab;
  }

  #takeId({ openerId }: Protocol.Target.TargetInfo): string {
    if (openerId === undefined && this.#nextId !== undefined) {
      const id = this.#nextId;
      this.#nextId = undefined;
      return id;
    }
    this.#lastNumber += 1;
    return `t${this.#lastNumber}`;
  }

  /** Tabs that we opened, and those that they opened; not the empty one a browser starts with. */
  #isOurs(target: Protocol.Target.TargetInfo): boolean {
    return target.openerId !== undefined || this.#contexts.has(target.browserContextId ?? '');
  }

  readonly #contexts = new Set<string>();

  /** An isolated browser context: cookies, storage and cache of its own. Downloads and permissions are refused in it. */
  async openContext(): Promise<string> {
    const { browser } = this.#connection;
    const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true });
    this.#contexts.add(browserContextId);
    await Promise.all([
      browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId, eventsEnabled: true }),
      // Granting nothing refuses everything, without a prompt that would wait for a person.
      browser.send('Browser.grantPermissions', { permissions: [], browserContextId }),
    ]);
    return browserContextId;
  }

  async closeContext(contextId: string): Promise<void> {
    this.#contexts.delete(contextId);
    await this.#connection.browser.send('Target.disposeBrowserContext', { browserContextId: contextId });
  }

  async #treatFrame(session: CdpSession, target: Protocol.Target.TargetInfo, owner: OpenTab): Promise<void> {
    owner.movedOut(target.targetId, target.parentFrameId ?? null, session);
    this.#adopt(session, owner);
    const gate = await this.#stopRequests(session);
    await Promise.all([
      ...this.#prepare(session, gate),
      ...applyToTarget(session, this.#settings),
      owner.takeFrames(session),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  async #treatWorker(
    session: CdpSession,
    { type }: Protocol.Target.TargetInfo,
    owner: OpenTab | undefined,
  ): Promise<void> {
    if (owner !== undefined && session.id !== null) this.#owners.set(session.id, owner);
    this.#watch(session);
    await this.#stopRequests(session, OF_A_PAGE.has(type) ? 'worker' : 'shared');
    await Promise.all([
      session.send('Target.setAutoAttach', AUTO_ATTACH),
      session.send('Runtime.evaluate', { expression: WORKER_GUARD }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  #adopt(session: CdpSession, tab: OpenTab): void {
    if (session.id !== null) this.#owners.set(session.id, tab);
    this.#watch(session);
    tab.follow(session);
    session.on('Inspector.targetCrashed', () => {
      const { loops, owedMark } = tab;
      const loop = loops.stoppedFor;
      if (owedMark !== null) this.owe(tab.log.since(owedMark));
      this.#owed.push({ kind: 'crash', tab: tab.id, ...(loop === null ? {} : { loop }) });
      this.#forget(tab.targetId);
      // Until it is closed, what it was asked has no answer. A browser that went away has closed it.
      this.#connection.browser.send('Target.closeTarget', { targetId: tab.targetId }).catch(() => undefined);
    });
  }

  /** Before anything else: a target whose requests nobody watches is not let go. */
  async #stopRequests(session: CdpSession, kind: Parameters<RequestGate['guard']>[1] = 'page'): Promise<RequestGate> {
    const gate = await this.#gate;
    if (gate === null) throw new TypeError('a target came before the gate');
    await gate.guard(session, kind);
    return gate;
  }

  /** Takes the unseen ways out from the documents of a target, and holds what it opens. */
  #guard(session: CdpSession, gate: RequestGate): Promise<unknown>[] {
    const source = gate.isOn === 'targets' ? DOCUMENT_GUARD + NO_SHARED_WORKER : DOCUMENT_GUARD;
    return [
      session.send('Target.setAutoAttach', AUTO_ATTACH),
      session.send('Page.enable'),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true }),
    ];
  }

  /** In this order: a target runs only after everything before it has been taken. */
  #prepare(session: CdpSession, gate: RequestGate): Promise<unknown>[] {
    return [
      ...this.#guard(session, gate),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      session.send('Network.enable', { maxPostDataSize: 0 }),
      session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
      session.send('Network.setBypassServiceWorker', { bypass: true }),
      session.send('Runtime.enable'),
      session.send('Inspector.enable'),
    ];
  }
}

const WORKERS = new Set(['worker', 'shared_worker', 'service_worker', 'worklet', 'shared_storage_worklet']);

/** Workers of one page: what they ask for is seen with the page. */
const OF_A_PAGE = new Set(['worker', 'worklet']);

const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
