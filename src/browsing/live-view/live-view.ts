import { LIVE_CLOSE_CODES } from './messages.ts';
import type { LivePageMessage, LiveInput, LiveApprovalLink, LiveState } from './messages.ts';
import { BROWSER_VIEWPORT, TITLE_CHARS_MAX, URL_CHARS_MAX, SECOND_MS } from '#core/limits.ts';
import { truncateUrl, oneLine } from '#core/text/text.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { isTargetGone } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { LiveInputDriver } from './drive.ts';
import { LIVE_SELECT_OPTIONS_MAX, LIVE_PASTED_CHARS_MAX, LIVE_VIEWERS_MAX } from './limits.ts';
import { PhoneEmulation } from './phone-screen.ts';
import type { ScreencastBrowser } from './viewer.ts';
import { Screencast, LiveViewer } from './viewer.ts';
import * as z from 'zod';

const PHONE_HEIGHT_MAX_PX = 900;
const PHONE_HEIGHT_MIN_PX = 300;
/** Maximum characters of a ticket in base64url, with room for a longer format in a later version. */
const LIVE_TICKET_CHARS_MAX = 100;
/** Interval at which tabs, titles and URLs are read again while there are viewers. */
const LIVE_LOOK_MS = 500;
/** Live pages send a new ticket every 5 s. After this time without one, the page is gone or its user lost access. */
const LIVE_ADMITTED_MS = 30 * SECOND_MS;
/** Maximum characters of a message: the longest text, each character escaped (`\u0007`), and the JSON around it. */
const LIVE_MESSAGE_CHARS_MAX = 6 * LIVE_PASTED_CHARS_MAX + 200;
const LIVE_FINGERS_MAX = 10;

/** A person's control of the session. It outlives single live pages and calls. */
export type TakeoverControl = {
  /** `isReady`: false until the model's current call has ended, and while control is given back. */
  readonly driver: { page: string; person: string; isReady: boolean } | null;
  readonly request: string | null;
  /** Tab for which the model asked a person to take over; `null` for the first tab. */
  readonly requestedTab: string | null;
  readonly question: LiveApprovalLink | null;
  take: (page: string, person: string) => Promise<string | null>;
  giveBack: (page: string) => Promise<void>;
  decline: () => Promise<void>;
  connected: (page: string) => void;
  disconnected: (page: string) => void;
  noteUse: () => void;
  endIfAbandoned: () => Promise<void>;
};

/** Unix times in ms: when the browser was opened, and when it ends if the session is not used. */
export type SessionTimes = { openSince: number; restsAt: number };

/** The viewers of one session. Without viewers, nothing is sent to the browser and nothing is stored. */
export class LiveViewers {
  readonly #shown: () => ScreencastBrowser | null;
  readonly #clocks: () => SessionTimes;
  readonly #takeOver: TakeoverControl;
  readonly #personOf: (ticket: string) => string | null;
  readonly #drive = new LiveInputDriver();
  readonly #screen = new PhoneEmulation();
  readonly #viewers = new Set<LiveViewer>();
  readonly #casts = new Map<OpenTab, Screencast>();
  #looking: ReturnType<typeof setInterval> | null = null;

  constructor(
    shown: () => ScreencastBrowser | null,
    clocks: () => SessionTimes,
    takeOver: TakeoverControl,
    personOf: (ticket: string) => string | null,
  ) {
    this.#shown = shown;
    this.#clocks = clocks;
    this.#takeOver = takeOver;
    this.#personOf = personOf;
  }

  get isFull(): boolean {
    return this.#viewers.size >= LIVE_VIEWERS_MAX;
  }

  admit(socket: WebSocket, page: string, person: string): void {
    const viewer = new LiveViewer(socket, page, person);
    if (this.isFull) return viewer.close(LIVE_CLOSE_CODES.full, 'as many look as may');
    if (this.#shown() === null) return viewer.close(LIVE_CLOSE_CODES.resting, 'the session has no browser now');
    this.#viewers.add(viewer);
    socket.addEventListener('message', ({ data }) => this.#take(viewer, readMessage(data)));
    socket.addEventListener('close', () => this.#leave(viewer));
    socket.addEventListener('error', () => this.#leave(viewer));
    // If two pages have the same id, such as a duplicated browser tab, the first page keeps driving.
    if (!this.#others(viewer).some((other) => other.page === page)) this.#takeOver.connected(page);
    this.#looking ??= setInterval(() => void this.#look(), LIVE_LOOK_MS);
    this.#cast(viewer);
    return void this.#look();
  }

  end(code: number, reason: string): void {
    for (const cast of this.#casts.values()) cast.end();
    this.#casts.clear();
    for (const viewer of this.#viewers) viewer.close(code, reason);
    for (const { page } of this.#viewers) this.#left(page);
    this.#viewers.clear();
    this.#stopLooking();
  }

  #take(viewer: LiveViewer, message: LivePageMessage | null): void {
    if (message === null) {
      viewer.close(LIVE_CLOSE_CODES.broken, 'not a message of this page');
      return this.#leave(viewer);
    }
    switch (message.kind) {
      case 'here':
        if (this.#personOf(message.ticket ?? '') === viewer.person) viewer.admittedAt = Date.now();
        return undefined;
      case 'drawn': {
        const ms = viewer.drawn();
        if (ms !== null) this.#castOf(viewer)?.drawn(ms);
        return undefined;
      }
      case 'look':
        viewer.wanted = message.tab;
        return void this.#look();
      case 'take':
        return void this.#startTakeOver(viewer);
      case 'give':
        return void this.#takeOver.giveBack(viewer.page).then(() => this.#look());
      case 'decline':
        return void this.#takeOver.decline().then(() => this.#look());
      default:
        return this.#handleInput(viewer, message);
    }
  }

  async #startTakeOver(viewer: LiveViewer): Promise<void> {
    const before = this.#takeOver.driver?.page;
    const [problem] = await Promise.all([this.#takeOver.take(viewer.page, viewer.person), this.#look()]);
    if (problem !== null) viewer.tell({ kind: 'problem', text: problem });
    else if (before !== undefined && before !== viewer.page) await this.rest();
    // A person who takes over keeps seeing the same tab, even if the model's request selects another tab.
    viewer.wanted = this.#tabOf(viewer)?.id ?? null;
    await this.#look();
  }

  #handleInput(viewer: LiveViewer, input: LiveInput): void {
    const shown = this.#shown();
    const { driver } = this.#takeOver;
    if (shown === null || driver?.page !== viewer.page || !driver.isReady) return;
    this.#takeOver.noteUse();
    shown.tabs.driver.askDialog = (_, dialog) => this.#drive.ask(dialog, viewer);
    if (input.kind === 'screen') void this.#setScreen(input.phone, shown.tabs);
    else void this.#drive.do(input, this.#tabOf(viewer), shown, viewer);
  }

  #left(page: string): void {
    if (this.#takeOver.driver?.page === page) this.#dropInput();
    this.#takeOver.disconnected(page);
  }

  #dropInput(): void {
    const driver = this.#shown()?.tabs.driver;
    if (driver !== undefined) driver.askDialog = null;
    this.#drive.rest();
  }

  async rest(): Promise<void> {
    this.#dropInput();
    const shown = this.#shown();
    if (shown !== null) await this.#setScreen(null, shown.tabs);
    void this.#look();
  }

  async #setScreen(phone: number | null, tabs: ScreencastBrowser['tabs']): Promise<void> {
    if (!(await this.#screen.set(phone, tabs))) return;
    for (const cast of this.#casts.values()) cast.restart();
    await this.#look();
  }

  #others(viewer: LiveViewer): LiveViewer[] {
    return [...this.#viewers].filter((other) => other !== viewer);
  }

  #leave(viewer: LiveViewer): void {
    if (!this.#viewers.delete(viewer)) return;
    for (const cast of this.#casts.values()) cast.remove(viewer);
    this.#endUnwatched();
    if (!this.#others(viewer).some(({ page }) => page === viewer.page)) this.#left(viewer.page);
    if (this.#viewers.size === 0) this.#stopLooking();
  }

  #disconnect(viewer: LiveViewer): void {
    viewer.close(LIVE_CLOSE_CODES.silent, 'the page has shown no new ticket');
    this.#leave(viewer);
  }

  #stopLooking(): void {
    if (this.#looking !== null) clearInterval(this.#looking);
    this.#looking = null;
  }

  #cast(viewer: LiveViewer): void {
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

  #knownTabs: readonly string[] = [];
  readonly #watched = new WeakMap<LiveViewer, Screencast | null>();

  #castOf(viewer: LiveViewer): Screencast | null {
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

  #tabOf({ wanted }: LiveViewer): OpenTab | null {
    const { tabs } = this.#shown() ?? {};
    const id = wanted ?? this.#takeOver.requestedTab;
    return (id === null ? null : tabs?.byId(id)) ?? tabs?.all()[0] ?? null;
  }

  async #look(): Promise<void> {
    // Disconnects viewers without a new ticket first, because the browser may not respond.
    const over = Date.now() - LIVE_ADMITTED_MS;
    for (const viewer of this.#viewers) if (viewer.admittedAt < over) this.#disconnect(viewer);
    await this.#takeOver.endIfAbandoned();
    this.#isAskedAgain = true;
    this.#showing ??= this.#showUntilNobodyAsks();
    await this.#showing;
  }

  #showing: Promise<void> | null = null;
  #isAskedAgain = false;

  /** Reads the tabs, one reading at a time. All requests that arrive during a reading share the next one. */
  async #showUntilNobodyAsks(): Promise<void> {
    try {
      while (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        await this.#showTabs();
      }
    } finally {
      this.#showing = null;
    }
  }

  async #showTabs(): Promise<void> {
    const shown = this.#shown();
    if (shown === null) return;
    const titles = await titlesOf(shown.browser);
    if (titles === null) return;
    const tabs = shown.tabs.all().map((tab) => ({
      id: tab.id,
      url: truncateUrl(tab.main().url),
      title: oneLine(titles.get(tab.targetId) ?? '', TITLE_CHARS_MAX),
    }));
    const ids = tabs.map(({ id }) => id);
    for (const viewer of this.#viewers) {
      if (this.#takeOver.driver?.page === viewer.page) viewer.wanted = tabInFront(viewer.wanted, this.#knownTabs, ids);
    }
    this.#knownTabs = ids;
    const refusals = new Map(shown.tabs.all().map((tab) => [tab, this.#newRefusal(tab)]));
    for (const viewer of this.#viewers) {
      const tab = this.#tabOf(viewer);
      const refusal = tab === null ? undefined : refusals.get(tab);
      if (typeof refusal === 'string')
        viewer.tell({ kind: 'problem', text: `The gate refused an address: ${refusal}.` });
      this.#tell(viewer, shown, tabs);
    }
  }

  /**
   * The gate's reason for a document that was refused since the last call; `null` for none. It is needed because the
   * screencast shows only Chromium's error page.
   */
  #newRefusal(tab: OpenTab): string | null {
    const mark = this.#marks.get(tab) ?? tab.log.mark;
    this.#marks.set(tab, tab.log.mark);
    const refused = tab.log.since(mark).flatMap((event) => (event.kind === 'refused' && event.isDocument ? event : []));
    return refused.at(-1)?.reason ?? null;
  }

  readonly #marks = new WeakMap<OpenTab, number>();

  #tell(viewer: LiveViewer, { tabs }: ScreencastBrowser, list: LiveState['tabs']): void {
    this.#cast(viewer);
    const { width, height } = tabs.settings;
    const { driver, request: asked, question } = this.#takeOver;
    const state = {
      kind: 'state' as const,
      tabs: list,
      shown: this.#tabOf(viewer)?.id ?? null,
      size: { width, height, isTouched: tabs.settings.mobile },
      viewers: this.#viewers.size,
      driver: driver === null ? null : viewer.relationTo(driver),
      asked,
      ...(question === null ? {} : { question }),
    } as const;
    const { openSince, restsAt } = this.#clocks();
    // The live page advances both times itself, so they alone cause a message only when they are reset.
    const clocks = { openForMs: Date.now() - openSince, restsInMs: restsAt - Date.now() };
    viewer.tellChange({ ...state, ...clocks }, JSON.stringify([state, openSince, restsAt]));
  }
}

/** The tab to show to the driving person: a newly opened tab or, if the person's tab was closed, the tab before it. */
function tabInFront(wanted: string | null, before: readonly string[], now: readonly string[]): string | null {
  const opened = before.length === 0 ? undefined : now.findLast((id) => !before.includes(id));
  if (opened !== undefined) return opened;
  if (wanted === null || now.includes(wanted)) return wanted;
  return before.slice(0, Math.max(0, before.indexOf(wanted))).findLast((id) => now.includes(id)) ?? null;
}

async function titlesOf(browser: CdpSession): Promise<Map<string, string> | null> {
  try {
    const { targetInfos } = await browser.send('Target.getTargets');
    return new Map(targetInfos.map(({ targetId, title }) => [targetId, title]));
  } catch (error) {
    if (isTargetGone(error)) return null;
    throw error;
  }
}

const tabId = z.string().max(20);
const share = z.number().min(0).max(1);
const point = { x: share, y: share };
const held = z.int().min(0).max(15);
const text = z.string().max(LIVE_PASTED_CHARS_MAX);

const message = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drawn') }),
  z.strictObject({ kind: z.literal('here'), ticket: z.string().max(LIVE_TICKET_CHARS_MAX).optional() }),
  z.strictObject({ kind: z.literal('look'), tab: tabId }),
  z.strictObject({ kind: z.literal('take') }),
  z.strictObject({ kind: z.literal('give') }),
  z.strictObject({ kind: z.literal('decline') }),
  z.strictObject({
    kind: z.literal('mouse'),
    type: z.enum(['move', 'down', 'up']),
    button: z.enum(['none', 'left', 'middle', 'right']),
    clicks: z.int().min(0).max(3),
    held,
    ...point,
  }),
  z.strictObject({
    kind: z.literal('wheel'),
    dx: z.number().min(-9).max(9),
    dy: z.number().min(-9).max(9),
    held,
    ...point,
  }),
  z.strictObject({
    kind: z.literal('touch'),
    type: z.enum(['start', 'move', 'end', 'cancel']),
    points: z.array(z.strictObject(point)).max(LIVE_FINGERS_MAX),
  }),
  z.strictObject({
    kind: z.literal('key'),
    type: z.enum(['down', 'up']),
    key: z.string().min(1).max(32),
    code: z.string().max(32),
    held,
    again: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('text'), text }),
  z.strictObject({ kind: z.literal('compose'), text }),
  z.strictObject({ kind: z.literal('go'), url: z.string().max(URL_CHARS_MAX) }),
  z.strictObject({ kind: z.literal('history'), move: z.enum(['back', 'forward', 'reload']) }),
  z.strictObject({ kind: z.literal('open') }),
  z.strictObject({ kind: z.literal('shut'), tab: tabId }),
  z.strictObject({
    kind: z.literal('screen'),
    phone: z.int().min(PHONE_HEIGHT_MIN_PX).max(PHONE_HEIGHT_MAX_PX).nullable(),
  }),
  z.strictObject({ kind: z.literal('answer'), accept: z.boolean(), text }),
  z.strictObject({ kind: z.literal('choose'), at: z.int().min(0).max(LIVE_SELECT_OPTIONS_MAX) }),
]) satisfies z.ZodType<LivePageMessage>;

export function readMessage(data: unknown): LivePageMessage | null {
  if (typeof data !== 'string' || data.length > LIVE_MESSAGE_CHARS_MAX) return null;
  try {
    return message.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
