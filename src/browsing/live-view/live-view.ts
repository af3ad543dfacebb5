import { LIVE_CLOSED } from '#core/live-messages.ts';
import type { FromLivePage, LiveState } from '#core/live-messages.ts';
import { BROWSER_VIEWPORT, TITLE_CHARS_MAX } from '#core/limits.ts';
import { boundedAddress, oneLine } from '#core/text.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import { LIVE_LOOK_MS, LIVE_SILENT_MS_MAX, LIVE_VIEWERS_MAX } from './limits.ts';
import { readMessage } from './messages.ts';
import { Screencast } from './screencast.ts';
import { Viewer } from './viewer.ts';

/** The browser of the session, as far as it is shown. */
export type Shown = { tabs: OpenTabs; browser: CdpSession };

/** Since when the session has its browser, and when it ends if nobody uses it, in ms since 1970. */
export type Clocks = { openSince: number; restsAt: number };

/** Everybody who looks at one session. While nobody does, it asks nothing of the browser and holds nothing. */
export class LiveView {
  readonly #shown: () => Shown | null;
  readonly #clocks: () => Clocks;
  readonly #viewers = new Set<Viewer>();
  readonly #casts = new Map<OpenTab, Screencast>();
  #looking: ReturnType<typeof setInterval> | null = null;

  /** @param shown the browser that the session has now */
  constructor(shown: () => Shown | null, clocks: () => Clocks) {
    this.#shown = shown;
    this.#clocks = clocks;
  }

  get isFull(): boolean {
    return this.#viewers.size >= LIVE_VIEWERS_MAX;
  }

  /** Shows the session on a socket from now on. */
  admit(socket: WebSocket): void {
    const viewer = new Viewer(socket);
    if (this.isFull) return viewer.close(LIVE_CLOSED.full, 'as many look as may');
    if (this.#shown() === null) return viewer.close(LIVE_CLOSED.resting, 'the session has no browser now');
    this.#viewers.add(viewer);
    socket.addEventListener('message', ({ data }) => this.#take(viewer, readMessage(data)));
    socket.addEventListener('close', () => this.#leave(viewer));
    socket.addEventListener('error', () => this.#leave(viewer));
    this.#looking ??= setInterval(() => void this.#look(), LIVE_LOOK_MS);
    this.#cast(viewer);
    return void this.#look();
  }

  /** The browser is gone, and with it what was shown. */
  end(code: number, reason: string): void {
    for (const cast of this.#casts.values()) cast.end();
    this.#casts.clear();
    for (const viewer of this.#viewers) viewer.close(code, reason);
    this.#viewers.clear();
    this.#rest();
  }

  #take(viewer: Viewer, message: FromLivePage | null): void {
    if (message === null) {
      viewer.close(LIVE_CLOSED.broken, 'not a message of this page');
      return this.#leave(viewer);
    }
    viewer.heardAt = Date.now();
    switch (message.kind) {
      case 'here':
        return undefined;
      case 'drawn': {
        const ms = viewer.drawn();
        if (ms !== null) this.#castOf(viewer)?.drawn(ms);
        return undefined;
      }
      case 'look':
        viewer.wanted = message.tab;
        this.#cast(viewer);
        return void this.#look();
    }
  }

  #leave(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return;
    for (const cast of this.#casts.values()) cast.remove(viewer);
    this.#endUnwatched();
    if (this.#viewers.size === 0) this.#rest();
  }

  #rest(): void {
    if (this.#looking !== null) clearInterval(this.#looking);
    this.#looking = null;
  }

  /** Puts a viewer before the tab that it is to see. */
  #cast(viewer: Viewer): void {
    const tab = this.#tabOf(viewer);
    const current = this.#castOf(viewer);
    const wanted = tab === null ? null : (this.#casts.get(tab) ?? this.#start(tab));
    if (wanted === current && current !== null) return;
    for (const cast of this.#casts.values()) cast.remove(viewer);
    viewer.drop();
    wanted?.add(viewer);
    this.#watched.set(viewer, wanted);
    this.#endUnwatched();
  }

  readonly #watched = new WeakMap<Viewer, Screencast | null>();

  #castOf(viewer: Viewer): Screencast | null {
    return this.#watched.get(viewer) ?? null;
  }

  #start(tab: OpenTab): Screencast {
    const made = new Screencast(tab, () => this.#shown()?.tabs.settings ?? BROWSER_VIEWPORT);
    this.#casts.set(tab, made);
    return made;
  }

  #endUnwatched(): void {
    for (const [tab, cast] of this.#casts) {
      if (cast.isWatched && tab.isOpen) continue;
      cast.end();
      this.#casts.delete(tab);
    }
  }

  #tabOf({ wanted }: Viewer): OpenTab | null {
    const { tabs } = this.#shown() ?? {};
    return (wanted === null ? null : tabs?.byId(wanted)) ?? tabs?.all()[0] ?? null;
  }

  /** Tells every page what has changed, and lets go of those that fell silent. */
  async #look(): Promise<void> {
    const shown = this.#shown();
    if (shown === null) return;
    const titles = await titlesOf(shown.browser);
    if (titles === null) return;
    const tabs = shown.tabs.all().map((tab) => ({
      id: tab.id,
      url: boundedAddress(tab.main().url),
      title: oneLine(titles.get(tab.targetId) ?? '', TITLE_CHARS_MAX),
    }));
    for (const viewer of this.#viewers) {
      if (Date.now() - viewer.heardAt > LIVE_SILENT_MS_MAX) this.#leave(viewer);
      else this.#tell(viewer, shown, tabs);
    }
  }

  #tell(viewer: Viewer, { tabs }: Shown, list: LiveState['tabs']): void {
    this.#cast(viewer);
    const { width, height } = tabs.settings;
    const own = { shown: this.#tabOf(viewer)?.id ?? null, size: { width, height }, viewers: this.#viewers.size };
    const state = { kind: 'state' as const, tabs: list, ...own };
    const { openSince, restsAt } = this.#clocks();
    // Both clocks run by themselves on the page: only when one was set anew is there something to tell.
    const clocks = { openForMs: Date.now() - openSince, restsInMs: restsAt - Date.now() };
    viewer.tell({ ...state, ...clocks }, JSON.stringify([state, openSince, restsAt]));
  }
}

/** `null` when the browser has just gone: whoever ends the session says so. */
async function titlesOf(browser: CdpSession): Promise<Map<string, string> | null> {
  try {
    const { targetInfos } = await browser.send('Target.getTargets');
    return new Map(targetInfos.map(({ targetId, title }) => [targetId, title]));
  } catch (error) {
    if (error instanceof CdpError || error instanceof BrowserGone) return null;
    throw error;
  }
}
