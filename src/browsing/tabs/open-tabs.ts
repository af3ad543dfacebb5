import { sleep } from '#core/flow/abort.ts';
import type { Protocol } from 'devtools-protocol';
import type { CdpConnection, CdpSession } from '#browsing/cdp/connection.ts';
import { ignoreTargetGone, isTargetGone } from '#browsing/cdp/connection.ts';
import { TokenBucket } from '#core/flow/rate-limits.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { SESSION_TABS_MAX } from '#core/limits.ts';
import type { RefusedRequest, RequestGate } from '#browsing/gate/request-gate.ts';
import { WORKER_GUARD_SCRIPT } from '#browsing/gate/request-gate.ts';
import { DocumentGuards, waitForFirstRequest, AUTO_ATTACH, guardTarget, prepareTarget } from './document-guards.ts';
import { OpenTab } from './open-tab.ts';
import { createNoDriver } from './tab.ts';
import type { PageEvent, PageLoop } from './page-record.ts';
import { sendPageSettings, sendProcessSettings, sendTargetSettings } from './settings.ts';
import { grantPermissions, DEFAULT_TAB_SETTINGS } from './settings.ts';
import { TabDownloads } from './tab-downloads.ts';
import { waitForFirstDocument } from './when-begun.ts';
import { urlsOfTabAndOpeners, OpenerGroup } from './window-group.ts';
import type { NewWindowOrigin } from './window-group.ts';
import type { TabOptions, TabSettings } from './settings.ts';

/** Maximum rate at which a browser's pages start windows, frames and workers. Heavy pages start about 50 together. */
const TARGET_RATE = { burst: 100, everyMs: 50 } as const;

/** The tabs of one connection. Each new target is paused until it is prepared, so no script runs unguarded. */
export class OpenTabs {
  readonly #connection: CdpConnection;
  readonly #options: TabOptions;
  #settings: TabSettings;
  readonly #tabs = new Map<string, OpenTab>();
  readonly #ready = new Map<string, Promise<OpenTab>>();
  /** Tabs that {@link ready} has already waited for, or that `open` created. */
  readonly #known = new WeakSet<Promise<OpenTab>>();
  readonly #preparing = new Map<string, OpenTab>();
  readonly #owners = new Map<string, OpenTab>();
  readonly #contexts = new Set<string>();
  readonly #unreported: PageEvent[] = [];
  readonly driver = createNoDriver<OpenTab>();
  /** Called after a page was stopped or closed because of a loop, so that the running call ends. */
  onLoopEnded: ((tab: OpenTab, loop: PageLoop, how: 'stopped' | 'closed') => void) | null = null;
  readonly downloads: TabDownloads;
  readonly guards: DocumentGuards;
  readonly #targets = new TokenBucket(TARGET_RATE);
  #gate: Promise<RequestGate> | null = null;
  #lastNumber = 0;
  #nextId: string | undefined;

  constructor(connection: CdpConnection, options: TabOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#settings = options.settings ?? DEFAULT_TAB_SETTINGS;
    this.guards = new DocumentGuards(this.driver, options.rules);
    const tabs = {
      all: () => this.all(),
      ofFrame: (frameId: string) => this.#tabOfFrame(frameId),
      preparing: (targetId: string) => this.#preparing.get(targetId) ?? null,
      openerOf: (tab: OpenTab) => this.#tabs.get(tab.openerTargetId ?? ''),
      closeWhenReady: async (tab: OpenTab) => {
        await this.#ready.get(tab.targetId);
        await this.close(tab);
      },
    };
    this.downloads = new TabDownloads(tabs, options.save);
  }

  /**
   * @param gate may be pending, because no target runs before the gate is in place
   * @throws {unknown} errors of the gate's setup
   */
  async start(gate: RequestGate | Promise<RequestGate>): Promise<void> {
    this.#gate = Promise.resolve(gate);
    this.#watch(this.#connection.browser);
    this.#connection.browser.on('Target.targetDestroyed', ({ targetId }) => this.#forget(targetId));
    this.downloads.follow(this.#connection.browser);
    await Promise.all([this.#gate, this.#connection.browser.send('Target.setAutoAttach', AUTO_ATTACH)]);
  }

  /** @param id the id of a restored or temporary tab; by default a new id */
  async open(contextId: string, id?: string): Promise<OpenTab> {
    this.#nextId = id;
    const { targetId } = await this.#connection.browser.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId: contextId,
      // Chromium may not draw a tab behind another one in the same window, and a screenshot of it would never return.
      newWindow: true,
      width: this.#settings.width,
      height: this.#settings.height,
    });
    const ready = this.#ready.get(targetId);
    if (ready === undefined) throw new TypeError('a tab was made without being reported first');
    this.#known.add(ready);
    return ready;
  }

  async ready(signal: AbortSignal): Promise<void> {
    const opened = [...this.#ready.values()].filter((one) => !this.#known.has(one));
    for (const one of opened) this.#known.add(one);
    await Promise.all([...opened.map((one) => waitForFirstDocument(one, signal)), ...this.downloads.endings]);
  }

  takeUnreported(): PageEvent[] {
    return this.#unreported.splice(0);
  }

  addUnreported(events: readonly PageEvent[]): void {
    this.#unreported.push(...events);
  }

  get settings(): TabSettings {
    return this.#settings;
  }

  /** @throws {CdpError} if Chromium refuses a setting; all but a new locale or time zone are then restored */
  async applySettings(settings: TabSettings): Promise<void> {
    const before = this.#settings;
    this.#settings = settings;
    try {
      await Promise.all(this.#sent(settings, before));
    } catch (error) {
      this.#settings = before;
      await Promise.allSettled(this.#sent(before, settings));
      throw error;
    }
  }

  #sent(settings: TabSettings, before: TabSettings): Promise<unknown>[] {
    const { browser } = this.#connection;
    const tabs = new Set(this.all().map(({ session }) => session));
    for (const tab of this.all()) tab.hasTouch = settings.mobile;
    return [
      ...[...tabs].flatMap((session) => sendPageSettings(session, settings, before)),
      ...[...this.#sessions()].flatMap((one) => (tabs.has(one) ? [] : sendTargetSettings(one, settings, before))),
      ...[...this.#contexts].map((id) => grantPermissions(browser, id, settings)),
    ];
  }

  #sessions(): ReadonlySet<CdpSession> {
    return new Set(this.all().flatMap((tab) => [tab.session, ...tab.frames().map(({ session }) => session)]));
  }

  all(): readonly OpenTab[] {
    return [...this.#tabs.values()];
  }

  byId(id: string): OpenTab | null {
    return this.all().find((tab) => tab.id === id) ?? null;
  }

  startNumberingAfter(last: number): void {
    this.#lastNumber = Math.max(this.#lastNumber, last);
  }

  get lastNumber(): number {
    return this.#lastNumber;
  }

  async close(tab: OpenTab): Promise<void> {
    tab.dialogAnswer = { accept: true };
    await this.#end(tab.session, tab.targetId);
    this.#forget(tab.targetId);
  }

  /** Closes a target. One with its own gate first loads a blank page, because paused requests would otherwise pass. */
  async #end(session: CdpSession, targetId: string): Promise<void> {
    const gate = await this.#gate;
    if (gate?.isOn === 'targets') {
      await session.send('Page.navigate', { url: 'about:blank' });
      await gate.whenDecided(session);
    }
    await this.#connection.browser.send('Target.closeTarget', { targetId });
  }

  noteRefused({ url, reason, rule, frameId, resourceType }: RefusedRequest): void {
    const isDocument = resourceType === 'Document';
    const event = { kind: 'refused' as const, url, reason, isDocument, ...(rule === undefined ? {} : { rule }) };
    for (const tab of [this.ofFrame(frameId) ?? this.all()].flat()) tab.log.add(event);
  }

  /** The tab of a frame; `null` for none. A window that is still opening has the same id as its main frame. */
  ofFrame(id: string): OpenTab | null {
    return this.#tabOfFrame(id) ?? this.#preparing.get(id) ?? null;
  }

  #tabOfFrame(frameId: string): OpenTab | null {
    return this.all().find((tab) => tab.frame(frameId) !== null) ?? null;
  }

  #forget(targetId: string): void {
    const tab = this.#tabs.get(targetId);
    if (tab !== undefined) tab.isOpen = false;
    for (const tabs of [this.#preparing, this.#tabs, this.#ready]) tabs.delete(targetId);
  }

  #watch(parent: CdpSession): void {
    parent.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      const session = this.#connection.session(sessionId);
      const openedBy = urlsOfTabAndOpeners(this.#openerOf({ openerTargetId: targetInfo.openerId }));
      const from = { windows: this.#windowsOf(targetInfo), openedBy };
      this.#limited(targetInfo, () => this.#prepare(session, targetInfo, parent, from)).catch((error: unknown) => {
        // Ignores targets that are already gone. A target that cannot be guarded stays paused.
        if (!isTargetGone(error) && !(error instanceof PeriscopeError)) throw error;
      });
    });
    parent.on('Target.detachedFromTarget', ({ sessionId }) => {
      const owner = this.#owners.get(sessionId);
      // If a tab closes itself, Chromium sends no other event.
      if (owner?.session.id === sessionId) this.#forget(owner.targetId);
      this.#owners.delete(sessionId);
      this.guards.forget(this.#connection.session(sessionId));
      this.#connection.drop(sessionId);
      for (const session of this.#sessions()) {
        for (const sent of sendProcessSettings(session, this.#settings)) sent.catch(() => undefined);
      }
    });
  }

  /** Prepares a target. Targets beyond `TARGET_RATE` stay paused for a time, except for tabs opened by calls. */
  #limited({ type, openerId }: Protocol.Target.TargetInfo, prepare: () => Promise<void>): Promise<void> {
    const ms = type === 'page' && openerId === undefined ? 0 : this.#targets.take();
    return ms === 0 ? prepare() : sleep(ms).then(prepare);
  }

  /** The group and the current opener of a new window. A window without access to its opener starts a new group. */
  #windowsOf({ openerId, canAccessOpener }: Protocol.Target.TargetInfo): OpenerGroup {
    const opener = canAccessOpener ? this.#openerOf({ openerTargetId: openerId }) : undefined;
    opener?.windows.share(opener.main().loaderId);
    return opener?.windows ?? new OpenerGroup();
  }

  async #prepare(
    session: CdpSession,
    target: Protocol.Target.TargetInfo,
    parent: CdpSession,
    from: NewWindowOrigin,
  ): Promise<void> {
    if (target.type === 'page') return this.#preparePage(session, target, from);
    const owner = this.#owners.get(parent.id ?? '');
    if (target.type === 'iframe' && owner !== undefined) return this.#prepareFrame(session, target, owner);
    if (WORKERS.has(target.type)) return this.#prepareWorker(session, target, owner);
    // A target of an unexpected type stays paused.
    if (target.type !== 'tab' && target.type !== 'browser') return undefined;
    await session.send('Runtime.runIfWaitingForDebugger');
  }

  async #preparePage(session: CdpSession, target: Protocol.Target.TargetInfo, from: NewWindowOrigin): Promise<void> {
    const opener = this.#openerOf({ openerTargetId: target.openerId });
    if (opener !== undefined) this.#notePopup(opener);
    const isFull = this.#tabs.size + this.#preparing.size >= SESSION_TABS_MAX;
    if (target.openerId !== undefined && (!this.#options.mayOpen() || isFull)) {
      opener?.log.add({ kind: 'popup', url: target.url });
      // A blocked pop-up must run, because its opener waits in `window.open` while the pop-up is paused.
      this.#watch(session);
      const gate = await this.#stopRequests(session);
      // Closing the pop-up earlier would remove the gate and let the pop-up's first request pass.
      const requested = gate.isOn === 'targets' ? waitForFirstRequest(session) : undefined;
      const noScripts = session.send('Emulation.setScriptExecutionDisabled', { value: true });
      const guarded = [...guardTarget(session, gate, this.guards), noScripts];
      await Promise.all([...guarded, session.send('Runtime.runIfWaitingForDebugger')]);
      await requested;
      await this.#end(session, target.targetId);
      return;
    }
    // The blank tab with which a browser starts has no opener, and none of our contexts.
    const { browserContextId: id } = target;
    if (id === undefined || (target.openerId === undefined && !this.#contexts.has(id))) {
      await this.#stopRequests(session);
      await session.send('Runtime.runIfWaitingForDebugger');
      return;
    }
    const ready = this.#openPage(session, target, from);
    this.#ready.set(target.targetId, ready);
    await ready;
  }

  /** Counts a pop-up. A pop-up that a pop-up opens counts for the page that opened the first one. */
  #notePopup(opener: OpenTab): void {
    let first = opener;
    for (let next = this.#openerOf(first); next !== undefined; next = this.#openerOf(first)) first = next;
    first.loops.note('pop-ups');
    const { stoppedFor } = first.loops;
    if (stoppedFor !== null) void opener.loops.stopScripts(stoppedFor);
  }

  #openerOf({ openerTargetId = '' }: Pick<OpenTab, 'openerTargetId'>): OpenTab | undefined {
    return this.#tabs.get(openerTargetId) ?? this.#preparing.get(openerTargetId);
  }

  async #openPage(session: CdpSession, target: Protocol.Target.TargetInfo, from: NewWindowOrigin): Promise<OpenTab> {
    const ruling = { rules: this.#options.rules, openedBy: from.openedBy };
    const tab = new OpenTab(this.#takeId(target), target, session, this.driver, from.windows, ruling);
    tab.hasTouch = this.#settings.mobile;
    tab.loops.onEnded = (loop, how) => this.onLoopEnded?.(tab, loop, how);
    this.#adopt(session, tab);
    this.#preparing.set(target.targetId, tab);
    const gate = await this.#stopRequests(session);
    await Promise.all([
      ...prepareTarget(session, gate, this.guards, tab, this.#openerOf(tab)),
      ...sendPageSettings(session, this.#settings),
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      tab.loadFrames(session),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
    this.#preparing.delete(target.targetId);
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

  /** Creates an isolated browser context. Denies downloads, and all permissions but those of the settings. */
  async openContext(): Promise<string> {
    const { browser } = this.#connection;
    const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true });
    this.#contexts.add(browserContextId);
    await Promise.all([
      browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId, eventsEnabled: true }),
      grantPermissions(browser, browserContextId, this.#settings),
    ]);
    return browserContextId;
  }

  async closeContext(contextId: string): Promise<void> {
    this.#contexts.delete(contextId);
    await this.#connection.browser.send('Target.disposeBrowserContext', { browserContextId: contextId });
  }

  async #prepareFrame(session: CdpSession, target: Protocol.Target.TargetInfo, owner: OpenTab): Promise<void> {
    owner.moveFrame(target.targetId, target.parentFrameId ?? null, session);
    this.#adopt(session, owner);
    const gate = await this.#stopRequests(session);
    await Promise.all([
      ...prepareTarget(session, gate, this.guards, owner),
      ...sendTargetSettings(session, this.#settings),
      owner.loadFrames(session),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  async #prepareWorker(
    session: CdpSession,
    { type }: Protocol.Target.TargetInfo,
    owner: OpenTab | undefined,
  ): Promise<void> {
    if (owner !== undefined && session.id !== null) this.#owners.set(session.id, owner);
    this.#watch(session);
    await this.#stopRequests(session, OF_A_PAGE.has(type) ? 'worker' : 'shared');
    await Promise.all([
      session.send('Target.setAutoAttach', AUTO_ATTACH),
      session.send('Runtime.evaluate', { expression: WORKER_GUARD_SCRIPT }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  #adopt(session: CdpSession, tab: OpenTab): void {
    if (session.id !== null) this.#owners.set(session.id, tab);
    this.#watch(session);
    tab.follow(session);
    tab.endHung = () => {
      this.#forgetCrashed(tab);
      this.close(tab).catch(ignoreTargetGone);
    };
    session.on('Inspector.targetCrashed', () => {
      this.#forgetCrashed(tab);
      // Not awaited, because Chromium answers no command to a crashed tab until the tab is closed.
      this.#connection.browser.send('Target.closeTarget', { targetId: tab.targetId }).catch(() => undefined);
    });
  }

  #forgetCrashed(tab: OpenTab): void {
    const loop = tab.loops.stoppedFor;
    if (tab.hasCrashed) return;
    tab.hasCrashed = true;
    if (tab.unreportedFrom !== null) this.addUnreported(tab.log.since(tab.unreportedFrom));
    this.#unreported.push({ kind: 'crash', tab: tab.id, ...(loop === null ? {} : { loop }) });
    this.#forget(tab.targetId);
  }

  /** Guards the requests of a target. Must be the first command, because the target must not run unguarded. */
  async #stopRequests(session: CdpSession, kind: Parameters<RequestGate['guard']>[1] = 'page'): Promise<RequestGate> {
    const gate = await this.#gate;
    if (gate === null) throw new TypeError('a target came before the gate');
    await gate.guard(session, kind);
    return gate;
  }
}

const WORKERS = new Set(['worker', 'shared_worker', 'service_worker', 'worklet', 'shared_storage_worklet']);

/** Target types whose requests Chromium reports in the session of their page. */
const OF_A_PAGE = new Set(['worker', 'worklet']);
